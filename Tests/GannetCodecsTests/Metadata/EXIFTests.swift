import GannetCore
import Testing

@testable import GannetCodecs

@Suite("EXIF blocks") struct EXIFTests {
    /// A block with one directory of the given entries (tag, type, count, value bytes).
    static func block(bigEndian: Bool, _ entries: [(tag: Int, type: Int, count: Int, value: [UInt8])], tail: [UInt8] = [])
        -> [UInt8]
    {
        func word(_ value: Int) -> [UInt8] {
            let (high, low) = (UInt8(value >> 8 & 255), UInt8(value & 255))
            return bigEndian ? [high, low] : [low, high]
        }
        func long(_ value: Int) -> [UInt8] {
            bigEndian ? word(value >> 16) + word(value & 0xFFFF) : word(value & 0xFFFF) + word(value >> 16)
        }
        var bytes: [UInt8] = (bigEndian ? [0x4D, 0x4D] : [0x49, 0x49]) + word(42) + long(8) + word(entries.count)
        for entry in entries { bytes += word(entry.tag) + word(entry.type) + long(entry.count) + entry.value }
        return bytes + long(0) + tail
    }

    // CG-21
    @Test("All eight orientations in both byte orders", arguments: Orientation.allCases, [false, true])
    func orientations(orientation: Orientation, bigEndian: Bool) {  // CD-34
        let value = UInt8(orientation.rawValue)
        let short: [UInt8] = bigEndian ? [0, value, 0, 0] : [value, 0, 0, 0]
        #expect(EXIF.orientation(in: Self.block(bigEndian: bigEndian, [(0x0112, 3, 1, short)])) == orientation)
        let long: [UInt8] = bigEndian ? [0, 0, 0, value] : [value, 0, 0, 0]
        #expect(
            EXIF.orientation(in: Self.block(bigEndian: bigEndian, [(0x010F, 2, 0, long), (0x0112, 4, 1, long)])) == orientation)
    }

    @Test func theBlockOfOursIsReadBack() {
        for orientation in Orientation.allCases {
            #expect(EXIF.orientation(in: EXIF.block(orientation: orientation)) == orientation)
        }
    }

    @Test func valuesOutsideTheRangeAreNone() {
        for value: UInt8 in [0, 9, 255] {
            #expect(EXIF.orientation(in: Self.block(bigEndian: false, [(0x0112, 3, 1, [value, 0, 0, 0])])) == nil)
        }
        #expect(EXIF.orientation(in: Self.block(bigEndian: false, [(0x0112, 5, 1, [6, 0, 0, 0])])) == nil)
        #expect(EXIF.orientation(in: Self.block(bigEndian: false, [(0x0112, 3, 0, [6, 0, 0, 0])])) == nil)
    }

    @Test("Every truncation and every changed byte is survived")
    func damage() {  // U-05
        let whole = Self.block(bigEndian: true, [(0x8825, 4, 1, [0, 0, 0, 26]), (0x0112, 3, 1, [0, 6, 0, 0])])
        for count in 0..<whole.count {
            let orientation = EXIF.orientation(in: Array(whole.prefix(count)))
            #expect(orientation == (count >= 34 ? .right : nil), "\(count) bytes")
            #expect(EXIF.describing(size: PixelSize(clamping: 1, 1), in: Array(whole.prefix(count))).count == count)
        }
        for index in whole.indices {
            for value: UInt8 in [0, 1, 127, 255] {
                var bytes = whole
                bytes[index] = value
                _ = EXIF.orientation(in: bytes)
                #expect(EXIF.describing(size: PixelSize(clamping: 1, 1), in: bytes).count == whole.count)
            }
        }
    }

    @Test("A thumbnail is whole, or there is none") func thumbnails() {  // NW-05, U-05
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 1, 2, 3, 0xFF, 0xD9]
        let whole = EXIF.block(thumbnail: jpeg)
        let found = EXIF.thumbnail(in: whole)
        #expect(found?.prefix(4) == [0xFF, 0xD8, 0xFF, 0xE1] && found?.suffix(7) == jpeg.suffix(7))
        #expect(found.map { EXIF.orientation(in: Array($0.dropFirst(12))) } == .up)
        for count in 0..<whole.count { #expect(EXIF.thumbnail(in: Array(whole.prefix(count))) == nil, "\(count) bytes") }
        for index in whole.indices {
            for value: UInt8 in [0, 1, 127, 255] {
                var bytes = whole
                bytes[index] = value
                if let found = EXIF.thumbnail(in: bytes) { #expect(found.count <= bytes.count + 36, "\(index)") }
            }
        }
    }

    @Test func thePrefixOfJPEGIsStripped() {
        let block = EXIF.block(orientation: .left)
        #expect(EXIF.strippingPrefix(EXIF.prefix + block) == block)
        #expect(EXIF.strippingPrefix(block) == block)
    }
}

import GannetCore
import GannetTesting
import Testing

@testable import GannetCodecs

/// Files with metadata, damaged in seeded ways: every offset and length in them is a stranger's number, and none may end the
/// process. // S3-22, U-05
@Suite struct HostileMetadataTests {
    private static func number(_ value: Int, bytes: Int, littleEndian: Bool = false) -> [UInt8] {
        let digits = (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return littleEndian ? digits : digits.reversed()
    }

    /// Long sums of literals take the compiler minutes.
    static func joined(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker] + number(content.count + 2, bytes: 2) + content
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count, bytes: 4) + Array(type.utf8) + content + [1, 2, 3, 4]
    }

    private static func riff(_ type: String, _ content: [UInt8]) -> [UInt8] {
        Array(type.utf8) + number(content.count, bytes: 4, littleEndian: true) + content + (content.count % 2 == 0 ? [] : [0])
    }

    private static let jpeg = joined(
        [0xFF, 0xD8], segment(0xE0, joined(Array("JFIF\0".utf8), [1, 1, 0, 0, 1, 0, 1, 0, 0])),
        segment(0xE1, EXIF.prefix + StrippingTests.exif),
        segment(0xE2, joined(Array("ICC_PROFILE\0".utf8), [1, 1, 5, 6, 7])), segment(0xFE, StrippingTests.secret),
        segment(0xDA, [1, 1, 0, 0, 63, 0]), [1, 2, 0xFF, 0, 3, 0xFF, 0xD0, 9, 0xFF, 0xD9, 7])

    private static let png = joined(
        PNGStripping.signature, chunk("IHDR", joined(number(3, bytes: 4), number(2, bytes: 4), [8, 6, 0, 0, 0])),
        chunk("eXIf", StrippingTests.exif), chunk("tEXt", StrippingTests.secret), chunk("IDAT", [1, 2, 3]), chunk("IEND", []),
        [9, 9])

    private static let webp = riff(
        "RIFF",
        joined(
            Array("WEBP".utf8), riff("VP8X", [0x2C, 0, 0, 0, 2, 0, 0, 1, 0, 0]), riff("ICCP", [1, 2, 3]),
            riff("VP8L", [0x2F, 1, 2, 3, 4]), riff("EXIF", StrippingTests.exif), riff("XMP ", StrippingTests.secret)))

    private static let gif = joined(
        Array("GIF89a".utf8), [3, 0, 2, 0, 0x80, 0, 0, 1, 2, 3, 4, 5, 6], [0x21, 0xFE, 4, 1, 2, 3, 4, 0], [0x21, 0xFF, 11],
        Array("NETSCAPE2.0".utf8), [3, 1, 0, 0, 0], [0x21, 0xF9, 4, 0, 1, 0, 0, 0],
        [0x2C, 0, 0, 0, 0, 3, 0, 2, 0, 0, 2, 2, 0x44, 1, 0, 0x3B, 1, 2])

    static let files = [jpeg, png, webp, gif, StrippingTests.exif, EXIF.prefix + StrippingTests.exif]

    /// A few bytes changed, doubled, left out, or the end missing.
    private static func damaged(_ file: [UInt8], _ chance: inout SeededGenerator) -> [UInt8] {
        var bytes = file
        for _ in 0..<Int.random(in: 1...4, using: &chance) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &chance)
            switch Int.random(in: 0..<6, using: &chance) {
            case 0: bytes[index] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF].randomElement(using: &chance) ?? 0
            case 1: bytes[index] = UInt8.random(in: 0...255, using: &chance)
            case 2: bytes.remove(at: index)
            case 3: bytes.insert(0xFF, at: index)
            case 4: bytes.insert(contentsOf: bytes[index..<min(index + 12, bytes.count)], at: index)
            default: bytes.removeLast(bytes.count - index)
            }
        }
        return bytes
    }

    @Test(arguments: 0..<6) func damagedFilesAreReadToTheirEnd(seed: Int) {
        var chance = SeededGenerator(seed: UInt64(seed))
        let file = Self.files[seed]
        for _ in 0..<800 {
            let bytes = Self.damaged(file, &chance)
            if case .stripped(let rest) = MetadataStripper.strip(bytes) {
                // Nothing is made up: at most a block that says how to turn the picture, and what makes room for it.
                #expect(rest.count <= bytes.count + 64)
            }
            let block = EXIF.strippingPrefix(bytes)
            _ = EXIF.orientation(in: block)
            #expect(EXIF.describing(size: PixelSize(clamping: 1, 1), in: block).count == block.count)
            for coder in BuiltInCoders.all { _ = coder.recognizes(bytes.span) }
        }
    }

    @Test func theFilesAreWhatTheySay() {
        for file in Self.files[..<4] {
            guard case .stripped = MetadataStripper.strip(file) else {
                Issue.record("nothing to be stripped in \(file.prefix(8))")
                continue
            }
        }
        #expect(EXIF.orientation(in: StrippingTests.exif) == .right)
    }
}

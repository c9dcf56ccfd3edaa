import Testing

@testable import GannetCodecs

/// What cameras write, and what a damaged block leaves of it.
@Suite struct CameraFactsTests {
    /// A block with make, model and date, and a directory of an exposure.
    private static func block(bigEndian: Bool, make: String = "Gannet", model: String = "G-7 II") -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 255) }
            return bigEndian ? bytes.reversed() : bytes
        }
        func ascii(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }
        // The values behind the two directories; each entry names its offset.
        let start = 8 + 2 + 4 * 12 + 4 + 2 + 6 * 12 + 4
        var tail: [UInt8] = []
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            let head = number(tag, 2) + number(type, 2) + number(count, 4)
            if value.count <= 4 { return head + value + [UInt8](repeating: 0, count: 4 - value.count) }
            defer { tail += value }
            return head + number(start + tail.count, 4)
        }
        func text(_ tag: Int, _ value: String) -> [UInt8] { entry(tag, 2, ascii(value).count, ascii(value)) }
        func ratio(_ tag: Int, _ above: Int, _ below: Int) -> [UInt8] { entry(tag, 5, 1, number(above, 4) + number(below, 4)) }
        let first = [
            text(0x010F, make), text(0x0110, model), text(0x0132, "2026:11:27 14:30:05"),
            entry(0x8769, 4, 1, number(8 + 2 + 4 * 12 + 4, 4)),
        ]
        let second = [
            ratio(0x829A, 1, 250), ratio(0x829D, 28, 10), entry(0x8827, 3, 1, number(400, 2)),
            text(0x9003, "2026:11:26 09:01:02"), ratio(0x920A, 35, 1), text(0xA434, "35mm f/2"),
        ]
        var block: [UInt8] = bigEndian ? [0x4D, 0x4D] : [0x49, 0x49]
        block += number(42, 2) + number(8, 4)
        for directory in [first, second] { block += number(directory.count, 2) + directory.joined() + number(0, 4) }
        return block + tail
    }

    @Test(arguments: [false, true]) func everyFactInBothByteOrders(bigEndian: Bool) {
        let facts = CameraFacts(exif: Self.block(bigEndian: bigEndian))
        #expect(facts.camera == "Gannet G-7 II" && facts.lens == "35mm f/2" && facts.taken == "2026-11-26 09:01:02")
        #expect(facts.exposureTime == 1.0 / 250 && facts.aperture == 2.8 && facts.sensitivity == 400 && facts.focalLength == 35)
    }

    @Test func aMakeIsNamedOnce() {
        #expect(CameraFacts(exif: Self.block(bigEndian: true, make: "GANNET", model: "Gannet G")).camera == "Gannet G")
        #expect(CameraFacts(exif: Self.block(bigEndian: true, make: "  ", model: "G")).camera == "G")
        #expect(CameraFacts(exif: Self.block(bigEndian: true, model: "")).camera == "Gannet")
    }

    /// Right-to-left marks and escapes would change text around them, or a terminal.
    @Test func textIsMadeHarmless() {
        let facts = CameraFacts(
            exif: Self.block(bigEndian: false, make: "A\u{202E}B\u{1B}[31m\nC", model: String(repeating: "x", count: 500)))
        #expect(facts.camera == "AB[31mC " + String(repeating: "x", count: 100))
    }

    @Test func everyTruncationAndEveryChangedByteIsSurvived() {
        let whole = Self.block(bigEndian: true)
        for count in whole.indices { _ = CameraFacts(exif: Array(whole.prefix(count))) }
        for index in whole.indices {
            for value: UInt8 in [0, 1, 127, 255] {
                var bytes = whole
                bytes[index] = value
                _ = CameraFacts(exif: bytes)
            }
        }
        #expect(CameraFacts(exif: []) == CameraFacts(exif: Array("no EXIF".utf8)))
    }
}

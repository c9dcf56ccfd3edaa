import GannetCore
import GannetSandbox
import GannetTesting
import Testing

/// What comes from a worker, changed at random: it is refused or it is some value, and nothing stops the program.
@Suite struct WireTests {
    private static let header: ImageHeader = {
        var header = ImageHeader(
            format: .webp, size: PixelSize(clamping: 640, 480), frameCount: 3,
            animation: AnimationInfo(loopCount: 2, delays: [.milliseconds(40), .milliseconds(50), .seconds(1)]), hasAlpha: true,
            orientation: .left, bitDepth: 10)
        header.colorSpace = ColorSpace(
            model: .rgb, iccProfile: Array(0..<200), cicp: CICP(primaries: 12, transfer: 16, matrix: 0, isFullRange: true))
        header.colorSpace.hasNarrowRange = true
        return header
    }()

    private static func reply() -> [UInt8] {
        SandboxWire.reply(
            header: header, layout: PixelLayout(size: header.size), isPartial: true, availableFrames: 3, exif: [1, 2, 3])
    }

    @Test("A reply is read as it was written")
    func roundTrip() throws {
        let read = try #require(SandboxWire.read(Self.reply(), limits: .standard))
        #expect(read.header?.size == Self.header.size)
        #expect(read.header?.animation == Self.header.animation)
        #expect(read.header?.colorSpace == Self.header.colorSpace)
        #expect(read.header?.orientation == .left)
        #expect(read.layout == PixelLayout(size: Self.header.size))
        #expect(read.exif == [1, 2, 3])
    }

    @Test("100,000 replies with changed, missing and added bytes")
    func changed() {
        var random = SeededGenerator(seed: 7)
        let whole = Self.reply()
        var refused = 0
        for _ in 0..<100_000 {
            var bytes = whole
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let position = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[position] = UInt8.random(in: .min ... .max, using: &random)
                case 1: bytes[position] ^= 0x80
                case 2: bytes.removeSubrange(position...)
                default: bytes.insert(0xFF, at: position)
                }
                if bytes.isEmpty { break }
            }
            guard let read = SandboxWire.read(bytes, limits: .standard) else {
                refused += 1
                continue
            }
            // What the program does with numbers that were let through.
            if let header = read.header { _ = (header.displayedSize.area, ResolvedDecodeOptions().scaledSize(for: header)) }
            _ = read.layout?.byteCount
        }
        #expect(refused > 50_000)
    }
}

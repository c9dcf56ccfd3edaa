import CGannetKernels
import GannetCore
import Testing

@testable import GannetKernels

@Suite("Pictures of few colours") struct PalettedBitmapTests {
    @Test("up to 256 colours come back as they were", arguments: [1, 2, 17, 255, 256])
    func roundTrip(_ colors: Int) throws {
        var noise = Noise(seed: UInt64(colors))
        let palette = (0..<colors).map { _ -> [UInt8] in
            let alpha = noise.below(256)
            return (0..<3).map { _ in UInt8(noise.below(alpha + 1)) } + [UInt8(alpha)]
        }
        let picture = try Picture.make(67, 41) { x, y in palette[(x * 31 + y * 17) % colors] }
        let packed = try #require(PalettedBitmap(picture))
        let back = try packed.expanded()
        #expect(back.packedBytes() == picture.packedBytes() && back.layout == picture.layout)
        #expect(packed.byteCount < 8192)
    }

    @Test("drawn pictures wait in much less, whatever the lengths of their runs", arguments: [1, 3, 255, 256, 257, 700, 4096])
    func runs(_ length: Int) throws {
        for (width, height) in [(64, 64), (97, 83), (5, 1000)] {
            let picture = try Picture.make(width, height) { x, y in
                let number = (y * width + x) / length
                return [UInt8(number % 200), UInt8(number % 7), 0, 255]
            }
            // More colours than a palette has: not of interest here.
            guard let packed = PalettedBitmap(picture) else { continue }
            let back = try packed.expanded()
            #expect(back.packedBytes() == picture.packedBytes() && back.layout == picture.layout)
            // A byte for each pixel where there are no runs to speak of; else two for each run and for each 256 pixels.
            let pairs = width * height / min(length, 256) + height + width * height / 256
            #expect(length < 8 || packed.byteCount <= pairs * 2 + 1024)
        }
    }

    @Test("pairs that say more than the picture has end with it") func boundedRuns() {
        var rows = [UInt8](repeating: 9, count: 4 * 4 * 2 + 16)
        let pairs: [UInt8] = [0, 255, 1, 255, 0]
        gannet_palette_unpack(&rows, 16, 4, 2, pairs, pairs.count, [0x0101_0101, 0x0202_0202])
        #expect(rows == [UInt8](repeating: 1, count: 32) + [UInt8](repeating: 9, count: 16))
        var small = [UInt8](repeating: 0, count: 3)
        #expect(gannet_palette_pack(&small, 3, [1, 2], 2) == 0)
    }

    @Test("the 257th colour is one too many") func tooMany() throws {
        let picture = try Picture.make(257, 1, alpha: .opaque) { x, _ in [UInt8(x & 255), UInt8(x >> 8), 0, 255] }
        #expect(PalettedBitmap(picture) == nil)
        #expect(PalettedBitmap(try Picture.make16(4, 4) { _, _ in [1, 2, 3, 65535] }) == nil)
    }
}

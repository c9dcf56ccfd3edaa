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

    @Test("the 257th colour is one too many") func tooMany() throws {
        let picture = try Picture.make(257, 1, alpha: .opaque) { x, _ in [UInt8(x & 255), UInt8(x >> 8), 0, 255] }
        #expect(PalettedBitmap(picture) == nil)
        #expect(PalettedBitmap(try Picture.make16(4, 4) { _, _ in [1, 2, 3, 65535] }) == nil)
    }
}

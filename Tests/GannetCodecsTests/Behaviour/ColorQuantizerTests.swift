import GannetCodecs
import Testing

@Suite("Palettes") struct ColorQuantizerTests {
    /// A colour that most pixels have stays what it is, however many others there are: black and white behind a drawing.
    @Test(arguments: [0xFF00_0000, 0xFFFF_FFFF] as [UInt32]) func theBackgroundKeepsItsColor(_ background: UInt32) {
        var state: UInt32 = 1
        var pixels = [UInt32](repeating: background, count: 100_000)
        for _ in 0..<20_000 {
            state = state &* 1_664_525 &+ 1_013_904_223
            pixels.append(state >> 8 | 0xFF00_0000)
        }
        // Others in its neighbourhood, which would do for the middle of 15-bit colours.
        for step in 8..<24 as Range<UInt32> {
            let grey = background == 0xFF00_0000 ? step : 255 - step
            pixels += [UInt32](repeating: 0xFF00_0000 | grey | grey << 8 | grey / 2 << 16, count: 50)
        }
        var quantizer = ColorQuantizer(pixels, limit: 256)
        let index = quantizer.index(of: background)
        #expect(quantizer.palette[Int(index)] == background & 0xFF_FFFF)
    }
}

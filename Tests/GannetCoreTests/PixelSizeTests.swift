import GannetCore
import Testing

@Suite struct PixelSizeTests {
    // CD-32
    @Test func refusesSidesOutsideItsBounds() {
        #expect(PixelSize(width: 0, height: 1) == nil)
        #expect(PixelSize(width: 1, height: PixelSize.maximumSide + 1) == nil)
        #expect(
            PixelSize(width: PixelSize.maximumSide, height: PixelSize.maximumSide)?.area == PixelSize.maximumSide
                * PixelSize.maximumSide)
    }

    @Test func clippingNeverTraps() {
        let size = PixelSize(clamping: 10, 10)
        #expect(PixelRect(x: .max, y: 0, width: .max, height: 1).clipped(to: size) == nil)
        #expect(PixelRect(x: -5, y: -5, width: .max, height: 7).clipped(to: size) == PixelRect(x: 0, y: 0, width: 10, height: 2))
        #expect(PixelRect(x: 0, y: 0, width: -1, height: 5).clipped(to: size) == nil)
    }
}

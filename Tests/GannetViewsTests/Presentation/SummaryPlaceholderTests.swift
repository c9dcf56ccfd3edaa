import GannetCore
import GannetImages
import GannetTestSupport
import GannetViews
import Testing

@Suite struct SummaryPlaceholderTests {
    // VW-18
    @Test func aSummaryIsAPlaceholder() throws {
        let summary = try ImageSummary(solid(200, 120, 40, width: 300, height: 200))
        #expect(summary.size == PixelSize(clamping: 300, 200))
        guard case .thumbHash(let hash) = summary.placeholder else { return #expect(Bool(false)) }
        #expect(ThumbHash.bitmap(hash) != nil && summary.dominantColor.alpha == 255)
    }
}

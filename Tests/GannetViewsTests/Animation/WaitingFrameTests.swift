import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetTestSupport
import Testing

@testable import GannetPlatform
@testable import GannetViews

/// Frames of few colours wait in a quarter of their memory. AN-16, U-04
@Suite struct WaitingFrameTests {
    private let library = FrameLibrary(
        budget: FrameBudget(capacity: 1 << 24), executor: BlockingExecutor(name: "test", threads: 1), time: SteppedTime())

    @Test func drawnFramesAreKeptSmallAndShownAsTheyAre() async throws {
        let frames = try NumberedFrames(6, side: 128)
        let buffer = library.buffer(for: clip(frames, delays: Array(repeating: ms(100), count: 6)))
        try await buffer.preloadAll()
        // The poster is held by the image; five others of 128 × 128 pixels.
        let whole = 5 * frames.poster.byteCount
        #expect(buffer.byteCount > 0 && buffer.byteCount < whole / 3)
        for index in [0, 3, 1, 5, 4, 2, 2] {
            let frame = try #require(buffer.frame(at: index))
            #expect(red(frame) == index && frame.layout == frames.poster.layout)
        }
        // A repeated request for the frame on screen returns the same bitmap, so that it is not uploaded twice.
        #expect(buffer.frame(at: 2)?.identity == buffer.frame(at: 2)?.identity)
        buffer.purge()
        #expect(buffer.byteCount == 0 && buffer.frame(at: 2) == nil)
    }

    @Test func photographsStayWhole() throws {
        var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 128, 128), alpha: .opaque))
        for y in 0..<128 {
            var row = buffer.mutableRow(y)
            for x in 0..<128 {
                for (channel, value) in [x * 2, y * 2, (x ^ y) & 255, 255].enumerated() { row[x * 4 + channel] = UInt8(value) }
            }
        }
        let bitmap = buffer.freeze()
        guard case .whole(let kept) = WaitingFrame(bitmap, isHeldElsewhere: false) else {
            Issue.record("too many colours for a palette")
            return
        }
        #expect(kept.identity == bitmap.identity)
        guard case .whole = WaitingFrame(try solid(1), isHeldElsewhere: false) else {
            Issue.record("small frames are not worth it")
            return
        }
    }
}

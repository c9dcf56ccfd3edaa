import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetViews
import Synchronization
import Testing

/// AN-14: frames as a sequence.
@Suite struct AnimatedFramesTests {
    /// Sleeping is moving on.
    private final class JumpingTime: TimeSource {
        private let state = Mutex(Duration.seconds(5))
        var uptime: Duration { state.withLock { $0 } }
        var now: Timestamp { Timestamp(milliseconds: uptime.wholeMilliseconds) }
        func advance(by duration: Duration) { state.withLock { $0 += duration } }
        func sleep(for duration: Duration) async throws(ImageError) { advance(by: duration) }
    }

    private func image(_ count: Int, loops: Int = 2, failing: Set<Int> = []) throws -> AnimatedImage {
        clip(try NumberedFrames(count, failing: failing), delays: (0..<count).map { ms(20 * ($0 + 1)) }, loops: loops)
    }

    // AN-14
    @Test func allOfThemInOrderAsOftenAsTheFileSays() async throws {
        var seen: [[Int]] = []
        for try await frame in try image(3).frames() {
            seen.append([
                frame.loop, frame.index, red(frame.bitmap), frame.delay.wholeMilliseconds == 20 * Int64(frame.index + 1) ? 1 : 0,
            ])
        }
        #expect(seen == [[0, 0, 0, 1], [0, 1, 1, 1], [0, 2, 2, 1], [1, 0, 0, 1], [1, 1, 1, 1], [1, 2, 2, 1]])
    }

    @Test func forEverIsUntilTheReaderStops() async throws {
        var count = 0
        for try await _ in try image(3, loops: 0).frames() {
            count += 1
            if count == 100 { break }
        }
        #expect(count == 100)
    }

    @Test func nothingIsDecodedAhead() async throws {
        let frames = try NumberedFrames(5)
        var iterator = clip(frames, delays: Array(repeating: ms(10), count: 5)).frames().makeAsyncIterator()
        _ = try await iterator.next()
        _ = try await iterator.next()
        #expect(frames.decoded == [1], "the first is the poster")
    }

    @Test func aClockMakesThemComeWhenTheyAreDueAndLeavesLateOnesOut() async throws {
        let time = JumpingTime()
        var iterator = try image(4, loops: 1).frames(tempo: time).makeAsyncIterator()
        let start = time.uptime
        #expect(try await iterator.next()?.index == 0)
        #expect(try await iterator.next()?.index == 1)
        #expect(time.uptime - start == ms(20))
        // Frame 1 lasts until 60, frame 2 until 120: at 140 both are over.
        time.advance(by: ms(120))
        #expect(try await iterator.next()?.index == 3)
        time.advance(by: ms(1000))
        #expect(try await iterator.next() == nil)
        var late = try image(2, loops: 1).frames(tempo: time).makeAsyncIterator()
        _ = try await late.next()
        time.advance(by: .seconds(9))
        #expect(try await late.next()?.index == 1, "the last one is shown, however late")
    }

    /// Stored as nothing, shown for 100 ms as everywhere.
    @Test func framesWithoutADelayHaveTheirTime() async throws {
        let time = JumpingTime()
        let start = time.uptime
        var seen: [Duration] = []
        for try await frame in clip(try NumberedFrames(3), delays: [.zero, ms(10), ms(50)], loops: 1).frames(tempo: time) {
            seen += [time.uptime - start, frame.delay]
        }
        #expect(seen == [.zero, ms(100), ms(100), ms(100), ms(200), ms(50)])
    }

    @Test func theDecoderIsGivenBack() async throws {  // AN-16
        let frames = try NumberedFrames(3)
        let image = clip(frames, delays: Array(repeating: ms(50), count: 3), loops: 1)
        var iterator = Optional(image.frames().makeAsyncIterator())
        while try await iterator?.next() != nil { #expect(frames.timesRested == 0) }
        #expect(frames.timesRested == 1, "it is over")
        iterator = image.frames().makeAsyncIterator()
        _ = try await iterator?.next()
        #expect(frames.timesRested == 1)
        iterator = nil
        #expect(frames.timesRested == 2, "nobody reads on")
    }

    @Test func brokenFramesThrow() async throws {
        var seen: [Int] = []
        await #expect { for try await frame in try image(3, failing: [1]).frames() { seen.append(frame.index) } } throws: {
            ($0 as? ImageError)?.code == .corrupt
        }
        #expect(seen == [0])
    }
}

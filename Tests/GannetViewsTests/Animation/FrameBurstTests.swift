import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

@testable import GannetViews

/// When a buffer begins to decode: seldom, several frames at once, and always in time.
@Suite struct FrameBurstTests {
    /// Of twelve frames those that are there; the player wants five from `first` on.
    private func isShort(
        loaded: [Int], wantedFrom first: Int, count: Int = 5, room: Int = 12, pace: Duration = .zero
    ) throws -> Bool {
        var state = FrameBuffer.State(count: 12, shortestDelay: ms(60))
        state.room = room
        state.pace = pace
        for frame in loaded {
            state.frames[frame] = FrameBuffer.Entry(pixels: .whole(try solid(UInt8(frame))), bytes: 1, used: 0)
            state.kept += 1
        }
        let wants = (first..<first + count).map { $0 % 12 }
        state.viewers = [
            FrameBuffer.Viewer(
                client: FrameBuffer.Client(number: 1), wants: wants, isPlaying: true, limit: nil, onFrame: { _ in })
        ]
        return state.isShort()
    }

    @Test func `One missing frame of five waits for a second one`() throws {
        #expect(try !isShort(loaded: [0, 1, 2, 3, 4], wantedFrom: 0))
        #expect(try !isShort(loaded: [0, 1, 2, 3, 4], wantedFrom: 1))
        #expect(try isShort(loaded: [0, 1, 2, 3, 4], wantedFrom: 2))
    }

    @Test func `A frame that is due now or next does not wait`() throws {
        #expect(try isShort(loaded: [], wantedFrom: 0))
        #expect(try isShort(loaded: [0, 2, 3, 4], wantedFrom: 0))
        #expect(try isShort(loaded: [6, 7, 8, 9], wantedFrom: 5))
        // One who decodes little ahead, or has no room for more, decodes each frame when it is wanted.
        #expect(try isShort(loaded: [0, 1], wantedFrom: 0, count: 3))
        #expect(try isShort(loaded: [0, 1], wantedFrom: 1, room: 2))
    }

    @Test func `Slow frames are decoded as soon as one is missing`() throws {
        #expect(try !isShort(loaded: [0, 1, 2, 3, 4], wantedFrom: 1, pace: ms(20)))
        #expect(try isShort(loaded: [0, 1, 2, 3, 4], wantedFrom: 1, pace: ms(21)))
        #expect(try !isShort(loaded: [0, 1, 2, 3, 4], wantedFrom: 0, pace: ms(21)))
    }

    /// Events on the threads of an executor, in order.
    private final class Order: Sendable {
        private let notes = Mutex<[String]>([])
        var all: [String] { notes.withLock { $0 } }
        func note(_ text: String) { notes.withLock { $0.append(text) } }
    }

    @Test func `Between two frames of a burst, other work that waits has its turn`() async throws {
        let executor = BlockingExecutor(name: "test", threads: 1)
        let order = Order()
        let frames = try NumberedFrames(6) { index in
            order.note("frame \(index)")
            // While the only thread is busy.
            if index == 2 { Task(executorPreference: executor) { order.note("other") } }
        }
        let buffer = FrameBuffer(
            image: clip(frames, delays: Array(repeating: ms(100), count: 6)), budget: FrameBudget(capacity: 1 << 20),
            executor: executor, time: SteppedTime())
        let client = FrameBuffer.Client(number: 1)
        buffer.add(client, limit: nil) { _ in }
        buffer.want(Array(0..<6), isPlaying: true, by: client)
        #expect(await eventually { buffer.allFramesLoaded })
        // The first frame is the poster.
        #expect(order.all == ["frame 1", "frame 2", "other", "frame 3", "frame 4", "frame 5"])
    }

    @Test func `Nothing is missing where all frames are there, or cannot be decoded`() throws {
        #expect(try !isShort(loaded: Array(0..<12), wantedFrom: 9))
        var state = FrameBuffer.State(count: 2)
        state.failed = [0: .cancelled(stage: .decode), 1: .cancelled(stage: .decode)]
        #expect(!state.isShort())
    }
}

import GannetCore
import GannetTestSupport
import Testing

@testable import GannetViews

/// When a buffer begins to decode: seldom, several frames at once, and always in time.
@Suite struct FrameBurstTests {
    /// Of twelve frames those that are there; the player wants five from `first` on.
    private func isShort(loaded: [Int], wantedFrom first: Int, count: Int = 5, room: Int = 12) throws -> Bool {
        var state = FrameBuffer.State(count: 12)
        state.room = room
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

    @Test func `Nothing is missing where all frames are there, or cannot be decoded`() throws {
        #expect(try !isShort(loaded: Array(0..<12), wantedFrom: 9))
        var state = FrameBuffer.State(count: 2)
        state.failed = [0: .cancelled(stage: .decode), 1: .cancelled(stage: .decode)]
        #expect(!state.isShort())
    }
}

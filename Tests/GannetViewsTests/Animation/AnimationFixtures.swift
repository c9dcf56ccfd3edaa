import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetViews
import Synchronization

/// Time that stands still until a test moves it.
final class SteppedTime: TimeSource {
    private let state = Mutex(Duration.zero)
    var uptime: Duration { state.withLock { $0 } }
    var now: Timestamp { Timestamp(milliseconds: uptime.wholeMilliseconds) }
    func advance(by duration: Duration) { state.withLock { $0 += duration } }
    func sleep(for duration: Duration) async throws(ImageError) {
        throw ImageError(.misuse, "Nothing here may sleep.")
    }
}

/// Frames painted with their number. Each decode is noted; frames can be made to fail.
final class NumberedFrames: FrameSource {
    private let bitmaps: [Bitmap]
    private let failing: Set<Int>
    /// Those that fail the first time only.
    private let failingOnce: Set<Int>
    private let log = Mutex<[Int]>([])
    private let rests = Mutex(0)
    private let onDecode: @Sendable (Int) -> Void

    init(
        _ count: Int, side: Int = 4, failing: Set<Int> = [], failingOnce: Set<Int> = [],
        onDecode: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws {
        bitmaps = try (0..<count).map { try solid(UInt8($0), width: side, height: side) }
        self.failing = failing
        self.failingOnce = failingOnce
        self.onDecode = onDecode
    }

    var poster: Bitmap { bitmaps[0] }
    var decoded: [Int] { log.withLock { $0 } }
    var byteCount: Int { 0 }
    /// How often the decoder was given back.
    var timesRested: Int { rests.withLock { $0 } }
    func rest() { rests.withLock { $0 += 1 } }

    func frame(at index: Int) throws(ImageError) -> Bitmap {
        let isFirst = log.withLock { log in
            defer { log.append(index) }
            return !log.contains(index)
        }
        onDecode(index)
        if failing.contains(index) || isFirst && failingOnce.contains(index) {
            throw ImageError(.corrupt, stage: .decode, "Frame \(index) is broken.")
        }
        return bitmaps[index]
    }
}

func clip(
    _ frames: NumberedFrames, delays: [Duration], loops: Int = 0, isPartial: Bool = false
) -> AnimatedImage {
    var metadata = ImageMetadata(format: .gif, originalSize: frames.poster.size)
    (metadata.isPartial, metadata.isArriving) = (isPartial, isPartial)
    return AnimatedImage(metadata: metadata, poster: frames.poster, loopCount: loops, delays: delays, source: frames)
}

func ms(_ value: Int) -> Duration { .milliseconds(value) }

/// Counts what happens on other threads and lets a test wait for a count.
final class Signal: Sendable {
    private struct State {
        var count = 0
        var waiters: [(Int, CheckedContinuation<Void, Never>)] = []
    }
    private let state = Mutex(State())

    var count: Int { state.withLock { $0.count } }

    func fire() {
        let ready = state.withLock { state in
            state.count += 1
            let ready = state.waiters.filter { $0.0 <= state.count }
            state.waiters.removeAll { $0.0 <= state.count }
            return ready
        }
        for (_, waiter) in ready { waiter.resume() }
    }

    func wait(for count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.count >= count { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }
}

public import GannetCore
import Glibc

/// The clock of freshness, expiration, retries and measured times. Tests own theirs.
///
/// Not everything goes through it: the HTTP transport measures its deadlines by the clock of its event loops, reading a pipe has
/// its own deadline, and GTK's views take the time of the frame clock.
public protocol TimeSource: Sendable {
    /// The calendar; may jump.
    var now: Timestamp { get }
    /// Time since some fixed moment; never jumps, never runs backwards.
    var uptime: Duration { get }
    /// Throws only `cancelled`.
    func sleep(for duration: Duration) async throws(ImageError)
}

/// The system's clocks.
public struct SystemTimeSource: TimeSource {
    private static let start = ContinuousClock.now

    /// All values share the zero of their uptime.
    public init() {}

    public var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    public var uptime: Duration { ContinuousClock.now - Self.start }

    public func sleep(for duration: Duration) async throws(ImageError) {
        guard await Self.sleeps(duration) else { throw .cancelled() }
    }

    /// False if it was cancelled. A separate function without errors: Swift 6.3 omits the hop back to the caller's actor after
    /// a call that throws, and the optimiser omitted it after `Task.sleep` itself.
    @concurrent @inline(never) private static func sleeps(_ duration: Duration) async -> Bool {
        do { try await Task.sleep(for: duration, clock: .continuous) } catch { return false }
        return true
    }
}

import Glibc

/// A moment of the calendar: milliseconds since 1970-01-01 00:00 UTC. What is written to disk.
public struct Timestamp: Hashable, Sendable, Comparable {
    /// Since 1970-01-01 00:00 UTC, leap seconds left out; negative before.
    public var milliseconds: Int64

    /// Any number is a moment.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    /// Saturates instead of overflowing.
    public static func + (left: Timestamp, right: Duration) -> Timestamp {
        let (sum, overflow) = left.milliseconds.addingReportingOverflow(right.wholeMilliseconds)
        return Timestamp(milliseconds: overflow ? (right < .zero ? .min : .max) : sum)
    }

    /// Saturates instead of overflowing; negative where `right` is later.
    public static func - (left: Timestamp, right: Timestamp) -> Duration {
        let (difference, overflow) = left.milliseconds.subtractingReportingOverflow(right.milliseconds)
        return .milliseconds(overflow ? (left < right ? Int64.min : Int64.max) : difference)
    }

    /// Before every other moment.
    public static let distantPast = Timestamp(milliseconds: .min)
    /// After every other moment.
    public static let distantFuture = Timestamp(milliseconds: .max)
}

extension Duration {
    /// Rounded towards zero, saturating.
    public var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, overflow2) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return overflow2 ? (seconds < 0 ? .min : .max) : sum
    }

    /// As a fraction; exact to some 15 digits.
    public var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}

/// The clock of freshness, expiration, retries and measured times. Tests own theirs.
///
/// Not everything goes through it: the HTTP transport measures its deadlines by the clock of its event loops, reading a pipe has
/// its own deadline, and GTK's views take the time of the frame clock.
public protocol TimeSource: Sendable {
    /// The calendar; may jump.
    var now: Timestamp { get }
    /// Since some fixed moment; never jumps, never runs backwards.
    var uptime: Duration { get }
    /// Throws only `cancelled`.
    func sleep(for duration: Duration) async throws(ImageError)
}

/// The system's clocks.
public struct SystemTimeSource: TimeSource {
    private static let start = ContinuousClock.now

    /// All values share their moment of uptime zero.
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

    /// False if it was cancelled. Apart from the caller's function, and without an error: Swift 6.3 leaves out the way back to the
    /// caller's actor behind a call that throws, and the optimiser left it out behind `Task.sleep` itself.
    @concurrent @inline(never) private static func sleeps(_ duration: Duration) async -> Bool {
        do { try await Task.sleep(for: duration, clock: .continuous) } catch { return false }
        return true
    }
}

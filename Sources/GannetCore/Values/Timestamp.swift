/// A moment of the calendar, as stored on disk: milliseconds since 1970-01-01 00:00 UTC.
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

    /// Earlier than every other moment.
    public static let distantPast = Timestamp(milliseconds: .min)
    /// Later than every other moment.
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

    /// Seconds with a fraction; exact to some 15 digits.
    public var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}

package import GannetCore

/// Which positions to load before they are seen.
package struct PrefetchWindow: Sendable {
    private var seen: Range<Int>?
    private var isForward = true
    private var planned = 0..<0

    package init() {}

    /// Nearest first; nil if the last plan still reaches far enough.
    package mutating func move(to visible: Range<Int>, ahead: Int, in bounds: Range<Int>) -> [Int]? {
        let wasForward = isForward
        if let seen {
            if visible.lowerBound < seen.lowerBound || visible.upperBound < seen.upperBound { isForward = false }
            if visible.lowerBound > seen.lowerBound || visible.upperBound > seen.upperBound { isForward = true }
        }
        seen = visible
        let wanted =
            (isForward
            ? visible.upperBound..<(visible.upperBound + ahead) : (visible.lowerBound - ahead)..<visible.lowerBound)
            .clamped(to: bounds)
        let rest = wanted.clamped(to: planned)
        if isForward == wasForward, !wanted.isEmpty, rest.count * 2 >= wanted.count { return nil }
        planned = wanted
        guard !wanted.isEmpty else { return nil }
        return isForward ? Array(wanted) : wanted.reversed()
    }
}

/// The loads that were started for a list's images before they are seen. A load that both the old and the new plan want
/// continues: it is neither cancelled nor restarted. Each load can be cancelled separately.
package struct PrefetchPlan {
    /// Positions do not identify images: models insert items before them.
    package struct Key: Hashable, Sendable {
        fileprivate let source: ImageSource
        fileprivate let target: DecodeTarget?
        /// Distinguishes requests that are otherwise equal.
        fileprivate let number: Int
    }

    private var running: [Key: @Sendable () -> Void] = [:]

    package init() {}

    /// Cancels loads that are no longer near, and returns those to start, in the order of `wanted`. A running load of an image
    /// that is `seen` continues: the view that shows the image joins it.
    package mutating func move(
        to wanted: [ImageRequest], keeping seen: [ImageRequest]
    ) -> [(key: Key, request: ImageRequest)] {
        let near = Self.named(wanted)
        var kept = Set(near.map(\.key))
        kept.formUnion(Self.named(seen).map(\.key))
        let left = running.filter { !kept.contains($0.key) }
        for (key, cancel) in left {
            running[key] = nil
            cancel()
        }
        return near.filter { running[$0.key] == nil }
    }

    /// Notes that a load which ``move(to:keeping:)`` returned has begun.
    package mutating func began(_ key: Key, cancel: @escaping @Sendable () -> Void) { running[key] = cancel }

    package mutating func cancelAll() {
        for cancel in running.values { cancel() }
        running = [:]
    }

    private static func named(_ requests: [ImageRequest]) -> [(key: Key, request: ImageRequest)] {
        var counts: [Key: Int] = [:]
        return requests.map { request in
            let first = Key(source: request.source, target: request.decode.target, number: 0)
            let number = counts[first, default: 0]
            counts[first] = number + 1
            return (Key(source: first.source, target: first.target, number: number), request)
        }
    }
}

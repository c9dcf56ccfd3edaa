package import GannetCore

/// The times at which frames are shown. A value: no clock, no state.
///
/// Time is *media time*: zero when the first frame appears, at the animation's own tempo. Stored delays of 10 ms and less count
/// as 100 ms (`AnimationInfo.shownDelay(_:)`), delays above one day as one day.
package struct AnimationTimeline: Hashable, Sendable {
    /// Frames in the file, at least 1; not steps of a loop: a bounce shows most frames twice.
    package let frameCount: Int
    /// Always `normal` while more frames may arrive.
    package let mode: PlaybackMode
    /// Number of loops; 0 is for ever.
    package let loopCount: Int
    /// False while more frames may arrive: it plays once, forwards, and waits on its last frame.
    package let isComplete: Bool

    /// The frames of one loop, and the end of each in nanoseconds since the loop's start.
    private let order: [Int]
    private let ends: [Int64]
    /// Duration of the closing frame of a finite bounce; earlier loops share it with the next loop.
    private let closing: Int64

    /// `delays` must not be empty; a negative loop count means for ever.
    package init(delays: [Duration], loopCount: Int, mode: PlaybackMode = .normal, isComplete: Bool = true) {
        precondition(!delays.isEmpty, "an animation has at least one frame")
        frameCount = delays.count
        self.isComplete = isComplete
        self.mode = isComplete ? mode : .normal
        self.loopCount = isComplete ? max(loopCount, 0) : 1
        order = self.mode.order(frameCount: delays.count)
        let lengths = delays.map { Self.nanoseconds(AnimationInfo.shownDelay($0)) }
        var ends: [Int64] = []
        ends.reserveCapacity(order.count)
        var sum: Int64 = 0
        for frame in order {
            // Each is a day at most, but there may be very many.
            sum = min(sum + lengths[frame], Self.longest)
            ends.append(sum)
        }
        self.ends = ends
        closing = self.mode.returnsToStart && order.count > 1 ? lengths[order[0]] : 0
    }

    /// A timeline with the animation's own delays and loop count.
    package init(_ image: AnimatedImage, mode: PlaybackMode = .normal, loopCount: Int? = nil) {
        self.init(
            delays: image.delays, loopCount: loopCount ?? image.loopCount, mode: mode, isComplete: !image.metadata.isArriving)
    }

    /// The state of the screen at one time.
    package struct Position: Hashable, Sendable {
        /// Index of the frame in the file.
        package var frame: Int
        /// Loops that have ended before this moment.
        package var loop: Int
        /// Steps since the loop began.
        package var step: Int
        /// Media time at which this frame appeared.
        package var start: Duration
        /// Media time at which the next frame is due; nil: this frame stays.
        package var end: Duration?
        /// All loops have ended, including this frame's time.
        package var isFinished: Bool
    }

    /// Length of one loop.
    package var loopDuration: Duration { .nanoseconds(ends[ends.count - 1]) }

    /// Media time at which the last frame's time ends; nil if it never ends.
    package var totalDuration: Duration? { total.map { .nanoseconds($0) } }

    private var total: Int64? {
        guard loopCount > 0 else { return nil }
        let (product, overflow) = ends[ends.count - 1].multipliedReportingOverflow(by: Int64(loopCount))
        let (sum, overflow2) = product.addingReportingOverflow(closing)
        return overflow || overflow2 ? Int64.max : sum
    }

    /// The position at a media time. O(log n). Times before zero count as zero.
    package func position(at time: Duration) -> Position {
        let time = Self.nanoseconds(time, limit: 2 * Self.longest)
        let length = ends[ends.count - 1]
        if let total, time >= total {
            // A bounce stays on its closing frame, any other mode on its last one.
            let step = closing > 0 ? 0 : order.count - 1
            let start = closing > 0 ? total - closing : total - (length - startOfStep(step))
            return Position(
                frame: order[step], loop: loopCount, step: step, start: .nanoseconds(start), end: nil, isFinished: true)
        }
        let loop = time / length
        let inside = time % length
        let base = loop * length
        if loopCount > 0, loop >= Int64(loopCount) {
            return Position(
                frame: order[0], loop: loopCount, step: 0, start: .nanoseconds(base), end: .nanoseconds(base + closing),
                isFinished: false)
        }
        let step = firstEnd(after: inside)
        return Position(
            frame: order[step], loop: Int(loop), step: step, start: .nanoseconds(base + startOfStep(step)),
            end: .nanoseconds(base + ends[step]), isFinished: false)
    }

    /// Media time at which `frame` is first shown in loop `loop`. Values are clamped to the range.
    package func time(ofFrame frame: Int, loop: Int = 0) -> Duration {
        let frame = min(max(frame, 0), frameCount - 1)
        var loop = max(loop, 0)
        if loopCount > 0 { loop = min(loop, loopCount - 1) }
        let step = order.firstIndex(of: frame) ?? 0
        let (base, overflow) = ends[ends.count - 1].multipliedReportingOverflow(by: Int64(loop))
        return .nanoseconds(overflow ? 2 * Self.longest : min(base, Self.longest) + startOfStep(step))
    }

    /// The next frames after this position, at most `count`; none after the last frame of a finite animation.
    package func upcoming(after position: Position, count: Int) -> [Int] {
        var result: [Int] = []
        result.reserveCapacity(max(count, 0))
        forUpcoming(after: position, count: count) { result.append($0) }
        return result
    }

    /// The same without an array.
    func forUpcoming(after position: Position, count: Int, _ body: (Int) -> Void) {
        guard !position.isFinished, order.count > 1, count > 0 else { return }
        var step = position.step
        var loop = position.loop
        for _ in 0..<count {
            step += 1
            if step == order.count {
                step = 0
                loop += 1
            }
            if loopCount > 0, loop >= loopCount {
                if closing > 0, step == 0, loop == loopCount { body(order[0]) }
                return
            }
            body(order[step])
        }
    }

    /// The position before this one; nil for the very first frame.
    package func previous(of position: Position) -> Position? {
        position.start > .zero ? self.position(at: position.start - .nanoseconds(1)) : nil
    }

    private func startOfStep(_ step: Int) -> Int64 { step == 0 ? 0 : ends[step - 1] }

    private func firstEnd(after time: Int64) -> Int {
        var low = 0
        var high = ends.count - 1
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] > time { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Limit for one loop: 73 years. Later times count as twice the limit, so that sums cannot overflow.
    private static let longest = Int64.max / 4
    private static let day: Int64 = 86_400_000_000_000

    private static func nanoseconds(_ duration: Duration, limit: Int64 = day) -> Int64 {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? 0 : limit }
        let (sum, overflow2) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow2 ? limit : min(max(sum, 0), limit)
    }
}

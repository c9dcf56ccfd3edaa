import GannetCore

/// A timeline and the clock that drives it: what turns the time of the day into media time. A value; the caller says what
/// time it is (any clock that never runs backwards).
public struct AnimationPlayback: Hashable, Sendable {
    /// Changed by ``replace(_:at:)``, which keeps what is on screen.
    public private(set) var timeline: AnimationTimeline
    /// Between ``start(at:)`` and ``stop(at:resets:)``; stays true after the last loop, when the last frame stands.
    public private(set) var isPlaying = false
    /// 1 is the clip's own tempo; below a millionth it stands still, and 1000 is the most.
    public private(set) var rate = 1.0
    /// Media time at ``anchor``.
    private var media = Duration.zero
    private var anchor = Duration.zero

    /// Stands at the first frame until ``start(at:)``. `rate` is moved into its range; what is no number is 0.
    public init(_ timeline: AnimationTimeline, rate: Double = 1) {
        self.timeline = timeline
        self.rate = Self.valid(rate)
    }

    /// Media time at the moment `now`.
    public func elapsed(at now: Duration) -> Duration {
        guard isPlaying, rate > 0, now > anchor else { return media }
        let passed = now - anchor
        let time = media + (rate == 1 ? passed : passed * rate)
        // An incomplete clip waits at its end, so that the frame that arrives next is the next one shown.
        if !timeline.isComplete, let end = timeline.totalDuration { return min(time, max(end, media)) }
        return time
    }

    /// What is on screen at the moment `now`. O(log n), n = frames.
    public func position(at now: Duration) -> AnimationTimeline.Position { timeline.position(at: elapsed(at: now)) }

    /// When the next frame is due; nil if nothing will change by itself.
    public func wake(at now: Duration) -> Duration? {
        guard isPlaying, rate > 0 else { return nil }
        let elapsed = elapsed(at: now)
        let position = timeline.position(at: elapsed)
        if position.isFinished { return nil }
        guard let end = position.end else { return nil }
        let rest = end - elapsed
        // Rounding must not wake a moment too early and find the old frame.
        return now + (rate == 1 ? rest : rest / rate + .microseconds(1))
    }

    /// Starts or goes on. A clip that has finished starts over.
    public mutating func start(at now: Duration) {
        guard !isPlaying else { return }
        if timeline.isComplete, timeline.position(at: media).isFinished { media = .zero }
        anchor = now
        isPlaying = true
    }

    /// Stands still on the current frame. `resets`: goes back to the beginning. - SDWebImage: resetFrameIndexWhenStopped
    public mutating func stop(at now: Duration, resets: Bool = false) {
        media = resets ? .zero : elapsed(at: now)
        anchor = now
        isPlaying = false
    }

    /// Goes to a frame, playing or not.
    public mutating func seek(toFrame frame: Int, loop: Int = 0, at now: Duration) {
        media = timeline.time(ofFrame: frame, loop: loop)
        anchor = now
    }

    /// From now on; what has been shown stays shown.
    public mutating func setRate(_ rate: Double, at now: Duration) {
        media = elapsed(at: now)
        anchor = now
        self.rate = Self.valid(rate)
    }

    /// Another order or loop count, or more frames: the frame and loop on screen stay. What has ended goes on with the loops that were
    /// added, or stays at its end.
    public mutating func replace(_ timeline: AnimationTimeline, at now: Duration) {
        let old = elapsed(at: now)
        let position = self.timeline.position(at: old)
        if timeline == self.timeline {
            // Nothing is to be worked out: also the way of a bounce, and how long the frame has been there, stay.
            (media, anchor) = (old, now)
            return
        }
        let grows = !self.timeline.isComplete && timeline.mode == .normal && timeline.frameCount >= self.timeline.frameCount
        // A growing clip's media time means the same in the longer one; otherwise the frame decides.
        if grows {
            media = old
        } else if position.isFinished, self.timeline.isComplete {
            media = Self.media(after: position, in: timeline, wasSameOrder: timeline.mode == self.timeline.mode)
        } else {
            media = timeline.time(ofFrame: position.frame, loop: position.loop)
        }
        anchor = now
        self.timeline = timeline
    }

    /// The end counts all loops as shown, but its frame is that of the last one, except in a bounce, which closes with the first frame
    /// of a further loop.
    private static func media(
        after end: AnimationTimeline.Position, in timeline: AnimationTimeline, wasSameOrder: Bool
    ) -> Duration {
        let loops = timeline.loopCount
        if wasSameOrder, loops > 0, loops <= end.loop, let total = timeline.totalDuration { return total }
        let isClosing = wasSameOrder && timeline.mode.returnsToStart
        return timeline.time(ofFrame: end.frame, loop: isClosing ? end.loop : end.loop - 1)
    }

    /// Times stay far from what a ``Duration`` can hold.
    private static func valid(_ rate: Double) -> Double { rate >= 0.000_001 ? min(rate, 1000) : 0 }
}

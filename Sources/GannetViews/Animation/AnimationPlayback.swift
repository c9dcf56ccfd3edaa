import GannetCore

/// A timeline and its clock: converts the caller's time into media time. A value type; the caller passes the time of any clock
/// that never runs backwards.
package struct AnimationPlayback: Hashable, Sendable {
    /// Changed by ``replace(_:at:)``, which keeps the frame on screen.
    package private(set) var timeline: AnimationTimeline
    /// True between ``start(at:)`` and ``stop(at:resets:)``, and still after the last loop, on its last frame.
    package private(set) var isPlaying = false
    /// Speed: 1 is the animation's own tempo. Below a millionth it pauses; 1000 is the maximum.
    package private(set) var rate = 1.0
    /// Media time at ``anchor``.
    private var media = Duration.zero
    private var anchor = Duration.zero

    /// Stays on the first frame until ``start(at:)``. `rate` is clamped to its range; not-a-number counts as 0.
    package init(_ timeline: AnimationTimeline, rate: Double = 1) {
        self.timeline = timeline
        self.rate = Self.valid(rate)
    }

    /// Media time at the moment `now`.
    package func elapsed(at now: Duration) -> Duration {
        guard isPlaying, rate > 0, now > anchor else { return media }
        let passed = now - anchor
        let time = media + (rate == 1 ? passed : passed * rate)
        // An incomplete animation waits at its end, so that the next frame to arrive is the next one shown.
        if !timeline.isComplete, let end = timeline.totalDuration { return min(time, max(end, media)) }
        return time
    }

    /// The frame on screen at the time `now`. O(log n), n = frames.
    package func position(at now: Duration) -> AnimationTimeline.Position { timeline.position(at: elapsed(at: now)) }

    /// When the next frame is due; nil if nothing changes without a call.
    package func wake(at now: Duration) -> Duration? {
        guard isPlaying, rate > 0 else { return nil }
        let elapsed = elapsed(at: now)
        let position = timeline.position(at: elapsed)
        if position.isFinished { return nil }
        guard let end = position.end else { return nil }
        let rest = end - elapsed
        // Rounding must not wake a moment too early and find the old frame.
        return now + (rate == 1 ? rest : rest / rate + .microseconds(1))
    }

    /// Starts or resumes. A finished animation starts over.
    package mutating func start(at now: Duration) {
        guard !isPlaying else { return }
        if timeline.isComplete, timeline.position(at: media).isFinished { media = .zero }
        anchor = now
        isPlaying = true
    }

    /// Pauses on the current frame. `resets`: returns to the start. - SDWebImage: resetFrameIndexWhenStopped
    package mutating func stop(at now: Duration, resets: Bool = false) {
        media = resets ? .zero : elapsed(at: now)
        anchor = now
        isPlaying = false
    }

    /// Jumps to a frame, playing or not.
    package mutating func seek(toFrame frame: Int, loop: Int = 0, at now: Duration) {
        media = timeline.time(ofFrame: frame, loop: loop)
        anchor = now
    }

    /// Changes the speed from now on; elapsed media time stays.
    package mutating func setRate(_ rate: Double, at now: Duration) {
        media = elapsed(at: now)
        anchor = now
        self.rate = Self.valid(rate)
    }

    /// Replaces the order, the loop count or the number of frames. The frame and loop on screen stay. A finished animation
    /// continues with the added loops, or stays at its end.
    package mutating func replace(_ timeline: AnimationTimeline, at now: Duration) {
        let old = elapsed(at: now)
        let position = self.timeline.position(at: old)
        if timeline == self.timeline {
            // Nothing to convert: the direction of a bounce and the time of the frame stay, too.
            (media, anchor) = (old, now)
            return
        }
        let grows = !self.timeline.isComplete && timeline.mode == .normal && timeline.frameCount >= self.timeline.frameCount
        // Media time keeps its meaning in a longer version of the same animation; otherwise the frame decides.
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

    /// Media time for an ended position. The end counts all loops, but shows the last loop's last frame; a bounce ends on the
    /// first frame of a further loop.
    private static func media(
        after end: AnimationTimeline.Position, in timeline: AnimationTimeline, wasSameOrder: Bool
    ) -> Duration {
        let loops = timeline.loopCount
        if wasSameOrder, loops > 0, loops <= end.loop, let total = timeline.totalDuration { return total }
        let isClosing = wasSameOrder && timeline.mode.returnsToStart
        return timeline.time(ofFrame: end.frame, loop: isClosing ? end.loop : end.loop - 1)
    }

    /// Clamps the speed, so that times stay in the range of ``Duration``.
    private static func valid(_ rate: Double) -> Double { rate >= 0.000_001 ? min(rate, 1000) : 0 }
}

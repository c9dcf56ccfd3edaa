public import GannetCore

/// Plays one animation by a clock. The owner calls ``tick(at:)`` at ``Tick/wake`` or when a frame became ready, and shows the
/// result. Late frames are dropped to keep the tempo.
///
/// Not `Sendable`: it belongs to the drawing code. - SDWebImage: SDAnimatedImagePlayer
public final class AnimationPlayer {
    /// The animation that plays; replaced by longer versions of itself while frames still arrive.
    public private(set) var image: AnimatedImage
    /// The decoded frames; players with the same animation and transformer share it.
    package private(set) var buffer: FrameBuffer
    /// Called inside ``tick(at:)``; for a view's player, after the view has been updated.
    public var onEvent: ((AnimationEvent) -> Void)?
    /// The owner takes the events and reports them later.
    var tellsLater = false
    private var untold: [AnimationEvent] = []

    /// Called after a manual change, for owners that tick only when something is due.
    var onChange: (@Sendable () -> Void)?

    private let library: FrameLibrary
    private let client: FrameBuffer.Client
    private let onFrameReady: @Sendable () -> Void
    private var options: AnimationOptions
    private var playback: AnimationPlayback
    /// The last frame returned, and its media time.
    private var shown: (frame: Int, bitmap: Bitmap, start: Duration)
    /// The frame on screen is from a replaced animation with another source.
    private var isOfAnother = false
    /// The frame on screen is untransformed, because no transformed one is ready yet.
    private(set) var isRaw: Bool
    private var reportedLoops = 0
    private var reportedEnd = false

    /// The frame to show now, and when to tick again.
    public struct Tick: Sendable {
        /// Index in the file of the frame to draw; earlier than the due one while ``isWaiting``.
        public var frame: Int
        /// The pixels, decoded and transformed: ready to draw.
        public var bitmap: Bitmap
        /// Differs from the previous tick.
        public var isNew: Bool
        /// Tick again at this time of the caller's clock; nil: only when a frame becomes ready or the player is changed.
        public var wake: Duration?
        /// The due frame is not decoded or not transformed yet; `onFrameReady` will be called.
        public var isWaiting: Bool
        /// The last loop has ended, including its last frame's time. False while frames may still arrive.
        public var isFinished: Bool
    }

    /// Nil for a single frame. `onFrameReady` is called on any thread, after a frame was decoded.
    public init?(
        _ image: AnimatedImage, options: AnimationOptions = AnimationOptions(), library: FrameLibrary = .shared,
        onFrameReady: @escaping @Sendable () -> Void
    ) {
        guard image.frameCount > 1 else { return nil }
        self.image = image
        self.options = options
        self.library = library
        self.onFrameReady = onFrameReady
        client = library.newClient()
        buffer = library.buffer(for: image, transformer: options.transformer)
        playback = AnimationPlayback(
            AnimationTimeline(image, mode: options.mode, loopCount: options.loopCount), rate: options.rate)
        shown = (0, image.poster, .zero)
        isRaw = options.transformer != nil
        buffer.add(client, limit: options.maximumBufferBytes, onFrame: { _ in onFrameReady() })
    }

    deinit { buffer.remove(client) }

    /// False also after the last loop has ended.
    public var isPlaying: Bool { playback.isPlaying && !reportedEnd }
    /// The last frame returned.
    public var currentFrame: Int { shown.frame }
    /// The pixels of ``currentFrame``; the poster before the first ``tick(at:)``. - SDWebImage: currentFrame
    public var currentBitmap: Bitmap { shown.bitmap }
    /// Loops that have ended.
    public var currentLoop: Int { reportedLoops }
    /// Frames in the file, or those that have arrived so far. - SDWebImage: totalFrameCount
    public var frameCount: Int { image.frameCount }
    /// 0 is for ever.
    public var loopCount: Int { playback.timeline.loopCount }
    /// Speed: 1 is the animation's own tempo, 0 pauses. - SDWebImage: playbackRate
    public var rate: Double { playback.rate }
    /// Set by ``setMode(_:at:)``. - SDWebImage: playbackMode
    public var mode: PlaybackMode { options.mode }

    /// Whether the last loop has ended, even if no tick has reported it yet.
    func isFinished(at now: Duration) -> Bool { hasEnded(playback.position(at: now)) }

    private func hasEnded(_ position: AnimationTimeline.Position) -> Bool {
        position.isFinished && playback.timeline.isComplete
    }

    // MARK: Control

    /// Starts or resumes. A finished animation starts over.
    public func start(at now: Duration) {
        if isFinished(at: now) {
            playback.stop(at: now)
            reportedEnd = false
            reportedLoops = 0
            shown.start = .zero
        }
        playback.start(at: now)
        changed(at: now)
    }

    /// Pauses and keeps everything; ``start(at:)`` resumes. For views that are not visible.
    public func pause(at now: Duration) {
        playback.stop(at: now)
        changed(at: now)
    }

    /// Stops, and resets and clears the buffer if the options say so.
    public func stop(at now: Duration) {
        playback.stop(at: now, resets: options.resetsWhenStopped)
        if options.resetsWhenStopped {
            shown.start = .zero
            reportedLoops = 0
            reportedEnd = false
        }
        if options.clearsBufferWhenStopped { clearFrameBuffer() } else { want(at: now) }
        onChange?()
    }

    /// Jumps to a frame, playing or not; numbers are clamped to the range. A finished animation resumes from there. -
    /// SDWebImage: seekToFrameAtIndex:loopCount:
    public func seek(toFrame frame: Int, loop: Int = 0, at now: Duration) {
        playback.seek(toFrame: frame, loop: loop, at: now)
        reportedLoops = playback.position(at: now).loop
        reportedEnd = false
        shown.start = playback.position(at: now).start
        changed(at: now)
    }

    /// Sets the speed: 1 is the animation's own tempo. Below a millionth it pauses; 1000 is the maximum. The frame on screen
    /// stays.
    public func setRate(_ rate: Double, at now: Duration) {
        options.rate = rate
        playback.setRate(rate, at: now)
        changed(at: now)
    }

    /// Sets the order at once; the frame and the loop on screen stay.
    public func setMode(_ mode: PlaybackMode, at now: Duration) {
        options.mode = mode
        retime(at: now)
    }

    /// Sets the loop count; 0 is for ever, nil the animation's own.
    public func setLoopCount(_ count: Int?, at now: Duration) {
        options.loopCount = count
        retime(at: now)
    }

    /// Applies the options that differ between both; manual changes to others stay. Ignores the transformer.
    func change(from old: AnimationOptions, to new: AnimationOptions, at now: Duration) {
        options.clearsBufferWhenStopped = new.clearsBufferWhenStopped
        options.resetsWhenStopped = new.resetsWhenStopped
        options.decodeAhead = new.decodeAhead
        if old.maximumBufferBytes != new.maximumBufferBytes {
            options.maximumBufferBytes = new.maximumBufferBytes
            let ready = onFrameReady
            buffer.add(client, limit: options.maximumBufferBytes, onFrame: { _ in ready() })
            changed(at: now)
        }
        if old.rate != new.rate { setRate(new.rate, at: now) }
        if old.mode != new.mode { setMode(new.mode, at: now) }
        if old.loopCount != new.loopCount { setLoopCount(new.loopCount, at: now) }
    }

    /// Replaces the animation by a longer version or another size of itself; continues at the same frame, never earlier. -
    /// SDWebImage: shouldIncrementalLoad
    public func replace(_ image: AnimatedImage, at now: Duration) {
        guard image !== self.image, image.frameCount > 1 else { return }
        let old = buffer
        self.image = image
        buffer = library.buffer(for: image, transformer: options.transformer)
        let ready = onFrameReady
        buffer.add(client, limit: options.maximumBufferBytes, onFrame: { _ in ready() })
        buffer.adopt(from: old)
        old.remove(client)
        // Other hooks and transformers may have produced it.
        isOfAnother = isOfAnother || old.image.source as AnyObject !== image.source as AnyObject
        retime(at: now)
    }

    /// Decodes every frame and keeps them until ``clearFrameBuffer(keepsCurrent:)``, also beyond the animation's share of the budget. If
    /// a frame fails or the task is cancelled, the budget applies again. - SDWebImage: preloadAllFrames
    public func preloadAllFrames(isolation: isolated (any Actor)? = #isolation) async throws(ImageError) {
        try await buffer.preloadAll()
    }

    /// Whether every frame is decoded and kept.
    public var allFramesLoaded: Bool { buffer.allFramesLoaded }

    /// Drops the decoded frames of this animation. With `keepsCurrent` the frame on screen stays decoded.
    public func clearFrameBuffer(keepsCurrent: Bool = false) {
        buffer.want(keepsCurrent ? [shown.frame] : [], isPlaying: false, by: client)
        buffer.purge()
    }

    private func retime(at now: Duration) {
        playback.replace(AnimationTimeline(image, mode: options.mode, loopCount: options.loopCount), at: now)
        let position = playback.position(at: now)
        // A frame that arrives late is still shown, however long its decode takes.
        shown.start =
            position.frame == shown.frame ? position.start : playback.timeline.previous(of: position)?.start ?? position.start
        // The end may have moved.
        reportedEnd = reportedEnd && position.isFinished
        changed(at: now)
    }

    private func changed(at now: Duration) {
        want(at: now)
        onChange?()
    }

    // MARK: Showing

    /// The frame to show at `now`. Never decodes: requests a frame that is not ready, and returns the newest ready one until
    /// then.
    ///
    /// Reports loops that ended since the previous tick to ``onEvent``. `now` is any clock that never runs backwards.
    public func tick(at now: Duration) -> Tick {
        let position = playback.position(at: now)
        let isNew = present(position, now)
        tell(position)
        return Tick(
            frame: shown.frame, bitmap: shown.bitmap, isNew: isNew, wake: playback.wake(at: now),
            isWaiting: isMissing(position) && buffer.error(at: position.frame) == nil,
            isFinished: hasEnded(position))
    }

    private func present(_ position: AnimationTimeline.Position, _ now: Duration) -> Bool {
        want(position, at: now)
        guard isMissing(position) else { return false }
        if let found = ready(position) ?? late(before: position) {
            shown = found
            isOfAnother = false
            isRaw = false
            return true
        }
        return false
    }

    private func isMissing(_ position: AnimationTimeline.Position) -> Bool {
        position.frame != shown.frame || isOfAnother || isRaw
    }

    private func ready(_ position: AnimationTimeline.Position) -> (frame: Int, bitmap: Bitmap, start: Duration)? {
        if let bitmap = buffer.frame(at: position.frame) { return (position.frame, bitmap, position.start) }
        guard position.frame == 0, options.transformer == nil else { return nil }
        return (0, image.poster, position.start)
    }

    /// The newest decoded frame between the one on screen and the due one. Looks back over one loop at most.
    private func late(before position: AnimationTimeline.Position) -> (frame: Int, bitmap: Bitmap, start: Duration)? {
        guard playback.isPlaying else { return nil }
        var position = position
        for _ in 0..<min(frameCount, 64) {
            guard let previous = playback.timeline.previous(of: position), previous.start > shown.start else { return nil }
            if let found = ready(previous) { return found }
            position = previous
        }
        return nil
    }

    private func want(at now: Duration) { want(playback.position(at: now), at: now) }

    /// Requests the frames that are due now and next. If decoding is slower than playback, requests those that will be due when
    /// a decode can finish.
    private func want(_ position: AnimationTimeline.Position, at now: Duration) {
        wantedFrames.removeAll(keepingCapacity: true)
        wantedFrames.append(position.frame)
        // A finished player is idle, and must not hold memory that playing ones need.
        let isPlaying = playback.isPlaying && !hasEnded(position)
        if isPlaying, playback.rate > 0 {
            let reachable = playback.position(at: now + min(buffer.pace, .seconds(1)))
            if reachable.frame != position.frame { wantedFrames.append(reachable.frame) }
            playback.timeline.forUpcoming(after: reachable, count: min(max(options.decodeAhead, 1), buffer.image.frameCount)) {
                frame in
                if !wantedFrames.contains(frame) { wantedFrames.append(frame) }
            }
        }
        buffer.want(wantedFrames, isPlaying: isPlaying, by: client)
    }
    /// Reused, so that requests allocate nothing.
    private var wantedFrames: [Int] = []

    private func tell(_ position: AnimationTimeline.Position) {
        if shown.frame != lastTold {
            lastTold = shown.frame
            tell(.frame(shown.frame))
        }
        guard playback.timeline.isComplete else { return }
        while reportedLoops < position.loop {
            // After a long pause of the caller, only the last loop is reported.
            reportedLoops = position.loop
            tell(.loop(reportedLoops))
        }
        if position.isFinished, !reportedEnd {
            reportedEnd = true
            tell(.finished)
        }
    }

    private func tell(_ event: AnimationEvent) { if tellsLater { untold.append(event) } else { onEvent?(event) } }

    /// Returns the events since the last call.
    func takeEvents() -> [AnimationEvent] {
        defer { untold.removeAll(keepingCapacity: true) }
        return untold
    }

    private var lastTold: Int?
}

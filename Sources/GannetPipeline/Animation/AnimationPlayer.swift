public import GannetCore

/// Plays one animation by the wall clock: the owner calls ``tick(at:)`` when ``Tick/wake`` says so, or when a frame became
/// ready, and shows what comes back. A frame that is late is dropped, so that the tempo stays.
///
/// Not `Sendable`: it belongs to whoever draws. - SDWebImage: SDAnimatedImagePlayer
public final class AnimationPlayer {
    /// The clip that plays; a longer one of the same picture takes its place while frames still arrive.
    public private(set) var image: AnimatedImage
    /// Where decoded frames come from; another player of the same clip and transformer has the same one.
    public private(set) var buffer: FrameBuffer
    /// Called inside ``tick(at:)``; for the player of a view, after the view has moved on.
    public var onEvent: ((AnimationEvent) -> Void)?
    /// Its owner takes the events, and tells them when it can.
    var tellsLater = false
    private var untold: [AnimationEvent] = []

    /// Called when something was changed by hand, for owners that ask only when something is due.
    var onChange: (@Sendable () -> Void)?

    private let library: FrameLibrary
    private let client: FrameBuffer.Client
    private let onFrameReady: @Sendable () -> Void
    private var options: AnimationOptions
    private var playback: AnimationPlayback
    /// What was given out last, and since when it is due in media time.
    private var shown: (frame: Int, bitmap: Bitmap, start: Duration)
    /// What is on screen is a frame of the clip that was replaced, where that came from elsewhere.
    private var isOfAnother = false
    /// What is on screen is a frame as it was before the transformer, because none that it has made is there yet.
    private(set) var isRaw: Bool
    private var reportedLoops = 0
    private var reportedEnd = false

    /// What to show now, and when to ask again.
    public struct Tick: Sendable {
        /// Index in the file of the frame to draw; an earlier one than is due while ``isWaiting``.
        public var frame: Int
        /// Decoded and transformed: drawing it costs nothing more.
        public var bitmap: Bitmap
        /// Differs from the tick before.
        public var isNew: Bool
        /// Ask again at this time of the caller's clock; nil: only when a frame becomes ready or the player is changed.
        public var wake: Duration?
        /// The frame that is due is not decoded, or not transformed, yet: `onFrameReady` will be called.
        public var isWaiting: Bool
        /// The last loop has been shown, its last frame's own time included. False while frames may still arrive.
        public var isFinished: Bool
    }

    /// Nil if there is only one frame. `onFrameReady` comes from any thread, after a frame was decoded.
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

    /// False also once the last loop has ended.
    public var isPlaying: Bool { playback.isPlaying && !reportedEnd }
    /// The frame that was given out last.
    public var currentFrame: Int { shown.frame }
    /// The pixels of ``currentFrame``; the clip's poster before the first ``tick(at:)``. - SDWebImage: currentFrame
    public var currentBitmap: Bitmap { shown.bitmap }
    /// Loops that have ended.
    public var currentLoop: Int { reportedLoops }
    /// Frames in the file, or those that have arrived so far. - SDWebImage: totalFrameCount
    public var frameCount: Int { image.frameCount }
    /// 0 is for ever.
    public var loopCount: Int { playback.timeline.loopCount }
    /// 1 is the clip's own tempo, 0 stands still. - SDWebImage: playbackRate
    public var rate: Double { playback.rate }
    /// Set by ``setMode(_:at:)``. - SDWebImage: playbackMode
    public var mode: PlaybackMode { options.mode }

    /// The last loop has ended, whether anybody has looked since or not.
    func isFinished(at now: Duration) -> Bool { hasEnded(playback.position(at: now)) }

    private func hasEnded(_ position: AnimationTimeline.Position) -> Bool {
        position.isFinished && playback.timeline.isComplete
    }

    // MARK: Control

    /// Starts or goes on. A clip that has finished starts over.
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

    /// Stands still, everything kept; ``start(at:)`` goes on. For views that are not visible.
    public func pause(at now: Duration) {
        playback.stop(at: now)
        changed(at: now)
    }

    /// As the options say: back to the beginning or not, buffer cleared or not.
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

    /// Goes to a frame, playing or not; numbers out of range are moved into it. A clip that had finished goes on from there. -
    /// SDWebImage: seekToFrameAtIndex:loopCount:
    public func seek(toFrame frame: Int, loop: Int = 0, at now: Duration) {
        playback.seek(toFrame: frame, loop: loop, at: now)
        reportedLoops = playback.position(at: now).loop
        reportedEnd = false
        shown.start = playback.position(at: now).start
        changed(at: now)
    }

    /// 1 is the clip's own tempo; below a millionth it stands still, and 1000 is the most. The frame on screen stays.
    public func setRate(_ rate: Double, at now: Duration) {
        options.rate = rate
        playback.setRate(rate, at: now)
        changed(at: now)
    }

    /// Counts at once; the frame and the loop on screen stay.
    public func setMode(_ mode: PlaybackMode, at now: Duration) {
        options.mode = mode
        retime(at: now)
    }

    /// 0 is for ever, nil the clip's own.
    public func setLoopCount(_ count: Int?, at now: Duration) {
        options.loopCount = count
        retime(at: now)
    }

    /// What differs between the two; what was set by hand otherwise stays. Not the transformer.
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

    /// More of the same clip has arrived, or the clip in another size: goes on where it is, never back. - SDWebImage: shouldIncrementalLoad
    public func replace(_ image: AnimatedImage, at now: Duration) {
        guard image !== self.image, image.frameCount > 1 else { return }
        let old = buffer
        self.image = image
        buffer = library.buffer(for: image, transformer: options.transformer)
        let ready = onFrameReady
        buffer.add(client, limit: options.maximumBufferBytes, onFrame: { _ in ready() })
        buffer.adopt(from: old)
        old.remove(client)
        // Other hooks and transformers may have made it.
        isOfAnother = isOfAnother || old.image.source as AnyObject !== image.source as AnyObject
        retime(at: now)
    }

    /// Drops the decoded frames of this clip. With `keepsCurrent` the frame on screen stays decoded.
    public func clearFrameBuffer(keepsCurrent: Bool = false) {
        buffer.want(keepsCurrent ? [shown.frame] : [], isPlaying: false, by: client)
        buffer.purge()
    }

    private func retime(at now: Duration) {
        playback.replace(AnimationTimeline(image, mode: options.mode, loopCount: options.loopCount), at: now)
        let position = playback.position(at: now)
        // What came while it was waited for is to be shown, however long its decode takes.
        shown.start =
            position.frame == shown.frame ? position.start : playback.timeline.previous(of: position)?.start ?? position.start
        // There may be another end now.
        reportedEnd = reportedEnd && position.isFinished
        changed(at: now)
    }

    private func changed(at now: Duration) {
        want(at: now)
        onChange?()
    }

    // MARK: Showing

    /// What to show at `now`. Never decodes: a frame that is not ready is asked for, and the newest ready one stands in for it.
    ///
    /// Tells ``onEvent`` of the loops that have ended since the tick before. `now` is any clock that never runs backwards.
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

    /// The frame that is due is not there: the newest one between it and what is on screen is better than none. Looks back
    /// over one loop at most.
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

    /// Asks for what is due now and next; when decoding is slower than the clip, for what will be due when a decode can be done.
    private func want(_ position: AnimationTimeline.Position, at now: Duration) {
        wishes.removeAll(keepingCapacity: true)
        wishes.append(position.frame)
        // Who has come to the end only stands, and must not keep memory from those that play.
        let isPlaying = playback.isPlaying && !hasEnded(position)
        if isPlaying, playback.rate > 0 {
            let reachable = playback.position(at: now + min(buffer.pace, .seconds(1)))
            if reachable.frame != position.frame { wishes.append(reachable.frame) }
            playback.timeline.forUpcoming(after: reachable, count: min(max(options.decodeAhead, 1), buffer.image.frameCount)) {
                frame in
                if !wishes.contains(frame) { wishes.append(frame) }
            }
        }
        buffer.want(wishes, isPlaying: isPlaying, by: client)
    }
    /// Kept, so that asking needs no memory.
    private var wishes: [Int] = []

    private func tell(_ position: AnimationTimeline.Position) {
        if shown.frame != lastTold {
            lastTold = shown.frame
            tell(.frame(shown.frame))
        }
        guard playback.timeline.isComplete else { return }
        while reportedLoops < position.loop {
            // After a long pause of the caller's only the last one is worth telling.
            reportedLoops = position.loop
            tell(.loop(reportedLoops))
        }
        if position.isFinished, !reportedEnd {
            reportedEnd = true
            tell(.finished)
        }
    }

    private func tell(_ event: AnimationEvent) { if tellsLater { untold.append(event) } else { onEvent?(event) } }

    /// What happened since the last time.
    func takeEvents() -> [AnimationEvent] {
        defer { untold.removeAll(keepingCapacity: true) }
        return untold
    }

    private var lastTold: Int?
}

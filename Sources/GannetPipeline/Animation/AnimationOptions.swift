public import GannetCore

/// How a player plays.
public struct AnimationOptions: Sendable {
    /// In which order the frames are shown; forwards by default. - SDWebImage: playbackMode
    public var mode = PlaybackMode.normal
    /// 1 is the clip's own tempo; below a millionth it stands still, and 1000 is the most.
    public var rate = 1.0
    /// Instead of the clip's own; 0 is for ever, nil is the clip's.
    public var loopCount: Int?
    /// Views start by themselves. - SDWebImage: autoPlayAnimatedImage
    public var autoPlays = true
    /// Stopped, or not visible any more. - SDWebImage: clearBufferWhenStopped
    public var clearsBufferWhenStopped = false
    /// Stopped, or not visible any more before its end. - SDWebImage: resetFrameIndexWhenStopped
    public var resetsWhenStopped = false
    /// Bytes of decoded frames kept for this clip; nil: its share of the ``FrameBudget``. At least two frames are always kept. Of
    /// several players of the clip the one that allows most counts.
    /// - SDWebImage: maxBufferSize
    public var maximumBufferBytes: Int?
    /// Made of each frame before it is shown; the results are what is kept. - SDWebImage: animationTransformer
    public var transformer: (any ImageTransformer)?
    /// Frames decoded before they are due, at least 1.
    public var decodeAhead = 4

    /// Forwards at the clip's own tempo and loop count, started by the view, nothing cleared or reset when stopped.
    public init() {}

    /// Plays the same frames in the same way. A transformer without an identifier is like no other.
    func isSame(as other: AnimationOptions) -> Bool {
        mode == other.mode && rate == other.rate && loopCount == other.loopCount && autoPlays == other.autoPlays
            && clearsBufferWhenStopped == other.clearsBufferWhenStopped && resetsWhenStopped == other.resetsWhenStopped
            && maximumBufferBytes == other.maximumBufferBytes && decodeAhead == other.decodeAhead
            && (transformer == nil
                ? other.transformer == nil
                : transformer?.identifier != nil && transformer?.identifier == other.transformer?.identifier)
    }
}

/// What a player tells.
public enum AnimationEvent: Hashable, Sendable {
    /// Another frame is on screen.
    case frame(Int)
    /// So many loops have ended.
    case loop(Int)
    /// The last loop has ended; the final frame stays.
    case finished
}

public import GannetCore

/// Options of an animation player.
public struct AnimationOptions: Sendable {
    /// The order of frames; forwards by default. - SDWebImage: playbackMode
    public var mode = PlaybackMode.normal
    /// Speed: 1 is the animation's own tempo. Below a millionth it pauses; 1000 is the maximum.
    public var rate = 1.0
    /// Overrides the animation's loop count; 0 is for ever, nil uses the animation's.
    public var loopCount: Int?
    /// Views start playing automatically. - SDWebImage: autoPlayAnimatedImage
    public var autoPlays = true
    /// Drops decoded frames when stopped or no longer visible. - SDWebImage: clearBufferWhenStopped
    public var clearsBufferWhenStopped = false
    /// Returns to the start when stopped, or when hidden before the end. - SDWebImage: resetFrameIndexWhenStopped
    public var resetsWhenStopped = false
    /// Bytes of decoded frames kept for this animation; nil: its share of the ``FrameBudget``. At least two frames are always
    /// kept. If several players share the animation, the largest limit applies.
    /// - SDWebImage: maxBufferSize
    public var maximumBufferBytes: Int?
    /// Transforms each frame before it is shown; the results are kept. - SDWebImage: animationTransformer
    public var transformer: (any ImageTransformer)?
    /// Frames decoded before they are due, at least 1.
    public var decodeAhead = 4

    /// Forwards at the animation's own tempo and loop count; starts automatically; clears and resets nothing when stopped.
    public init() {}

    /// Whether both options play the same frames in the same way. A transformer without an identifier equals no other.
    func isSame(as other: AnimationOptions) -> Bool {
        mode == other.mode && rate == other.rate && loopCount == other.loopCount && autoPlays == other.autoPlays
            && clearsBufferWhenStopped == other.clearsBufferWhenStopped && resetsWhenStopped == other.resetsWhenStopped
            && maximumBufferBytes == other.maximumBufferBytes && decodeAhead == other.decodeAhead
            && (transformer == nil
                ? other.transformer == nil
                : transformer?.identifier != nil && transformer?.identifier == other.transformer?.identifier)
    }
}

/// An event of a player.
public enum AnimationEvent: Hashable, Sendable {
    /// A new frame is on screen.
    case frame(Int)
    /// The number of loops that have ended.
    case loop(Int)
    /// The last loop has ended; its final frame stays.
    case finished
}

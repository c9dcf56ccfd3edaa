/// Where the frames of an animation come from. Implementations answer from any thread and block while they decode.
public protocol FrameSource: Sendable {
    /// Full-canvas frame `index`, 0 ..< count. Blocking: call it on a ``BlockingExecutor``.
    func frame(at index: Int) throws(ImageError) -> Bitmap
    /// Bytes held by the source itself (encoded data, decoder state, frames kept).
    var byteCount: Int { get }
    /// Nobody needs a frame for the time being: what can be made again is given back. ``frame(at:)`` works as before. Must not block.
    func rest()
}

extension FrameSource {
    public func rest() {}
}

/// An animation: frames with times, made when they are asked for.
public final class AnimatedImage: Sendable {
    /// Of the animation as a whole; the size in it is the canvas's.
    public let metadata: ImageMetadata
    /// Frame 0, always there.
    public let poster: Bitmap
    /// How often it plays; 0 is for ever.
    public let loopCount: Int
    /// As stored; players show ``AnimationInfo/shownDelay(_:)`` of it.
    public let delays: [Duration]
    /// Brings the frames from 1 on; frame 0 is ``poster``.
    public let source: any FrameSource

    /// There are as many frames as delays; `poster` is frame 0.
    public init(metadata: ImageMetadata, poster: Bitmap, loopCount: Int, delays: [Duration], source: any FrameSource) {
        self.metadata = metadata
        self.poster = poster
        self.loopCount = loopCount
        self.delays = delays
        self.source = source
    }

    /// At least 1 for what a decoder made.
    public var frameCount: Int { delays.count }
    /// Pixels on screen; every frame has it.
    public var size: PixelSize { poster.size }
    /// Bytes of memory held by the poster and by the source.
    public var byteCount: Int { poster.byteCount + sourceByteCount }

    /// The size that the source reports, clamped so that sums cannot overflow.
    package var sourceByteCount: Int { min(max(source.byteCount, 0), 1 << 48) }

    /// Frame `index`; blocks while it is decoded.
    public func blockingFrame(at index: Int) throws(ImageError) -> Bitmap {
        guard delays.indices.contains(index) else {
            throw ImageError(.misuse, stage: .decode, "There is no frame \(index); the animation has \(delays.count).")
        }
        return index == 0 ? poster : try source.frame(at: index)
    }
}

/// Frames that are all in memory: what transformers, tests and `preloadAll` use.
public struct FrameArray: FrameSource {
    /// Full canvases, frame 0 first.
    public let frames: [Bitmap]

    /// The frames are shared, not copied.
    public init(_ frames: [Bitmap]) { self.frames = frames }

    public func frame(at index: Int) throws(ImageError) -> Bitmap { frames[index] }

    /// Frame 0 is counted by the animation's poster; pixels that frames share are counted once.
    public var byteCount: Int {
        var seen: Set<ObjectIdentifier> = []
        if let first = frames.first { seen.insert(first.identity) }
        return frames.reduce(0) { $0 + (seen.insert($1.identity).inserted ? $1.byteCount : 0) }
    }
}

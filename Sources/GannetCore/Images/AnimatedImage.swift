/// Provides the frames of an animation. Implementations may be called from any thread, and block while they decode.
public protocol FrameSource: Sendable {
    /// Full-canvas frame `index`, 0 ..< count. Blocking: call it on a ``BlockingExecutor``.
    func frame(at index: Int) throws(ImageError) -> Bitmap
    /// Bytes held by the source itself (encoded data, decoder state, frames kept).
    var byteCount: Int { get }
    /// No frame is needed for the time being: releases memory that can be recomputed. ``frame(at:)`` works as before. Must not
    /// block.
    func rest()
}

extension FrameSource {
    public func rest() {}
}

/// An animation: timed frames that are decoded when they are needed. The module `Gannet` adds `frame(at:)`, which does not
/// block; ``blockingFrame(at:)`` is for threads that may wait.
public final class AnimatedImage: Sendable {
    /// Metadata of the animation as a whole; its size is that of the canvas.
    public let metadata: ImageMetadata
    /// Frame 0, always available.
    public let poster: Bitmap
    /// How often the animation plays; 0 is for ever.
    public let loopCount: Int
    /// Delays as stored; players use ``AnimationInfo/shownDelay(_:)``.
    public let delays: [Duration]
    /// Provides the frames from 1 on; frame 0 is ``poster``.
    public let source: any FrameSource

    /// There are as many frames as delays; `poster` is frame 0.
    public init(metadata: ImageMetadata, poster: Bitmap, loopCount: Int, delays: [Duration], source: any FrameSource) {
        self.metadata = metadata
        self.poster = poster
        self.loopCount = loopCount
        self.delays = delays
        self.source = source
    }

    /// Frames that are all in memory: full canvases, frame 0 first. They are shared, not copied.
    public convenience init(metadata: ImageMetadata, poster: Bitmap, loopCount: Int, delays: [Duration], frames: [Bitmap]) {
        self.init(metadata: metadata, poster: poster, loopCount: loopCount, delays: delays, source: FrameArray(frames))
    }

    /// The number of frames, at least 1 for images from a decoder.
    public var frameCount: Int { delays.count }
    /// Displayed size in pixels, the same for every frame.
    public var size: PixelSize { poster.size }
    /// Bytes of memory held by the poster and by the source.
    public var byteCount: Int { poster.byteCount + sourceByteCount }

    /// The size that the source reports, clamped so that sums cannot overflow.
    package var sourceByteCount: Int { min(max(source.byteCount, 0), 1 << 48) }

    /// Frame `index`, 0 ..< ``frameCount``, at the full size of the animation: **blocks** while it is decoded. Frames before it may
    /// have to be decoded first. Throws `misuse` if there is no such frame, and the errors of its decoder. Without blocking:
    /// `frame(at:)` of the module `Gannet`. - SDWebImage: animatedImageFrame(at:)
    public func blockingFrame(at index: Int) throws(ImageError) -> Bitmap {
        guard delays.indices.contains(index) else {
            throw ImageError(.misuse, stage: .decode, "There is no frame \(index); the animation has \(delays.count).")
        }
        return index == 0 ? poster : try source.frame(at: index)
    }
}

/// Frames that are all in memory, for transformers, tests and `preloadAll`.
package struct FrameArray: FrameSource {
    /// Full canvases, frame 0 first.
    package let frames: [Bitmap]

    /// The frames are shared, not copied.
    package init(_ frames: [Bitmap]) { self.frames = frames }

    package func frame(at index: Int) throws(ImageError) -> Bitmap { frames[index] }

    /// Frame 0 is counted by the animation's poster; pixels that frames share are counted once.
    package var byteCount: Int {
        var seen: Set<ObjectIdentifier> = []
        if let first = frames.first { seen.insert(first.identity) }
        return frames.reduce(0) { $0 + (seen.insert($1.identity).inserted ? $1.byteCount : 0) }
    }
}

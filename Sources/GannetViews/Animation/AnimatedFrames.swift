public import GannetCore
import GannetImages
public import GannetPlatform

extension AnimatedImage {
    /// The frames in order: `for try await frame in image.frames() { … }`.
    ///
    /// - Parameters:
    ///   - loops: How often the animation repeats; 0 is for ever, nil follows the file.
    ///   - tempo: A clock delivers each frame when it is due and drops late frames. Nil: every frame, without waiting.
    ///   - executor: Where frames are decoded, one on demand and none ahead.
    /// - Returns: A sequence that ends after the last loop, and throws decoding errors and `cancelled`.
    public func frames(
        loops: Int? = nil, tempo: (any TimeSource)? = nil, executor: BlockingExecutor = .decoding
    ) -> some AsyncSequence<AnimationFrame, ImageError> & Sendable {
        AnimatedFrames(image: self, loops: loops ?? loopCount, tempo: tempo, executor: executor)
    }
}

/// One decoded frame and its position in the animation.
public struct AnimationFrame: Sendable {
    /// Index in the file, from 0: the same in each loop.
    public var index: Int
    /// Loop number, from 0.
    public var loop: Int
    /// The whole composed image at this moment, not only the part that changed.
    public var bitmap: Bitmap
    /// How long the frame is shown: the stored delay after ``AnimationInfo/shownDelay(_:)``.
    public var delay: Duration
}

private struct AnimatedFrames: AsyncSequence, Sendable {
    fileprivate let image: AnimatedImage
    fileprivate let loops: Int
    fileprivate let tempo: (any TimeSource)?
    fileprivate let executor: BlockingExecutor

    func makeAsyncIterator() -> Iterator { Iterator(frames: self) }

    /// Decodes each frame on demand.
    struct Iterator: AsyncIteratorProtocol {
        fileprivate let frames: AnimatedFrames
        private var index = 0
        private var loop = 0
        /// When the next frame is due; nil before the first.
        private var due: Duration?

        /// Keeps the decoder; nil after the end.
        private var use: FrameUse?

        fileprivate init(frames: AnimatedFrames) {
            self.frames = frames
            // Releases the decoder when the last copy of the iterator is gone, or at the end.
            use = FrameUse(frames.image.source)
        }

        mutating func next() async throws -> AnimationFrame? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(ImageError) -> AnimationFrame? {
            guard frames.image.frameCount > 0, !isOver else {
                use = nil
                return nil
            }
            if let time = frames.tempo { try await wait(time) }
            try ImageError.checkCancellation(stage: .decode)
            let (image, index, loop) = (frames.image, index, loop)
            let bitmap = try await image.frame(at: index, on: frames.executor) { $0 }
            defer { advance() }
            return AnimationFrame(index: index, loop: loop, bitmap: bitmap, delay: delay(of: index))
        }

        private func delay(of index: Int) -> Duration { AnimationInfo.shownDelay(frames.image.delays[index]) }

        private var isOver: Bool { frames.loops > 0 && loop >= frames.loops }

        private mutating func advance() {
            if let due { self.due = due + delay(of: index) }
            index += 1
            if index == frames.image.frameCount { (index, loop) = (0, loop + 1) }
        }

        /// Waits for the due time. The very last frame is never dropped.
        private mutating func wait(_ time: any TimeSource) async throws(ImageError) {
            let now = time.uptime
            guard var due else {
                self.due = now
                return
            }
            while due + delay(of: index) <= now {
                let before = self
                advance()
                if isOver {
                    self = before
                    return
                }
                due = self.due ?? now
            }
            if due > now { try await time.sleep(for: due - now) }
        }
    }
}

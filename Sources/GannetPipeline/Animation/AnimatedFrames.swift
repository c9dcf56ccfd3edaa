public import GannetCore

extension AnimatedImage {
    /// The frames in order: `for try await frame in image.frames() { … }`.
    ///
    /// - Parameters:
    ///   - loops: How often the whole animation is gone through; 0 is for ever, nil what the file says.
    ///   - tempo: A clock makes each frame come when it is due, and leaves out those whose time is over. Nil: as quickly as
    ///     they are asked for, all of them.
    ///   - executor: Where frames are decoded, one when it is asked for and none ahead.
    public func frames(
        loops: Int? = nil, tempo: (any TimeSource)? = nil, executor: BlockingExecutor = .decoding
    ) -> AnimatedFrames {
        AnimatedFrames(image: self, loops: loops ?? loopCount, tempo: tempo, executor: executor)
    }
}

/// The frames of an animation, one after the other. Ends after the last loop; throws what decoding throws, and `cancelled`.
public struct AnimatedFrames: AsyncSequence, Sendable {
    /// One decoded frame, with the place it has in the animation.
    public struct Frame: Sendable {
        /// Its place in the file, from 0: the same in each loop.
        public var index: Int
        /// 0 the first time.
        public var loop: Int
        /// The whole picture at this moment, not only the part that changed: the frames before are under it already.
        public var bitmap: Bitmap
        /// How long it is to be seen: ``AnimationInfo/shownDelay(_:)`` of what is stored.
        public var delay: Duration
    }

    fileprivate let image: AnimatedImage
    fileprivate let loops: Int
    fileprivate let tempo: (any TimeSource)?
    fileprivate let executor: BlockingExecutor

    public func makeAsyncIterator() -> Iterator { Iterator(frames: self) }

    /// Decodes each frame when it is asked for it.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let frames: AnimatedFrames
        private var index = 0
        private var loop = 0
        /// When the frame comes; nil before the first.
        private var due: Duration?

        /// Nil when nothing more comes.
        private var use: FrameUse?

        fileprivate init(frames: AnimatedFrames) {
            self.frames = frames
            // Gives the decoder back when the last copy of the iterator has gone, or has come to the end.
            use = FrameUse(frames.image.source)
        }

        public mutating func next() async throws -> Frame? { try await next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ImageError) -> Frame? {
            guard frames.image.frameCount > 0, !isOver else {
                use = nil
                return nil
            }
            if let time = frames.tempo { try await wait(time) }
            try ImageError.checkCancellation(stage: .decode)
            let (image, index, loop) = (frames.image, index, loop)
            let bitmap = try await image.frame(at: index, on: frames.executor) { $0 }
            defer { advance() }
            return Frame(index: index, loop: loop, bitmap: bitmap, delay: delay(of: index))
        }

        private func delay(of index: Int) -> Duration { AnimationInfo.shownDelay(frames.image.delays[index]) }

        private var isOver: Bool { frames.loops > 0 && loop >= frames.loops }

        private mutating func advance() {
            if let due { self.due = due + delay(of: index) }
            index += 1
            if index == frames.image.frameCount { (index, loop) = (0, loop + 1) }
        }

        /// The last frame of all is never left out.
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

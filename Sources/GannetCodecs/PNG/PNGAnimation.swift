#if PNG
    import GannetCore

    /// The animation in acTL, fcTL and fdAT.
    struct PNGAnimation {
        enum Disposal: Int { case none, background, previous }
        enum Blending: Int { case source, over }

        struct Frame {
            var area: PixelRect
            var delay: Duration
            var disposal: Disposal
            var blending: Blending
            /// Empty for the frame whose data is in IDAT.
            var data = PNGData()
        }

        /// Frames announced by acTL; further ones are ignored.
        let promised: Int
        /// 0 is for ever.
        let plays: Int
        var frames: [Frame] = []
        /// The IDAT image is frame 0.
        var includesImage = false
        /// fcTL and fdAT share one sequence.
        var nextSequence = 0
        /// The last frame has all its data.
        private(set) var isFrameEnded = false
        /// The animation is invalid: the IDAT image is shown instead, as the specification recommends.
        var isBroken = false

        init(promised: Int, plays: Int) {
            self.promised = promised
            self.plays = plays
        }

        mutating func begin(_ frame: Frame) {
            var frame = frame
            // Nothing precedes the first frame, so there is nothing to restore (PNG 3rd edition, section 11.3.6.2).
            if frames.isEmpty, frame.disposal == .previous { frame.disposal = .background }
            frames.append(frame)
            isFrameEnded = false
        }

        /// Called at the next frame or the end of the file.
        mutating func endFrame() {
            guard !isFrameEnded, let last = frames.indices.last else { return }
            isFrameEnded = true
            if last == 0, includesImage { return }
            frames[last].data.isComplete = true
            if frames[last].data.pieces.isEmpty { isBroken = true }
        }
    }

    extension PNGAnimation {
        /// The parser's state at a chunk of the animation.
        struct Reading {
            /// IDAT has been read: later frames are separate images.
            var sawImageData: Bool
            /// Only the first frame is wanted.
            var wantsFirstFrameOnly: Bool
            var limits: DecodeLimits
        }

        /// Reads fcTL, which must have 26 bytes. Throws `limitExceeded`.
        mutating func takeControl(_ body: [UInt8], canvas: PixelSize, _ reading: Reading) throws(ImageError) {
            guard !isBroken else { return }
            endFrame()
            guard !isBroken, !leavesOutFrames(reading) else { return }
            guard body.count == 26, PNGParser.number(body, 0) == nextSequence, let frame = Frame(body, canvas: canvas) else {
                isBroken = true
                return
            }
            nextSequence += 1
            if !reading.sawImageData {
                // Frame 0 in IDAT: allowed once, and only with the whole canvas.
                guard !includesImage, frame.area.width == canvas.width, frame.area.height == canvas.height else {
                    isBroken = true
                    return
                }
                includesImage = true
            }
            try reading.limits.check(frames: frames.count + 1)
            begin(frame)
        }

        /// Notes an fdAT chunk; nil if it has no sequence number.
        mutating func noteData(_ piece: PNGData.Piece, sequence: Int?, _ reading: Reading) {
            guard !isBroken, !frames.isEmpty else {
                // Data without a preceding frame.
                isBroken = true
                return
            }
            if leavesOutFrames(reading), isFrameEnded { return }
            let last = frames.count - 1
            let hasControl = reading.sawImageData && !(includesImage && last == 0)
            guard hasControl, sequence == nextSequence else {
                isBroken = true
                return
            }
            nextSequence += 1
            frames[last].data.pieces.append(piece)
        }

        /// Ignores frames beyond the announced and the wanted ones.
        private func leavesOutFrames(_ reading: Reading) -> Bool {
            frames.count == promised || reading.wantsFirstFrameOnly && !frames.isEmpty
        }
    }

    extension PNGAnimation.Frame {
        /// Reads the body of fcTL, 26 bytes. Nil if its area leaves the canvas or a field has an unknown value.
        init?(_ body: [UInt8], canvas: PixelSize) {
            let width = PNGParser.number(body, 4)
            let height = PNGParser.number(body, 8)
            let x = PNGParser.number(body, 12)
            let y = PNGParser.number(body, 16)
            guard width > 0, height > 0, x + width <= canvas.width, y + height <= canvas.height,
                let disposal = PNGAnimation.Disposal(rawValue: Int(body[24])),
                let blending = PNGAnimation.Blending(rawValue: Int(body[25]))
            else { return nil }
            area = PixelRect(x: x, y: y, width: width, height: height)
            let numerator = Int64(body[20]) << 8 | Int64(body[21])
            let denominator = Int64(body[22]) << 8 | Int64(body[23])
            // A denominator of 0 means hundredths (PNG 3rd edition, section 11.3.4.2).
            delay = .nanoseconds(numerator * 1_000_000_000 / (denominator == 0 ? 100 : denominator))
            self.disposal = disposal
            self.blending = blending
        }
    }

    extension PNGFile {
        /// Called at the end of the file: an animation without frames is none.
        mutating func endAnimation() {
            animation?.endFrame()
            if animation?.frames.isEmpty == true { animation?.isBroken = true }
        }

        /// An image that a session shows: a frame of the animation or the IDAT image.
        struct Shown {
            var frame: PNGAnimation.Frame
            var data: PNGData
            /// Shown instead of an animation, or before it if all stored images are requested.
            var isStill: Bool
        }

        /// The images of a session, in order. `everything`: includes an IDAT image outside the animation, first and without a
        /// delay; players omit it.
        func shown(everything: Bool) -> [Shown] {
            let canvas = PixelRect(x: 0, y: 0, width: layout.size.width, height: layout.size.height)
            let still = Shown(
                frame: .init(area: canvas, delay: .zero, disposal: .background, blending: .source), data: image, isStill: true)
            guard let animation, !animation.isBroken, !animation.frames.isEmpty else { return [still] }
            var result: [Shown] = everything && !animation.includesImage ? [still] : []
            for (index, frame) in animation.frames.enumerated() {
                let usesImage = index == 0 && animation.includesImage
                result.append(Shown(frame: frame, data: usesImage ? image : frame.data, isStill: false))
            }
            return result
        }
    }
#endif

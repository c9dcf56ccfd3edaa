#if GIF
    import GannetCore

    /// One session over one GIF file. Frames are drawn on a canvas that stays between calls, so ascending order draws each
    /// frame once. Any other order restarts at the nearest earlier frame that depends on none before it.
    final class GIFDecoder: ImageDecoder {
        private let options: ResolvedDecodeOptions
        private let environment: DecodeEnvironment
        private var parser: GIFParser
        private var reader = RopeReader(ByteRope())
        private var isRopeComplete = false
        private var failure: ImageError?
        private var canvas: GIFCanvas?
        /// Bytes of frame 0 that the last preview showed.
        private var previewedBytes = 0
        /// The rest of the file is missing or unusable.
        private var endsEarly = false
        /// Drawn frames lack pixels because of damaged data.
        private var isDamaged = false
        private(set) var header: ImageHeader?

        init(options: ResolvedDecodeOptions, environment: DecodeEnvironment) {
            self.options = options
            self.environment = environment
            parser = GIFParser(limits: environment.limits)
        }

        var isPartial: Bool { endsEarly || isDamaged }

        var outputLayout: PixelLayout? {
            header.map { PixelLayout(size: $0.size, alpha: $0.hasAlpha ? options.alpha : .opaque) }
        }

        func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus {
            try sticky { () throws(ImageError) in try readBlocks(bytes) }
        }

        private func readBlocks(_ bytes: ByteRope) throws(ImageError) -> DecodeStatus {
            reader = RopeReader(bytes)
            isRopeComplete = bytes.isComplete
            do {
                try parser.parse(&reader)
                if bytes.isComplete {
                    parser.endOfFile(&reader)
                    try endImageIfWhole()
                }
            } catch {
                // With `allowsPartial`, damage after the first frame costs only the rest of the animation.
                guard options.allowsPartial, error.code == .corrupt, parser.file.completeFrameCount > 0 else { throw error }
                endsEarly = true
            }
            let file = parser.file
            if bytes.isComplete, !file.isFinished {
                if bytes.isEmpty { throw ImageError(.empty, stage: .decode, "There are no bytes.") }
                guard options.allowsPartial, frameCount > 0 else {
                    throw ImageError(
                        .truncated, stage: .decode, "The GIF file ends early; load it again, or allow partial images.")
                }
                endsEarly = true
            }
            if file.isFinished, file.frames.isEmpty {
                throw ImageError(.corrupt, stage: .decode, "The GIF file has no image in it.")
            }
            updateHeader()
            if file.isFinished || endsEarly { return .finished }
            return file.completeFrameCount > 0 ? .frameAvailable : .needsMoreData
        }

        /// A file whose last image lacks its end, and no pixel, is whole.
        private func endImageIfWhole() throws(ImageError) {
            guard parser.endsBehindData(reader.count), let last = parser.file.frames.indices.last else { return }
            var painter = GIFPainter(file: parser.file, options: options, environment: environment)
            painter.isPreview = true
            if try painter.hasAllPixels(last, reader: &reader, watch: DecodeWatch(environment.limits)) { parser.endImage() }
        }

        /// Frames that can be requested. An incomplete last one counts only when the file is complete.
        private var frameCount: Int {
            guard isRopeComplete, !parser.file.isFinished, options.allowsPartial, let last = parser.file.frames.last else {
                return parser.file.completeFrameCount
            }
            return last.dataEnd != nil || last.dataOffset < reader.count ? parser.file.frames.count : parser.file.frames.count - 1
        }

        var availableFrameCount: Int { frameCount }

        private func updateHeader() {
            let file = parser.file
            guard !file.frames.isEmpty, let size = PixelSize(width: file.width, height: file.height) else { return }
            let isWhole = file.isFinished || endsEarly
            let shown = isWhole ? Array(file.frames.prefix(frameCount)) : file.frames
            let isAnimated = shown.count > 1 || file.loopCount != nil
            header = ImageHeader(
                format: .gif, size: size, frameCount: isWhole ? shown.count : nil,
                animation: isAnimated
                    ? AnimationInfo(loopCount: file.loopCount, delays: shown.map { .milliseconds($0.delay * 10) }) : nil,
                hasAlpha: file.mayHaveAlpha, isProgressive: file.frames[0].isInterlaced)
        }

        func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
            if let failure { throw failure }
            do { try draw(index, into: &buffer) } catch {
                failure = error
                throw error
            }
        }

        private func draw(_ index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
            try check(buffer)
            guard index >= 0, index < frameCount else {
                throw ImageError(
                    .misuse, stage: .decode, "There is no frame \(index) yet; the GIF decoder has \(frameCount) complete frames.")
            }
            let file = parser.file
            if frameCount == 1, index == 0, file.isFinished || endsEarly {
                // Stills need no separate canvas.
                let painter = GIFPainter(file: file, options: options, environment: environment)
                buffer.fill(0)
                let painted = try painter.paint(0, reader: &reader, into: &buffer, watch: DecodeWatch(environment.limits))
                if painted.isDamaged { isDamaged = true }
                finish(&buffer, isOpaque: painted.coversCanvas)
                return
            }
            let canvas: GIFCanvas
            if let drawn = self.canvas {
                canvas = drawn
            } else {
                canvas = try GIFCanvas(file: file, options: options, environment: environment)
                self.canvas = canvas
            }
            try canvas.show(index, of: file, reader: &reader)
            if canvas.isDamaged { isDamaged = true }
            canvas.copy(into: &buffer)
            finish(&buffer, isOpaque: canvas.isOpaque)
        }

        /// Alpha is 0 or 255 and clear pixels are black, so straight and premultiplied pixels are the same bytes.
        private func finish(_ buffer: inout PixelBuffer, isOpaque: Bool) {
            buffer.setAlpha(isOpaque ? .opaque : options.alpha == .premultiplied ? .premultiplied : .straight)
            buffer.deliver(options.alpha)
        }

        private func check(_ buffer: borrowing PixelBuffer) throws(ImageError) {
            guard let layout = outputLayout, buffer.layout.size == layout.size, buffer.layout.format == .rgba8 else {
                throw ImageError(.misuse, stage: .decode, "The buffer does not have the decoder's outputLayout.")
            }
        }

        func decodePreview(into buffer: inout PixelBuffer) throws(ImageError) -> Bool {
            if let failure { throw failure }
            guard let first = parser.file.frames.first else { return false }
            let available = (first.dataEnd ?? reader.count) - first.dataOffset
            guard available > previewedBytes else { return false }
            do {
                try check(buffer)
                buffer.fill(0)
                var painter = GIFPainter(file: parser.file, options: options, environment: environment)
                painter.isPreview = true
                _ = try painter.paint(0, reader: &reader, into: &buffer, watch: DecodeWatch(environment.limits))
            } catch {
                failure = error
                throw error
            }
            finish(&buffer, isOpaque: false)
            previewedBytes = available
            return true
        }

        private func sticky<R>(_ body: () throws(ImageError) -> R) throws(ImageError) -> R {
            if let failure { throw failure }
            do { return try body() } catch {
                failure = error
                throw error
            }
        }
    }
#endif

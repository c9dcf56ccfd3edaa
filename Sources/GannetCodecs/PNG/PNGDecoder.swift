#if PNG
    import GannetCore

    /// One session over one PNG file: chunks are read as they arrive, pixels are decoded on demand.
    final class PNGDecoder: ImageDecoder {
        let options: ResolvedDecodeOptions
        let environment: DecodeEnvironment
        private(set) var parser: PNGParser
        private(set) var rope = ByteRope()
        private var failure: ImageError?
        private(set) var shown: [PNGFile.Shown] = []
        private var compositor: PNGCompositor?
        private var preview: PNGPreview?
        /// Offset of the pixels in the preview.
        private var previewStart: Int?
        private(set) var header: ImageHeader?
        private(set) var outputColorSpace = ColorSpace.sRGB
        /// Pixels or frames are missing.
        private(set) var isPartial = false

        init(options: ResolvedDecodeOptions, environment: DecodeEnvironment) {
            self.options = options
            self.environment = environment
            parser = PNGParser(limits: environment.limits, wantsFirstFrameOnly: options.frames == .first)
        }

        // MARK: Bytes

        func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus {
            try sticky { () throws(ImageError) in try take(bytes) }
        }

        private func take(_ bytes: ByteRope) throws(ImageError) -> DecodeStatus {
            rope = bytes
            try parser.read(bytes)
            // A file without its end may still have all pixels, and has a header in any case.
            guard let file = parser.file, parser.sawImageData || parser.isTruncated else {
                if parser.isTruncated { throw Self.truncated }
                return .needsMoreData
            }
            shown = file.shown(everything: options.color == .raw)
            // The IDAT image outside the animation counts as one: the first frame alone was requested.
            if options.frames == .first { shown.removeLast(shown.count - 1) }
            dropUnfinishedFrames()
            header = makeHeader(file)
            outputColorSpace = file.deliveredColorSpace
            if lacksFrames {
                // Frames that were shown while bytes arrived are not the animation.
                guard options.allowsPartial else { throw Self.truncated }
                isPartial = true
            }
            if isAllThere { return .finished }
            return shown[0].data.isComplete ? .frameAvailable : .needsMoreData
        }

        /// Whether all bytes have arrived.
        private var isAllThere: Bool { parser.isFinished || parser.isTruncated }

        static var truncated: ImageError {
            ImageError(
                .truncated, stage: .decode,
                "The PNG file ends before its image does. Load it again, or set allowsPartial to show what is there.")
        }

        /// Frames of an animation that was cut off.
        private var lacksFrames: Bool {
            guard parser.isTruncated, options.frames != .first, let animation = parser.file?.animation else {
                return false
            }
            return shown.count(where: { !$0.isStill }) < animation.promised
        }

        /// Drops incomplete frames, except the first one.
        private func dropUnfinishedFrames() {
            guard !parser.isFinished else { return }
            while let last = shown.last, shown.count > 1, !last.data.isComplete { shown.removeLast() }
        }

        /// A frame is known to be complete when the next one begins.
        var availableFrameCount: Int {
            guard let last = shown.last else { return 0 }
            return last.data.isComplete || isAllThere ? shown.count : shown.count - 1
        }

        var exif: [UInt8]? { parser.file?.exif }

        private func makeHeader(_ file: PNGFile) -> ImageHeader {
            var header = ImageHeader(format: .png, size: file.layout.size)
            let isAnimated = file.animation.map { !$0.isBroken } ?? false
            header.frameCount = isAnimated && !isAllThere ? nil : shown.count
            if isAnimated, let animation = file.animation {
                header.animation = AnimationInfo(loopCount: animation.plays, delays: shown.map(\.frame.delay))
            }
            header.hasAlpha = file.hasAlpha || leavesHoles
            header.orientation = file.orientation
            header.isProgressive = file.layout.isInterlaced
            header.bitDepth = file.layout.depth
            header.colorSpace = file.colorSpace
            return header
        }

        /// Whether opaque frames still leave clear parts: outside the first frame, or where a frame was cleared for the next
        /// one.
        private var leavesHoles: Bool {
            let frames = shown.drop { $0.isStill }
            guard let size = parser.file?.layout.size, let first = frames.first else { return false }
            return !first.frame.area.covers(size) || frames.dropLast().contains { $0.frame.disposal == .background }
        }

        // MARK: Pixels

        var format: PixelFormat { header.map { options.decodesDeep($0) } ?? false ? .rgba16 : .rgba8 }

        /// Rows of stills pass through the resampler as they arrive. Interlaced images and frames over other frames need the
        /// whole canvas.
        var outputLayout: PixelLayout? { layout(options) }

        func layout(_ options: ResolvedDecodeOptions) -> PixelLayout? {
            guard let header else { return nil }
            let size = region(of: header)?.size ?? header.size
            let full = PixelLayout(size: size, format: format, alpha: header.hasAlpha ? options.alpha : .opaque)
            let scaled = options.scaledSize(for: header)
            guard passesRows, scaled != size, scaled.width <= size.width, scaled.height <= size.height else {
                return full
            }
            // Only premultiplied pixels can be averaged.
            return PixelLayout(size: scaled, format: format, alpha: full.alpha == .straight ? .premultiplied : full.alpha)
        }

        /// A still whose rows come from top to bottom.
        var passesRows: Bool {
            guard let file = parser.file, !file.layout.isInterlaced else { return false }
            return file.animation?.isBroken ?? true || options.frames == .first && shown[0].data.isImage(of: file)
        }

        func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
            if let failure { throw failure }
            guard let outputLayout, shown.indices.contains(index), shown[index].data.isComplete || isAllThere else {
                throw ImageError(.misuse, stage: .decode, "Frame \(index) has not come; there are \(shown.count) so far.")
            }
            guard buffer.size == outputLayout.size, buffer.layout.format == outputLayout.format else {
                throw ImageError(
                    .misuse, stage: .decode, "The buffer is \(buffer.layout); the decoder writes \(outputLayout).")
            }
            do throws(ImageError) {
                if !parser.sawImageData { throw Self.truncated }
                try decode(index, outputLayout, into: &buffer)
            } catch {
                failure = error
                throw error
            }
        }

        private func decode(_ index: Int, _ layout: PixelLayout, into buffer: inout PixelBuffer) throws(ImageError) {
            guard let file = parser.file else { return }
            let watch = DecodeWatch(environment.limits)
            // A first frame that fills the canvas needs no separate one.
            if shown[index].isStill || index == 0 && shown[0].frame.area.covers(file.layout.size) {
                try paint(file, shown[index].data, watch, into: &buffer)
                return
            }
            let compositor = compositor ?? PNGCompositor(file, format: format, rounds: rounds, environment)
            self.compositor = compositor
            let isWhole = try compositor.compose(
                shown, upTo: index, rope, watch, allowsPartial: options.allowsPartial, alpha: layout.alpha, into: &buffer)
            if !isWhole { isPartial = true }
            buffer.setAlpha(layout.alpha)
        }

        private func paint(
            _ file: PNGFile, _ data: PNGData, _ watch: DecodeWatch, into buffer: inout PixelBuffer
        ) throws(ImageError) {
            preview = nil
            if let header, decodesRegion, let region = region(of: header) {
                try paint(region, file, data, watch, into: &buffer)
                return
            }
            let size = file.layout.size
            let rows = try environment.reserveRows(PNGRowReader.rowBytes(file.layout, width: size.width, format))
            defer { withExtendedLifetime(rows) {} }
            var painter = PNGPainter(
                reader: PNGRowReader(file.layout, data, rope, width: size.width, height: size.height, watch: watch),
                expander: expander(file), environment: environment)
            let isWhole = try painter.paint(into: &buffer, isPartial: !data.isComplete)
            if !isWhole {
                guard !data.isComplete else { throw PNGParser.corrupt("The image data end before the image does.") }
                guard options.allowsPartial else { throw Self.truncated }
                isPartial = true
            }
            buffer.setAlpha(isWhole ? outputLayout?.alpha ?? .opaque : partialAlpha)
            if options.alpha == .opaque { buffer.deliver(.opaque) }
        }

        func expander(_ file: PNGFile) -> PNGExpander {
            let size = header.flatMap { region(of: $0)?.size } ?? file.layout.size
            let isShrunk = outputLayout.map { $0.size != size } ?? false
            let alpha = isShrunk && options.alpha == .straight ? .premultiplied : options.alpha
            return PNGExpander(file, format: format, alpha: alpha, rounds: rounds)
        }

        /// An opaque image with missing rows is not opaque: they are transparent.
        private var partialAlpha: AlphaMode {
            guard let outputLayout, outputLayout.alpha == .opaque else { return outputLayout?.alpha ?? .premultiplied }
            // Pixels are either clear or opaque, so both have the same bytes.
            return options.alpha == .opaque ? .straight : .premultiplied
        }

        /// The current preview of the first image. Passes of interlaced images are shown as blocks.
        func decodePreview(into buffer: inout PixelBuffer) throws(ImageError) -> Bool {
            if let failure { throw failure }
            guard !decodesRegion, let file = parser.file, let first = shown.first,
                first.isStill || first.frame.area.covers(file.layout.size),
                var output = outputLayout, buffer.size == output.size, buffer.layout.format == output.format
            else { return false }
            do throws(ImageError) {
                output.alpha = partialAlpha
                // The first image can change: IDAT before the first fcTL is no frame if an animation follows.
                let start = first.data.pieces.first?.start
                // Its size can change, too: a broken animation becomes a still, and stills are shrunk.
                if preview == nil || previewStart != start || preview?.outputSize != output.size {
                    previewStart = start
                    preview = try PNGPreview(file, first.data, rope, expander(file), output: output, environment)
                }
                guard try preview?.show(rope, first.data, DecodeWatch(environment.limits), into: &buffer) ?? false else {
                    return false
                }
                if options.alpha == .opaque { buffer.deliver(.opaque) }
                return true
            } catch {
                failure = error
                throw error
            }
        }

        /// `raw` takes the high byte of 16 bits; otherwise the value is rounded.
        private var rounds: Bool { options.color != .raw }

        func sticky<R>(_ body: () throws(ImageError) -> R) throws(ImageError) -> R {
            if let failure { throw failure }
            do throws(ImageError) { return try body() } catch {
                failure = error
                throw error
            }
        }
    }

    extension PixelRect {
        /// Whether it is the whole image of `size`.
        func covers(_ size: PixelSize) -> Bool { x == 0 && y == 0 && width == size.width && height == size.height }
    }
#endif

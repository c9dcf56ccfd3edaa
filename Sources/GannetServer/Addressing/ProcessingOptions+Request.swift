#if Server
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetSupport

    extension ProcessingOptions {
        /// At which size a source is decoded.
        enum Decoding: Equatable {
            /// All pixels: what is cut off depends on them, or is said in them.
            case whole
            /// The decoder makes the size of the result, whatever the source's is.
            case target(TargetSize)
            /// The source's header has to be read first: its size decides.
            case measured
        }

        /// The request that makes the image. The pixels are made from the original and nothing else, so that equal addresses
        /// have equal bytes: not from a stored result, which lost something when it was encoded, nor from a larger size.
        /// Decoded originals in memory spare another format the decode, unless they have all pixels of the source for a part of it.
        ///
        /// `header`: of the source, where ``needsSource``. `format`: of the response, where it is known before the image.
        func request(
            for source: ImageSource, header: ImageHeader? = nil, format: ImageFormat? = nil, maximumSide: Int,
            limits: DecodeLimits, watermark: Bitmap?
        ) throws(ImageError) -> ImageRequest {
            if let iiif {
                var request = try iiif.request(for: source, header: header, maximumSide: maximumSide, limits: limited(limits))
                (request.decode.usesLinearLight, request.decode.toneMapping) = (usesLinearLight, toneMapping)
                return request
            }
            var request = ImageRequest(source: source)
            let decoded: ProcessingTransformer.Decoded
            // A turned image has its box in the turned frame; to turn what is left of it is the same, and less work.
            switch (decoding(maximumSide: maximumSide), header) {
            case (.target(let target), _):
                request.decode.target = .size(target.stored(turn))
                decoded = .finished
            case (.measured, let header?):
                let size = turn.displayed(isUpright ? header.displayedSize : header.size)
                let scaled = ResizePlan(
                    self, source: size, isVector: header.isVector, limit: limitedSide(maximumSide)
                ).scaled
                let target = TargetSize(.stretch, width: scaled.width, height: scaled.height, allowsUpscaling: true)
                request.decode.target = .size(target.stored(turn))
                decoded = .scaled
            case (.whole, _), (.measured, nil):
                request.decode.target = .original
                decoded = .whole
            }
            request.decode.appliesOrientation = isUpright
            request.decode.keeps16Bit = keepsDepth && format.map { Self.deepFormats.contains($0) } ?? false
            if keepsDepth, let format, ImageFormat.highRange.contains(format) { request.decode.dynamicRange = .high }
            request.decode.usesLinearLight = usesLinearLight
            request.decode.toneMapping = toneMapping
            request.decode.frames = isAnimated ? .all : page == 0 ? .first : .index(page)
            if let videoSecond, !VideoFrame.choose(.seconds(videoSecond), in: &request) {
                throw ImageError(.misuse, stage: .resolve, "This service reads no videos.")
            }
            request.decode.limits = limited(limits)
            request.cache.read = .disk
            request.cache.write = .disk
            // EXIF and XMP are in the bytes alone.
            request.cache.readOriginal = decoded == .whole || carriesMetadata ? .disk : .all
            request.cache.writeOriginal = request.cache.readOriginal
            request.cache.sharesSizes = false
            request.transform.transformers = [try transformer(decoded, maximumSide, watermark)]
            request.transform.appliesTo = [.animated, .vector]
            return request
        }

        /// Those with 16 bits in a channel, or 10.
        static let deepFormats: Set<ImageFormat> = [.png, .tiff, .pnm, .jxl, .avif, .heic]

        /// Its bytes are fetched before anything else is decided.
        func needsSource(maximumSide: Int) -> Bool {
            iiif != nil || usesThumbnail || !unprocessed.isEmpty || decoding(maximumSide: maximumSide) == .measured
        }

        func decoding(maximumSide: Int) -> Decoding {
            if trim != nil || crop != nil { return .whole }
            return target(maximumSide: maximumSide).map { .target($0) } ?? .measured
        }

        /// The target that gives every source the size that ``ResizePlan`` has for it; nil if none does.
        ///
        /// A side that the address leaves open has the service's limit, within which the image is whole. Without any side a drawing has the
        /// size that it says, times ``pixelRatio``.
        private func target(maximumSide: Int) -> TargetSize? {
            let isPlain = zoomX == 1 && zoomY == 1 && minimumWidth == nil && minimumHeight == nil && self.maximumSide == nil
            guard isPlain, !gravity.hasOffset else { return nil }
            guard let width = pixelWidth, let height = pixelHeight else {
                // Padding counts for the limit too.
                guard padding == Padding(), extendedRatio == nil else { return nil }
                let isOpen = width == nil && height == nil
                let isSourceSize = isOpen && (pixelRatio == 1 || pixelRatio > 1 && !enlarges)
                guard isOpen ? isSourceSize : mode != .stretch else { return nil }
                guard extended == nil || pixelRatio >= 1 else { return nil }
                var target = TargetSize(
                    .fit, width: pixelWidth ?? maximumSide, height: pixelHeight ?? maximumSide,
                    allowsUpscaling: enlarges && !isOpen)
                // Without a size a drawing has its own, in points.
                if isOpen { target.vectorScale = pixelRatio }
                return target
            }
            let mode: TargetSize.Mode
            switch self.mode {
            case .fit where extended == nil || pixelRatio >= 1: mode = .fit
            case .fill where pixelRatio == 1 || enlarges: mode = .fill
            case .stretch where enlarges: mode = .stretch
            default: return nil
            }
            return TargetSize(mode, width: width, height: height, allowsUpscaling: enlarges).focused(on: gravity.focus)
        }

        private func transformer(
            _ decoded: ProcessingTransformer.Decoded, _ maximumSide: Int, _ image: Bitmap?
        ) throws(ImageError) -> ProcessingTransformer {
            var changes: [StandardTransformer] = []
            for text in transforms { changes.append(try StandardTransformer(parsing: text)) }
            var watermark: WatermarkTransformer?
            if let place = self.watermark {
                guard let image else { throw ImageError(.misuse, stage: .resolve, "This service has no watermark.") }
                watermark = WatermarkTransformer(image: image, place: place)
            }
            return ProcessingTransformer(
                options: self, decoded: decoded, limit: limitedSide(maximumSide), changes: changes, watermark: watermark)
        }

        /// `found`: a quality in place of the options' own.
        func encoding(as format: ImageFormat, quality found: Int? = nil) -> EncodeOptions {
            EncodeOptions(
                format: format, quality: found ?? quality(for: format), background: background ?? 0xFFFFFF,
                maximumFileSize: maximumBytes, firstFrameOnly: !isAnimated)
        }
    }
#endif

#if Server
    import GannetCore
    import GannetFetch
    import GannetImages

    extension ProcessingOptions {
        /// The request that makes the image. The pixels are made from the original and nothing else, so that equal addresses
        /// have equal bytes: not from a stored result, which lost something when it was encoded, nor from a larger size.
        /// Decoded originals in memory spare another format the decode, unless they have all pixels of the source for a part of it.
        func request(
            for source: ImageSource, maximumSide: Int, limits: DecodeLimits, watermark: Bitmap?
        ) throws(ImageError) -> ImageRequest {
            var request = ImageRequest(source: source)
            let target = target(maximumSide: maximumSide)
            // How much a smaller decode may leave out depends on the part that is kept.
            // A turned image has its box in the turned frame; to turn what is left of it is the same, and less work.
            request.decode.target = area == nil ? .size(target.stored(turn ?? .up)) : .original
            request.decode.frames = isAnimated ? .all : page == 0 ? .first : .index(page)
            request.decode.limits = limits
            request.cache.read = .disk
            request.cache.write = .disk
            // EXIF and XMP are in the bytes alone.
            request.cache.readOriginal = area == nil && !keepsMetadata ? .all : .disk
            request.cache.writeOriginal = request.cache.readOriginal
            request.cache.sharesSizes = false
            request.transform.transformers = try transformers(target, watermark)
            request.transform.appliesTo = [.animated, .vector]
            return request
        }

        /// Nil: none.
        private var turn: Orientation? { [90: .right, 180: .down, 270: .left][rotation] }

        /// A side that the address leaves open has the service's limit, within which the image is whole. Without any side a drawing
        /// has the size that it says, times ``pixelRatio``.
        func target(maximumSide: Int) -> TargetSize {
            guard let width = pixelWidth, let height = pixelHeight else {
                let isOpen = width == nil && height == nil
                var target = TargetSize(
                    .fit, width: pixelWidth ?? maximumSide, height: pixelHeight ?? maximumSide,
                    allowsUpscaling: enlarges && !isOpen)
                // Without a size a drawing has its own, in points.
                if isOpen { target.vectorScale = pixelRatio }
                return target
            }
            return TargetSize(mode, width: width, height: height, allowsUpscaling: enlarges).focused(on: focus)
        }

        private func transformers(
            _ target: TargetSize, _ watermark: Bitmap?
        ) throws(ImageError) -> [any ImageTransformer] {
            var transformers: [any ImageTransformer] = []
            if turn != nil { transformers.append(try StandardTransformer(parsing: "rotate:\(rotation)")) }
            if let area { transformers += [area, StandardTransformer.resize(target)] as [any ImageTransformer] }
            for text in transforms { transformers.append(try StandardTransformer(parsing: text)) }
            if canvas != CanvasTransformer() { transformers.append(canvas) }
            if let background {
                let color = PixelColor(
                    red: UInt8(background >> 16 & 255), green: UInt8(background >> 8 & 255), blue: UInt8(background & 255))
                transformers.append(StandardTransformer.flatten(color))
            }
            if let place = self.watermark {
                guard let watermark else {
                    throw ImageError(.misuse, stage: .resolve, "This service has no watermark.")
                }
                transformers.append(WatermarkTransformer(image: watermark, place: place))
            }
            return transformers
        }

        func encoding(as format: ImageFormat) -> EncodeOptions {
            EncodeOptions(
                format: format, quality: quality(for: format), background: background ?? 0xFFFFFF,
                maximumFileSize: maximumBytes, firstFrameOnly: !isAnimated)
        }
    }
#endif

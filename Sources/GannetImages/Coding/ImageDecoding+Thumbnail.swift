package import GannetCore

extension ImageDecoding {
    /// The small copy inside of a file, decoded as the image would be, and with the image's metadata. Nil: there is none, it has not
    /// arrived, it has another shape than the image, or it cannot be decoded. Blocking; costs what an image of its size does.
    ///
    /// - Parameter mayBeSmaller: true for a preview, which is marked as partial; false: nil if it has fewer pixels than the options want.
    package func embeddedThumbnail(
        of bytes: ByteRope, _ options: ResolvedDecodeOptions, mayBeSmaller: Bool
    ) -> DecodedImage? {
        if case .index = options.frames { return nil }
        // A custom value selects other pixels, for example a second of a video.
        guard !options.requireAnimated, options.coder == nil, options.region == nil, environment.load.pixelsInfluence.isEmpty,
            case .found(let coder, let format) = coders.match(bytes, hint: options.formatHint),
            let file = (coder as? any EmbeddedThumbnailReading)?.embeddedThumbnail(in: bytes, limits: options.limits)
        else { return nil }
        var own = options
        (own.frames, own.formatHint, own.usesEmbeddedThumbnail) = (.first, nil, .never)
        do throws(ImageError) {
            let (whole, small) = (try header(coder, format, bytes, options), try header(of: file, options: own))
            guard let whole, small.hasShape(of: whole, options) else { return nil }
            if !mayBeSmaller, small.size.area < options.scaledSize(for: whole).area { return nil }
            let image = try decode(file, options: own)
            var metadata = image.metadata
            metadata.format = format
            metadata.originalSize = options.appliesOrientation ? whole.displayedSize : whole.size
            metadata.orientation = whole.orientation
            metadata.pageCount = whole.pageCount
            (metadata.isPartial, metadata.isArriving) = (mayBeSmaller, mayBeSmaller)
            return .still(image.bitmap, metadata)
        } catch { return nil }
    }

    /// Nil: it has not arrived.
    private func header(
        _ coder: any ImageCoder, _ format: ImageFormat, _ bytes: ByteRope, _ options: ResolvedDecodeOptions
    ) throws(ImageError) -> ImageHeader? {
        let decoder = try environment.places.coder(coder, for: format, options.isolation)
            .makeDecoder(for: format, options: options, environment: environment)
        _ = try decoder.read(from: bytes)
        return decoder.header
    }
}

extension ImageHeader {
    /// Whether it has the sides of a smaller copy, rounded. False: with bars, cut, or not turned alike.
    fileprivate func hasShape(of whole: ImageHeader, _ options: ResolvedDecodeOptions) -> Bool {
        let (small, large) =
            options.appliesOrientation ? (displayedSize, whole.displayedSize) : (size, whole.size)
        guard small.width <= large.width, small.height <= large.height else { return false }
        return abs(small.width * large.height - small.height * large.width) <= large.width + large.height
    }
}

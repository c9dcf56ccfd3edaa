#if Server
    import GannetCore
    import GannetImages

    /// Writes the image of a response: in one format or the best of several, with a quality that is named or found.
    struct ResponseEncoding {
        let options: ProcessingOptions
        let coders: CodersManager
        /// For reading what was written, where its quality is measured.
        let limits: DecodeLimits
        let budget: ResourceBudget
        /// Writes the image once.
        let write: (EncodeOptions) throws(ImageError) -> EncodedImage

        /// The smallest file; of equal ones the first. A format that cannot hold the image is left out, if another one can. Blocking.
        func file(of image: DecodedImage, as formats: [ImageFormat]) throws(ImageError) -> EncodedImage {
            guard formats.count > 1 else { return try file(of: image, as: formats[0], options) }
            // Files that were made small enough would all be about as large.
            var unlimited = options
            unlimited.maximumBytes = nil
            var best: (file: EncodedImage, format: ImageFormat)?
            var failure: ImageError?
            for format in formats {
                try ImageError.checkCancellation(stage: .encode)
                do throws(ImageError) {
                    let file = try file(of: image, as: format, unlimited)
                    if best.map({ file.bytes.count < $0.file.bytes.count }) ?? true { best = (file, format) }
                } catch {
                    guard [.encodeFailed, .limitExceeded, .unsupported].contains(error.code) else { throw error }
                    failure = failure ?? error
                }
            }
            guard let best else {
                throw failure ?? ImageError(.encodeFailed, stage: .encode, "There is no format for the image.")
            }
            guard let limit = options.maximumBytes, best.file.bytes.count > limit else { return best.file }
            return try file(of: image, as: best.format, options)
        }

        private func file(
            of image: DecodedImage, as format: ImageFormat, _ options: ProcessingOptions
        ) throws(ImageError) -> EncodedImage {
            func encoded(_ quality: Int?) throws(ImageError) -> EncodedImage {
                try write(options.encoding(as: format, quality: quality))
            }
            let isStill = !options.isAnimated || image.frameCount == 1
            guard let target = options.qualityTarget, isStill, FormatChoice.hasQuality(format) else { return try encoded(nil) }
            return try target.search { quality throws(ImageError) in
                let file = try encoded(quality)
                return (file, try difference(of: file, to: image.bitmap))
            }
        }

        /// In the same slot, within the same budget: the pixels of the file are there while they are compared, and not longer.
        private func difference(of file: EncodedImage, to image: Bitmap) throws(ImageError) -> Double {
            // Formats that are switched off are those of sources.
            let reader = ImageDecoding(coders: CodersManager(coders.coders), environment: DecodeEnvironment(limits: limits))
            var asked = DecodeOptions()
            asked.limits = limits
            let session = try reader.open(file.bytes, ResolvedDecodeOptions(asked))
            guard let reservation = try budget.reserve(session.neededBytes) else {
                throw ImageError(
                    .cancelled, stage: .encode, "There is no memory now in which the quality is measured; try again.")
            }
            defer { withExtendedLifetime(reservation) {} }
            let shown = try session.decode().bitmap
            // A limit of bytes may have made it smaller, which is no matter of quality.
            guard shown.size == image.size else { return 0 }
            return try image.structuralDissimilarity(to: shown, background: options.background ?? 0xFFFFFF)
        }
    }
#endif

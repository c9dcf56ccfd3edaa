#if Server
    import GannetCore
    import GannetImages
    import GannetSupport

    /// The formats that a response can have, before its image is known: part of its key.
    struct FormatChoice: Hashable, Sendable {
        /// Named by the address, or the first preferred one that the client accepts; nil: by the image.
        let format: ImageFormat?
        /// The client's `Accept` decided.
        let isNegotiated: Bool
        /// Those of them that are tried for the smallest file, where the address asks for it.
        let tried: [ImageFormat]

        /// `preferred` formats are sent only to clients that name them: `*/*` says nothing of new formats.
        init(_ options: ProcessingOptions, accept: String, preferred: [ImageFormat], coders: CodersManager) {
            isNegotiated = options.format == nil && !options.isRaw
            func isAllowed(_ format: ImageFormat) -> Bool {
                Self.accepts(format, accept) && Self.canWrite(format, coders) && (!options.isAnimated || Self.moves(format))
                    && (!options.carriesMetadata || Self.keepsMetadata(format))
            }
            format = options.format ?? (isNegotiated && !options.isBest ? preferred.first(where: isAllowed) : nil)
            tried = isNegotiated && options.isBest ? preferred.filter(isAllowed) : []
        }

        /// The choice for a fallback image.
        init(_ choice: FormatChoice, of options: ProcessingOptions) {
            format = choice.format
            isNegotiated = options.format == nil
            tried = choice.tried
        }

        /// Of equal texts and options the formats are equal.
        var keyText: String {
            let others = tried.isEmpty ? "" : " or " + tried.map(\.identifier).joined(separator: ",")
            return (format?.identifier ?? "by image") + others
        }

        /// Those that are tried, none of them twice: the usual one, what the client accepts, and PNG, which is smaller for drawings.
        func formats(of image: DecodedImage, _ options: ProcessingOptions, coders: CodersManager) -> [ImageFormat] {
            var formats = [format(of: image, options, coders: coders)]
            guard options.isBest else { return formats }
            let isOpaque = image.bitmap.layout.alpha == .opaque || options.background != nil
            let isStill = !options.isAnimated || image.frameCount == 1
            for other in tried + (isStill && Self.canWrite(.png, coders) ? [.png] : []) {
                if !formats.contains(other), isOpaque || other != .jpeg { formats.append(other) }
            }
            return formats
        }

        /// JPEG, PNG for images with transparency, and GIF for several frames, which every client shows.
        func format(of image: DecodedImage, _ options: ProcessingOptions, coders: CodersManager) -> ImageFormat {
            if let format { return format }
            if options.isAnimated, image.frameCount > 1 {
                return Self.canWrite(.gif, coders) && !options.carriesMetadata ? .gif : .png
            }
            let isOpaque = image.bitmap.layout.alpha == .opaque || options.background != nil
            return isOpaque && Self.canWrite(.jpeg, coders) ? .jpeg : .png
        }

        /// EXIF and XMP can be written into it.
        static func keepsMetadata(_ format: ImageFormat) -> Bool { SourceMetadata.formats.contains(format) }

        static func canWrite(_ format: ImageFormat, _ coders: CodersManager) -> Bool {
            (try? coders.encoder(for: format, options: EncodeOptions(format: format))) != nil
        }

        /// It is written with a loss that depends on the quality.
        static func hasQuality(_ format: ImageFormat) -> Bool { [.jpeg, .webp, .avif, .heic, .jxl].contains(format) }

        private static func moves(_ format: ImageFormat) -> Bool { [.webp, .gif, .png].contains(format) }

        private static func accepts(_ format: ImageFormat, _ field: String) -> Bool {
            format.mimeTypes.contains { accepts($0, field) }
        }

        /// Whether the field accepts this type; a weight of 0 means no (RFC 9110 §12.4.2).
        static func accepts(_ type: String, _ field: String) -> Bool {
            field.lowercased().split(separator: ",").contains { part in
                let words = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
                let weight = words.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
                return words.first == type && weight.flatMap { Double($0) } != 0
            }
        }
    }
#endif

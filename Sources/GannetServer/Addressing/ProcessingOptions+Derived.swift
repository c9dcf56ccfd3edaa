#if Server
    import GannetCore
    import GannetImages

    /// Values that follow from several options together.
    extension ProcessingOptions {
        /// Texts of `StandardTransformer`.
        var transforms: [String] { changes.map(\.text) }

        var isAnimated: Bool { maximumFrames == 1 ? false : animates ?? (maximumFrames != nil) }

        /// Something of the source's metadata is in the response.
        var carriesMetadata: Bool { keepsMetadata || keepsCopyright }

        /// Rotation and flip together.
        var turn: Orientation {
            // A vertical flip is half a turn and a horizontal one.
            let degrees = (rotation + (flipsVertically ? 180 : 0)) % 360
            let isMirrored = flipsHorizontally != flipsVertically
            switch degrees {
            case 90: return isMirrored ? .leftMirrored : .right
            case 180: return isMirrored ? .downMirrored : .down
            case 270: return isMirrored ? .rightMirrored : .left
            default: return isMirrored ? .upMirrored : .up
            }
        }

        /// The box in pixels of the response, where the source has enough of them; nil where the address leaves a side open.
        var pixelWidth: Int? { width.map { Self.scaled($0, pixelRatio * zoomX) } }
        var pixelHeight: Int? { height.map { Self.scaled($0, pixelRatio * zoomY) } }

        private static func scaled(_ side: Int, _ ratio: Double) -> Int {
            Int(min(max((Double(side) * ratio).rounded(), 1), Double(PixelSize.maximumSide)))
        }

        /// The sides that the response has at least, as far as the address says.
        var leastSides: (width: Int, height: Int) {
            (
                max(pixelWidth ?? 0, minimumWidth.map { Self.scaled($0, pixelRatio) } ?? 0)
                    + Int((Double(padding.horizontal) * pixelRatio).rounded()),
                max(pixelHeight ?? 0, minimumHeight.map { Self.scaled($0, pixelRatio) } ?? 0)
                    + Int((Double(padding.vertical) * pixelRatio).rounded())
            )
        }

        /// Nothing in the address says the quality for all formats.
        var leavesQuality: Bool { quality == nil && qualityTarget == nil && !isRaw }

        func quality(for format: ImageFormat) -> Int? { qualityOfFormat[format] ?? quality }

        /// The service's limits, or the address's where they are lower: no address raises a limit.
        func limited(_ limits: DecodeLimits) -> DecodeLimits {
            var limits = limits
            if let maximumPixels { limits.maximumPixels = min(limits.maximumPixels, maximumPixels) }
            if let maximumFileBytes { limits.maximumEncodedBytes = min(limits.maximumEncodedBytes, maximumFileBytes) }
            return limits
        }

        /// Without the frames beyond ``maximumFrames``.
        func shortened(_ image: DecodedImage) -> DecodedImage {
            guard let maximumFrames, case .animated(let animation) = image, animation.frameCount > maximumFrames else {
                return image
            }
            return .animated(
                AnimatedImage(
                    metadata: animation.metadata, poster: animation.poster, loopCount: animation.loopCount,
                    delays: Array(animation.delays.prefix(maximumFrames)), source: animation.source))
        }

        /// Of the result.
        func limitedSide(_ limit: Int) -> Int { min(limit, maximumSide ?? limit) }

        /// The options that need a signature, with their values: those that cost more than a thumbnail (a format other than JPEG, PNG and WebP,
        /// several attempts to reach a size, many frames, a decode of all pixels or of twice the bytes), and those that show more than the image
        /// (the source's bytes, and its metadata with the location of a photograph).
        var costs: Set<String> {
            var costs: Set<String> = []
            if let format, ![.jpeg, .png, .webp].contains(format) { costs.insert("format \(format.identifier)") }
            if isBest { costs.insert("best") }
            if let qualityTarget { costs.insert("quality \(qualityTarget.keyText)") }
            if let maximumBytes { costs.insert("bytes \(maximumBytes)") }
            if isAnimated { costs.insert("frames \(maximumFrames ?? 0)") }
            if page > 0 { costs.insert("page \(page)") }
            if let crop { costs.insert("crop \(crop.keyText)") }
            if let trim { costs.insert("trim \(trim.identifier ?? "")") }
            if turn != .up { costs.insert("turn \(turn)") }
            if !changes.isEmpty { costs.insert("changes \(transforms.joined(separator: ";"))") }
            if watermark?.isRepeated == true { costs.insert("tiles") }
            // Sources beside the one, and drawings.
            if let watermarkURL { costs.insert("watermark \(watermarkURL)") }
            if let watermarkText { costs.insert("text \(watermarkText)") }
            if let fallbackURL { costs.insert("fallback \(fallbackURL)") }
            if let videoSecond { costs.insert("second \(videoSecond)") }
            if keepsDepth { costs.insert("depth") }
            if isRaw { costs.insert("raw") }
            if !unprocessed.isEmpty { costs.insert("unprocessed") }
            if keepsMetadata { costs.insert("metadata") }
            return costs
        }

        /// Of equal texts the pixels are equal: every option that decides them, in one order.
        var pixelText: String {
            let size: [String] = [
                "\(width ?? 0)x\(height ?? 0)", mode.rawValue, gravity.keyText, "\(enlarges)", "\(pixelRatio)",
                "\(zoomX)x\(zoomY)",
                "\(minimumWidth ?? 0)x\(minimumHeight ?? 0)", "\(maximumSide ?? 0)",
            ]
            let place: [String] = [
                "\(isUpright)", trim?.identifier ?? "-", "\(turn)", crop?.keyText ?? "-", extended?.keyText ?? "-",
                extendedRatio?.keyText ?? "-", "\(padding.top),\(padding.right),\(padding.bottom),\(padding.left)",
            ]
            let pixels: [String] = [
                "\(usesThumbnail)", "\(page)", "\(isAnimated)", "\(maximumFrames ?? 0)", transforms.joined(separator: ";"),
                "\(background.map { Int($0) } ?? -1)",
                watermark.map { "\($0.opacity),\($0.gravity.keyText),\($0.isRepeated),\($0.scale)" } ?? "-", "\(keepsDepth)",
                "\(maximumPixels ?? -1),\(maximumFileBytes ?? -1),\(maximumFramePixels ?? -1)",
            ]
            var text = (size + place + pixels).joined(separator: "|")
            if usesLinearLight { text += "|light" }
            if toneMapping != .bt2390 { text += "|\(toneMapping.rawValue)" }
            if let videoSecond { text += "|second \(videoSecond)" }
            if let iiif { text += "|iiif " + iiif.text }
            return text
        }

        /// Of equal texts the responses are equal.
        var keyText: String {
            let qualities = qualityOfFormat.map { "\($0.identifier)=\($1)" }.sorted().joined(separator: ",")
            let unprocessed = unprocessed.map(\.identifier).sorted().joined(separator: ",")
            let file: [String] = [
                format?.identifier ?? (isBest ? "best" : "-"), "\(quality ?? -1)", qualities, qualityTarget?.keyText ?? "-",
                "\(maximumBytes ?? 0)",
                "\(keepsMetadata)", "\(keepsCopyright)", unprocessed, "\(isRaw)", cacheBuster,
            ]
            return pixelText + "|" + file.joined(separator: "|")
        }
    }

    extension ProcessingOptions.Crop {
        fileprivate var keyText: String { "\(width)x\(height)@\(gravity?.keyText ?? "-")" }
    }

    extension Gravity {
        fileprivate var keyText: String {
            switch kind {
            case .edge(let x, let y): "edge \(x),\(y),\(offsetX),\(offsetY)"
            case .point(let x, let y): "point \(x),\(y)"
            case .attention: "attention"
            }
        }
    }
#endif

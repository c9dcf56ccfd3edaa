#if Server
    import GannetCore
    import GannetImages

    /// The image that is made of a source: the parsed options of an address and its presets.
    struct ProcessingOptions: Hashable, Sendable {
        /// The box before ``pixelRatio``; nil: as the other side has it.
        var width: Int?
        var height: Int?
        var mode = TargetSize.Mode.fit
        var focus = TargetSize.Focus.center
        var enlarges = false
        /// 0.1 … 8.
        var pixelRatio = 1.0
        /// Nil: by what the client accepts.
        var format: ImageFormat?
        /// 0 … 100.
        var quality: Int?
        var qualityOfFormat: [ImageFormat: Int] = [:]
        /// The response's bytes at most.
        var maximumBytes: Int?
        /// All frames of an animation.
        var isAnimated = false
        /// The frame or page of a still image, from 0.
        var page = 0
        /// Kept of the source before resizing; nil: all of it.
        var crop: Crop?
        /// EXIF and XMP of the source are written too.
        var keepsMetadata = false
        /// Clockwise, before everything else is done to the upright source: 0, 90, 180 or 270 degrees.
        var rotation = 0
        /// Done in this order, after resizing.
        private(set) var changes: [Change] = []
        /// The canvas has the whole box, where the image is smaller; its place from the left and the upper edge, 0 … 1.
        var extended: Place?
        /// Around the image, before ``pixelRatio``.
        var padding = CanvasTransformer.Padding()
        /// In place of transparency: 0xRRGGBB.
        var background: UInt32?
        var watermark: Watermark?
        /// Sends the source's own bytes.
        var isRaw = false
        /// The name under which browsers save the response.
        var fileName: String?
        var isAttachment = false
        /// Only makes another address of it.
        var cacheBuster = ""

        /// From the left and the upper edge, 0 … 1.
        struct Place: Hashable, Sendable {
            var x = 0.5
            var y = 0.5
        }

        /// The part of the source that is kept, with sides as ``AreaTransformer`` has them.
        struct Crop: Hashable, Sendable {
            var width: Double
            var height: Double
            /// Nil: around the focus of `gravity`.
            var place: Place?
        }

        /// A change of pixels.
        struct Change: Hashable, Sendable {
            /// The option that requests it; an option has one value. Nil: `transform`, which may be repeated.
            var option: String?
            /// As `StandardTransformer` reads it.
            var text: String
        }

        /// Where the operator's watermark goes.
        struct Watermark: Hashable, Sendable {
            /// 0 … 1.
            var opacity: Double
            /// From the left and the upper edge, 0 … 1.
            var x = 0.5
            var y = 0.5
            /// Of the image's sides; 0: unscaled.
            var scale = 0.0
        }

        /// Replaces an earlier value of the option, which then counts as the last one of the address. Nil: no change.
        mutating func change(_ option: String, to text: String?) {
            changes.removeAll { $0.option == option }
            if let text { changes.append(Change(option: option, text: text)) }
        }

        /// In addition to those before.
        mutating func transform(_ text: String) { changes.append(Change(text: text)) }

        /// Texts of `StandardTransformer`.
        var transforms: [String] { changes.map(\.text) }

        /// The options that need a signature, with their values: those that cost more than a thumbnail (a format other than JPEG, PNG and WebP,
        /// several attempts to reach a size, many frames, a decode of all pixels), and those that show more than the image (the source's bytes,
        /// and its metadata with the location of a photograph).
        var costs: Set<String> {
            var costs: Set<String> = []
            if let format, ![.jpeg, .png, .webp].contains(format) { costs.insert("format \(format.identifier)") }
            if let maximumBytes { costs.insert("bytes \(maximumBytes)") }
            if isAnimated { costs.insert("frames") }
            if page > 0 { costs.insert("page \(page)") }
            if let crop { costs.insert("crop \(crop.width) \(crop.height)") }
            if rotation != 0 { costs.insert("rotation \(rotation)") }
            if !changes.isEmpty { costs.insert("changes \(transforms.joined(separator: ";"))") }
            if isRaw { costs.insert("raw") }
            if keepsMetadata { costs.insert("metadata") }
            return costs
        }

        /// Of equal texts the results are equal: every option, in one order.
        var keyText: String {
            let size = "\(width ?? 0)x\(height ?? 0),\(mode.rawValue),\(focus),\(enlarges),\(pixelRatio)"
            let qualities = qualityOfFormat.map { "\($0.identifier)=\($1)" }.sorted().joined(separator: ",")
            let part = area.map { "\($0.width),\($0.height),\($0.x),\($0.y)" } ?? "-"
            let mark = watermark.map { "\($0.opacity),\($0.x),\($0.y),\($0.scale)" } ?? "-"
            return [
                size, format?.identifier ?? "-", "\(quality ?? -1)", qualities, "\(maximumBytes ?? 0)", "\(isAnimated)",
                "\(rotation)", transforms.joined(separator: ";"), canvas.identifier ?? "-", "\(background.map { Int($0) } ?? -1)",
                mark,
                "\(isRaw)", "\(page)", part, "\(keepsMetadata)", cacheBuster,
            ].joined(separator: "|")
        }

        /// The box in pixels of the response; nil where the address leaves a side open.
        var pixelWidth: Int? { width.map { Self.scaled($0, pixelRatio) } }
        var pixelHeight: Int? { height.map { Self.scaled($0, pixelRatio) } }

        private static func scaled(_ side: Int, _ ratio: Double) -> Int { max(Int((Double(side) * ratio).rounded()), 1) }

        /// The part of the source that is kept. Without its own position it is around the focus, or in the middle.
        var area: AreaTransformer? {
            guard let crop else { return nil }
            var area = AreaTransformer(width: crop.width, height: crop.height)
            if let place = crop.place {
                (area.x, area.y) = (place.x, place.y)
            } else if case .point(let x, let y) = focus {
                (area.x, area.y) = (x, y)
            }
            return area
        }

        /// Around the image, in pixels of the response.
        var canvas: CanvasTransformer {
            var canvas = CanvasTransformer()
            if let extended {
                (canvas.width, canvas.height, canvas.x, canvas.y) = (pixelWidth, pixelHeight, extended.x, extended.y)
            }
            canvas.padding.top = scaledEdge(padding.top)
            canvas.padding.right = scaledEdge(padding.right)
            canvas.padding.bottom = scaledEdge(padding.bottom)
            canvas.padding.left = scaledEdge(padding.left)
            return canvas
        }

        private func scaledEdge(_ edge: Int) -> Int { Int((Double(edge) * pixelRatio).rounded()) }

        func quality(for format: ImageFormat) -> Int? { qualityOfFormat[format] ?? quality }
    }
#endif

#if Server
    import GannetCore

    /// The sizes that an address gives to a source, by the rules of imgproxy 3: what is resized to what, what is kept of it, and what the pixel
    /// ratio becomes where the source is too small for it. Pure arithmetic.
    struct ResizePlan: Equatable, Sendable {
        /// The whole source, after resizing.
        private(set) var scaled: PixelSize
        /// The part of ``scaled`` that is kept.
        private(set) var kept: PixelSize
        /// Multiplies paddings and offsets: that of the address, and less where a source that may not be enlarged has not the pixels for it.
        private(set) var ratio: Double
        /// The requested box at ``ratio``; nil: a side that the address leaves open.
        private(set) var boxWidth: Int?
        private(set) var boxHeight: Int?

        /// `source`: upright, turned, trimmed and cropped. `limit`: of each side of the result with its canvas and padding; larger ones are
        /// made smaller in proportion.
        init(_ options: ProcessingOptions, source: PixelSize, isVector: Bool, limit: Int) {
            var (x, y) = Self.factors(options, source)
            x *= options.zoomX
            y *= options.zoomY
            var ratio = options.pixelRatio
            if !options.enlarges, !isVector {
                let largest = max(x, y)
                if largest > 1 {
                    x /= largest
                    y /= largest
                    // Without a canvas the box is that of the image, and so has its ratio.
                    if options.extended == nil { ratio *= largest }
                }
                ratio = min(ratio, 1 / max(x, y))
            }
            // Minima enlarge, whatever else is said.
            if let least = options.minimumWidth.map({ Double($0) / Double(source.width) }), x < least {
                y *= least / x
                x = least
            }
            if let least = options.minimumHeight.map({ Double($0) / Double(source.height) }), y < least {
                x *= least / y
                y = least
            }
            (scaled, kept, self.ratio) = (source, source, ratio)
            set(x, y, source, options)
            let output = output(options)
            let largest = max(output.width, output.height)
            guard largest > limit else { return }
            self.ratio *= Double(limit) / Double(largest)
            set(x, y, source, options)
        }

        /// To the box without zoom and ratio, enlarging or not.
        private static func factors(_ options: ProcessingOptions, _ source: PixelSize) -> (x: Double, y: Double) {
            let x = options.width.map { Double($0) / Double(source.width) }
            let y = options.height.map { Double($0) / Double(source.height) }
            if options.mode == .stretch { return (x ?? 1, y ?? 1) }
            guard let x, let y else { return (x ?? y ?? 1, x ?? y ?? 1) }
            let factor: Double
            switch options.mode {
            case .fit, .stretch: factor = min(x, y)
            case .fill, .fillDown: factor = max(x, y)
            case .auto:
                let isWide = source.width >= source.height
                let boxIsWide = (options.width ?? source.width) >= (options.height ?? source.height)
                factor = isWide == boxIsWide ? max(x, y) : min(x, y)
            }
            return (factor, factor)
        }

        private mutating func set(_ x: Double, _ y: Double, _ source: PixelSize, _ options: ProcessingOptions) {
            scaled = PixelSize(
                clamping: Self.pixels(Double(source.width) * x * ratio), Self.pixels(Double(source.height) * y * ratio))
            boxWidth = options.width.map { max(Self.pixels(Double($0) * ratio * options.zoomX), 1) }
            boxHeight = options.height.map { max(Self.pixels(Double($0) * ratio * options.zoomY), 1) }
            var (width, height) = (boxWidth ?? scaled.width, boxHeight ?? scaled.height)
            if options.mode == .fillDown, let boxWidth, let boxHeight {
                // The proportions of the box, in what is there.
                let (missingX, missingY) = (
                    Double(boxWidth) / Double(scaled.width), Double(boxHeight) / Double(scaled.height)
                )
                if missingX > 1, missingX >= missingY {
                    (width, height) = (scaled.width, Self.pixels(Double(boxHeight) / missingX))
                } else if missingY > 1 {
                    (width, height) = (Self.pixels(Double(boxWidth) / missingY), scaled.height)
                }
            }
            kept = PixelSize(clamping: min(width, scaled.width), min(height, scaled.height))
        }

        /// With canvas and padding.
        func output(_ options: ProcessingOptions) -> PixelSize { canvas(options, around: kept).size(around: kept) }

        /// The canvas around an image of `size`.
        func canvas(_ options: ProcessingOptions, around size: PixelSize) -> CanvasTransformer {
            var canvas = CanvasTransformer(ratio: ratio)
            var inner = size
            if let gravity = options.extended {
                inner = PixelSize(clamping: max(boxWidth ?? 0, inner.width), max(boxHeight ?? 0, inner.height))
                canvas.steps.append(CanvasTransformer.Step(size: inner, gravity: gravity))
            }
            if let gravity = options.extendedRatio, let boxWidth, let boxHeight {
                // The smallest of the box's proportions around the image.
                let (x, y) = (Double(inner.width) / Double(boxWidth), Double(inner.height) / Double(boxHeight))
                let side = max(x, y)
                inner = PixelSize(
                    clamping: max(Self.pixels(Double(boxWidth) * side), inner.width),
                    max(Self.pixels(Double(boxHeight) * side), inner.height))
                canvas.steps.append(CanvasTransformer.Step(size: inner, gravity: gravity))
            }
            func edge(_ pixels: Int) -> Int { Self.pixels(Gravity.even(Double(pixels) * ratio)) }
            canvas.padding = ProcessingOptions.Padding(
                top: edge(options.padding.top), right: edge(options.padding.right), bottom: edge(options.padding.bottom),
                left: edge(options.padding.left))
            return canvas
        }

        private static func pixels(_ value: Double) -> Int { Int(min(value.rounded(), Double(PixelSize.maximumSide))) }
    }
#endif

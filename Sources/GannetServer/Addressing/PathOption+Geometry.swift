#if Server
    import GannetCore
    import GannetImages

    /// Values that say which part of an image is kept, and where something lies.
    extension PathOption {
        func mode(_ text: String) throws(ImageError) -> ProcessingOptions.ResizingType {
            if text == "stretch" { return .stretch }
            guard let mode = ProcessingOptions.ResizingType(rawValue: text) else {
                throw wrong("resizing is fit, fill, fill-down, force or auto")
            }
            return mode
        }

        /// `DIRECTION[:X:Y]`, `fp:X:Y` or `sm`, beginning with the value of this index and ending with the last one.
        func gravity(from index: Int = 0, allowsAttention: Bool = true) throws(ImageError) -> Gravity {
            guard let kind = value(index) else { throw wrong("a direction, fp or sm is expected") }
            let rest = values.dropFirst(index + 1).map { $0 }
            switch kind {
            case "fp":
                guard rest.count == 2 else { throw wrong("fp:X:Y is expected") }
                return Gravity(kind: .point(x: try number(rest[0], 0...1), y: try number(rest[1], 0...1)))
            case "sm" where allowsAttention:
                // Offsets of it mean nothing; some clients write them.
                guard rest.count <= 2, rest.allSatisfy({ $0.isEmpty || Double($0) == 0 }) else {
                    throw wrong("sm has no offsets")
                }
                return Gravity(kind: .attention)
            default:
                guard let direction = Gravity.directions[kind] else {
                    throw wrong("a direction (no, soea …), ce or fp\(allowsAttention ? " or sm" : "") is expected")
                }
                guard rest.count <= 2 else { throw wrong("a direction has two offsets at most") }
                return Gravity(
                    kind: direction, offsetX: try offset(at: index + 1) ?? 0, offsetY: try offset(at: index + 2) ?? 0)
            }
        }

        private func offset(at index: Int) throws(ImageError) -> Double? {
            let all = -Double(PixelSize.maximumSide)...Double(PixelSize.maximumSide)
            return try value(index).map { text throws(ImageError) in try number(text, all) }
        }

        /// `1[:GRAVITY]`; 0 or nothing: not.
        func extended(from index: Int) throws(ImageError) -> Gravity? {
            let isExtended = try flag(at: index) ?? false
            let gravity = values.count > index + 1 ? try gravity(from: index + 1, allowsAttention: false) : .center
            return isExtended ? gravity : nil
        }

        /// `TOP:RIGHT:BOTTOM:LEFT`: each counts for those after it too, as in CSS. One that is empty leaves its side as it was.
        func padding(over old: ProcessingOptions.Padding) throws(ImageError) -> ProcessingOptions.Padding {
            try atMost(4)
            guard values.contains(where: { !$0.isEmpty }) else { throw wrong("a number of pixels is expected") }
            var padding = old
            if let all = try edge(0) { padding = ProcessingOptions.Padding(top: all, right: all, bottom: all, left: all) }
            if let sides = try edge(1) { (padding.right, padding.left) = (sides, sides) }
            if let bottom = try edge(2) { padding.bottom = bottom }
            if let left = try edge(3) { padding.left = left }
            return padding
        }

        private func edge(_ index: Int) throws(ImageError) -> Int? {
            guard let text = value(index) else { return nil }
            return try whole(text, 0...PixelSize.maximumSide)
        }

        /// `WIDTH:HEIGHT[:GRAVITY]`: pixels, or fractions below 1; 0: the whole side.
        func crop() throws(ImageError) -> ProcessingOptions.Crop? {
            let all = 0...Double(PixelSize.maximumSide)
            let width = try value(0).map { text throws(ImageError) in try number(text, all) } ?? 0
            let height = try value(1).map { text throws(ImageError) in try number(text, all) } ?? 0
            var crop = ProcessingOptions.Crop(width: width, height: height)
            if values.count > 2 { crop.gravity = try gravity(from: 2) }
            return width == 0 && height == 0 ? nil : crop
        }

        /// `X[:Y]`: factors above 0.
        func zoom() throws(ImageError) -> (x: Double, y: Double) {
            try atMost(2)
            guard let first = value(0) else { throw wrong("a factor is expected") }
            let x = try number(first, Self.factors)
            return (x, try value(1).map { text throws(ImageError) in try number(text, Self.factors) } ?? x)
        }

        private static let factors = 0.001...1000

        /// `THRESHOLD[:COLOR[:EQUAL_HOR[:EQUAL_VER]]]`.
        func trimming() throws(ImageError) -> TrimTransformer {
            try atMost(4)
            guard let threshold = value(0) else { throw wrong("a threshold is expected") }
            let edge = try value(1).map { text throws(ImageError) in PixelColor(rgb: try color(text)) }
            return TrimTransformer(
                threshold: try number(threshold, 0...255), color: edge, equalsHorizontal: try flag(at: 2) ?? false,
                equalsVertical: try flag(at: 3) ?? false)
        }

        /// `OPACITY[:PLACE[:X:Y[:SCALE]]]`; opacity 0: none.
        func watermark() throws(ImageError) -> ProcessingOptions.Watermark? {
            try atMost(5)
            guard let first = value(0) else { throw wrong("an opacity is expected") }
            var mark = ProcessingOptions.Watermark(opacity: try number(first, 0...1))
            mark.isRepeated = value(1) == "re"
            if let place = value(1), !mark.isRepeated {
                guard let direction = Gravity.directions[place] else {
                    throw wrong("a direction (no, soea …), ce or re is expected")
                }
                mark.gravity.kind = direction
            }
            (mark.gravity.offsetX, mark.gravity.offsetY) = (try offset(at: 2) ?? 0, try offset(at: 3) ?? 0)
            guard !mark.isRepeated || min(mark.gravity.offsetX, mark.gravity.offsetY) >= 0 else {
                throw wrong("the space between tiles is 0 or more")
            }
            if let scale = value(4) { mark.scale = try number(scale, 0...10) }
            return mark.opacity == 0 ? nil : mark
        }
    }

    extension PixelColor {
        /// 0xRRGGBB, opaque.
        init(rgb: UInt32) {
            self.init(red: UInt8(rgb >> 16 & 255), green: UInt8(rgb >> 8 & 255), blue: UInt8(rgb & 255))
        }
    }
#endif

#if Server
    import GannetCore

    /// One option of a path, and what its values can mean.
    struct PathOption {
        let text: String
        let name: String
        let values: [String]

        /// Its values are names of presets.
        var isPreset: Bool { name == "pr" || name == "preset" }

        func wrong(_ why: String) -> ImageError {
            ImageError(.misuse, stage: .resolve, "The option \(text.prefix(128)) is not understood: \(why).")
        }

        /// Nil if it is missing or empty: then the option's default is meant.
        func value(_ index: Int) -> String? {
            values.indices.contains(index) && !values[index].isEmpty ? values[index] : nil
        }

        func only() throws(ImageError) -> String {
            guard values.count == 1, !values[0].isEmpty else { throw wrong("it has one value") }
            return values[0]
        }

        func atMost(_ count: Int) throws(ImageError) {
            guard values.count <= count else { throw wrong("it has at most \(count) values") }
        }

        func whole(_ text: String, _ range: ClosedRange<Int>) throws(ImageError) -> Int {
            guard let number = Int(text), range.contains(number) else {
                throw wrong("a whole number from \(range.lowerBound) to \(range.upperBound) is expected")
            }
            return number
        }

        func number(_ text: String, _ range: ClosedRange<Double>) throws(ImageError) -> Double {
            guard let number = Double(text), range.contains(number) else {
                throw wrong("a number from \(range.lowerBound) to \(range.upperBound) is expected")
            }
            return number
        }

        /// As Go's `strconv.ParseBool` has it, which imgproxy uses.
        func flag(_ text: String) throws(ImageError) -> Bool {
            switch text {
            case "1", "t", "true": return true
            case "0", "f", "false": return false
            default: throw wrong("1 or 0 is expected")
            }
        }

        /// `1[:PLACE]`; 0: not.
        func extended(from index: Int) throws(ImageError) -> ProcessingOptions.Place? {
            try atMost(index + 2)
            guard let first = value(index) else { return nil }
            let isExtended = try flag(first)
            guard let place = Self.places[value(index + 1) ?? "ce"] else {
                throw wrong("a direction (no, soea …) or ce is expected")
            }
            guard isExtended else { return nil }
            return ProcessingOptions.Place(x: place.x, y: place.y)
        }

        /// `TOP:RIGHT:BOTTOM:LEFT`: each counts for those after it too, as in CSS. One that is empty leaves its side as it was.
        func padding(over old: CanvasTransformer.Padding) throws(ImageError) -> CanvasTransformer.Padding {
            try atMost(4)
            guard values.contains(where: { !$0.isEmpty }) else { throw wrong("a number of pixels is expected") }
            var padding = old
            if let all = try edge(0) { padding = CanvasTransformer.Padding(top: all, right: all, bottom: all, left: all) }
            if let sides = try edge(1) { (padding.right, padding.left) = (sides, sides) }
            if let bottom = try edge(2) { padding.bottom = bottom }
            if let left = try edge(3) { padding.left = left }
            return padding
        }

        private func edge(_ index: Int) throws(ImageError) -> Int? {
            guard let text = value(index) else { return nil }
            return try whole(text, 0...PixelSize.maximumSide)
        }

        /// 0: as the other side has it.
        func side(_ text: String) throws(ImageError) -> Int? {
            let side = try whole(text, 0...PixelSize.maximumSide)
            return side == 0 ? nil : side
        }

        func mode(_ text: String) throws(ImageError) -> TargetSize.Mode {
            switch text {
            case "fit": return .fit
            case "fill": return .fill
            case "force", "stretch": return .stretch
            default: throw wrong("resizing is fit, fill or force")
            }
        }

        func format(_ text: String) throws(ImageError) -> ImageFormat {
            guard let format = ImageFormat.named(text) else { throw wrong("there is no format \(text.prefix(32))") }
            return format
        }

        /// From the left and the upper edge.
        private static let places: [String: (x: Double, y: Double)] = [
            "ce": (0.5, 0.5), "no": (0.5, 0), "so": (0.5, 1), "ea": (1, 0.5), "we": (0, 0.5), "noea": (1, 0), "nowe": (0, 0),
            "soea": (1, 1), "sowe": (0, 1),
        ]

        /// `PLACE`, `fp:X:Y` or `sm`, beginning with the value of this index.
        func focus(from index: Int = 0) throws(ImageError) -> TargetSize.Focus {
            guard let kind = value(index) else { throw wrong("a direction, fp or sm is expected") }
            let rest = values.dropFirst(index + 1).map { $0 }
            if kind == "fp" {
                guard rest.count == 2 else { throw wrong("fp:X:Y is expected") }
                return .point(x: try number(rest[0], 0...1), y: try number(rest[1], 0...1))
            }
            guard rest.allSatisfy({ Double($0) == 0 }) else { throw wrong("offsets are not supported") }
            if kind == "sm" { return .attention }
            guard let place = Self.places[kind] else { throw wrong("a direction (no, soea …), ce, fp or sm is expected") }
            return .point(x: place.x, y: place.y)
        }

        /// `WIDTH:HEIGHT[:PLACE]`: pixels, or fractions below 1; 0: the whole side.
        func crop() throws(ImageError) -> ProcessingOptions.Crop? {
            let all = 0...Double(PixelSize.maximumSide)
            let width = try value(0).map { text throws(ImageError) in try number(text, all) } ?? 0
            let height = try value(1).map { text throws(ImageError) in try number(text, all) } ?? 0
            var crop = ProcessingOptions.Crop(width: width, height: height)
            if values.count > 2 {
                guard case .point(let x, let y) = try focus(from: 2) else {
                    throw wrong("a crop has a direction or fp:X:Y; sm chooses the part that fill keeps")
                }
                crop.place = ProcessingOptions.Place(x: x, y: y)
            }
            return width == 0 && height == 0 ? nil : crop
        }

        /// `R:G:B` or six hexadecimal digits; nothing: none.
        func color() throws(ImageError) -> UInt32? {
            if values.count == 3 {
                var color: UInt32 = 0
                for value in values { color = color << 8 | UInt32(try whole(value, 0...255)) }
                return color
            }
            guard values.count == 1 else { throw wrong("R:G:B or six hexadecimal digits are expected") }
            if values[0].isEmpty { return nil }
            guard values[0].utf8.count == 6, let color = UInt32(values[0], radix: 16) else {
                throw wrong("R:G:B or six hexadecimal digits are expected")
            }
            return color
        }

        /// `OPACITY[:PLACE[:0:0[:SCALE]]]`; opacity 0: none.
        func watermark() throws(ImageError) -> ProcessingOptions.Watermark? {
            try atMost(5)
            guard let first = value(0) else { throw wrong("an opacity is expected") }
            var mark = ProcessingOptions.Watermark(opacity: try number(first, 0...1))
            if let place = value(1) {
                guard let place = Self.places[place] else { throw wrong("a direction (no, soea …) or ce is expected") }
                (mark.x, mark.y) = (place.x, place.y)
            }
            for index in 2...3 where value(index) != nil {
                guard Double(values[index]) == 0 else { throw wrong("offsets are not supported") }
            }
            if let scale = value(4) { mark.scale = try number(scale, 0...1) }
            return mark.opacity == 0 ? nil : mark
        }
    }
#endif

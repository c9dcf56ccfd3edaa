#if Server
    import GannetCore

    /// One option of a path, and what its values can mean.
    struct PathOption {
        let text: String
        let name: String
        let values: [String]

        /// One part of a path, as `rs:fill:300:400`.
        init(parsing text: String) {
            let words = text.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
            (self.text, name, values) = (text, words[0], Array(words.dropFirst()))
        }

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
            case "1", "t", "T", "true", "TRUE", "True": return true
            case "0", "f", "F", "false", "FALSE", "False": return false
            default: throw wrong("1 or 0 is expected")
            }
        }

        /// The option's one value.
        func flag() throws(ImageError) -> Bool { try flag(try only()) }

        /// Of one of several values; nil if it is missing.
        func flag(at index: Int) throws(ImageError) -> Bool? {
            try value(index).map { text throws(ImageError) in try flag(text) }
        }

        /// 0: as the other side has it, or none.
        func side(_ text: String) throws(ImageError) -> Int? {
            let side = try whole(text, 0...PixelSize.maximumSide)
            return side == 0 ? nil : side
        }

        /// The option's one value.
        func side() throws(ImageError) -> Int? { try side(try only()) }

        func format(_ text: String) throws(ImageError) -> ImageFormat {
            guard let format = ImageFormat.named(text) else { throw wrong("there is no format \(text.prefix(32))") }
            return format
        }

        /// `FORMAT:FORMAT:…`; nothing: none.
        func formats() throws(ImageError) -> Set<ImageFormat> {
            var formats: Set<ImageFormat> = []
            for value in values where !value.isEmpty { formats.insert(try format(value)) }
            return formats
        }

        /// A number of millions of pixels; 0: no limit.
        func megapixels() throws(ImageError) -> Int? {
            let number = try number(try only(), 0...1_000_000)
            return number == 0 ? nil : Int((number * 1_000_000).rounded())
        }

        /// A limit, 0: none.
        func limit() throws(ImageError) -> Int? {
            let number = try whole(try only(), 0...Int.max)
            return number == 0 ? nil : number
        }

        /// `R:G:B`, or three or six hexadecimal digits; nothing: none.
        func color() throws(ImageError) -> UInt32? {
            if values.count == 3 {
                var color: UInt32 = 0
                for value in values { color = color << 8 | UInt32(try whole(value, 0...255)) }
                return color
            }
            guard values.count == 1 else { throw wrong("R:G:B, or three or six hexadecimal digits are expected") }
            return values[0].isEmpty ? nil : try color(values[0])
        }

        /// One value in base64url; nothing: nil.
        func encodedText() throws(ImageError) -> String? {
            try atMost(1)
            guard let value = value(0) else { return nil }
            guard let bytes = Base64.bytes(ofURLText: value, allowsPadding: true) else {
                throw wrong("its value is no base64url")
            }
            return ByteText.text(of: bytes)
        }

        /// Three or six hexadecimal digits.
        func color(_ text: String) throws(ImageError) -> UInt32 {
            let digits = text.utf8.count == 3 ? text.map { "\($0)\($0)" }.joined() : text
            guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit), let color = UInt32(digits, radix: 16) else {
                throw wrong("a color is three or six hexadecimal digits")
            }
            return color
        }
    }
#endif

#if SVG
    import GannetCore

    /// The checks of a document's text before drawing.
    struct SVGSurvey {
        /// Opacity, masks, filters or blending: parts are drawn into image-sized layers first.
        let hasLayers: Bool
        private let elementCount: Int
        private let embeddedImages: [EmbeddedImage]

        /// Total pixels of all embedded images; `Int.max` on overflow.
        let embeddedArea: Int

        private enum EmbeddedImage: Equatable {
            case size(Int, Int)
            case document
            case unknown
        }

        init(_ bytes: [UInt8]) {
            let text = Self.plain(bytes)
            elementCount = Self.elements(in: text)
            hasLayers = ["filter", "mask", "opacity", "mix-blend-mode", "isolation"].contains {
                Self.find($0, in: text, from: 0) != nil
            }
            var found: [EmbeddedImage] = []
            var position = 0
            while let start = Self.find("data:", in: text, from: position) {
                position = start + 5
                if let (image, end) = Self.embeddedImage(text, at: position) {
                    found.append(image)
                    // Do not read bytes twice; but their last letters may begin the next match.
                    position = max(position, end - 5)
                }
            }
            embeddedImages = found
            embeddedArea = found.reduce(0) { area, image in
                guard case .size(let width, let height) = image else { return area }
                let (product, overflow) = width.multipliedReportingOverflow(by: height)
                let (sum, isTooLarge) = area.addingReportingOverflow(product)
                return overflow || isTooLarge ? .max : sum
            }
        }

        /// Memory for reading and drawing the embedded images.
        var embeddedBytes: Int { 8 * min(embeddedArea, 1 << 40) }

        /// Memory of the parsed document: librsvg 2.54 needs 1.3 to 1.9 KB for an element.
        var treeBytes: Int { elementCount * 2048 }

        /// Throws `limitExceeded` if the document is too large, or its embedded images together have more pixels than one image
        /// may. Throws `unsupported` if an embedded image has a format of unknown size.
        func check(_ limits: DecodeLimits) throws(ImageError) {
            guard treeBytes <= max(limits.maximumDecodedBytes, 1 << 20) else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "The SVG has \(elementCount) elements, which take about \(treeBytes >> 20) MiB. Raise maximumDecodedBytes to allow it."
                )
            }
            if embeddedImages.contains(.unknown) {
                throw ImageError(
                    .unsupported, stage: .decode,
                    "The SVG holds an image that is neither PNG, JPEG, GIF, WebP nor SVG. Embed it as PNG.")
            }
            guard embeddedArea <= limits.maximumPixels else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "Images inside the SVG have \(embeddedArea) pixels; the limit is \(limits.maximumPixels). Raise maximumPixels."
                )
            }
        }

        /// Counts tags that open an element.
        private static func elements(in text: [UInt8]) -> Int {
            text.withUnsafeBufferPointer { text in
                var count = 0
                for index in text.indices.dropLast() where text[index] == UInt8(ascii: "<") {
                    let next = text[index + 1]
                    if next >= 0x80 || next == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(next | 0x20)
                    {
                        count += 1
                    }
                }
                return count
            }
        }

        /// ASCII letters of UTF-8 and UTF-16 with resolved numeric references, enough for `data:` URLs.
        private static func plain(_ bytes: [UInt8]) -> [UInt8] {
            let isWide = bytes.count >= 2 && (bytes[0] == 0 || bytes[1] == 0 || bytes[0] >= 0xFE)
            let narrow = isWide ? bytes.filter { $0 != 0 } : bytes
            guard find("&#", in: narrow, from: 0) != nil else { return narrow }
            var result: [UInt8] = []
            result.reserveCapacity(narrow.count)
            var index = 0
            while index < narrow.count {
                if narrow[index] == UInt8(ascii: "&"), let (value, end) = reference(narrow, at: index) {
                    result.append(value)
                    index = end
                } else {
                    result.append(narrow[index])
                    index += 1
                }
            }
            return result
        }

        /// Parses `&#100;` or `&#x64;`; only ASCII matters.
        private static func reference(_ text: [UInt8], at start: Int) -> (UInt8, Int)? {
            guard start + 3 < text.count, text[start + 1] == UInt8(ascii: "#") else { return nil }
            let isHex = text[start + 2] | 0x20 == UInt8(ascii: "x")
            var index = start + (isHex ? 3 : 2)
            var value = 0
            while index < text.count, index < start + 16 {
                if text[index] == UInt8(ascii: ";") { return value < 128 ? (UInt8(value), index + 1) : nil }
                guard let digit = Hexadecimal.digit(text[index]), isHex || digit < 10 else { return nil }
                value = min(value * (isHex ? 16 : 10) + Int(digit), 1 << 24)
                index += 1
            }
            return nil
        }

        private static func find(_ word: String, in text: [UInt8], from start: Int) -> Int? {
            let word = Array(word.utf8)
            guard text.count >= word.count, start <= text.count - word.count else { return nil }
            return text.withUnsafeBufferPointer { text in
                for index in start...(text.count - word.count) where text[index] | 0x20 == word[0] | 0x20 {
                    var same = 1
                    while same < word.count, text[index + same] | 0x20 == word[same] | 0x20 { same += 1 }
                    if same == word.count { return index }
                }
                return nil
            }
        }

        /// The same document with the common `image/jpg`, unknown to librsvg, replaced by `image/jpeg`.
        static func corrected(_ bytes: [UInt8]) -> [UInt8] {
            let wrong = "data:image/jpg;"
            var result: [UInt8] = []
            var position = 0
            while let start = find(wrong, in: bytes, from: position) {
                result += bytes[position..<start]
                result += "data:image/jpeg;".utf8
                position = start + wrong.utf8.count
            }
            return position == 0 ? bytes : result + bytes[position...]
        }

        // MARK: - Embedded images

        /// Nil if it is no image: fonts, styles, words that end in "data:".
        private static func embeddedImage(_ text: [UInt8], at start: Int) -> (EmbeddedImage, end: Int)? {
            guard let comma = text[start..<min(text.count, start + 256)].firstIndex(of: UInt8(ascii: ",")) else { return nil }
            let kind = String(decoding: text[start..<comma], as: UTF8.self).lowercased()
            guard kind.isEmpty || kind.hasPrefix("image/") || kind.hasPrefix(";") || kind.hasPrefix("application/octet") else {
                return nil
            }
            if kind.hasPrefix("image/svg") { return (.document, comma + 1) }
            let (bytes, end) = kind.hasSuffix("base64") ? fromBase64(text, comma + 1) : fromPercent(text, comma + 1)
            return (size(of: bytes), end)
        }

        /// The size is within this many bytes of an image.
        private static let headBytes = 1 << 18

        private static func fromBase64(_ text: [UInt8], _ start: Int) -> (bytes: [UInt8], end: Int) {
            let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
            let part = text[start...].prefix(headBytes / 3 * 4).prefix { Base64.isDigit($0) || isSpace($0) }
            let digits = part.filter { !isSpace($0) }
            // The document may be cut off there.
            return (Base64.decoded(digits.dropLast(digits.count % 4 == 1 ? 1 : 0)) ?? [], part.endIndex)
        }

        private static func fromPercent(_ text: [UInt8], _ start: Int) -> (bytes: [UInt8], end: Int) {
            // Quotes, brackets and white space end it.
            let part = text[start...].prefix(3 * headBytes).prefix { $0 > 0x20 && ![0x22, 0x27, 0x29, 0x3C, 0x3E].contains($0) }
            return (PercentEncoding.decoded(part), part.endIndex)
        }

        private static func size(of bytes: [UInt8]) -> EmbeddedImage {
            if let (width, height) = EmbeddedSize.size(of: bytes) { return .size(width, height) }
            // A JPEG whose size is further back.
            if bytes.starts(with: [0xFF, 0xD8]) { return .unknown }
            let start = bytes.prefix(64).drop { $0 <= 0x20 || $0 >= 0x80 }
            return start.first == UInt8(ascii: "<") || bytes.count < 16 ? .document : .unknown
        }
    }
#endif

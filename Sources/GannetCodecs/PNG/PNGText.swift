#if PNG
    import GannetCore

    /// The orientation in text chunks. Before PNG had an EXIF chunk, ImageMagick wrote EXIF as text: a line with the kind, a
    /// line with the length, then the block in hexadecimal.
    enum PNGText {
        private static let keywords = ["Raw profile type exif", "Raw profile type APP1"]
        private static let xmpKeyword = "XML:com.adobe.xmp"
        static let longestKeyword = 21

        static func mayHoldEXIF(_ head: [UInt8]) -> Bool {
            keywords.contains { head.starts(with: Array($0.utf8) + [0]) }
        }

        static func mayHoldXMP(_ head: [UInt8]) -> Bool { head.starts(with: Array(xmpKeyword.utf8) + [0]) }

        /// `tiff:Orientation` of an XMP packet in an uncompressed iTXt chunk, as attribute or as element.
        static func orientation(inXMP body: [UInt8]) -> Orientation? {
            guard mayHoldXMP(body) else { return nil }
            let name = Array("tiff:Orientation".utf8)
            var rest = body[...]
            while let start = rest.firstIndex(of: name[0]) {
                rest = rest[start...]
                if rest.starts(with: name) {
                    let value = rest.dropFirst(name.count).prefix(8).first { $0 >= 48 && $0 <= 57 }
                    return value.flatMap { Orientation(rawValue: Int($0) - 48) }
                }
                rest = rest.dropFirst()
            }
            return nil
        }

        /// The EXIF block in a tEXt or zTXt chunk; nil if there is none. The text is added to `counted`.
        static func exif(
            in body: [UInt8], isCompressed: Bool, counted: inout Int, _ limits: DecodeLimits
        ) throws(ImageError) -> [UInt8]? {
            guard mayHoldEXIF(body), let zero = body.firstIndex(of: 0) else { return nil }
            var text = Array(body[(zero + 1)...])
            if isCompressed {
                guard text.first == 0,
                    let unpacked = try PNGInflate.metadata(text[1...], counted: &counted, limits)
                else { return nil }
                text = unpacked
            } else {
                counted += text.count
            }
            let lines = text.split(separator: 10, maxSplits: 2, omittingEmptySubsequences: true)
            guard lines.count == 3 else { return nil }
            let digits = lines[2].filter { Hexadecimal.digit($0) != nil }
            guard let block = Hexadecimal.bytes(of: digits.dropLast(digits.count % 2)), !block.isEmpty else { return nil }
            return EXIF.strippingPrefix(block)
        }
    }
#endif

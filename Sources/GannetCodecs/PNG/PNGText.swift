#if PNG
    import GannetCore

    /// EXIF in text chunks, as ImageMagick wrote it before PNG had a chunk for it: a line with the kind, a line with the
    /// length, then the block in hexadecimal.
    enum PNGText {
        private static let keywords = ["Raw profile type exif", "Raw profile type APP1"]
        static let longestKeyword = 21

        static func mayHoldEXIF(_ head: [UInt8]) -> Bool {
            keywords.contains { head.starts(with: Array($0.utf8) + [0]) }
        }

        /// The block of a tEXt or zTXt chunk; nil if there is none in it.
        static func exif(in body: [UInt8], isCompressed: Bool, _ limits: DecodeLimits) throws(ImageError) -> [UInt8]? {
            guard mayHoldEXIF(body), let zero = body.firstIndex(of: 0) else { return nil }
            var text = Array(body[(zero + 1)...])
            if isCompressed {
                guard text.first == 0,
                    let unpacked = try PNGInflate.metadata(text[1...], limit: limits.maximumMetadataBytes, limits)
                else { return nil }
                text = unpacked
            }
            let lines = text.split(separator: 10, maxSplits: 2, omittingEmptySubsequences: true)
            guard lines.count == 3 else { return nil }
            var block: [UInt8] = []
            var high: UInt8?
            for letter in lines[2] {
                guard let digit = Character(UnicodeScalar(letter)).hexDigitValue else { continue }
                if let first = high {
                    block.append(first << 4 | UInt8(digit))
                    high = nil
                } else {
                    high = UInt8(digit)
                }
            }
            return block.isEmpty ? nil : EXIF.strippingPrefix(block)
        }
    }
#endif

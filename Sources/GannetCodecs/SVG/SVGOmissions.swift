#if SVG
    package import GannetCore

    /// Elements that librsvg knows in none of its versions, and leaves out of a drawing without a word.
    package enum SVGOmissions {
        private static let names = ["foreignObject", "textPath"]

        /// Bytes of a document that are looked at.
        private static let most = 4 << 20

        /// The unsupported elements of the document, each once, sorted by name. O(n) for the first 4 MiB.
        package static func elements(in document: ByteRope) -> [String] {
            var text = document.prefix(most)
            if SVGPacked.isPacked(text) { text = SVGPacked.head(document.contiguous(), count: most) ?? [] }
            // UTF-16, of which the letters of these names are left.
            if text.prefix(4).contains(where: { $0 == 0 || $0 >= 0xFE }) { text.removeAll { $0 == 0 } }
            let found = elements(in: text)
            return names.filter(found.contains)
        }

        private static func elements(in text: [UInt8]) -> Set<String> {
            var found: Set<String> = []
            var rest = text[...]
            while let bracket = rest.firstIndex(of: UInt8(ascii: "<")) {
                rest = rest[(bracket + 1)...]
                if let end = hiddenEnd(rest) {
                    rest = rest[end...]
                    continue
                }
                let tag = rest.prefix { $0 > 0x20 && !"/><".utf8.contains($0) }
                // Without the prefix of a namespace.
                guard let name = tag.split(separator: UInt8(ascii: ":")).last else { continue }
                for known in names where name.elementsEqual(known.utf8) { found.insert(known) }
            }
            return found
        }

        /// The end of a comment or CDATA section that begins `text`, which follows an opening bracket; nil: it begins neither.
        private static func hiddenEnd(_ text: ArraySlice<UInt8>) -> Int? {
            for (start, end) in [("!--", "-->"), ("![CDATA[", "]]>")] where text.starts(with: start.utf8) {
                return text.firstRange(of: Array(end.utf8))?.upperBound ?? text.endIndex
            }
            return nil
        }
    }
#endif

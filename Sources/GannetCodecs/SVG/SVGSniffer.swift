#if SVG
    import GannetCore

    /// Checks whether a document's first element is `svg`. Skips a byte order mark, spaces, declarations, comments and a
    /// document type. Reads UTF-8 or UTF-16, compressed with gzip or not.
    enum SVGSniffer {
        /// Documents that begin with more than this many bytes of comments are not recognised.
        static let maximumHead = 4096

        static func recognizes(_ head: Span<UInt8>) -> Recognition {
            let count = min(head.count, maximumHead)
            let unknown: Recognition = count < maximumHead ? .needsMoreBytes(min(maximumHead, max(64, count * 2))) : .no
            if count >= 1, head[0] == 0x1F {
                let packed = (0..<count).map { head[$0] }
                if count < 10 { return [0x1F, 0x8B, 8].starts(with: packed.prefix(3)) ? .needsMoreBytes(64) : .no }
                guard SVGPacked.isPacked(packed), let inside = SVGPacked.head(packed, count: maximumHead) else { return .no }
                return recognizesPlain(inside.span, inside.count < maximumHead ? unknown : .no)
            }
            return recognizesPlain(head, unknown)
        }

        /// - Parameter unknown: the answer if the bytes end too early.
        private static func recognizesPlain(_ head: Span<UInt8>, _ unknown: Recognition) -> Recognition {
            let count = min(head.count, maximumHead)
            // In a UTF-16 document in Latin letters, half of the bytes are zeros.
            var text: [UInt8] = []
            text.reserveCapacity(count)
            for index in 0..<count {
                let byte = head[index]
                let isMark = index < 3 && [0xEF, 0xBB, 0xBF, 0xFE, 0xFF].contains(byte)
                if byte != 0, !isMark { text.append(byte) }
            }
            var rest = text[...]
            while true {
                rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
                guard let first = rest.first else { return unknown }
                guard first == UInt8(ascii: "<") else { return .no }
                if rest.dropFirst().first == UInt8(ascii: "!"), rest.count < 9 { return unknown }
                if rest.starts(with: "<!--".utf8) {
                    guard let end = after("-->", rest) else { return unknown }
                    rest = end
                } else if rest.starts(with: "<?".utf8) {
                    guard let end = after("?>", rest) else { return unknown }
                    rest = end
                } else if rest.starts(with: "<!DOCTYPE".utf8) {
                    // `<!DOCTYPE svg` is enough: declarations may follow it.
                    guard let name = word(rest.dropFirst(9)) else { return unknown }
                    return name == "svg" || name.hasSuffix(":svg") ? .yes(.svg) : .no
                } else {
                    guard let name = word(rest.dropFirst()) else { return unknown }
                    return name == "svg" || name.hasSuffix(":svg") ? .yes(.svg) : .no
                }
            }
        }

        /// The bytes after the next `mark`; nil if it is missing.
        private static func after(_ mark: String, _ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
            let mark = Array(mark.utf8)
            var rest = text
            while rest.count >= mark.count {
                if rest.starts(with: mark) { return rest.dropFirst(mark.count) }
                rest = rest.dropFirst()
            }
            return nil
        }

        /// The next name, if its end is present.
        private static func word(_ text: ArraySlice<UInt8>) -> String? {
            let text = text.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
            guard let end = text.firstIndex(where: { $0 <= 0x20 || [0x3E, 0x2F, 0x5B].contains($0) }) else { return nil }
            return String(decoding: text[..<end], as: UTF8.self)
        }
    }
#endif

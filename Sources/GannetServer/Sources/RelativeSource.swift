#if Server
    import GannetCore

    /// Decides whether a source without a scheme stays below a base URL for every reader: for those of URLs, which take `%2e%2e` for `..`
    /// (WHATWG URL) and `\` for `/`, and for servers, which may decode once more, or ignore what follows a semicolon.
    enum RelativeSource {
        /// For the end of a sentence; nil: it stays below.
        static func fault(_ text: String) -> String? {
            let bytes = ByteText.bytes(of: text)
            if bytes.contains(where: { $0 < 32 || $0 == 127 }) { return "it contains a control character" }
            if bytes.contains(UInt8(ascii: "\\")) { return "it contains a backslash; write it as %5C" }
            if bytes.contains(UInt8(ascii: "#")) { return "it contains a #; write it as %23" }
            if bytes.first == UInt8(ascii: "/") { return "with two slashes at its beginning it would name a host" }
            var path = Array(bytes.prefix { $0 != UInt8(ascii: "?") })
            if path.isEmpty { return "it is empty" }
            for _ in 0..<deepest {
                if let fault = faultOfNames(path) { return fault }
                let decoded = PercentEncoding.decoded(path)
                if decoded == path { return nil }
                path = decoded
            }
            return "it is percent-encoded too often"
        }

        private static let deepest = 8

        private static func faultOfNames(_ path: [UInt8]) -> String? {
            if overlong.contains(where: { path.firstRange(of: $0) != nil }) {
                return "it contains . or / in bytes that only some readers take for them"
            }
            if path.contains(where: { $0 < 32 || $0 == 127 }) { return "it contains a control character" }
            for name in path.split(whereSeparator: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) {
                let bare = name.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != UInt8(ascii: " ") }
                if bare == Array(".".utf8) || bare == Array("..".utf8) { return "it contains . or .." }
            }
            return nil
        }

        /// `.`, `/` and others in more bytes than they need: no UTF-8, but some servers read `%C0%AE` as a dot.
        private static let overlong = "./\\%;\0".utf8.flatMap { character -> [[UInt8]] in
            let (high, low) = (character >> 6, 0x80 | character & 0x3F)
            return [[0xC0 | high, low], [0xE0, 0x80 | high, low], [0xF0, 0x80, 0x80 | high, low]]
        }
    }
#endif

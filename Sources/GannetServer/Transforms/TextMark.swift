#if Server
    import GannetCore

    /// Text as a watermark: white letters with a dark edge, drawn by the decoder of SVG in its sandbox, with the fonts of the system.
    enum TextMark {
        static let maximumLength = 256
        static let maximumLines = 8
        /// Of unscaled text, in pixels.
        private static let fontSize = 24.0
        /// Of text that is scaled to a part of the image: larger than it will be.
        private static let largeFontSize = 96.0
        /// In pixels, about: longer lines have smaller letters.
        private static let maximumWidth = 4096.0

        /// Throws `misuse` for text that is too long, or has characters that cannot be drawn.
        static func checked(_ text: String?, _ option: PathOption) throws(ImageError) -> String? {
            guard let text else { return nil }
            guard text.unicodeScalars.count <= maximumLength, lines(of: text).count <= maximumLines else {
                throw option.wrong("text has \(maximumLength) characters and \(maximumLines) lines at most")
            }
            // Those that XML can hold (XML 1.0, 2.2).
            let isDrawable = text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 32 && $0.value & 0xFFFE != 0xFFFE }
            guard isDrawable, text.contains(where: { !$0.isWhitespace }) else {
                throw option.wrong("text is what can be drawn, and line feeds")
            }
            return text
        }

        /// The text in SVG, on more room than it takes: its edges are clear.
        static func drawing(_ text: String, isScaled: Bool) -> [UInt8] {
            let lines = lines(of: text)
            let longest = Double(lines.map(\.unicodeScalars.count).max() ?? 0) + 2
            let size = max(min(isScaled ? largeFontSize : fontSize, maximumWidth / longest), 8)
            let (width, height) = (Int(longest * size * 1.2), Int((Double(lines.count) * 1.4 + 1) * size))
            let spans = lines.enumerated().map { index, line in
                "<text x=\"\(width / 2)\" y=\"\(Int((Double(index) * 1.4 + 1.4) * size))\">\(escaped(line))</text>"
            }
            let style =
                "font-family=\"sans-serif\" font-weight=\"bold\" font-size=\"\(size)\" text-anchor=\"middle\" fill=\"#fff\" "
                + "stroke=\"#000\" stroke-opacity=\"0.6\" stroke-width=\"\(size / 12)\" stroke-linejoin=\"round\" paint-order=\"stroke\""
            let drawing =
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\"><g \(style)>"
                + spans.joined() + "</g></svg>"
            return Array(drawing.utf8)
        }

        private static func lines(of text: String) -> [Substring] {
            text.split(separator: "\n", omittingEmptySubsequences: false)
        }

        private static func escaped(_ text: Substring) -> String {
            var escaped = ""
            for character in text {
                switch character {
                case "&": escaped += "&amp;"
                case "<": escaped += "&lt;"
                case ">": escaped += "&gt;"
                default: escaped.append(character)
                }
            }
            return escaped
        }
    }
#endif

#if SVG
    /// Writes drop shadows as the effects that they are made of (Filter Effects 1, section 9.10): librsvg knows them in newer versions
    /// only, and draws nothing instead.
    enum SVGDropShadow {
        private static let name = "feDropShadow"

        /// The same document; UTF-16 is left alone.
        static func replaced(in bytes: [UInt8]) -> [UInt8] {
            guard bytes.firstRange(of: Array(name.utf8)) != nil, let text = String(validating: bytes, as: UTF8.self) else {
                return bytes
            }
            var result = ""
            var rest = text[...]
            var number = 0
            while let found = rest.firstRange(of: name) {
                let before = rest[..<found.lowerBound]
                guard let bracket = before.lastIndex(of: "<"), let end = tagEnd(rest[found.upperBound...]) else { break }
                let prefix = before[rest.index(after: bracket)...]
                let inside = rest[found.upperBound..<end]
                result += rest[..<bracket]
                if prefix.hasPrefix("/") {
                    // Of an element that was replaced at its beginning.
                } else if prefix.isEmpty || prefix.hasSuffix(":"), inside.first?.isLetter != true {
                    number += 1
                    result += effects(prefix, attributes(inside), number)
                } else {
                    result += rest[bracket...end]
                }
                rest = rest[rest.index(after: end)...]
            }
            return Array((result + rest).utf8)
        }

        /// The index of the closing bracket; brackets within quotes do not count.
        private static func tagEnd(_ text: Substring) -> String.Index? {
            var quote: Character?
            for (index, character) in zip(text.indices, text) {
                switch character {
                case _ where quote == character: quote = nil
                case "\"", "'": if quote == nil { quote = character }
                case ">": if quote == nil { return index }
                default: break
                }
            }
            return nil
        }

        /// The attributes as written, with their quotes.
        private static func attributes(_ text: Substring) -> [(name: Substring, value: Substring)] {
            var result: [(name: Substring, value: Substring)] = []
            var rest = text
            while let equals = rest.firstIndex(of: "=") {
                let name = rest[..<equals].split(whereSeparator: \.isWhitespace).last ?? ""
                let value = rest[rest.index(after: equals)...].drop { $0.isWhitespace }
                guard let quote = value.first, quote == "\"" || quote == "'", let end = value.dropFirst().firstIndex(of: quote)
                else { break }
                result.append((name, value[...end]))
                rest = value[value.index(after: end)...]
            }
            return result
        }

        private static func effects(_ prefix: Substring, _ attributes: [(name: Substring, value: Substring)], _ number: Int)
            -> String
        {
            func all(_ names: Set<Substring>) -> String {
                attributes.filter { names.contains($0.name) }.map { " \($0.name)=\($0.value)" }.joined()
            }
            let region = all(["x", "y", "width", "height", "color-interpolation-filters"])
            let look = all(["flood-color", "flood-opacity", "style", "class"])
            let blur = attributes.contains { $0.name == "stdDeviation" } ? all(["stdDeviation"]) : " stdDeviation=\"2\""
            let dx = attributes.contains { $0.name == "dx" } ? all(["dx"]) : " dx=\"2\""
            let dy = attributes.contains { $0.name == "dy" } ? all(["dy"]) : " dy=\"2\""
            let (source, shadow) = ("gannet-source-\(number)", "gannet-shadow-\(number)")
            func effect(_ name: String, _ attributes: String) -> String { "<\(prefix)\(name)\(region)\(attributes)/>" }
            // Without `in`, the first takes the result before it, as the shadow would.
            let effects = [
                effect("feOffset", all(["in"]) + " dx=\"0\" dy=\"0\" result=\"\(source)\""),
                effect("feGaussianBlur", " in=\"\(source)\"\(blur)"), effect("feOffset", "\(dx)\(dy) result=\"\(shadow)\""),
                effect("feFlood", look),
                effect("feComposite", " in2=\"\(shadow)\" operator=\"in\" result=\"\(shadow)\""),
                "<\(prefix)feMerge\(region)\(all(["result"]))><\(prefix)feMergeNode in=\"\(shadow)\"/>",
                "<\(prefix)feMergeNode in=\"\(source)\"/></\(prefix)feMerge>",
            ]
            return effects.joined()
        }
    }
#endif

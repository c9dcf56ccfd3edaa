#if Links
    import FoundationEssentials

    /// JSON-LD: the images that a page's descriptions of itself name (schema.org `image` and `thumbnailUrl`).
    enum LinkedData {
        /// Deeper ones are no description of a page.
        private static let maximumDepth = 8

        /// Empty if the text is no JSON. Images of the page's own description come before those of parts of it.
        static func images(in text: [UInt8]) -> [String] {
            guard let value = try? JSONDecoder().decode(Value.self, from: Data(text)) else { return [] }
            var (images, thumbnails): ([String], [String]) = ([], [])
            collect(value, &images, &thumbnails, depth: 0)
            return images + thumbnails
        }

        private static func collect(_ value: Value, _ images: inout [String], _ thumbnails: inout [String], depth: Int) {
            guard depth < maximumDepth else { return }
            switch value {
            case .list(let values): for value in values { collect(value, &images, &thumbnails, depth: depth + 1) }
            case .object(let fields):
                images += fields["image"]?.addresses ?? []
                thumbnails += fields["thumbnailUrl"]?.addresses ?? []
                for name in ["@graph", "mainEntity", "mainEntityOfPage"] {
                    if let value = fields[name] { collect(value, &images, &thumbnails, depth: depth + 1) }
                }
            case .text, .other: break
            }
        }

        private enum Value: Decodable {
            case text(String)
            case list([Value])
            case object([String: Value])
            /// Numbers, truth values and null.
            case other

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let text = try? container.decode(String.self) {
                    self = .text(text)
                } else if let values = try? container.decode([Value].self) {
                    self = .list(values)
                } else if let fields = try? container.decode([String: Value].self) {
                    self = .object(fields)
                } else {
                    self = .other
                }
            }

            /// Addresses of images: a text, an `ImageObject`, or several of both.
            var addresses: [String] {
                switch self {
                case .text(let text): [text]
                case .list(let values): values.flatMap { $0.isList ? [] : $0.addresses }
                case .object(let fields):
                    if case .text(let text)? = fields["url"] ?? fields["contentUrl"] ?? fields["@id"] { [text] } else { [] }
                case .other: []
                }
            }

            private var isList: Bool { if case .list = self { true } else { false } }
        }
    }
#endif

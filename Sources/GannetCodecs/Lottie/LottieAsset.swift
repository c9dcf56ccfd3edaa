#if Lottie
    import GannetCore

    /// The target of a layer's reference: a composition or an image.
    struct LottieAsset {
        enum Content {
            /// Where its layers are in the text, and what they are.
            case composition(Range<Int>, LottieWork)
            /// The text of a `data:` URL.
            case embedded(String)
            /// Folder and name of another file.
            case file(folder: String, name: String)
        }

        /// As layers call it.
        let name: String
        let content: Content
        let width: Int
        let height: Int

        /// Nil: layers cannot show it.
        init?(_ reader: inout JSONReader) throws(JSONReader.Fault) {
            var name: String?
            var layers: (Range<Int>, LottieWork)?
            var path: String?
            var folder = ""
            var size = (width: 0.0, height: 0.0)
            try reader.members { reader, member throws(JSONReader.Fault) in
                switch member {
                case "id":
                    name =
                        try reader.next() == .number
                        ? try reader.number().flatMap { Int(exactly: $0) }.map { "\($0)" } : try reader.string()
                case "layers" where try reader.next() == .array:
                    let start = reader.position
                    let work = try LottieWork(&reader)
                    layers = (start..<reader.position, work)
                case "p": path = try reader.string()
                case "u": folder = try reader.string() ?? ""
                case "w": size.width = try reader.number() ?? 0
                case "h": size.height = try reader.number() ?? 0
                default: try reader.skip()
                }
            }
            guard let name else { return nil }
            self.name = Self.known(name)
            (width, height) = (Self.side(size.width), Self.side(size.height))
            if let layers {
                content = .composition(layers.0, layers.1)
            } else if let path {
                content = path.hasPrefix("data:") ? .embedded(path) : .file(folder: folder, name: path)
            } else {
                return nil
            }
        }

        /// A name as rlottie sees it, in C.
        static func known(_ name: String) -> String { String(decoding: name.utf8.prefix { $0 != 0 }, as: UTF8.self) }

        private static func side(_ stated: Double) -> Int { stated > 0 && stated <= 65_535 ? Int(stated) : 0 }

        /// The image's bytes, if they are base64.
        static func bytes(ofURL url: String) -> [UInt8]? {
            guard let comma = url.utf8.firstIndex(of: UInt8(ascii: ",")), url[..<comma].hasSuffix(";base64") else { return nil }
            return Base64.decoded(url.utf8[url.utf8.index(after: comma)...])
        }
    }
#endif

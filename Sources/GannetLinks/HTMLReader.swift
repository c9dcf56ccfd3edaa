#if Links
    import CXML2
    import GannetCore

    /// The beginning of an element.
    struct HTMLElement {
        /// In lower case, as are the attributes' names.
        var name: String
        var attributes: [(name: String, value: String)] = []

        /// The value of an attribute; nil if it is not there. Of several, the first.
        subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

        /// The words of an attribute, in lower case.
        func words(_ name: String) -> [String] {
            self[name]?.lowercased().split(whereSeparator: \.isWhitespace).map(String.init) ?? []
        }
    }

    /// Reads HTML with libxml2's parser, which forgives what pages get wrong, and tells what it finds element by element: no tree
    /// is built, no entity or file is loaded.
    final class HTMLReader {
        private var images = PageImages()
        /// The text of a script with JSON-LD.
        private var script: [UInt8]?
        private var depth = 0
        /// libxml2 looks through all open elements for each end tag without a beginning: with a bound, O(n).
        private static let maximumDepth = 256
        /// The parser while it runs.
        private var context: htmlParserCtxtPtr?

        private init() {}

        /// The images that the page names. Takes any bytes: other text than HTML names none.
        ///
        /// - Parameter charset: from the head of the response; nil: the page says so itself.
        static func images(in page: [UInt8], charset: String?) -> PageImages {
            guard !page.isEmpty else { return PageImages() }
            let reader = HTMLReader()
            withExtendedLifetime(reader) { reader.parse(page, charset) }
            return reader.images
        }

        private func parse(_ page: [UInt8], _ charset: String?) {
            var handler = htmlSAXHandler()
            handler.startElement = { HTMLReader.of($0)?.begin($1, $2) }
            handler.endElement = { context, _ in HTMLReader.of(context)?.end() }
            handler.characters = { HTMLReader.of($0)?.take($1, $2) }
            handler.cdataBlock = { HTMLReader.of($0)?.take($1, $2) }
            let encoding = charset.map { xmlParseCharEncoding($0) } ?? XML_CHAR_ENCODING_NONE
            // The reader outlives the parser, which gets it unretained and copies the handler.
            guard
                let context = htmlCreatePushParserCtxt(
                    &handler, Unmanaged.passUnretained(self).toOpaque(), nil, 0, nil,
                    encoding == XML_CHAR_ENCODING_ERROR ? XML_CHAR_ENCODING_NONE : encoding)
            else { return }
            self.context = context
            defer {
                self.context = nil
                htmlFreeParserCtxt(context)
            }
            let options =
                HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
                | HTML_PARSE_NONET.rawValue
            htmlCtxtUseOptions(context, Int32(options))
            page.withUnsafeBytes { bytes in
                let start = bytes.bindMemory(to: CChar.self).baseAddress
                // Without the end: a tag that is cut off counts for nothing (HTML §13.2.5, eof-in-tag).
                _ = htmlParseChunk(context, start, Int32(clamping: bytes.count), 0)
            }
        }

        private static func of(_ context: UnsafeMutableRawPointer?) -> HTMLReader? {
            context.map { Unmanaged<HTMLReader>.fromOpaque($0).takeUnretainedValue() }
        }

        // MARK: Calls of libxml2, whose pointers are good for the call

        private func begin(_ name: UnsafePointer<xmlChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) {
            depth += 1
            if depth > Self.maximumDepth, let context { xmlStopParser(context) }
            guard let name else { return }
            var element = HTMLElement(name: Self.text(name).lowercased())
            guard ["meta", "link", "base", "script"].contains(element.name) else { return }
            // Names and values by turns, up to a null.
            var next = attributes
            while let place = next, let name = place.pointee {
                element.attributes.append((Self.text(name).lowercased(), place[1].map(Self.text) ?? ""))
                next = place + 2
            }
            if element.name == "script" {
                let type = element["type"].map { URLEscapes.trimmed($0).lowercased() }
                if type?.hasPrefix("application/ld+json") == true { script = [] }
            } else {
                images.take(element)
            }
        }

        private func end() {
            depth -= 1
            guard let text = script else { return }
            script = nil
            images.takeLinkedData(text)
        }

        private func take(_ text: UnsafePointer<xmlChar>?, _ count: Int32) {
            guard script != nil, let text else { return }
            script?.append(contentsOf: UnsafeBufferPointer(start: text, count: Int(count)))
        }

        /// Text of libxml2, which is UTF-8.
        private static func text(_ pointer: UnsafePointer<xmlChar>) -> String { String(cString: pointer) }
    }
#endif

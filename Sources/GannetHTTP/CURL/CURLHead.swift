#if HTTP
    import GannetCore

    /// Reads the head of a response line by line, as libcurl hands the lines over, and refuses what RFC 9110 and RFC 9112 forbid.
    /// `Documentation/HTTPCaching.md` has the table of what is forgiven.
    struct CURLHead {
        private enum Place { case statusLine, fields, trailers }

        /// Bytes of all heads and trailers of one response.
        private static let maximumBytes = 256 << 10
        private static let maximumFields = 256
        private static let maximumInterim = 256

        private(set) var status = 0
        private(set) var version = ""
        private(set) var fields: [HTTPHeaders.Field] = []
        /// The length of the body, if the head gives it.
        private(set) var length: Int?
        /// Another recipient may see the response end elsewhere: bytes after it on this connection cannot be trusted (RFC 9112
        /// §6.1, §6.3, §11.2).
        private(set) var isAmbiguous = false
        /// The body ends with the connection.
        var isUnframed: Bool { isFinal && length == nil && !isChunked && version.first == "1" }
        private var isChunked = false
        /// The body has its length, but libcurl waits for the end of the connection: beside a `Transfer-Encoding` that encodes nothing.
        var endsAtLength: Bool { hasEmptyCoding && length != nil }
        private var hasEmptyCoding = false
        private static let packed: Set<String> = ["gzip", "x-gzip", "deflate", "compress", "x-compress", "br", "zstd"]
        /// At least one line has arrived.
        var hasBegun: Bool { byteCount > 0 }
        /// The head of the final response is whole.
        var isFinal: Bool { place == .trailers }

        private var place = Place.statusLine
        private var byteCount = 0
        private var interimCount = 0

        /// Throws `protocolViolation`.
        ///
        /// - Parameter line: with its end.
        mutating func take(_ line: UnsafeRawBufferPointer) throws(ImageError) {
            byteCount += line.count
            guard byteCount <= Self.maximumBytes else { throw Self.violation("a head of more than 256 KiB") }
            var line = line[...]
            if line.last == UInt8(ascii: "\n") { line.removeLast() }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            switch place {
            case .statusLine: try takeStatus(line)
            case .fields: try line.isEmpty ? end() : takeField(line)
            case .trailers:
                // After a pause, older libcurls hand over all of them at once.
                for line in line.split(separator: UInt8(ascii: "\n")) {
                    let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
                    if !line.isEmpty { try takeTrailer(line) }
                }
            }
        }

        // MARK: Lines

        private mutating func takeStatus(_ line: Slice<UnsafeRawBufferPointer>) throws(ImageError) {
            // Empty lines before the status line are ignored (RFC 9112 §2.2).
            if line.isEmpty { return }
            let known: [(StaticString, String)] = [
                ("HTTP/1.1 ", "1.1"), ("HTTP/2 ", "2"), ("HTTP/1.0 ", "1.0"), ("HTTP/3 ", "3"),
            ]
            guard let (start, version) = known.first(where: { Self.has(line, prefix: $0.0) }) else {
                throw Self.violation("a line that is no status line")
            }
            let rest = line.dropFirst(start.utf8CodeUnitCount)
            let digits = rest.prefix { $0 != UInt8(ascii: " ") }
            guard digits.count == 3, digits.allSatisfy(Self.isDigit) else {
                throw Self.violation("a status that is no number of three digits")
            }
            status = digits.reduce(0) { $0 * 10 + Int($1 - 48) }
            self.version = version
            guard status >= 100 else { throw Self.violation("an answer with the status \(status)") }
            guard status != 101 else { throw Self.violation("a change to another protocol that nobody asked for") }
            place = .fields
        }

        private mutating func takeField(_ line: Slice<UnsafeRawBufferPointer>) throws(ImageError) {
            if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
                // A folded line (RFC 9112 §5.2). Directly after the status line there is no field to continue (§2.2), and most
                // versions of libcurl end the transfer.
                guard let last = fields.last else { throw Self.foldedFirst }
                let value = try value(of: "", Self.trimmed(line))
                fields[fields.count - 1].value = last.value.isEmpty ? value : last.value + " " + value
                isAmbiguous = true
                return
            }
            guard fields.count < Self.maximumFields else { throw Self.violation("more than \(Self.maximumFields) fields") }
            fields.append(try field(line))
        }

        private mutating func takeTrailer(_ line: Slice<UnsafeRawBufferPointer>) throws(ImageError) {
            let name = try field(line).name
            // RFC 9110 §6.5.1
            guard !["content-length", "transfer-encoding"].contains(name.lowercased()) else {
                throw Self.violation("a \(name) behind the body")
            }
        }

        private func field(_ line: Slice<UnsafeRawBufferPointer>) throws(ImageError) -> HTTPHeaders.Field {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                line[..<colon].allSatisfy({ Self.isOfToken[Int($0)] })
            else { throw Self.violation("a field without a proper name") }
            let name = String(decoding: line[..<colon], as: UTF8.self)
            return HTTPHeaders.Field(name: name, value: try value(of: name, Self.trimmed(line[(colon + 1)...])))
        }

        private func value(of name: String, _ bytes: Slice<UnsafeRawBufferPointer>) throws(ImageError) -> String {
            guard bytes.allSatisfy({ $0 >= 32 && $0 != 127 || $0 == 9 }) else {
                throw Self.violation("a control character in a field")
            }
            // As browsers request them: in a String, bytes that are no UTF-8 would be lost.
            if HTTPHeaders.equal(name, "location"), String(validating: bytes, as: UTF8.self) == nil {
                let digits = Array("0123456789ABCDEF".utf8)
                let escaped = bytes.flatMap { byte -> [UInt8] in
                    byte < 128 ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                }
                return String(decoding: escaped, as: UTF8.self)
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        // MARK: The end of a head

        private mutating func end() throws(ImageError) {
            guard status >= 200 else {
                interimCount += 1
                guard interimCount <= Self.maximumInterim else { throw Self.violation("interim responses without end") }
                fields.removeAll(keepingCapacity: true)
                place = .statusLine
                return
            }
            let codings = members(of: "transfer-encoding")
            let lengths = members(of: "content-length")
            isChunked = codings.last == "chunked"
            let others = isChunked ? codings.dropLast() : codings[...]
            guard others.allSatisfy({ $0 == "identity" || !isChunked && Self.isInvented($0) }) else {
                throw Self.violation("a Transfer-Encoding (\(codings.joined(separator: ", ").prefix(64))) that nobody asked for")
            }
            if !isChunked, let first = lengths.first {
                guard let number = Self.number(first), lengths.allSatisfy({ Self.number($0) == number }) else {
                    throw Self.violation("a length that is no number, or several")
                }
                length = number
            }
            hasEmptyCoding = !codings.isEmpty && !isChunked
            if hasEmptyCoding || lengths.count > 1 || isChunked && (!lengths.isEmpty || version == "1.0") { isAmbiguous = true }
            place = .trailers
        }

        /// Servers that invent a name send a plain body, and browsers accept it. Names that may mean chunks do not count: one recipient
        /// would read chunks, another would not.
        private static func isInvented(_ coding: String) -> Bool {
            !packed.contains(coding) && !coding.contains("chunk")
                && coding.utf8.allSatisfy { isDigit($0) || (97...122).contains($0) || $0 == UInt8(ascii: "-") }
        }

        /// The members of a list, in lower case. Empty members do not count in a list of codings; a length must not have them.
        private func members(of name: String) -> [String] {
            var members: [String] = []
            for field in fields where HTTPHeaders.equal(field.name, name) {
                for member in field.value.split(separator: ",", omittingEmptySubsequences: name != "content-length") {
                    let member = String(Substring(Self.trimmed(member.utf8))).lowercased()
                    if !member.isEmpty || name == "content-length" { members.append(member) }
                }
            }
            return members
        }

        private static func number(_ text: String) -> Int? {
            guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else { return nil }
            return Int(text)
        }

        // MARK: Bytes

        static let foldedFirst = violation("a folded line before the first field")

        static func violation(_ what: String) -> ImageError {
            ImageError(.protocolViolation, stage: .load, "The server's answer breaks the rules of HTTP: \(what).")
        }

        private static func has(_ line: Slice<UnsafeRawBufferPointer>, prefix: StaticString) -> Bool {
            line.starts(with: UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount))
        }

        private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

        private static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
            let isBlank: (UInt8) -> Bool = { $0 == 32 || $0 == 9 }
            var result = bytes.drop(while: isBlank)
            while let last = result.last, isBlank(last) { result = result.dropLast() }
            return result
        }

        /// RFC 9110 §5.6.2
        static func isToken(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy { isOfToken[Int($0)] } }

        private static let isOfToken: [Bool] = (UInt8.min...UInt8.max).map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
    }
#endif

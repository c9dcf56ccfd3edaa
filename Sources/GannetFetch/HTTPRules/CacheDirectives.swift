package import GannetCore

/// The directives of all `Cache-Control` fields of a message, RFC 9111 §5.2. Names compare case-insensitively.
package struct CacheDirectives: Hashable, Sendable {
    /// Lower-case name and unquoted argument; in order, including duplicates.
    package private(set) var all: [(name: String, value: String?)] = []

    package init(_ headers: HTTPHeaders, field: String = "Cache-Control") {
        for entry in headers.fields where HTTPHeaders.equal(entry.name, field) { parse(entry.value) }
    }

    package static func == (left: CacheDirectives, right: CacheDirectives) -> Bool {
        left.all.elementsEqual(right.all) { $0 == $1 }
    }

    package func hash(into hasher: inout Hasher) { for directive in all { hasher.combine(directive.name) } }

    package func contains(_ name: String) -> Bool { all.contains { $0.name == name } }

    /// Present without a list of fields: `no-cache`, but not `no-cache="Set-Cookie"`.
    package func isUnqualified(_ name: String) -> Bool { all.contains { $0.name == name && ($0.value ?? "").isEmpty } }

    /// The fields that a qualified `no-cache` or `private` names.
    package func fields(_ name: String) -> [String] {
        all.filter { $0.name == name }.flatMap { directive in
            (directive.value ?? "").split(separator: ",").map { $0.trimmedOWS() }.filter { !$0.isEmpty }
        }
    }

    /// The smallest of the directive's values in seconds; an invalid value counts as 0, the cautious reading. Nil if the
    /// directive is absent.
    package func seconds(_ name: String) -> Int? {
        var result: Int?
        for directive in all where directive.name == name {
            let value = directive.value.flatMap { Int(digits: $0) } ?? 0
            result = Swift.min(result ?? value, value)
        }
        return result.map { Swift.min($0, 1 << 40) }
    }

    package var noStore: Bool { contains("no-store") }
    package var noCache: Bool { contains("no-cache") }
    package var mustRevalidate: Bool { contains("must-revalidate") }
    package var isImmutable: Bool { contains("immutable") }

    private mutating func parse(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var index = 0
            while index < bytes.count {
                let start = index
                while index < bytes.count, bytes[index] != Self.comma, bytes[index] != Self.equals { index += 1 }
                let name = Self.text(bytes, start..<index, lowercased: true)
                var value: String?
                if index < bytes.count, bytes[index] == Self.equals {
                    index += 1
                    value = Self.argument(bytes, &index)
                }
                if !name.isEmpty { all.append((name: name, value: value)) }
                index += 1
            }
        }
    }

    private static let comma = UInt8(ascii: ",")
    private static let equals = UInt8(ascii: "=")
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    /// The text from the `=` to the next comma outside quotes, where `index` then stands.
    private static func argument(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> String {
        let start = index
        while index < bytes.count, bytes[index] != comma, bytes[index] != quote { index += 1 }
        guard index < bytes.count, bytes[index] == quote else { return text(bytes, start..<index, lowercased: false) }
        index = start
        var plain: [UInt8] = []
        var isQuoted = false
        var isEscaped = false
        while index < bytes.count {
            let byte = bytes[index]
            if isEscaped {
                isEscaped = false
                plain.append(byte)
            } else if isQuoted {
                switch byte {
                case backslash: isEscaped = true
                case quote: isQuoted = false
                default: plain.append(byte)
                }
            } else if byte == comma {
                break
            } else if byte == quote, plain.isEmpty {
                isQuoted = true
            } else {
                plain.append(byte)
            }
            index += 1
        }
        return plain.withUnsafeBufferPointer { text($0, 0..<$0.count, lowercased: false) }
    }

    /// The text, trimmed.
    private static func text(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, lowercased: Bool) -> String {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, bytes[start] == 32 || bytes[start] == 9 { start += 1 }
        while start < end, bytes[end - 1] == 32 || bytes[end - 1] == 9 { end -= 1 }
        let slice = bytes[start..<end]
        guard lowercased, slice.contains(where: { (65...90).contains($0) }) else { return String(decoding: slice, as: UTF8.self) }
        return String(decoding: slice.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    }
}

extension StringProtocol {
    /// Trims spaces and tabs at both ends, RFC 9110 §5.6.3.
    package func trimmedOWS() -> String {
        var slice = Substring(self).utf8
        while let first = slice.first, first == 32 || first == 9 { slice.removeFirst() }
        while let last = slice.last, last == 32 || last == 9 { slice.removeLast() }
        return String(Substring(slice))
    }

    /// The media type alone, in lower case: the text before the first semicolon.
    package var withoutParameters: String {
        Substring(Substring(self).utf8.prefix { $0 != UInt8(ascii: ";") }).trimmedOWS().lowercased()
    }
}

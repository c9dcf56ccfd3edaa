package import GannetCore

/// The directives of all `Cache-Control` fields of a message, RFC 9111 §5.2. Names compare without regard to case.
package struct CacheDirectives: Hashable, Sendable {
    /// Lower-case name and its argument without quotes; in order, repeated ones too.
    package private(set) var all: [(name: String, value: String?)] = []

    package init(_ headers: HTTPHeaders, field: String = "Cache-Control") {
        for value in headers.all(field) { parse(value) }
    }

    package static func == (left: CacheDirectives, right: CacheDirectives) -> Bool {
        left.all.elementsEqual(right.all) { $0 == $1 }
    }

    package func hash(into hasher: inout Hasher) { for directive in all { hasher.combine(directive.name) } }

    package func contains(_ name: String) -> Bool { all.contains { $0.name == name } }

    /// Present without a list of fields: `no-cache`, and not `no-cache="Set-Cookie"`.
    package func isUnqualified(_ name: String) -> Bool { all.contains { $0.name == name && ($0.value ?? "").isEmpty } }

    /// The fields a qualified `no-cache` or `private` names.
    package func fields(_ name: String) -> [String] {
        all.filter { $0.name == name }.flatMap { directive in
            (directive.value ?? "").split(separator: ",").map { $0.trimmedOWS() }.filter { !$0.isEmpty }
        }
    }

    /// The smallest of the directive's values in seconds; a value that is no number counts as 0, which is what a cautious
    /// reader makes of it. Nil if the directive is absent.
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
        var name = ""
        var value: String?
        var isQuoted = false
        var isEscaped = false
        func finished() -> (String, String?)? {
            let trimmed = name.trimmedOWS().lowercased()
            return trimmed.isEmpty ? nil : (trimmed, value.map { $0.trimmedOWS() })
        }
        for character in text.unicodeScalars {
            if isEscaped {
                isEscaped = false
                value?.unicodeScalars.append(character)
            } else if isQuoted {
                switch character {
                case "\\": isEscaped = true
                case "\"": isQuoted = false
                default: value?.unicodeScalars.append(character)
                }
            } else if character == "," {
                if let directive = finished() { all.append((name: directive.0, value: directive.1)) }
                name = ""
                value = nil
            } else if value == nil {
                if character == "=" { value = "" } else { name.unicodeScalars.append(character) }
            } else if character == "\"", value?.isEmpty == true {
                isQuoted = true
            } else {
                value?.unicodeScalars.append(character)
            }
        }
        if let directive = finished() { all.append((name: directive.0, value: directive.1)) }
    }
}

extension StringProtocol {
    /// Without spaces and tabs at both ends, RFC 9110 §5.6.3.
    package func trimmedOWS() -> String {
        var slice = Substring(self).utf8
        while let first = slice.first, first == 32 || first == 9 { slice.removeFirst() }
        while let last = slice.last, last == 32 || last == 9 { slice.removeLast() }
        return String(Substring(slice))
    }
}

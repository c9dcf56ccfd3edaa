package import GannetCore

/// The request fields that select among the responses of one URL, RFC 9111 §4.1.
package struct HTTPVary: Hashable, Sendable {
    /// Lower case, sorted, each once.
    package let names: [String]
    /// `Vary: *`: no stored response matches a later request.
    package let isEverything: Bool

    package init(_ response: HTTPHeaders) {
        let values = response.all("Vary")
        guard !values.isEmpty else {
            (names, isEverything) = ([], false)
            return
        }
        var all: Set<String> = []
        for value in values {
            for name in value.split(separator: ",") { all.insert(name.trimmedOWS().lowercased()) }
        }
        all.remove("")
        isEverything = all.contains("*")
        names = all.sorted()
    }

    package var isEmpty: Bool { names.isEmpty }

    /// The request's selecting fields, normalised for comparison. Values that may be secret are sealed with `key`, because they
    /// are stored; `key` is evaluated only for those.
    package func selecting(_ request: HTTPHeaders, key: @autoclosure () -> ScopeKey = .process) -> HTTPHeaders {
        HTTPHeaders(names.compactMap { name in request.combined(name).map { (name, Self.compared($0, of: name, key)) } })
    }

    /// Fields that identify the client.
    package static let userFields: Set<String> = ["authorization", "cookie"]

    package func matches(
        _ request: HTTPHeaders, stored: StoredHTTPResponse, key: @autoclosure () -> ScopeKey = .process
    ) -> Bool {
        guard !isEverything else { return false }
        return names.allSatisfy { name in
            request.combined(name).map { Self.compared($0, of: name, key) }
                == stored.varying.combined(name).map { Self.isSealed(name) ? $0 : Self.normalized($0, of: name) }
        }
    }

    /// Part of the key of a further variant.
    package func variantText(_ request: HTTPHeaders, key: @autoclosure () -> ScopeKey = .process) -> String {
        let fields = selecting(request, key: key()).fields.map { "\($0.name):\($0.value)" }.joined(separator: "\n")
        return Digest128(names.joined(separator: ",") + "\n" + fields).hex
    }

    private static func compared(_ value: String, of name: String, _ key: () -> ScopeKey) -> String {
        let text = normalized(value, of: name)
        return isSealed(name) ? "sealed " + key().seal([name, text]) : text
    }

    /// False for content negotiation and client hints, which do not identify a person.
    private static func isSealed(_ name: String) -> Bool {
        !Redaction.harmlessFields.contains(name) && !hints.contains(name) && !name.hasPrefix("sec-ch-")
    }

    private static let hints: Set<String> = [
        "device-memory", "downlink", "dpr", "ect", "origin", "rtt", "save-data", "viewport-width", "width",
    ]

    /// Normalises white space around commas outside quotes, in fields whose commas separate values. Ignores the order of values
    /// with quality values.
    private static func normalized(_ value: String, of name: String) -> String {
        if name == "user-agent" || name == "referer" { return value }
        let parts = HTTPValidators.list(value)
        let isUnordered = name == "accept-language" || name == "accept-encoding"
        return (isUnordered ? parts.map { $0.lowercased() }.sorted() : parts).joined(separator: ",")
    }
}

/// Comparison of entity tags, RFC 9110 §8.8.3.2.
package enum HTTPValidators {
    package static func isWeak(_ tag: String) -> Bool { tag.hasPrefix("W/") }

    package static func weakMatch(_ left: String, _ right: String) -> Bool { opaque(left) == opaque(right) }

    package static func strongMatch(_ left: String, _ right: String) -> Bool { !isWeak(left) && !isWeak(right) && left == right }

    private static func opaque(_ tag: String) -> Substring { isWeak(tag) ? tag.dropFirst(2) : tag[...] }

    /// The members of a list, for example of tags; commas inside quotes do not separate.
    package static func list(_ text: String) -> [String] {
        var tags: [String] = []
        var current = ""
        var isQuoted = false
        for character in text {
            if character == "\"" { isQuoted.toggle() }
            if character == ",", !isQuoted {
                tags.append(current.trimmedOWS())
                current = ""
            } else {
                current.append(character)
            }
        }
        tags.append(current.trimmedOWS())
        return tags.filter { !$0.isEmpty }
    }
}

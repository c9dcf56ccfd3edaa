package import GannetCore

/// Which request fields choose among the responses of one URL, RFC 9111 §4.1.
package struct HTTPVary: Hashable, Sendable {
    /// Lower case, sorted, each once.
    package let names: [String]
    /// `Vary: *`: nothing that is stored matches any later request.
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

    /// The request's fields as they are compared: white space around commas does not count, and of what is secret a digest is
    /// kept, because this is stored.
    package func selecting(_ request: HTTPHeaders) -> HTTPHeaders {
        HTTPHeaders(names.compactMap { name in request.combined(name).map { (name, Self.compared($0, of: name)) } })
    }

    /// Fields that tell who asks.
    package static let askers: Set<String> = ["authorization", "cookie"]

    package func matches(_ request: HTTPHeaders, stored: StoredHTTPResponse) -> Bool {
        guard !isEverything else { return false }
        return names.allSatisfy { name in
            request.combined(name).map { Self.compared($0, of: name) }
                == stored.varying.combined(name).map { Self.askers.contains(name) ? $0 : Self.normalized($0, of: name) }
        }
    }

    /// Part of the key of a further variant.
    package func variantText(_ request: HTTPHeaders) -> String {
        let fields = selecting(request).fields.map { "\($0.name):\($0.value)" }.joined(separator: "\n")
        return Digest128(names.joined(separator: ",") + "\n" + fields).hex
    }

    private static func compared(_ value: String, of name: String) -> String {
        askers.contains(name) ? "digest " + Digest128(value).hex : normalized(value, of: name)
    }

    /// White space around commas does not count, but in quotes and where commas part nothing; nor, where quality values say what is
    /// preferred, does the order.
    private static func normalized(_ value: String, of name: String) -> String {
        if name == "user-agent" || name == "referer" { return value }
        let parts = HTTPValidators.list(value)
        let isUnordered = name == "accept-language" || name == "accept-encoding"
        return (isUnordered ? parts.map { $0.lowercased() }.sorted() : parts).joined(separator: ",")
    }
}

/// Comparing entity tags, RFC 9110 §8.8.3.2.
package enum HTTPValidators {
    package static func isWeak(_ tag: String) -> Bool { tag.hasPrefix("W/") }

    package static func weakMatch(_ left: String, _ right: String) -> Bool { opaque(left) == opaque(right) }

    package static func strongMatch(_ left: String, _ right: String) -> Bool { !isWeak(left) && !isWeak(right) && left == right }

    private static func opaque(_ tag: String) -> Substring { isWeak(tag) ? tag.dropFirst(2) : tag[...] }

    /// The members of a list, of tags for instance; commas inside quotes part nothing.
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

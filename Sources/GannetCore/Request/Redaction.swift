/// Descriptions without what only their owner may read.
///
/// A type whose values hold secrets implements `description`, `debugDescription` and `customMirror`, all three with its redacted text. `print`,
/// string interpolation and `dump` then show that text, also where the value is a field of another one. No call site has to remember to
/// redact.
package enum Redaction {
    /// Fields of HTTP whose values say nothing of a person. All others are left out of descriptions.
    package static let harmlessFields: Set<String> = [
        "accept", "accept-encoding", "accept-language", "accept-ranges", "age", "allow", "cache-control", "connection",
        "content-encoding", "content-language", "content-length", "content-range", "content-type", "date", "expires",
        "if-modified-since",
        "last-modified", "pragma", "range", "retry-after", "server", "transfer-encoding", "user-agent", "vary",
    ]

    /// The mirror for `dump` and default descriptions of enclosing values: they show the description alone.
    package static func mirror<T: CustomStringConvertible>(of value: T) -> Mirror {
        Mirror(value, children: ["description": value.description], displayStyle: .struct)
    }

    /// A URL or any text that begins with one, as people may see it: user, password and the values of the query are left out.
    package static func url(_ text: String) -> String {
        if text.hasPrefix("data:") { return String(text.prefix(40)) + (text.count > 40 ? "…" : "") }
        if !text.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "@") }) { return text }
        var result = text
        if let query = result.firstIndex(of: "?") { result = String(result[..<query]) + "?…" }
        let parts = result.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        if parts.count >= 3, parts[1].isEmpty, let at = parts[2].lastIndex(of: "@") {
            let host = parts[2][parts[2].index(after: at)...]
            result = ([parts[0], "", host] + parts.dropFirst(3)).joined(separator: "/")
        }
        return result
    }
}

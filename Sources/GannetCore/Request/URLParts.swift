package import FoundationEssentials

/// The parts of a URL as its text has them (RFC 3986 §3): nothing is decoded, so nothing is lost.
///
/// The `path` of Foundation's `URL` is empty if its escapes are not UTF-8, as in `caf%E9.png` or any path in Shift-JIS or GBK: another
/// resource, and without an error. No request, key or file name may be made from it.
package struct URLParts: Sendable {
    /// The scheme without its colon; nil in a relative reference.
    package var scheme: Substring?
    /// The user and password without the `@`. Nil, like ``host`` and ``port``, without an authority.
    package var userInfo: Substring?
    /// The host; IPv6 addresses have brackets.
    package var host: Substring?
    /// The port without its colon; may be empty.
    package var port: Substring?
    package var path: Substring
    /// The query without its question mark.
    package var query: Substring?
    /// The fragment without its `#`.
    package var fragment: Substring?

    /// O(n). Every text has parts; this checks nothing.
    package init(_ text: String) {
        var rest = text[...]
        fragment = Self.cut(&rest, at: "#")
        query = Self.cut(&rest, at: "?")
        if let colon = rest.utf8.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }),
            rest.utf8[colon] == UInt8(ascii: ":"), colon > rest.startIndex
        {
            scheme = rest[..<colon]
            rest = rest[rest.utf8.index(after: colon)...]
        }
        guard rest.utf8.starts(with: "//".utf8) else {
            path = rest
            return
        }
        let authorityStart = rest.utf8.index(rest.startIndex, offsetBy: 2)
        var authority = rest[authorityStart...]
        path = authority[(authority.utf8.firstIndex(of: UInt8(ascii: "/")) ?? authority.endIndex)...]
        authority = authority[..<path.startIndex]
        if let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
            userInfo = authority[..<at]
            authority = authority[authority.utf8.index(after: at)...]
        }
        if let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":")), !authority[colon...].utf8.contains(UInt8(ascii: "]")) {
            port = authority[authority.utf8.index(after: colon)...]
            authority = authority[..<colon]
        }
        host = authority
    }

    /// Cuts off what follows the first `mark`.
    private static func cut(_ text: inout Substring, at mark: Unicode.Scalar) -> Substring? {
        guard let index = text.utf8.firstIndex(of: UInt8(ascii: mark)) else { return nil }
        defer { text = text[..<index] }
        return text[text.utf8.index(after: index)...]
    }

    /// The whole URL.
    package var text: String {
        (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + (userInfo.map { $0 + "@" } ?? "") + $0 } ?? "")
            + target(of: path)
            + (fragment.map { "#" + $0 } ?? "")
    }

    /// The host, and the port behind a colon; nil without a host.
    package var authority: String? { host.map { $0 + (port.map { ":" + $0 } ?? "") } }

    /// The path and the query, as a request line has them (RFC 9112 §3.2.1).
    package var target: String { target(of: path.isEmpty ? "/" : path) }

    private func target(of path: Substring) -> String { path + (query.map { "?" + $0 } ?? "") }
}

extension URL {
    /// The parts of the URL resolved against its base.
    package var parts: URLParts { URLParts(absoluteString) }

    /// The URL of these parts; nil if Foundation does not accept it.
    package init?(_ parts: URLParts) { self.init(string: parts.text) }

    /// The same URL without a name and a password.
    package var withoutUserInfo: URL {
        var parts = parts
        guard parts.userInfo != nil else { return self }
        parts.userInfo = nil
        return URL(parts) ?? self
    }
}

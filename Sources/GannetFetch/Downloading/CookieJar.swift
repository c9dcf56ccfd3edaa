public import FoundationEssentials
public import GannetCore
import Synchronization

/// Stores cookies between requests. Used only for requests whose `download.cookies` is true.
public protocol CookieJar: Sendable {
    /// The `Cookie` value for a request, nil for none.
    func cookies(for url: URL, now: Timestamp) -> String?
    /// Stores the `Set-Cookie` fields of a response.
    func store(_ fields: [String], from url: URL, now: Timestamp)
}

/// Cookies in memory, by RFC 6265 without a list of public suffixes: cookies for a whole domain are kept only for the host that
/// set them. Image loading needs no more, and it cannot be abused.
///
/// As browsers do (RFC 6265bis §5.7), it leaves secure cookies alone where a response came without encryption: such a response
/// neither sets, replaces, removes nor evicts them.
public final class MemoryCookieJar: CookieJar {
    private struct Cookie {
        var name: String
        var value: String
        var host: String
        var path: String
        var isSecure: Bool
        var expires: Timestamp?
        var order: UInt64

        /// Whether servers would get `other` in place of this one.
        func isHidden(by other: Cookie) -> Bool {
            name == other.name && host == other.host && MemoryCookieJar.matches(other.path, path)
        }
    }

    private struct State {
        /// The oldest first.
        var cookies: [Cookie] = []
        var next: UInt64 = 0

        /// Removes the oldest of these; secure ones only if there are no others.
        mutating func evict(_ isMeant: (Cookie) -> Bool) {
            let victim = cookies.firstIndex { isMeant($0) && !$0.isSecure } ?? cookies.firstIndex(where: isMeant)
            if let victim { cookies.remove(at: victim) }
        }
    }

    private let state = Mutex(State())
    private let maximumPerHost: Int
    private let maximumCount: Int
    /// Most bytes of a request's `Cookie`: most servers refuse fields beyond 8 KiB.
    private static let maximumFieldBytes = 8000

    /// The oldest are dropped at the limits; a request sends the newest, at most 8000 bytes.
    public init(maximumPerHost: Int = 50, maximumCount: Int = 1000) {
        self.maximumPerHost = max(maximumPerHost, 1)
        self.maximumCount = max(maximumCount, 1)
    }

    /// Cookies of all hosts, including expired ones that no request has noticed.
    public var count: Int { state.withLock { $0.cookies.count } }

    /// Removes the cookies of all hosts, for signing out.
    public func removeAll() { state.withLock { $0.cookies = [] } }

    public func cookies(for url: URL, now: Timestamp) -> String? {
        let host = url.host?.lowercased() ?? ""
        let path = Self.path(of: url)
        let isSecure = url.scheme?.lowercased() == "https"
        let matching = state.withLock { state in
            state.cookies.filter { cookie in
                cookie.host == host && (!cookie.isSecure || isSecure) && Self.matches(path, cookie.path)
                    && cookie.expires.map { now < $0 } ?? true
            }
        }
        guard !matching.isEmpty else { return nil }
        // Many long cookies would exceed what servers read: send the newest.
        var room = Self.maximumFieldBytes
        let sent = matching.sorted { $0.order > $1.order }.prefix { cookie in
            room -= cookie.name.utf8.count + cookie.value.utf8.count + 3
            return room >= 0
        }
        let sorted = sent.sorted {
            ($1.path.utf8.count, $0.order) < ($0.path.utf8.count, $1.order)
        }
        return sorted.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    public func store(_ fields: [String], from url: URL, now: Timestamp) {
        let host = url.host?.lowercased() ?? ""
        let isSecure = url.scheme?.lowercased() == "https"
        // Too many fields: those beyond a host's limit would be dropped again.
        for field in fields.suffix(maximumPerHost) where field.utf8.count <= 4096 {
            guard var cookie = Self.parse(field, host: host, url: url, now: now), isSecure || !cookie.isSecure else { continue }
            state.withLock { state in
                state.next += 1
                cookie.order = state.next
                if !isSecure, state.cookies.contains(where: { $0.isSecure && $0.isHidden(by: cookie) }) { return }
                state.cookies.removeAll { $0.name == cookie.name && $0.host == host && $0.path == cookie.path }
                if cookie.expires.map({ $0 <= now }) ?? false { return }
                state.cookies.append(cookie)
                if state.cookies.count(where: { $0.host == host }) > maximumPerHost { state.evict { $0.host == host } }
                if state.cookies.count > maximumCount { state.evict { _ in true } }
            }
        }
    }

    /// As the request has it: paths of cookies are compared as they are written (RFC 6265 §5.1.4).
    private static func path(of url: URL) -> String {
        let path = url.parts.path
        return path.isEmpty ? "/" : String(path)
    }

    private static func matches(_ path: String, _ prefix: String) -> Bool {
        path == prefix || (path.hasPrefix(prefix) && (prefix.hasSuffix("/") || path.dropFirst(prefix.count).first == "/"))
    }

    private static func parse(_ field: String, host: String, url: URL, now: Timestamp) -> Cookie? {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false)
        guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { return nil }
        let name = pair[..<equals].trimmedOWS()
        let value = pair[pair.index(after: equals)...].trimmedOWS()
        guard !name.isEmpty, (name + value).utf8.allSatisfy({ $0 >= 32 && $0 != 127 }) else { return nil }
        let path = Self.path(of: url)
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        var cookie = Cookie(
            name: name, value: value, host: host, path: folder.isEmpty ? "/" : folder, isSecure: false, expires: nil, order: 0)
        var (hasAge, hasDomain) = (false, false)
        for part in parts.dropFirst() {
            let halves = part.split(separator: "=", maxSplits: 1).map { $0.trimmedOWS() }
            let argument = halves.count > 1 ? halves[1] : ""
            switch halves.first?.lowercased() {
            case "max-age":
                // Not a number: ignored (RFC 6265 §5.2.2).
                let isNegative = argument.hasPrefix("-")
                guard let seconds = Int(digits: isNegative ? argument.dropFirst() : argument[...]) else { break }
                hasAge = true
                cookie.expires = isNegative || seconds == 0 ? .distantPast : now + .seconds(min(seconds, 1 << 40))
            case "expires" where !hasAge: cookie.expires = CookieDate.parse(argument) ?? cookie.expires
            case "path" where argument.hasPrefix("/"): cookie.path = argument
            case "secure": cookie.isSecure = true
            case "domain":
                // Only the host itself or a parent domain is allowed.
                let domain = argument.lowercased().drop { $0 == "." }
                hasDomain = !domain.isEmpty
                guard domain.isEmpty || host == domain || host.hasSuffix("." + domain) else { return nil }
            default: break
            }
        }
        // Names that promise something (RFC 6265bis §4.1.3).
        let prefix = name.lowercased()
        if prefix.hasPrefix("__secure-") || prefix.hasPrefix("__host-"), !cookie.isSecure { return nil }
        if prefix.hasPrefix("__host-"), cookie.path != "/" || hasDomain { return nil }
        return cookie
    }
}

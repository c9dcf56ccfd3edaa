/// The handling of a request by a cache, in the words of RFC 9211.
package struct CacheStatus: Hashable, Sendable {
    /// Why a request went on to the server.
    package enum Forward: String, Hashable, Sendable, CaseIterable {
        /// The cache was not to be read.
        case bypass
        /// The method is not GET.
        case method
        /// Nothing is stored of the URL.
        case uriMiss = "uri-miss"
        /// The stored responses of the URL answer other fields.
        case varyMiss = "vary-miss"
        /// The request's own directives, or its caller, want the server asked.
        case request
        /// The stored response is not fresh.
        case stale
        /// A part is stored; the rest was requested.
        case partial
    }

    /// Nil: a hit.
    package var forward: Forward?
    /// The server's status, if the answer has another.
    package var forwardStatus: Int?
    /// The response is stored, if its body arrives whole.
    package var isStored = false
    /// The request waited for an equal one.
    package var isCollapsed = false
    /// How long the response is fresh; negative if it is stale. Nil: it does not expire.
    package var ttl: Duration?

    package var isHit: Bool { forward == nil }
}

extension CacheStatus: CustomStringConvertible {
    /// `hit; ttl=30`, `fwd=stale; fwd-status=304; stored; ttl=60`.
    package var description: String {
        var parts = [forward.map { "fwd=" + $0.rawValue } ?? "hit"]
        if let forwardStatus { parts.append("fwd-status=\(forwardStatus)") }
        if isStored { parts.append("stored") }
        if isCollapsed { parts.append("collapsed") }
        if let ttl { parts.append("ttl=\(ttl.components.seconds)") }
        return parts.joined(separator: "; ")
    }

    /// The field of a response, and the name of this cache in it.
    package static let field = "Cache-Status"
    package static let name = "gannet"
}

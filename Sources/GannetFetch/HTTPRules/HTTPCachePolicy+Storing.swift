import FoundationEssentials
package import GannetCore

extension HTTPCachePolicy {
    /// Fields of a single connection, which are never stored, RFC 9111 §3.1.
    static let connectionFields = [
        "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "te", "trailer",
        "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
    ]

    /// Whether the response may be stored, RFC 9111 §3. Not for partial responses and 304.
    package func mayStore(method: String, request: HTTPHeaders, status: Int, response: HTTPHeaders) -> Bool {
        mayStore(method: method, request: request, status: status, response: response, CacheDirectives(response))
    }

    func mayStore(
        method: String, request: HTTPHeaders, status: Int, response: HTTPHeaders, _ rules: CacheDirectives
    ) -> Bool {
        guard method == "GET", mayKeep(request: request, status: status, response: response, rules) else { return false }
        return rules.contains("max-age") || response.contains("Expires") || rules.contains("public")
            || (isShared && rules.contains("s-maxage")) || (!isShared && rules.contains("private"))
            || Self.heuristicStatuses.contains(status)
    }

    /// Whether nothing forbids storing the response to a GET, whatever is known of its freshness.
    private func mayKeep(request: HTTPHeaders, status: Int, response: HTTPHeaders, _ rules: CacheDirectives) -> Bool {
        guard status >= 200, status != 206, status != 304 else { return false }
        if CacheDirectives(request).noStore { return false }
        if forbids(status, rules) { return false }
        if rules.contains("must-understand"), !Self.heuristicStatuses.contains(status), !Self.understood.contains(status) {
            return false
        }
        if isShared {
            if rules.isUnqualified("private") { return false }
            if request.contains("Authorization"),
                !rules.contains("public"), !rules.mustRevalidate, !rules.contains("s-maxage")
            {
                return false
            }
        }
        return !HTTPVary(response).isEverything
    }

    /// Redirects that lead to another URL by `Location`.
    package static let redirectStatuses: Set<Int> = [301, 302, 303, 307, 308]

    /// Whether a redirect may be stored without any freshness. It is used only by those who ignore freshness, or while its server is
    /// unreachable.
    func mayRemember(redirect: StoredHTTPResponse, request: HTTPHeaders) -> Bool {
        Self.redirectStatuses.contains(redirect.status)
            && mayKeep(
                request: request, status: redirect.status, response: redirect.headers, CacheDirectives(redirect.headers))
    }

    /// Whether a response that may be stored is of use to later requests. A failure is, while it is fresh. Something else than a success
    /// replaces a stored success only while it is fresh, and a failure only if it says that the resource is gone.
    func isWorthStoring(_ response: StoredHTTPResponse, replacing old: StoredHTTPResponse?) -> Bool {
        if response.status < 300 { return true }
        // The same request with a login is another one.
        if response.status == 401 || response.status == 407 { return false }
        if let location = response.headers["Location"], location.mayTellSecrets || response.target == nil { return false }
        let isFresh = lifetime(of: response) > age(of: response, now: response.responseTime)
        if response.status >= 400, !isFresh { return false }
        guard let old, old.status < 300 else { return true }
        return isFresh && (response.status < 400 || [404, 410].contains(response.status))
    }

    /// `no-store`, except with `must-understand` and a known status (RFC 9111 §5.2.2.3).
    func forbids(_ status: Int, _ rules: CacheDirectives) -> Bool {
        rules.noStore && !(rules.contains("must-understand") && Self.understood.contains(status))
    }

    /// Statuses with known caching rules.
    static let understood: Set<Int> = [200, 203, 204, 300, 301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 410, 414, 500, 501]

    /// Fields that the rules need: always stored, even if `Connection` or a directive names them. Without them, a response
    /// could wrongly be fresh or shared.
    /// shared.
    private static let neededFields: Set<String> = [
        "cache-control", "pragma", "expires", "date", "age", "vary", "etag", "last-modified",
    ]

    /// Login fields for one client. RFC 9111 allows storing them, but they serve no later request.
    private static let loginFields = ["set-cookie", "authentication-info", "proxy-authentication-info"]

    /// The fields to store. Leaves out fields of the connection and of logins, fields that `Connection` names, and fields that
    /// a qualified `no-cache` or (for shared caches) `private` names. Fields that the rules need always stay.
    package func storedHeaders(_ headers: HTTPHeaders) -> HTTPHeaders {
        storedHeaders(headers, CacheDirectives(headers))
    }

    func storedHeaders(_ headers: HTTPHeaders, _ rules: CacheDirectives) -> HTTPHeaders {
        var named = rules.fields("no-cache")
        if isShared { named += rules.fields("private") }
        for value in headers.all("Connection") where !HTTPHeaders.equal(value, "keep-alive") {
            for name in value.split(separator: ",") { named.append(name.trimmedOWS()) }
        }
        named.removeAll { Self.neededFields.contains($0.lowercased()) }
        var result = headers
        result.remove(anyOf: Self.connectionFields)
        if !named.isEmpty { result.remove(anyOf: named) }
        result.remove(anyOf: Self.loginFields)
        return result
    }

    /// The stored form of a response. `scopeKey` seals the values of secret fields that `Vary` names.
    package func record(
        _ head: HTTPResponseHead, request: HTTPHeaders, requestTime: Timestamp, responseTime: Timestamp,
        scopeKey: @autoclosure () -> ScopeKey = .process
    ) -> StoredHTTPResponse {
        record(
            head, request: request, requestTime: requestTime, responseTime: responseTime, CacheDirectives(head.headers),
            scopeKey: scopeKey())
    }

    func record(
        _ head: HTTPResponseHead, request: HTTPHeaders, requestTime: Timestamp, responseTime: Timestamp,
        _ rules: CacheDirectives, scopeKey: @autoclosure () -> ScopeKey
    ) -> StoredHTTPResponse {
        StoredHTTPResponse(
            status: head.status, headers: storedHeaders(head.headers, rules),
            varying: HTTPVary(head.headers).selecting(request, key: scopeKey()),
            requestTime: requestTime, responseTime: responseTime, url: ImageSource.url(head.url).keyText)
    }
}

extension String {
    /// Whether a URL has a name, a password or a signature, which are not written down.
    fileprivate var mayTellSecrets: Bool { SecretParameters.redacted(self) != self || URL(string: self)?.user != nil }
}

extension StoredHTTPResponse {
    var parsedURL: URL? { URL(string: url) }

    /// The URL in `Location`. Nil: there is none, or HTTP cannot load it.
    var target: URL? {
        guard let location = headers["Location"], let target = URL(asWritten: location, relativeTo: parsedURL)?.absoluteURL,
            ["http", "https"].contains(target.scheme?.lowercased()), target.authorityFault == nil
        else { return nil }
        return target.withoutUserInfo
    }
}

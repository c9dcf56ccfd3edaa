import FoundationEssentials
public import GannetCore

extension HTTPCachePolicy {
    /// Fields that belong to one connection and are never stored, RFC 9111 §3.1.
    static let connectionFields = [
        "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "te", "trailer",
        "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
    ]

    /// Whether the response may be stored, RFC 9111 §3. Partial ones and 304 are never asked about.
    public func mayStore(method: String, request: HTTPHeaders, status: Int, response: HTTPHeaders) -> Bool {
        mayStore(method: method, request: request, status: status, response: response, CacheDirectives(response))
    }

    func mayStore(
        method: String, request: HTTPHeaders, status: Int, response: HTTPHeaders, _ rules: CacheDirectives
    ) -> Bool {
        guard method == "GET", status >= 200, status != 206, status != 304 else { return false }
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
        if HTTPVary(response).isEverything { return false }
        return rules.contains("max-age") || response.contains("Expires") || rules.contains("public")
            || (isShared && rules.contains("s-maxage")) || (!isShared && rules.contains("private"))
            || Self.heuristicStatuses.contains(status)
    }

    /// `no-store`, unless it is for those who do not know the status (RFC 9111 §5.2.2.3).
    func forbids(_ status: Int, _ rules: CacheDirectives) -> Bool {
        rules.noStore && !(rules.contains("must-understand") && Self.understood.contains(status))
    }

    /// Statuses whose caching rules are known here.
    static let understood: Set<Int> = [200, 203, 204, 300, 301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 410, 414, 500, 501]

    /// What a stored response is judged by, whoever names it elsewhere: without it, it would be fresh, or everybody's.
    private static let neededFields: Set<String> = [
        "cache-control", "pragma", "expires", "date", "age", "vary", "etag", "last-modified",
    ]

    /// What a server gives to one asker to log in with. RFC 9111 allows storing them; they serve no later request.
    private static let loginFields = ["set-cookie", "authentication-info", "proxy-authentication-info"]

    /// The fields that are stored: none of the connection's, none of a login, none that `Connection` names, none that a qualified
    /// `no-cache` or (for shared caches) `private` keeps back, but for those that the rules need.
    public func storedHeaders(_ headers: HTTPHeaders) -> HTTPHeaders {
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

    /// The record of a response for the store. `scopeKey` seals the values of secret fields that `Vary` names.
    public func record(
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

extension StoredHTTPResponse {
    var parsedURL: URL? { URL(string: url) }
}

package import FoundationEssentials
package import GannetCore

extension HTTPCachePolicy {
    /// Fields that describe the stored bytes, and therefore stay after a 304.
    private static let describesBytes: Set<String> = [
        "content-length", "content-encoding", "content-range", "etag",
    ]

    /// Whether the 304 refers to the stored response, RFC 9111 §4.3.4: a strong validator in it must equal the stored one.
    package func confirms(_ response: HTTPHeaders, _ stored: StoredHTTPResponse) -> Bool {
        guard let etag = response["ETag"] else { return true }
        // Servers that compress on the fly weaken the tag of a 200, but not of a 304: use weak comparison, as they do.
        guard let own = stored.headers["ETag"] else { return HTTPValidators.isWeak(etag) }
        return HTTPValidators.weakMatch(etag, own)
    }

    /// Validators that distinguish the stored bytes from others: the tag, or without one the modification time and the length.
    static func validatorsOfBytes(_ headers: HTTPHeaders) -> [String?] {
        if let tag = headers["ETag"] { return [tag] }
        return [nil, headers["Last-Modified"], headers["Content-Length"]]
    }

    /// Whether a 304 to a condition that is not the cache's names the stored response by its validator.
    static func isNamed(_ stored: HTTPHeaders, by response: HTTPHeaders) -> Bool {
        let name = response.contains("ETag") ? "ETag" : "Last-Modified"
        guard let validator = response[name], let own = stored[name] else { return false }
        return name == "ETag" || own == validator && !stored.contains("ETag")
    }

    /// The stored response after a 304, RFC 9111 §3.2: new fields replace old ones of the same name, the rest stays.
    package func updated(
        _ stored: StoredHTTPResponse, by response: HTTPHeaders, requestTime: Timestamp, responseTime: Timestamp
    ) -> StoredHTTPResponse {
        let fresh = storedHeaders(response).fields.filter { !Self.describesBytes.contains($0.name.lowercased()) }
        let replaced = Set(fresh.map { $0.name.lowercased() })
        var headers = HTTPHeaders(
            stored.headers.fields.filter { field in
                let name = field.name.lowercased()
                return !replaced.contains(name) && name != "age"
            }.map { ($0.name, $0.value) })
        for field in fresh { headers.add(field.name, field.value) }
        // Without it, the age would be counted from the previous response (RFC 9110 §6.6.1).
        if response["Date"].flatMap({ HTTPDate.parse($0, now: responseTime) }) == nil {
            headers.set("Date", HTTPDate.format(responseTime))
        }
        var result = stored
        result.headers = headers
        result.requestTime = requestTime
        result.responseTime = responseTime
        return result
    }

    /// The stored GET response updated by a HEAD, RFC 9111 §4.3.5; nil: the stored one is outdated.
    package func updated(
        _ stored: StoredHTTPResponse, byHead head: HTTPResponseHead, requestTime: Timestamp, responseTime: Timestamp
    ) -> StoredHTTPResponse? {
        guard head.status == 200 || head.status == stored.status else { return nil }
        var isKnown = false
        for name in ["ETag", "Last-Modified"] {
            guard let new = head.headers[name] else { continue }
            let isSame = stored.headers[name].map { name == "ETag" ? HTTPValidators.weakMatch($0, new) : $0 == new } ?? false
            guard isSame else { return nil }
            isKnown = true
        }
        if let new = head.headers["Content-Length"] {
            // Decompressed or chunked responses are stored without a length, which then proves nothing.
            guard stored.headers["Content-Length"].map({ $0 == new }) ?? isKnown else { return nil }
        }
        return updated(stored, by: head.headers, requestTime: requestTime, responseTime: responseTime)
    }

    /// Methods that invalidate stored responses, RFC 9111 §4.4.
    package func invalidates(method: String, status: Int) -> Bool {
        !Self.isSafe(method) && (200..<400).contains(status)
    }

    /// Methods that change nothing, RFC 9110 §9.2.1.
    static func isSafe(_ method: String) -> Bool { ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"].contains(method) }

    /// Failures after which the server has not seen the request.
    static let wasNotSent: [ImageError.Code] = [.connectionFailed, .hostNotFound, .tlsFailed, .misuse]

    /// Methods that may be repeated, RFC 9110 §9.2.2.
    static func isIdempotent(_ method: String) -> Bool { isSafe(method) || method == "PUT" || method == "DELETE" }

    /// Whether a POST response represents its own URL with explicit freshness, RFC 9110 §9.3.3.
    package func answersGet(method: String, _ head: HTTPResponseHead, request: HTTPHeaders = HTTPHeaders()) -> Bool {
        guard method == "POST", head.status == 200, let text = head.headers["Content-Location"],
            let url = URL(asWritten: text, relativeTo: head.url)?.absoluteURL,
            ImageSource.url(url).keyText == ImageSource.url(head.url).keyText
        else { return false }
        let rules = CacheDirectives(head.headers)
        return !rules.noStore && (rules.contains("max-age") || head.headers.contains("Expires"))
            && mayStore(method: "GET", request: request, status: 200, response: head.headers)
    }

    /// The other URLs that a response to an unsafe method invalidates: same origin only.
    package func invalidatedURLs(_ head: HTTPResponseHead) -> [URL] {
        ["Location", "Content-Location"].compactMap { name in
            guard let text = head.headers[name], let url = URL(asWritten: text, relativeTo: head.url)?.absoluteURL,
                HTTPOrigin(url) == HTTPOrigin(head.url)
            else { return nil }
            return url
        }
    }
}

import GannetCore

// Conditions and ranges of the caller's own request.

extension HTTPCachePolicy {
    /// Fields of a caller that asks conditionally or for a part; the condition of a stored response must not replace them.
    static let ownConditions = [
        "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range",
    ]

    static func hasOwnConditions(_ request: HTTPHeaders) -> Bool {
        !request.isEmpty && ownConditions.contains { request.contains($0) }
    }

    /// The stored response as the answer to the request's own condition or range, RFC 9110 §13.2.2 and §14.2. Nil: the request
    /// gets the stored response as it is.
    func answer(
        to request: HTTPHeaders, from stored: StoredHTTPResponse, _ bytes: ByteRope, now: Timestamp
    ) -> (http: StoredHTTPResponse, bytes: ByteRope)? {
        guard (200..<300).contains(stored.status) else { return nil }
        var http = stored
        if isUnmodified(stored, for: request, now: now) {
            http.status = 304
            http.headers.remove("Content-Length")
            return (http, ByteRope([]))
        }
        guard http.status == 200, let text = request["Range"], let range = Self.range(text, of: bytes.count),
            request["If-Range"].map({ HTTPValidators.strongMatch($0, http.headers["ETag"] ?? "W/") }) ?? true
        else { return nil }
        http.status = 206
        http.headers.set("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)")
        http.headers.set("Content-Length", String(range.count))
        return (http, ByteRope(bytes.prefix(range.count, from: range.lowerBound)))
    }

    /// True if the answer to the request's own condition is “not modified”.
    private func isUnmodified(_ stored: StoredHTTPResponse, for request: HTTPHeaders, now: Timestamp) -> Bool {
        if let tags = request.combined("If-None-Match") {
            let etag = stored.headers["ETag"]
            return HTTPValidators.list(tags).contains { tag in
                tag == "*" || etag.map { HTTPValidators.weakMatch(tag, $0) } ?? false
            }
        }
        guard let text = request["If-Modified-Since"], let since = HTTPDate.parse(text, now: now) else { return false }
        guard let modified = stored.headers["Last-Modified"].flatMap({ HTTPDate.parse($0, now: now) }) else {
            return date(of: stored) <= since
        }
        return modified <= since
    }

    /// The single range of bytes; nil for several, or for one that cannot be satisfied.
    private static func range(_ text: String, of count: Int) -> Range<Int>? {
        let halves = text.split(separator: "=", maxSplits: 1)
        guard halves.count == 2, halves[0].trimmedOWS().lowercased() == "bytes", !halves[1].contains(",") else { return nil }
        let ends = halves[1].trimmedOWS().split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        if ends[0].isEmpty {
            guard let length = Int(digits: ends[1]), length > 0, count > 0 else { return nil }
            return max(0, count - length)..<count
        }
        guard let first = Int(digits: ends[0]), first < count else { return nil }
        if ends[1].isEmpty { return first..<count }
        guard let last = Int(digits: ends[1]), last >= first else { return nil }
        return first..<min(last, count - 1) + 1
    }
}

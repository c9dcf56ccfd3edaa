import GannetCore

// Conditions and ranges of the caller's own request, answered from the stored response as far as it is fresh.
extension FetchRequest {
    /// Fields of a caller that asks conditionally or for a part; the condition of a stored entry must not replace them.
    static let ownConditions = [
        "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range",
    ]

    /// For revalidation in the background, after the caller has its answer: requests the whole, without the caller's conditions.
    package mutating func asksForWhole() {
        download.forcesRevalidation = true
        for name in Self.ownConditions where download.headers.contains(name) { download.headers.remove(name) }
    }
}

extension FetchJob {
    /// The stored response as the answer to the caller's own condition or range, RFC 9110 §13.2.2 and §14.2.
    func answeringOwnFields(_ fetched: FetchedBytes) -> FetchedBytes {
        let own = request.download.headers
        guard var http = fetched.metadata?.http, (200..<300).contains(http.status), let rope = fetched.encoded?.bytes else {
            return fetched
        }
        var result = fetched
        if holds(own, http) {
            http.status = 304
            http.headers.remove("Content-Length")
            result.metadata?.http = http
            result.content = .encoded(EncodedImage(bytes: ByteRope([]), freshness: fetched.metadata?.freshness ?? .unknown))
            return result
        }
        guard http.status == 200, let text = own["Range"], let range = Self.range(text, of: rope.count),
            own["If-Range"].map({ HTTPValidators.strongMatch($0, http.headers["ETag"] ?? "W/") }) ?? true
        else { return fetched }
        http.status = 206
        http.headers.set("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(rope.count)")
        http.headers.set("Content-Length", String(range.count))
        result.metadata?.http = http
        let part = ByteRope(rope.prefix(range.count, from: range.lowerBound))
        result.content = .encoded(EncodedImage(bytes: part, freshness: fetched.metadata?.freshness ?? .unknown))
        return result
    }

    /// True if the answer is “not modified”.
    private func holds(_ own: HTTPHeaders, _ http: StoredHTTPResponse) -> Bool {
        if let tags = own.combined("If-None-Match") {
            let etag = http.headers["ETag"]
            return HTTPValidators.list(tags).contains { tag in
                tag == "*" || etag.map { HTTPValidators.weakMatch(tag, $0) } ?? false
            }
        }
        guard let text = own["If-Modified-Since"], let since = HTTPDate.parse(text, now: time.now) else { return false }
        guard let modified = http.headers["Last-Modified"].flatMap({ HTTPDate.parse($0, now: time.now) }) else {
            return policy.date(of: http) <= since
        }
        return modified <= since
    }

    /// The single range of bytes; nil for several, or for one that cannot be satisfied.
    static func range(_ text: String, of count: Int) -> Range<Int>? {
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

package import GannetCore

extension HTTPCachePolicy {
    /// Statuses that allow a heuristic lifetime, RFC 9110 §15.1.
    static let heuristicStatuses: Set<Int> = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501]

    /// How long the response is fresh after its creation, RFC 9111 §4.2.1; zero without freshness information or a heuristic.
    package func lifetime(of stored: StoredHTTPResponse) -> Duration {
        lifetime(of: stored, CacheDirectives(stored.headers), date: date(of: stored))
    }

    func lifetime(of stored: StoredHTTPResponse, _ rules: CacheDirectives, date: Timestamp) -> Duration {
        guard isShared, let seconds = rules.seconds("s-maxage") else {
            return explicitLifetime(of: stored, rules, date) ?? guessedLifetime(of: stored, rules, date)
        }
        let shared = Duration.seconds(seconds)
        return handsFreshnessOn ? min(shared, explicitLifetime(of: stored, rules, date) ?? shared) : shared
    }

    /// The lifetime for private caches.
    private func explicitLifetime(of stored: StoredHTTPResponse, _ rules: CacheDirectives, _ date: Timestamp) -> Duration? {
        if let seconds = rules.seconds("max-age") { return .seconds(seconds) }
        let expires = stored.headers.all("Expires")
        guard let last = expires.last else { return nil }
        // Several fields count only if equal. An invalid date is in the past (§5.3).
        guard Set(expires).count == 1, let end = HTTPDate.parse(last, now: stored.responseTime) else { return .zero }
        return max(end - date, .zero)
    }

    private func guessedLifetime(of stored: StoredHTTPResponse, _ rules: CacheDirectives, _ date: Timestamp) -> Duration {
        guard Self.heuristicStatuses.contains(stored.status) || rules.contains("public"), !rules.noCache else { return .zero }
        guard let text = stored.headers["Last-Modified"], let modified = HTTPDate.parse(text, now: stored.responseTime),
            modified < date
        else {
            // A permanent redirect without freshness information lasts.
            if [301, 308].contains(stored.status), rules.all.isEmpty { return heuristicMaximum }
            // A missing resource may exist in a moment: a failure lasts only if its server says so.
            return stored.status < 400 ? defaultLifetime : .zero
        }
        let guess = Double((date - modified).wholeMilliseconds) * heuristicFraction
        // NaN or out of range is possible with any fraction and any file age.
        return guess > 0 ? min(.milliseconds(Int64(min(guess, 1e15))), heuristicMaximum) : .zero
    }

    /// `Date`, or the response time if it is missing or invalid.
    func date(of stored: StoredHTTPResponse) -> Timestamp {
        stored.headers["Date"].flatMap { HTTPDate.parse($0, now: stored.responseTime) } ?? stored.responseTime
    }

    /// The current age, RFC 9111 §4.2.3.
    package func age(of stored: StoredHTTPResponse, now: Timestamp) -> Duration {
        age(of: stored, now: now, date: date(of: stored))
    }

    func age(of stored: StoredHTTPResponse, now: Timestamp, date: Timestamp) -> Duration {
        let apparent = max(stored.responseTime - date, .zero)
        let delay = max(stored.responseTime - stored.requestTime, .zero)
        let corrected = ageField(stored.headers) + delay
        return max(apparent, corrected) + max(now - stored.responseTime, .zero)
    }

    /// The first number in `Age`, ignoring anything after it; a value without a number counts as none. Limited, so that sums
    /// cannot overflow.
    private func ageField(_ headers: HTTPHeaders) -> Duration {
        guard let text = headers["Age"] else { return .zero }
        let first = text.split(separator: ",", omittingEmptySubsequences: false).first.map { $0.trimmedOWS() } ?? ""
        return .seconds(min(Int(digits: first) ?? 0, 1 << 40))
    }

    /// Until when the response may be used without revalidation, for entries and images.
    package func freshUntil(_ stored: StoredHTTPResponse) -> Timestamp { freshUntil(stored, CacheDirectives(stored.headers)) }

    private func freshUntil(_ stored: StoredHTTPResponse, _ rules: CacheDirectives) -> Timestamp {
        if rules.isUnqualified("no-cache") { return .distantPast }
        let date = date(of: stored)
        let lifetime = lifetime(of: stored, rules, date: date)
        return stored.responseTime + (lifetime - age(of: stored, now: stored.responseTime, date: date))
    }

    /// The freshness for images made from the response. They are kept no longer than its bytes.
    package func freshness(of stored: StoredHTTPResponse) -> Freshness {
        freshness(of: stored, CacheDirectives(stored.headers))
    }

    func freshness(of stored: StoredHTTPResponse, _ rules: CacheDirectives) -> Freshness {
        var freshness = Freshness(
            freshUntil: freshUntil(stored, rules), etag: Self.validator("ETag", of: stored.headers),
            lastModified: Self.validator("Last-Modified", of: stored.headers),
            forbidsStoring: forbids(stored.status, rules) || (isShared && rules.isUnqualified("private"))
                || HTTPVary(stored.headers).isEverything)
        addLimitsOfFallbacks(to: &freshness, stored, rules)
        if keepsTags { (freshness.requestedAt, freshness.tags) = (stored.requestTime, ResponseTags.tags(of: stored.headers)) }
        return freshness
    }

    /// Adds the result of ``mayUseOnError(now:request:stored:status:)``, for readers with the image but not the response.
    private func addLimitsOfFallbacks(to freshness: inout Freshness, _ stored: StoredHTTPResponse, _ rules: CacheDirectives) {
        guard mayBeServedStale(rules), !rules.noCache, let end = freshness.freshUntil else { return }
        let window = rules.seconds("stale-if-error").map { end + .seconds($0) }
        freshness.staleIfErrorUntil = window
        freshness.unreachableUntil = window ?? (servesStaleWhenUnreachable ? .distantFuture : end)
    }
}

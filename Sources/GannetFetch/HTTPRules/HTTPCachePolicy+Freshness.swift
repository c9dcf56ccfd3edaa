package import GannetCore

extension HTTPCachePolicy {
    /// Statuses that allow a heuristic lifetime, RFC 9110 §15.1.
    static let heuristicStatuses: Set<Int> = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501]

    /// How long the response is fresh after its creation, RFC 9111 §4.2.1; zero without freshness information or a heuristic.
    package func lifetime(of stored: StoredHTTPResponse) -> Duration {
        lifetime(of: stored, CacheDirectives(stored.headers), date: date(of: stored))
    }

    func lifetime(of stored: StoredHTTPResponse, _ rules: CacheDirectives, date: Timestamp) -> Duration {
        let own = ownLifetime(of: stored, rules, date)
        // A response behind redirects is no fresher than they are.
        guard let until = redirectsFreshUntil(stored) else { return own }
        return max(min(own, until - stored.responseTime + age(of: stored, now: stored.responseTime, date: date)), .zero)
    }

    /// When the redirects to the response need revalidation; nil if there were none, or they do not expire.
    func redirectsFreshUntil(_ stored: StoredHTTPResponse) -> Timestamp? {
        stored.headers[Self.redirectField].map { Timestamp(milliseconds: Int64($0.prefix { $0 != " " }) ?? .min) }
    }

    /// When a redirect with `must-revalidate` must be revalidated, even if the server is unreachable; nil without such a
    /// redirect.
    func redirectsStrictFrom(_ stored: StoredHTTPResponse) -> Timestamp? {
        guard let parts = stored.headers[Self.redirectField]?.split(separator: " "), parts.count == 2 else { return nil }
        return Timestamp(milliseconds: Int64(parts[1]) ?? .min)
    }

    /// Both moments of the redirects, in the form of ``redirectField``. This cache's rules apply: a shared cache treats private
    /// redirects as stale.
    func freshness(overRedirects redirects: [StoredHTTPResponse]) -> String? {
        var (until, strict): (Timestamp?, Timestamp?)
        for redirect in redirects {
            guard let end = endOfFreshness(of: redirect) else { continue }
            until = min(until ?? end, end)
            if !mayBeServedStale(CacheDirectives(redirect.headers)) { strict = min(strict ?? end, end) }
        }
        return until.map { until in "\(until.milliseconds)" + (strict.map { " \($0.milliseconds)" } ?? "") }
    }

    private func endOfFreshness(of redirect: StoredHTTPResponse) -> Timestamp? {
        let rules = CacheDirectives(redirect.headers)
        if rules.noStore || (isShared && rules.isUnqualified("private")) { return .distantPast }
        // Other requests may be redirected elsewhere. Compression of the redirect's own body does not matter.
        if HTTPVary(redirect.headers).names.contains(where: { $0 != "accept-encoding" }) { return .distantPast }
        // A permanent redirect without freshness information never expires.
        if [301, 308].contains(redirect.status), !redirect.headers.contains("Cache-Control"),
            !redirect.headers.contains("Expires")
        {
            return nil
        }
        return freshUntil(redirect, rules)
    }

    private func ownLifetime(of stored: StoredHTTPResponse, _ rules: CacheDirectives, _ date: Timestamp) -> Duration {
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
            return [301, 308].contains(stored.status) && rules.all.isEmpty ? heuristicMaximum : defaultLifetime
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
        addStandIn(to: &freshness, stored, rules)
        return freshness
    }

    /// Adds the result of ``mayUseOnError(now:request:stored:status:)``, for readers with the image but not the response.
    private func addStandIn(to freshness: inout Freshness, _ stored: StoredHTTPResponse, _ rules: CacheDirectives) {
        guard mayBeServedStale(rules), !rules.noCache, let end = freshness.freshUntil else { return }
        let window = rules.seconds("stale-if-error").map { end + .seconds($0) }
        freshness.staleIfErrorUntil = window
        freshness.unreachableUntil = window ?? (servesStaleWhenUnreachable ? .distantFuture : end)
        guard let redirects = redirectsFreshUntil(stored) else { return }
        // Only the redirecting servers know today's target; redirects that may not be stored must be asked.
        freshness.staleIfErrorUntil = window.map { min($0, redirects) }
        if redirects == .distantPast { freshness.unreachableUntil = nil }
        guard let strict = redirectsStrictFrom(stored) else { return }
        freshness.staleIfErrorUntil = freshness.staleIfErrorUntil.map { min($0, strict) }
        freshness.unreachableUntil = freshness.unreachableUntil.map { min($0, strict) }
    }
}

public import GannetCore

/// The rules of RFC 9111 (with RFC 5861 and RFC 8246) as pure functions: no clock, no disk, no network.
public struct HTTPCachePolicy: Hashable, Sendable {
    /// A cache for many users keeps nothing private and obeys `s-maxage`. Off: this library is a private cache.
    public var isShared: Bool
    /// Part of the age at which a response without explicit freshness is still good, RFC 9111 §4.2.2. Default 0.1.
    public var heuristicFraction: Double
    /// Most that the heuristic may give. Default a week.
    public var heuristicMaximum: Duration
    /// Serves what is stored, marked stale, when the source cannot be reached, unless the response forbids it (§4.2.4).
    public var servesStaleWhenUnreachable: Bool
    /// How long a response is good that says nothing of freshness and nothing that it could be guessed from. Default zero: the source
    /// is asked each time.
    public var defaultLifetime: Duration
    /// For a shared cache whose answers others keep: obeys `s-maxage` only where it is shorter than what private caches are told, so that
    /// the rest of a lifetime is right for both. Default off.
    public var handsFreshnessOn: Bool

    /// A private cache as RFC 9111 suggests it: a tenth of a file's age, at most 7 days, where its source sets no lifetime.
    public init(
        isShared: Bool = false, heuristicFraction: Double = 0.1, heuristicMaximum: Duration = .seconds(7 * 86_400),
        servesStaleWhenUnreachable: Bool = true, defaultLifetime: Duration = .zero, handsFreshnessOn: Bool = false
    ) {
        self.isShared = isShared
        self.heuristicFraction = heuristicFraction
        self.heuristicMaximum = heuristicMaximum
        self.servesStaleWhenUnreachable = servesStaleWhenUnreachable
        self.defaultLifetime = defaultLifetime
        self.handsFreshnessOn = handsFreshnessOn
    }

    /// What to do with a request and what is stored for it.
    public enum Decision: Hashable, Sendable {
        /// Fresh: served without asking.
        case use
        /// Served, and asked about in the background (`stale-while-revalidate`).
        case useStaleAndRevalidate
        /// Served although stale: the request allows it (`max-stale`).
        case useStale
        /// Asked with validators.
        case revalidate
        /// Asked without.
        case fetch
        /// The request wants a stored response only, and there is none that may be used (`only-if-cached`).
        case fail
    }

    /// `stored` was selected by `Vary` already. `isForced`: the caller wants the source asked; an `immutable` response that is
    /// fresh is still used.
    public func decide(
        now: Timestamp, request: HTTPHeaders, stored: StoredHTTPResponse?, isForced: Bool = false
    ) -> Decision {
        let wishes = CacheDirectives(request)
        let decision = decideIgnoringOnlyIfCached(now, wishes, request, stored, isForced)
        if wishes.contains("only-if-cached"), decision == .revalidate || decision == .fetch { return .fail }
        return decision
    }

    private func decideIgnoringOnlyIfCached(
        _ now: Timestamp, _ wishes: CacheDirectives, _ request: HTTPHeaders, _ stored: StoredHTTPResponse?, _ isForced: Bool
    ) -> Decision {
        guard let stored else { return .fetch }
        let ask: Decision = hasValidator(stored) ? .revalidate : .fetch
        let rules = CacheDirectives(stored.headers)
        let date = date(of: stored)
        let lifetime = lifetime(of: stored, rules, date: date)
        let age = age(of: stored, now: now, date: date)
        let isFresh = lifetime > age
        if isForced { return isFresh && rules.isImmutable && !rules.isUnqualified("no-cache") ? .use : ask }
        if wishes.noCache { return ask }
        if !request.contains("Cache-Control"), CacheDirectives(request, field: "Pragma").noCache { return ask }
        if rules.isUnqualified("no-cache") { return ask }
        // How much older than it wishes, or than the response should become, a request will have it; nil: any age.
        let isPatient = wishes.contains("max-stale")
        let isBounded = wishes.all.contains { $0.name == "max-stale" && $0.value != nil }
        let patience = isPatient && !isBounded ? nil : wishes.seconds("max-stale") ?? 0
        if let limit = wishes.seconds("max-age"), let patience, age > .seconds(limit) + .seconds(patience) { return ask }
        if let margin = wishes.seconds("min-fresh"), lifetime - age < .seconds(margin) { return ask }
        if isFresh { return .use }
        guard mayBeServedStale(rules), !mustAskRedirects(of: stored, now: now) else { return ask }
        let staleness = age - lifetime
        if isPatient, patience.map({ staleness <= .seconds($0) }) ?? true { return .useStale }
        if let window = rules.seconds("stale-while-revalidate"), staleness <= .seconds(window) { return .useStaleAndRevalidate }
        return ask
    }

    /// Whether a stored response may stand in for a failure: a server error (`status`) or an unreachable source (nil).
    public func mayUseOnError(now: Timestamp, request: HTTPHeaders, stored: StoredHTTPResponse, status: Int?) -> Bool {
        if let status, !Freshness.errorStatuses.contains(status) { return false }
        let rules = CacheDirectives(stored.headers)
        guard mayBeServedStale(rules), !rules.noCache, !CacheDirectives(request).noCache else { return false }
        // Where the redirects lead today is known to those who answer, and to nobody else if they may not be stored.
        if mustAskRedirects(of: stored, now: now), status != nil || redirectsFreshUntil(stored) == .distantPast { return false }
        if let strict = redirectsStrictFrom(stored), strict <= now { return false }
        let date = date(of: stored)
        let staleness = age(of: stored, now: now, date: date) - lifetime(of: stored, rules, date: date)
        if staleness < .zero { return true }
        if let window = rules.seconds("stale-if-error") { return staleness <= .seconds(window) }
        if let window = CacheDirectives(request).seconds("stale-if-error") { return staleness <= .seconds(window) }
        return status == nil && servesStaleWhenUnreachable
    }

    /// The response was reached over a redirect that is no longer fresh. What the response itself allows is said of its own URL alone.
    private func mustAskRedirects(of stored: StoredHTTPResponse, now: Timestamp) -> Bool {
        redirectsFreshUntil(stored).map { $0 <= now } ?? false
    }

    func mayBeServedStale(_ rules: CacheDirectives) -> Bool {
        if rules.mustRevalidate { return false }
        return !(isShared && (rules.contains("proxy-revalidate") || rules.contains("s-maxage")))
    }

    /// Whether there is anything to ask with.
    public func hasValidator(_ stored: StoredHTTPResponse) -> Bool {
        Self.validators.contains { Self.validator($0.field, of: stored.headers) != nil }
    }

    /// The fields of a conditional request, RFC 9110 §13.1.
    public func conditionalHeaders(for stored: StoredHTTPResponse) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for (field, condition) in Self.validators {
            if let value = Self.validator(field, of: stored.headers) { headers.set(condition, value) }
        }
        return headers
    }

    private static let validators: [(field: String, condition: String)] = [
        ("ETag", "If-None-Match"), ("Last-Modified", "If-Modified-Since"),
    ]

    /// What can be sent back: control characters come over HTTP/2, and no client may send them (RFC 9110 §5.5); U+FFFD stands for
    /// bytes that were no UTF-8 and are not known any more.
    static func validator(_ field: String, of headers: HTTPHeaders) -> String? {
        guard let value = headers[field], !value.isEmpty, !value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }),
            value.utf8.allSatisfy({ $0 < 0x80 }) || !value.unicodeScalars.contains("\u{FFFD}")
        else { return nil }
        return value
    }
}

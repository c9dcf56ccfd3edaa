package import GannetCore

/// The rules of RFC 9111 (with RFC 5861 and RFC 8246) as pure functions: no clock, no disk, no network.
public struct HTTPCachePolicy: Hashable, Sendable {
    /// True: a cache for many users, which stores no private responses and honours `s-maxage`. False: a private cache.
    public var isShared: Bool
    /// Heuristic lifetime as a fraction of the age of a file without explicit freshness, RFC 9111 §4.2.2. Default 0.1.
    public var heuristicFraction: Double
    /// Limit of the heuristic lifetime. Default a week.
    public var heuristicMaximum: Duration
    /// Serves stored responses, marked stale, while the source is unreachable, unless the response forbids it (§4.2.4).
    public var servesStaleWhenUnreachable: Bool
    /// Lifetime of a response without freshness information and without a basis for the heuristic. Default zero: revalidated
    /// each time. Failures (status 400 and above) never have it: they last only as long as their server says.
    public var defaultLifetime: Duration
    /// For a shared cache in front of private ones: honours `s-maxage` only if it is shorter than the private lifetime, so that
    /// the remaining lifetime is right for both. Default off.
    public var handsFreshnessOn: Bool
    /// Freshness says when its source was asked, and which tags it sent: for caches from which things are purged.
    package var keepsTags = false

    /// A private cache as RFC 9111 suggests: a tenth of a file's age, at most 7 days, if its source sets no lifetime.
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

    /// The action for a request and its stored response.
    package enum Decision: Hashable, Sendable {
        /// Fresh: serve without revalidation.
        case use
        /// Serve, and revalidate in the background (`stale-while-revalidate`).
        case useStaleAndRevalidate
        /// Serve although stale: the request allows it (`max-stale`).
        case useStale
        /// Send a conditional request.
        case revalidate
        /// Send an unconditional request.
        case fetch
        /// The request allows only stored responses (`only-if-cached`), and none is usable.
        case fail
    }

    /// Decides about a request. `stored` already matches `Vary`. `isForced`: the caller wants revalidation; a fresh `immutable`
    /// response is used even so.
    package func decide(
        now: Timestamp, request: HTTPHeaders, stored: StoredHTTPResponse?, isForced: Bool = false
    ) -> Decision {
        let asked = CacheDirectives(request)
        let decision = decideIgnoringOnlyIfCached(now, asked, request, stored, isForced)
        if asked.contains("only-if-cached"), decision == .revalidate || decision == .fetch { return .fail }
        return decision
    }

    private func decideIgnoringOnlyIfCached(
        _ now: Timestamp, _ asked: CacheDirectives, _ request: HTTPHeaders, _ stored: StoredHTTPResponse?, _ isForced: Bool
    ) -> Decision {
        guard let stored else { return .fetch }
        let ask: Decision = hasValidator(stored) ? .revalidate : .fetch
        let rules = CacheDirectives(stored.headers)
        let date = date(of: stored)
        let lifetime = lifetime(of: stored, rules, date: date)
        let age = age(of: stored, now: now, date: date)
        let isFresh = lifetime > age
        if isForced { return isFresh && rules.isImmutable && !rules.isUnqualified("no-cache") ? .use : ask }
        if asked.noCache { return ask }
        if !request.contains("Cache-Control"), CacheDirectives(request, field: "Pragma").noCache { return ask }
        if rules.isUnqualified("no-cache") { return ask }
        // How stale the request allows the response to be; nil: any age.
        let isPatient = asked.contains("max-stale")
        let isBounded = asked.all.contains { $0.name == "max-stale" && $0.value != nil }
        let patience = isPatient && !isBounded ? nil : asked.seconds("max-stale") ?? 0
        if let limit = asked.seconds("max-age"), let patience, age > .seconds(limit) + .seconds(patience) { return ask }
        if let margin = asked.seconds("min-fresh"), lifetime - age < .seconds(margin) { return ask }
        if isFresh { return .use }
        // A redirect may lead elsewhere by now.
        guard mayBeServedStale(rules), !Self.redirectStatuses.contains(stored.status) else { return ask }
        let staleness = age - lifetime
        if isPatient, patience.map({ staleness <= .seconds($0) }) ?? true { return .useStale }
        if let window = rules.seconds("stale-while-revalidate"), staleness <= .seconds(window) { return .useStaleAndRevalidate }
        return ask
    }

    /// Whether a stored response may replace a failure: a server error (`status`) or an unreachable source (nil).
    package func mayUseOnError(now: Timestamp, request: HTTPHeaders, stored: StoredHTTPResponse, status: Int?) -> Bool {
        if let status, !Freshness.errorStatuses.contains(status) { return false }
        let rules = CacheDirectives(stored.headers)
        guard mayBeServedStale(rules), !rules.noCache, !CacheDirectives(request).noCache else { return false }
        let date = date(of: stored)
        let staleness = age(of: stored, now: now, date: date) - lifetime(of: stored, rules, date: date)
        if staleness < .zero { return true }
        if let window = rules.seconds("stale-if-error") { return staleness <= .seconds(window) }
        if let window = CacheDirectives(request).seconds("stale-if-error") { return staleness <= .seconds(window) }
        return status == nil && servesStaleWhenUnreachable
    }

    func mayBeServedStale(_ rules: CacheDirectives) -> Bool {
        if rules.mustRevalidate { return false }
        return !(isShared && (rules.contains("proxy-revalidate") || rules.contains("s-maxage")))
    }

    /// Whether there is a validator for a conditional request.
    package func hasValidator(_ stored: StoredHTTPResponse) -> Bool {
        Self.validators.contains { Self.validator($0.field, of: stored.headers) != nil }
    }

    /// The fields of a conditional request, RFC 9110 §13.1.
    package func conditionalHeaders(for stored: StoredHTTPResponse) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for (field, condition) in Self.validators {
            if let value = Self.validator(field, of: stored.headers) { headers.set(condition, value) }
        }
        return headers
    }

    /// The same for the validators alone.
    static func conditionalHeaders(for freshness: Freshness) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for (field, condition) in validators {
            if let value = field == "ETag" ? freshness.etag : freshness.lastModified { headers.set(condition, value) }
        }
        return headers
    }

    private static let validators: [(field: String, condition: String)] = [
        ("ETag", "If-None-Match"), ("Last-Modified", "If-Modified-Since"),
    ]

    /// A validator that can be sent. HTTP/2 responses may contain control characters, which clients must not send (RFC 9110
    /// §5.5). U+FFFD marks lost bytes that were not UTF-8.
    static func validator(_ field: String, of headers: HTTPHeaders) -> String? {
        guard let value = headers[field], !value.isEmpty, !value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }),
            value.utf8.allSatisfy({ $0 < 0x80 }) || !value.unicodeScalars.contains("\u{FFFD}")
        else { return nil }
        return value
    }
}

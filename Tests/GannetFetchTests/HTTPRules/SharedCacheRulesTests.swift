import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import Testing

/// A shared cache's treatment of a response, and of one without rules (RFC 9111 §3.5, §4.2, §5.2.2).
@Suite struct SharedCacheRulesTests {
    private let now = Timestamp(milliseconds: 1_700_000_000_000)

    private func lifetime(_ policy: HTTPCachePolicy, _ fields: [(String, String)]) -> Int64 {
        policy.lifetime(of: stored(fields)).components.seconds
    }

    private func stored(_ fields: [(String, String)]) -> StoredHTTPResponse {
        StoredHTTPResponse(
            status: 200, headers: HTTPHeaders(fields), varying: HTTPHeaders(), requestTime: now, responseTime: now,
            url: "https://example.org/a.png")
    }

    @Test func `Who hands freshness on obeys the shorter lifetime`() {
        let shared = HTTPCachePolicy(isShared: true)
        let handing = HTTPCachePolicy(isShared: true, handsFreshnessOn: true)
        let long = [("Cache-Control", "max-age=60, s-maxage=600")]
        let short = [("Cache-Control", "max-age=600, s-maxage=60")]
        let alone = [("Cache-Control", "s-maxage=600")]
        #expect(lifetime(shared, long) == 600 && lifetime(shared, short) == 60 && lifetime(shared, alone) == 600)
        #expect(lifetime(handing, long) == 60 && lifetime(handing, short) == 60 && lifetime(handing, alone) == 600)
        #expect(lifetime(HTTPCachePolicy(handsFreshnessOn: true), short) == 600)
    }

    @Test func `The default lifetime is for those who say nothing`() {
        let policy = HTTPCachePolicy(defaultLifetime: .seconds(77))
        #expect(lifetime(policy, []) == 77)
        #expect(lifetime(HTTPCachePolicy(), []) == 0)
        #expect(lifetime(policy, [("Last-Modified", "not a date")]) == 77)
        #expect(lifetime(policy, [("Cache-Control", "max-age=5")]) == 5)
        #expect(lifetime(policy, [("Expires", "0")]) == 0)
        #expect(lifetime(policy, [("Cache-Control", "no-cache")]) == 0)
        let guessed = [("Date", "Tue, 14 Nov 2023 22:13:20 GMT"), ("Last-Modified", "Tue, 14 Nov 2023 22:03:20 GMT")]
        #expect(lifetime(policy, guessed) == 60)
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1])
    func `A fraction that is none makes no lifetime without end`(_ fraction: Double) {
        var policy = HTTPCachePolicy()
        policy.heuristicFraction = fraction
        let fields = [("Date", "Tue, 14 Nov 2023 22:13:20 GMT"), ("Last-Modified", "Mon, 01 Jan 0001 00:00:00 GMT")]
        #expect(policy.lifetime(of: stored(fields)) == (fraction > 0 ? policy.heuristicMaximum : .zero))
    }

    /// MG-08: pictures made of a response are kept no longer than its bytes may be.
    @Test(arguments: [
        ("no-store", "", true, true), ("private, max-age=9", "", false, true), ("private=\"x\", max-age=9", "", false, false),
        ("max-age=9", "*", true, true), ("max-age=9", "Accept", false, false),
    ])
    func `What may not be stored may not be stored as a picture`(rules: String, vary: String, own: Bool, shared: Bool) {
        let fields = [("Cache-Control", rules)] + (vary.isEmpty ? [] : [("Vary", vary)])
        #expect(HTTPCachePolicy().freshness(of: stored(fields)).forbidsStoring == own)
        #expect(HTTPCachePolicy(isShared: true).freshness(of: stored(fields)).forbidsStoring == shared)
    }
}

import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import Testing

/// KS-01, CX-26, U-27
@Suite struct KeyFilterTests {
    static let host = "https://cdn.example.org/p/a.jpg"

    // KS-01
    @Test(arguments: [
        ("?utm_source=x&w=300&fbclid=abc", "?w=300"), ("?UTM_Campaign=x", ""), ("", ""), ("?w=300&h=200", "?w=300&h=200"),
        ("?gclid", ""), ("?w=1#part", "?w=1"), ("#part", ""), ("?utmost=1", "?utmost=1"), ("?a=utm_source", "?a=utm_source"),
    ])
    func `Tracking goes, the rest stays as written`(_ query: String, _ expected: String) {
        #expect(QueryKeyFilter.tracking.key(for: ImageSource(Self.host + query)) == Self.host + expected)
    }

    // KS-01
    @Test(arguments: [
        ("?X-Amz-Algorithm=A&X-Amz-Date=20260101T000000Z&X-Amz-Signature=ff&versionId=3", "?versionId=3"),
        ("?AWSAccessKeyId=k&Expires=17&Signature=s%3D", ""), ("?Expires=17", "?Expires=17"),
        ("?Policy=p&Signature=s&Key-Pair-Id=k&w=20", "?w=20"), ("?GoogleAccessId=g&Expires=1&Signature=s", ""),
        ("?X-Goog-Signature=1&X-Goog-Expires=60&alt=media", "?alt=media"),
        ("?sv=2024&sr=b&sig=abc&se=2026-01-01&sp=r&page=2", "?page=2"), ("?sv=2024&sp=r", "?sv=2024&sp=r"),
        ("?hdnts=exp=1~acl=*", ""),
    ])
    func `Signatures go, where they are signatures`(_ query: String, _ expected: String) {
        #expect(QueryKeyFilter.signatures.key(for: ImageSource(Self.host + query)) == Self.host + expected)
    }

    // CX-26, U-27
    @Test func `Two signatures of one object are one entry, two objects are two`() {
        func storage(_ query: String) -> CacheKey {
            var request = ImageRequest(source: ImageSource(Self.host + query))
            request.cache.keyFilter = .droppingSignatures
            return RequestKeys(ResolvedRequest(request), nonce: 0).storage
        }
        #expect(storage("?X-Amz-Signature=1&v=1") == storage("?X-Amz-Signature=2&v=1"))
        #expect(storage("?X-Amz-Signature=1&v=1") != storage("?X-Amz-Signature=1&v=2"))
    }

    // KF-04
    @Test func `The whole query, some names only, several filters`() {
        #expect(QueryKeyFilter.query.key(for: ImageSource(Self.host + "?a=1&b=2")) == Self.host)
        #expect(QueryKeyFilter(keeping: ["W"]).key(for: ImageSource(Self.host + "?a=1&w=2")) == Self.host + "?w=2")
        let both = CacheKeyFilters([.droppingTracking, .droppingSignatures])
        #expect(both.key(for: ImageSource(Self.host + "?utm_id=1&x-amz-date=2&w=3")) == Self.host + "?w=3")
        struct Refusing: CacheKeyFilter { func key(for source: ImageSource) -> String? { nil } }
        #expect(CacheKeyFilters([Refusing(), QueryKeyFilter.query]).key(for: ImageSource(Self.host)) == nil)
    }

    @Test func `A fixed key is one for every address`() {
        func storage(_ source: String) -> CacheKey {
            var request = ImageRequest(source: ImageSource(source))
            request.cache.keyFilter = .fixed("avatar of 42")
            return RequestKeys(ResolvedRequest(request), nonce: 0).storage
        }
        #expect(storage(Self.host) == storage("https://other.example.org/b.png"))
        #expect(storage(Self.host).text.hasPrefix("avatar of 42"))
    }

    @Test func `What is no URL keeps its key`() {
        #expect(QueryKeyFilter.query.key(for: .file("/a?b.png")) == "file:///a?b.png")
        #expect(QueryKeyFilter.tracking.key(for: .data(ByteRope([1]), identifier: "x")) == "memory:x")
    }
}

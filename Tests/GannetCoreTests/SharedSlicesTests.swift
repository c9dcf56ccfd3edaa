import GannetCore
import Testing

/// Requests without special options share their slices; their meaning does not depend on it.
@Suite struct SharedSlicesTests {
    private let plain = ImageRequest("https://example.org/bird@2x.png")

    /// The same options, in separate slices.
    private var written: ImageRequest {
        var request = plain
        request.cache = CacheOptions()
        request.download = DownloadOptions()
        request.decode = DecodeOptions()
        request.transform = TransformOptions()
        return request
    }

    // KS-01
    @Test func keysAreThoseOfSlicesThatAreNotShared() {
        let (one, other) = (RequestKeys(ResolvedRequest(plain), nonce: 1), RequestKeys(ResolvedRequest(written), nonce: 2))
        #expect(one.join == other.join)
        #expect(one.storage == other.storage)
        #expect(one.decode == other.decode)
        #expect(one.variant == other.variant)
        #expect(one.allowsStoring && one.allowsJoining)
        #expect(ResolvedRequest(plain).decode.scale == 2)
        #expect(ResolvedRequest(written).decode.scale == 2)
    }

    @Test func aChangeIsTheRequestsOwn() {
        var changed = plain
        changed.download.headers = HTTPHeaders([("Cookie", "a=b")])
        changed.decode.scale = 3
        #expect(plain.download.headers == nil)
        #expect(ResolvedRequest(plain).download.headers.isEmpty)
        #expect(ResolvedRequest(changed).download.headers["cookie"] == "a=b")
        #expect(ResolvedRequest(changed).decode.scale == 3)
        let (one, other) = (RequestKeys(ResolvedRequest(plain), nonce: 1), RequestKeys(ResolvedRequest(changed), nonce: 1))
        #expect(one.storage != other.storage)
        #expect(one.join != other.join)
    }

    @Test func defaultsCountForPlainRequestsToo() {
        let defaults = RequestDefaults([.header("Authorization", "Basic eA=="), .onlyFromCache])
        let resolved = ResolvedRequest(plain, defaults: defaults)
        #expect(resolved.download.headers.contains("authorization"))
        #expect(resolved.cache.lookup == .cacheOnly)
        #expect(RequestKeys(resolved, nonce: 1).storage != RequestKeys(ResolvedRequest(plain), nonce: 1).storage)
    }

    /// A repeated field changes the message (RFC 9110 §5.3), usually into one that no server understands.
    @Test func aFieldOfTheRequestTakesThePlaceOfTheDefault() {
        let defaults = RequestDefaults([.headers(HTTPHeaders([("Authorization", "A"), ("User-Agent", "X"), ("X-More", "1")]))])
        var request = plain
        request.download.headers = HTTPHeaders([("authorization", "B"), ("User-Agent", "Y"), ("X-Own", "1"), ("X-Own", "2")])
        let headers = ResolvedRequest(request, defaults: defaults).download.headers
        #expect(headers.all("Authorization") == ["B"] && headers.all("User-Agent") == ["Y"])
        #expect(headers.all("X-More") == ["1"] && headers.all("X-Own") == ["1", "2"])
    }
}

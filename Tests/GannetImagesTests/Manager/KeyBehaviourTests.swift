import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// Cache keys of images: SDWebImage's and Kingfisher's tests of transformers and managers, under their names.
@Suite struct KeyBehaviourTests {
    private struct Named: ImageTransformer {
        let identifier: String?
        func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap { bitmap }
    }

    /// SDWebImage writes the transformer's key in front of the file extension: `image.png` becomes `image-K.png`. Here it stands
    /// behind the source's key, which stays as it is, with its query, its fragment and its credentials; the extension that the
    /// key suggests stays that of the source.
    @Test(arguments: [
        ("image.png", "png"), ("image", nil), (".image", nil), ("image.", nil), ("folder.d/image.png", "png"),
        ("https://foo.bar/image.png?foo=bar#mark", "png"), ("https://user:password@foo.bar/image.png?foo=bar#mark", "png"),
        ("https://foo.bar/path/image?a=b.jpg", nil), ("file:///home/me/image.png", "png"),
    ])
    func test10TransformerKeyForCacheKey(_ source: String, _ fileExtension: String?) throws {  // KS-05, DC-06
        let manager = ManagerFixture().manager
        func key(_ names: [String]) throws -> String {
            var request = ImageRequest(ImageSource(source))
            request.transform.transformers = names.map { Named(identifier: $0) }
            return try manager.cacheKey(for: request)
        }
        let plain = try manager.cacheKey(for: ImageRequest(ImageSource(source)))
        // User and password form the scope of the key, after the source.
        let asker = source.contains("@") ? "\u{1}scope=" : ""
        #expect(plain.hasPrefix(ImageSource(source).keyText + asker) && (plain == ImageSource(source).keyText) == asker.isEmpty)
        let one = try key(["K"])
        #expect(one.hasPrefix(plain) && one.hasSuffix("K") && one != plain + "K")
        #expect(CacheKey(one).suggestedFileExtension == CacheKey(plain).suggestedFileExtension)
        #expect(CacheKey(plain).suggestedFileExtension == fileExtension)
        let both = try key(["K", "L"])
        #expect(Set([plain, one, both, try key(["L", "K"]), try key(["KL"])]).count == 5)
        #expect(try key(["K", "L"]) == both)
    }

    /// Stores images under a custom file extension.
    private struct Extended: CacheKeyFilter {
        let fileExtension: String
        func key(for source: ImageSource) -> String? { CacheKey(source.keyText).with(fileExtension: fileExtension).text }
    }

    private func request(_ fileExtension: String?, _ transformers: [any ImageTransformer] = []) -> ImageRequest {
        var request = ImageRequest(ImageSource(ManagerFixture.url), .waitingForStore)
        request.transform.transformers = transformers
        request.cache.encode = EncodeOptions(format: FakeImageCoder.format)
        request.cache.keyFilter = fileExtension.map { Extended(fileExtension: $0) }
        return request
    }

    @Test func testRetrieveImageFromDiskCacheWithForcedExtension() async throws {  // DC-06
        let fixture = ManagerFixture(diskCache: InMemoryImageCache())
        fixture.serve()
        _ = try await fixture.manager.image(for: request("jpg"))
        fixture.memory.removeAll()
        #expect(try await fixture.manager.image(for: request("jpg").with(.onlyFromCache)).origin == .disk)
        for other in ["png", nil] {
            #expect(await failureCode { try await fixture.manager.image(for: request(other).with(.onlyFromCache)) } == .cacheMiss)
        }
    }

    @Test func testRetrieveImageFromOriginalCacheWithForcedExtension() async throws {
        let originals = InMemoryImageCache(identifier: "originals")
        let fixture = ManagerFixture(diskCache: InMemoryImageCache()) { $0.originalCache = originals }
        fixture.serve()
        _ = try await fixture.manager.image(for: request("jpg"))
        fixture.memory.removeAll()
        #expect(originals.keys == [CacheKey(ManagerFixture.url).with(fileExtension: "jpg").text])
        let changed = request("jpg", [AddTransformer(amount: 1)]).with(.onlyFromCache)
        #expect(red(try await fixture.manager.image(for: changed)) == 11)
        let other = request("png", [AddTransformer(amount: 1)]).with(.onlyFromCache)
        #expect(await failureCode { try await fixture.manager.image(for: other) } == .cacheMiss)
    }
}

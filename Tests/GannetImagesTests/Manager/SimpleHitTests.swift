import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

@testable import GannetCache
@testable import GannetFetch
@testable import GannetImages

/// Memory hits that make no keys find what the others find.
@Suite struct SimpleHitTests {
    @Test(arguments: [
        "https://example.org/a.jpg", "http://example.org/", "https://example.org:8443/a?b=c", "https://EXAMPLE.org/a.jpg",
        "https://example.org:443/a.jpg", "https://example.org/a.jpg#part", "https://u:p@example.org/a.jpg", "https://example.org",
        "https://example.org/a@2x.png", "https://example.org/a%402x.png", "file:///tmp/a.jpg", "/tmp/a.jpg",
        "ftp://example.org/a",
        "data:image/png;base64,AAAA",
    ])
    func theKeyIsTheSame(text: String) {
        let request = ImageRequest(ImageSource(text))
        guard let key = RequestKeys.variant(ofSimple: request) else { return }
        #expect(key == RequestKeys(ResolvedRequest(request), nonce: 0).variant)
        #expect(text.hasPrefix("http"))
    }

    @Test(
        arguments: [
            .fit(400, 300), .fill(96, 96), .firstFrameOnly, .previews, RequestOption { $0.decode.scale = 3 },
            RequestOption { $0.decode.scale = 1 }, RequestOption { $0.decode.limits = DecodeLimits() },
            RequestOption { $0.decode.formatHint = .png }, RequestOption { $0.decode.isolation = .inProcess },
        ] as [RequestOption])
    func `Options of decoding are part of the key`(option: RequestOption) {
        var request = ImageRequest("https://example.org/a.jpg", option)
        for _ in 0..<2 {
            #expect(RequestKeys.variant(ofSimple: request) == RequestKeys(ResolvedRequest(request), nonce: 0).variant)
        }
        // A copy shares what was made of the options only while they are the same.
        request.decode.target = .size(.fit(7, 7))
        #expect(RequestKeys.variant(ofSimple: request) == RequestKeys(ResolvedRequest(request), nonce: 0).variant)
        #expect(RequestKeys.variant(ofSimple: request)?.text.contains("7x7") == true)
    }

    @Test func `Anything else that a request asks for leads the general way`() {
        let source: ImageSource = "https://example.org/a.jpg"
        #expect(RequestKeys.variant(ofSimple: ImageRequest(source)) != nil)
        #expect(RequestKeys.variant(ofSimple: ImageRequest(source, .priority(.high))) != nil, "when it is loaded changes nothing")
        let others: [RequestOption] = [
            .header("X", "y"), .lookup(.revalidate),
            .transform(AddTransformer(amount: 1)),
            RequestOption { $0.cache.memoryExpiration = .after(.seconds(1)) },
        ]
        for option in others { #expect(RequestKeys.variant(ofSimple: ImageRequest(source, option)) == nil) }
    }

    private static func manager(
        _ change: (inout ManagerConfiguration) -> Void = { _ in }
    ) -> (ImageManager, ManualTimeSource) {
        let time = ManualTimeSource()
        var configuration = ManagerConfiguration(
            memoryCache: MemoryCache(time: time), diskCache: nil, loaders: LoadersManager([]), coders: CodersManager([]))
        configuration.time = time
        change(&configuration)
        return (ImageManager(configuration: configuration), time)
    }

    private static func image() throws -> DecodedImage {
        let size = PixelSize(clamping: 2, 2)
        let buffer = try PixelBuffer(PixelLayout(size: size, alpha: .opaque), pool: .shared)
        return .still(buffer.freeze(), ImageMetadata(format: nil, originalSize: size))
    }

    @Test func `A stale image is no hit, as on the general way`() throws {
        let (manager, time) = Self.manager()
        let request: ImageRequest = "https://example.org/a.jpg"
        var freshness = Freshness.unknown
        freshness.freshUntil = time.now + .seconds(10)
        let picture = CachedImage(image: try Self.image(), freshness: freshness)
        manager.configuration.memoryCache?.store(picture, for: CacheKey("https://example.org/a.jpg"))
        #expect(manager.simpleHit(for: request) != nil && manager.cachedImage(for: request)?.origin == .memory)
        time.advance(by: .seconds(11))
        #expect(manager.simpleHit(for: request) == nil && manager.cachedImage(for: request) == nil)
        var cacheFirst = request
        cacheFirst.cache.lookup = .cacheFirst
        #expect(manager.cachedImage(for: cacheFirst) != nil)
    }

    private struct Renaming: Sendable {
        func process(_ request: ResolvedRequest) -> ResolvedRequest {
            var request = request
            request.source = "https://example.org/b.jpg"
            return request
        }
    }

    @Test func `Whatever changes requests, or is told of them, is asked`() throws {
        let changes: [(inout ManagerConfiguration) -> Void] = [
            { $0.optionsProcessor = Renaming().process }, { $0.observers = [RecordingObserver()] },
            { $0.defaults = [.fit(4, 4)] },
        ]
        for change in changes {
            let (manager, _) = Self.manager(change)
            manager.configuration.memoryCache?.store(
                CachedImage(image: try Self.image()), for: CacheKey("https://example.org/a.jpg"))
            #expect(manager.simpleHit(for: "https://example.org/a.jpg") == nil)
        }
    }
}

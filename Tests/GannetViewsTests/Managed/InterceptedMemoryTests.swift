import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import GannetViews
import Testing

/// Interceptors and observers where memory has the picture. // CG-01, CG-03
@Suite struct InterceptedMemoryTests {
    private let url = ManagerFixture.url

    private struct Adding: LoadInterceptor {
        let calls = CallCount()
        func intercept(_ request: ResolvedRequest, next: LoadInterceptor.Next) async throws(ImageError) -> LoadedImage {
            calls.add()
            var result = try await next(request)
            let bitmap = try AddTransformer(amount: 1).transform(
                result.bitmap, context: TransformContext(metadata: result.image.metadata))
            result.image = .still(bitmap, result.image.metadata)
            return result
        }
    }

    // CG-01
    @Test func whatTheyMakeOfAResultIsMadeEachTime() async throws {
        let adding = Adding()
        let fixture = ManagerFixture { $0.interceptors = [adding] }
        fixture.serve(red: 1)
        let request = ImageRequest(ImageSource(url))
        for _ in 0..<3 { #expect(red(try await fixture.manager.image(for: request)) == 2) }
        #expect(fixture.loader.loadCount == 1 && adding.calls.count == 3)
        #expect(fixture.manager.cachedImage(for: request) == nil)
        #expect(try fixture.manager.blockingCachedImage(for: request) == nil)
        #expect(!fixture.manager.hasCachedImage(for: request))
    }

    @Test func aRequestThatTheyRewriteIsFoundInMemory() async throws {
        struct Moving: LoadInterceptor {
            func intercept(_ request: ResolvedRequest, next: LoadInterceptor.Next) async throws(ImageError) -> LoadedImage {
                var request = request
                request.source = "https://example.org/moved.fake"
                return try await next(request)
            }
        }
        let fixture = ManagerFixture { $0.interceptors = [Moving()] }
        fixture.serve("https://example.org/moved.fake")
        #expect(try await fixture.manager.image(for: ImageRequest(ImageSource(url))).origin == .network)
        #expect(try await fixture.manager.image(for: ImageRequest(ImageSource(url))).origin == .memory)
        #expect(fixture.loader.loadCount == 1)
    }

    @Test func observersHearOfPicturesThatAreShownAtOnce() async throws {  // NK-12, CG-03
        let fixture = ManagerFixture()
        fixture.serve()
        let request = ImageRequest(ImageSource(url))
        #expect(fixture.manager.cachedImage(for: request) == nil)
        #expect(fixture.observer.loadsStarted == 0, "the load that follows tells of the miss")
        _ = try await fixture.manager.image(for: request)
        func hits() -> Int { fixture.observer.count { if case .memoryHit = $0 { true } else { false } } }
        #expect(hits() == 0 && fixture.manager.hasCachedImage(for: request) && hits() == 0)
        #expect(fixture.manager.cachedImage(for: request) != nil)
        #expect(try fixture.manager.blockingCachedImage(for: request) != nil)
        #expect(hits() == 2 && fixture.observer.loadsStarted == 3 && fixture.observer.isBalanced)
        // A skipped prefetch shows no image, so no load is observed.
        #expect(await ImagePrefetcher(manager: fixture.manager).prefetch([request]).wait().skipped == 1)
        #expect(fixture.observer.loadsStarted == 3)
    }
}

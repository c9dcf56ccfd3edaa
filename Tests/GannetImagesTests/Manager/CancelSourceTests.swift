import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// DL-17: all that is made of one source is cancelled by its name, and nothing else.
@Suite struct CancelSourceTests: ManagerSuite {
    private static let other = "https://example.org/b.fake"

    // DL-17
    @Test func everyLoadOfTheSourceEnds() async throws {
        let fixture = ManagerFixture(diskCache: InMemoryImageCache())
        for url in [ManagerFixture.url, Self.other] { fixture.serve(url) }
        fixture.loader.gate.close()
        var named = ImageRequest(source: url)
        named.download.headers = HTTPHeaders([("X-Who", "me")])
        var unnamed = ImageRequest(source: url)
        unnamed.download.requestModifier = ClosureRequestModifier(identifier: nil) { $0 }
        let wishes = [
            ImageRequest(url), ImageRequest(url, .fit(4, 2)), ImageRequest(url, .transform(AddTransformer(amount: 1))), named,
            unnamed,
        ]
        let tasks = wishes.map { fixture.manager.task(for: $0) }
        var plain = ImageRequest(source: url)
        plain.download.headers = HTTPHeaders([("X-Who", "bytes")])
        let wish = plain
        let bytes = Task { await failureCode { try await fixture.manager.fetchBytes(for: wish) } }
        // As an alternative it is another's.
        var both = ImageRequest(source: ImageSource(Self.other))
        both.download.alternatives = [url]
        let others = [ImageRequest(source: ImageSource(Self.other)), both].map { fixture.manager.task(for: $0) }
        await fixture.loader.gate.waitForArrivals(6)
        fixture.manager.cancel(url)
        for task in tasks { #expect(await failureCode { try await task.value } == .cancelled) }
        #expect(await bytes.value == .cancelled)
        fixture.loader.gate.open()
        for task in others { #expect(try await task.value.size.width == 8) }
        // It may be loaded again at once.
        #expect(try await fixture.manager.image(for: url).size.width == 8)
    }

    @Test func soDoLoadsThatHaveNotRunYet() async throws {
        let fixture = ManagerFixture()
        for url in [ManagerFixture.url, Self.other] { fixture.serve(url) }
        for _ in 0..<20 {
            let task = fixture.manager.task(for: ImageRequest(url, .lookup(.loaderOnly)))
            let other = fixture.manager.task(for: ImageRequest(ImageSource(Self.other), .lookup(.loaderOnly)))
            fixture.manager.cancel(url)
            let later = fixture.manager.task(for: ImageRequest(url, .lookup(.loaderOnly)))
            // Cancelled, unless it was through already.
            #expect([nil, .cancelled].contains(await failureCode { try await task.value }))
            #expect(try await other.value.size.width == 8)
            #expect(try await later.value.size.width == 8)
        }
    }

    @Test func norAreThoseForgottenThatAnInterceptorHolds() async {
        let gate = AsyncGate()
        struct Waiting: LoadInterceptor {
            let gate: AsyncGate
            func intercept(_ request: ResolvedRequest, next: Next) async throws(ImageError) -> LoadedImage {
                await gate.wait()
                return try await next(request)
            }
        }
        let held = ManagerFixture { $0.interceptors = [Waiting(gate: gate)] }
        for url in [ManagerFixture.url, Self.other] { held.serve(url) }
        let task = held.manager.task(for: url)
        let other = held.manager.task(for: ImageSource(Self.other))
        await gate.waitForArrivals(2)
        held.manager.cancel(url)
        gate.open()
        #expect(await failureCode { try await task.value } == .cancelled)
        #expect(await failureCode { try await other.value } == nil)
    }

    @Test func aKeyFilterMakesNoOneOfTwo() async throws {
        let fixture = ManagerFixture()
        let marked = ManagerFixture.url + "?utm_source=x"
        for url in [ManagerFixture.url, marked] { fixture.serve(url) }
        fixture.loader.gate.close()
        let tasks = [ManagerFixture.url, marked].map { address in
            var request = ImageRequest(source: ImageSource(address))
            request.cache.keyFilter = .droppingTracking
            return fixture.manager.task(for: request)
        }
        await fixture.loader.gate.waitForArrivals(2)
        fixture.manager.cancel(url)
        #expect(await failureCode { try await tasks[0].value } == .cancelled)
        fixture.loader.gate.open()
        #expect(try await tasks[1].value.size.width == 8)
    }
}

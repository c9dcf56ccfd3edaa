import GannetCache
import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

@testable import GannetFetch
@testable import GannetImages

/// Requests with different fetch options share no running transfer: each ends as its own options say. // MG-22
@Suite struct FetchSharingTests {
    private static let other = "https://example.org/b.fake"
    private let url = ImageSource(ManagerFixture.url)

    /// Kept: caches are known by their addresses, which others may have once they are gone.
    private static let caches = (InMemoryImageCache(), InMemoryImageCache())

    private static func join(_ nonce: UInt64 = 1, _ change: (inout ImageRequest) -> Void = { _ in }) -> CacheKey {
        var request = ImageRequest(source: ImageSource(ManagerFixture.url))
        change(&request)
        return RequestKeys(ResolvedRequest(request), nonce: nonce).join
    }

    private static let wishes: [@Sendable (inout ImageRequest) -> Void] = [
        { $0.download.alternatives = [ImageSource(other)] },
        { $0.download.alternatives = [ImageSource(other), ImageSource(ManagerFixture.url)] },
        { $0.download.lowDataSource = ImageSource(other) },
        { $0.download.deadlines = LoadDeadlines(total: .seconds(1)) },
        { $0.download.retry = DelayRetryStrategy() },
        { $0.download.retry = DelayRetryStrategy(maximumCount: 9) },
        { $0.download.retry = NetworkRetryStrategy() },
        { $0.schedule.retryFailedSources = true },
        { $0.decode.limits = DecodeLimits(maximumEncodedBytes: 100) },
        { $0.cache.writeOriginal = .none },
        { $0.cache.readOriginal = .none },
        { $0.cache.store = caches.0 },
        { $0.cache.originalStore = caches.1 },
        { $0.cache.diskExpiration = .expired },
    ]

    @Test func whateverIsSaidAboutFetchingIsInTheKey() {
        let keys = Set(Self.wishes.map { Self.join(1, $0) } + [Self.join()])
        #expect(keys.count == Self.wishes.count + 1)
        for wish in Self.wishes.dropLast(3) { #expect(Self.join(1, wish) == Self.join(2, wish)) }
        #expect(Self.join { $0.decode.limits = DecodeLimits(maximumPixels: 7) } == Self.join())
        let storages = Set(
            Self.wishes.map { wish in
                var request = ImageRequest(source: url)
                wish(&request)
                return RequestKeys(ResolvedRequest(request), nonce: 1).storage
            })
        #expect(storages.count == 1, "what is stored is the same for all")
    }

    @Test func strategiesThatNobodyCanTellApartShareNothing() {
        struct Value: RetryStrategy { func delay(before attempt: Int, after error: ImageError) async -> Duration? { nil } }
        final class Object: RetryStrategy { func delay(before attempt: Int, after error: ImageError) async -> Duration? { nil } }
        func key(_ nonce: UInt64, _ retry: any RetryStrategy) -> CacheKey { Self.join(nonce) { $0.download.retry = retry } }
        #expect(key(1, Value()) != key(2, Value()))
        #expect(
            key(1, DelayRetryStrategy(interval: .custom { _ in 1 })) != key(2, DelayRetryStrategy(interval: .custom { _ in 1 })))
        let (one, two) = (Object(), Object())
        #expect(key(1, one) == key(2, one) && key(1, one) != key(1, two))
    }

    @Test(arguments: [false, true])
    func oneFailsAndTheOtherGetsItsAlternative(_ isPlainFirst: Bool) async throws {
        let fixture = ManagerFixture()
        fixture.loader.answer(ManagerFixture.url, with: .failure(ImageError(.notFound, stage: .load, "gone")))
        fixture.serve(Self.other, red: 7)
        fixture.loader.gate.close()
        var rich = ImageRequest(source: url)
        rich.download.alternatives = [ImageSource(Self.other)]
        let requests = isPlainFirst ? [ImageRequest(source: url), rich] : [rich, ImageRequest(source: url)]
        var tasks: [ImageTask] = []
        for (index, request) in requests.enumerated() {
            tasks.append(fixture.manager.task(for: request))
            await fixture.loader.gate.waitForArrivals(index + 1)
        }
        fixture.loader.gate.open()
        let (plain, other) = isPlainFirst ? (tasks[0], tasks[1]) : (tasks[1], tasks[0])
        #expect(await failureCode { try await plain.value } == .notFound)
        #expect(red(try await other.value) == 7)
    }

    @Test func aPrefetchToDiskDoesNotEndWithALoadThatStoresNothing() async throws {
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        fixture.loader.gate.close()
        var fleeting = ImageRequest(source: url)
        fleeting.cache.write = .memory
        fleeting.cache.writeOriginal = .none
        let first = fixture.manager.task(for: fleeting)
        await fixture.loader.gate.waitForArrivals(1)
        let second = fixture.manager.task(for: ImageRequest(source: url))
        await fixture.loader.gate.waitForArrivals(2)
        fixture.loader.gate.open()
        _ = try await (first.value, second.value)
        #expect(await disk.contains(CacheKey(ManagerFixture.url)))
    }
}

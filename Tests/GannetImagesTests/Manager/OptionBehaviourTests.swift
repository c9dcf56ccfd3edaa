import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// Kingfisher's tests of options, and the rest of SDWebImage's utility tests, under their names.
@Suite struct OptionBehaviourTests {
    private let url = ImageSource(ManagerFixture.url)

    @Test func testEmptyOptionsShouldParseCorrectly() {
        let resolved = ResolvedRequest(ImageRequest(url))
        #expect(resolved.cache.lookup == .automatic && resolved.cache.read == .all && resolved.cache.writeOriginal == .disk)
        #expect(resolved.decode.target == .original && resolved.decode.scale == 1 && resolved.decode.frames == .all)
        #expect(resolved.transform.transformers.isEmpty && resolved.transform.modifier == nil)
        #expect(
            resolved.schedule.priority == .normal && !resolved.schedule.waitsForStore && !resolved.schedule.retryFailedSources)
        #expect(resolved.download.method == "GET" && !resolved.download.cookies && resolved.download.alternatives.isEmpty)
    }

    @Test func testSetOptionsShouldParseCorrectly() {  // KF-20, LD-04
        let request = ImageRequest(
            url, .fit(3, 4), .priority(.high), .lookup(.cacheOnly), .firstFrameOnly, .previews, .waitingForStore, .retryingFailed)
        let resolved = ResolvedRequest(request)
        #expect(resolved.decode.target == .size(.fit(3, 4)) && resolved.schedule.priority == .high)
        #expect(resolved.cache.lookup == .cacheOnly && resolved.decode.frames == .first && resolved.decode.previews.isEnabled)
        #expect(resolved.schedule.waitsForStore && resolved.schedule.retryFailedSources)
    }

    @Test func testOptionCouldBeOverwritten() {
        #expect(ResolvedRequest(ImageRequest(url, .priority(.high), .priority(.low))).schedule.priority == .low)
        let defaults = RequestDefaults([.priority(.veryHigh)])
        #expect(ResolvedRequest(ImageRequest(url), defaults: defaults).schedule.priority == .veryHigh)
        #expect(ResolvedRequest(ImageRequest(url, .priority(.low)), defaults: defaults).schedule.priority == .low)
    }

    /// Options change a copy: testKFImageContextModifiersDoNotMutateOriginalImage,
    /// testKFImageOptionModifiersDoNotMutateOriginalImage, testKFImageOnFailureImageDoesNotMutateOriginalImage
    @Test func `testKFImageContextModifiers and OptionModifiers DoNotMutateOriginalImage`() {  // KF-02
        let original = ImageRequest(url)
        let changed = original.with(.fit(10, 10), .priority(.high), .memoryOnly, .lookup(.cacheOnly), .header("X", "1"))
        #expect(original.decode.target == nil && original.schedule.priority == nil && original.cache.lookup == nil)
        #expect(original.download.headers == nil && original.cache.write == .inherited)
        #expect(changed.schedule.priority == .high && changed.download.headers?["x"] == "1")
    }

    @Test func testKFImageCallbackModifiersDoNotShareDelegateState() async throws {
        // Closures belong to one call of `load`, not to the request: two loads of one request know nothing of each other.
        let fixture = ManagerFixture()
        fixture.serve()
        let request = ImageRequest(url)
        let (first, second) = (CallCount(), CallCount())
        await withCheckedContinuation { continuation in
            fixture.manager.load(request) { _ in
                first.add()
                continuation.resume()
            }
        }
        await withCheckedContinuation { continuation in
            fixture.manager.load(request) { _ in
                second.add()
                continuation.resume()
            }
        }
        #expect(first.count == 1 && second.count == 1)
    }

    @Test func testKFImageModifierChainPreservesEarlierSettings() {
        let request = ImageRequest(url, .fit(10, 10), .priority(.high), .scale(2), .retryingFailed, .waitingForStore)
        #expect(request.decode.target == .size(.fit(10, 10)) && request.schedule.priority == .high && request.decode.scale == 2)
        #expect(request.schedule.retryFailedSources == true && request.schedule.waitsForStore == true)
    }

    /// SDWebImage's four policies: run at once where the result is made (invoke, safe execute), or hand it to the queue each time
    /// (dispatch, safe main). Here the first is the default, and every other one is the executor's own business.
    @Test func testSDCallbackQueue() async {  // CX-03, MG-20
        let fixture = ManagerFixture()
        fixture.serve()
        let hops = CallCount()
        let queued = Mutex<[@Sendable () -> Void]>([])
        await withCheckedContinuation { continuation in
            fixture.manager.load(ImageRequest(url)) { _ in continuation.resume() }
        }
        #expect(hops.count == 0)
        for expected in 1...2 {
            await withCheckedContinuation { continuation in
                fixture.manager.load(ImageRequest(url), on: hops.executor) { _ in continuation.resume() }
            }
            #expect(hops.count == expected, "handed over once for each load, also when the picture is there at once")
        }
        // A queue that runs later: nothing is called before it does.
        let told = CallCount()
        let task = fixture.manager.load(
            ImageRequest(url), on: { body in queued.withLock { $0.append(body) } },
            completion: { _ in told.add() })
        _ = try? await task.value
        #expect(await eventually { !queued.withLock({ $0.isEmpty }) })
        #expect(told.count == 0)
        for body in queued.withLock({ $0 }) { body() }
        #expect(told.count == 1)
    }

    /// SDWebImage sets, lists and removes extended attributes of the cached file; here they are own data beside the entry, in the
    /// cache's file, because many file systems keep no attributes.
    @Test func testSDFileAttributeHelper() async throws {  // DC-07
        let fixture = ManagerFixture(diskCache: InMemoryImageCache())
        fixture.serve()
        let (cache, key) = (fixture.manager.cache, ManagerFixture.url)
        try await cache.setExtendedData([1], forKey: key)
        #expect(try await cache.extendedData(forKey: key) == nil, "nothing is stored yet")
        _ = try await fixture.manager.image(for: ImageRequest(url, .waitingForStore))
        #expect(try await cache.extendedData(forKey: key) == [])
        for value in [[1, 2, 3], [4], Array(repeating: 7, count: 5000), []] as [[UInt8]] {
            try await cache.setExtendedData(value, forKey: key)
            #expect(try await cache.extendedData(forKey: key) == value)
        }
        #expect(try await cache.data(forKey: key)?.contiguous() == FakeImageCoder.bytes(width: 8, height: 4, red: 10))
        try await cache.setExtendedData([9], forKey: key)
        try await cache.remove(forKey: key)
        #expect(try await cache.extendedData(forKey: key) == nil)
    }

    // CX-10
    @Test(arguments: [
        ("https://example.org/bird@2x.png", 2.0), ("https://example.org/bird%403x.png?a=@2x.b", 3), ("/pictures/bird@2x.png", 2),
        ("https://example.org/bird.png", 1), ("https://me@2x.example.org/bird.png", 1),
        ("https://example.org/a@2x.d/bird.png", 1),
        ("https://example.org/2x.png", 1), ("https://example.org/bird@0x.png", 1), ("https://example.org/bird@2xx.png", 1),
        ("x.", 1),
    ])
    func testSDScaledImageForKey(_ source: String, _ scale: Double) {  // KS-06
        #expect(ResolvedRequest(ImageRequest(ImageSource(source))).decode.scale == scale)
        #expect(ResolvedRequest(ImageRequest(ImageSource(source), .scale(5))).decode.scale == 5)
    }

    @Test func testCanCreateRetryStrategy() {
        let strategy = DelayRetryStrategy(maximumCount: 10, interval: .seconds(5))
        #expect(strategy.maximumCount == 10)
        if case .seconds(let seconds) = strategy.interval { #expect(seconds == 5) } else { Issue.record("another interval") }
        #expect(DelayRetryStrategy().maximumCount == 3)
    }

    @Test func testDelayRetryStrategyDidRetried() async {  // KF-07
        struct Watched: RetryStrategy {
            let calls: CallCount
            let inner = DelayRetryStrategy(maximumCount: 3, interval: .seconds(0))
            func delay(before attempt: Int, after error: ImageError) async -> Duration? {
                let delay = await inner.delay(before: attempt, after: error)
                if delay != nil { calls.add() }
                return delay
            }
        }
        let calls = CallCount()
        let rig = DownloadRig(retry: Watched(calls: calls), answer: DownloadRig.failing(99))
        #expect(await rig.fetch().failureCode == .network)
        #expect(calls.count == 3 && rig.transport.requests.count == 4)
    }
}

import FoundationEssentials
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import GannetViews
import Synchronization
import Testing

/// The fakes keep the promises of TestingWithFakes.md and of the protocols that they implement.
@Suite(.timeLimit(.minutes(10))) struct FakesTests {
    // S3-12
    @Test func `Opening and closing a gate lets through whoever has come`() async {
        for _ in 0..<300 {
            let gate = AsyncGate()
            let waiter = Task { await gate.wait() }
            await gate.waitForArrivals(1)
            gate.open()
            gate.close()
            await waiter.value
        }
        for _ in 0..<300 {
            let gate = AsyncGate(isOpen: true)
            let passer = Task { await gate.wait() }
            await gate.waitForArrivals(1)
            gate.close()
            await passer.value
        }
        let gate = AsyncGate(isOpen: true)
        gate.close()
        let later = Task { await gate.wait() }
        await gate.waitForArrivals(1)
        #expect(gate.arrivedCount == 1)
        later.cancel()
        await later.value
    }

    @Test func `A scripted answer may throw what it likes`() async {
        struct Broken: Error {}
        let transport = ScriptedTransport { request, number in
            if number == 1 { throw Broken() }
            if number == 2 { throw ImageError(.timedOut, "Too late.") }
            return .fixed(request, body: [1])
        }
        var codes: [ImageError.Code] = []
        for _ in 0..<3 {
            do throws(ImageError) { _ = try await transport.send(HTTPRequest(url: URL(filePath: "/a"))) } catch {
                codes.append(error.code)
                #expect((error.underlying is Broken) == (error.code == .network))
            }
        }
        #expect(codes == [.network, .timedOut] && transport.requests.count == 3)
    }

    @Test(arguments: ["arrivals", "sleepers", "events"]) func `Whoever waits for what never comes goes on when cancelled`(
        _ what: String
    ) async {
        let (gate, time, observer) = (AsyncGate(), ManualTimeSource(), RecordingObserver())
        let waiter = Task {
            switch what {
            case "arrivals": await gate.waitForArrivals(1)
            case "sleepers": await time.waitForSleepers()
            default: await observer.wait(for: 1) { _ in true }
            }
        }
        waiter.cancel()
        await waiter.value
    }

    @Test func `What an observer is asked may ask the observer`() async {
        let observer = RecordingObserver()
        let waiter = Task { await observer.wait(for: 2) { _ in observer.loadsStarted == 0 } }
        for _ in 0..<2 { observer.note(nil, .cacheRecovered) }
        await waiter.value
        #expect(observer.events.count == 2)
    }

    @Test func `A manual load answers late where that was asked for, and only once`() async throws {
        let picture = still(try solid(1, 2, 3))
        let (prompt, late) = (ManualLoader(), ManualLoader(answersAfterCancelling: true))
        let loads = [prompt, late].map { $0.startLoad("https://example.org/a.png") }
        for load in loads { load.cancel() }
        #expect(prompt.first.isCancelled && late.first.isCancelled)
        #expect(!prompt.first.succeed(picture) && late.first.succeed(picture))
        #expect(!late.first.fail() && !late.first.send(.progress(LoadProgress(received: 1, expected: 2))))
        var ends: [Bool] = []
        for load in loads {
            for await case .finished(let result) in load.events { ends.append((try? result.get()) != nil) }
        }
        #expect(ends == [false, true])
    }

    @Test func `Entries in memory end as they should, by the test's clock`() async throws {
        let time = ManualTimeSource()
        let cache = InMemoryImageCache(time: time)
        let ends: [String: CacheExpiration] = [
            "after": .after(.seconds(10)), "at": .at(time.now + .seconds(10)), "never": .never, "standard": .standard,
        ]
        for (name, expiration) in ends {
            let metadata = CacheEntryMetadata(storedAt: time.now, expiration: expiration)
            try await cache.store(CacheEntry(bytes: ByteRope([1]), metadata: metadata), for: CacheKey(name))
        }
        time.advance(by: .seconds(9))
        #expect(try await cache.entry(for: CacheKey("after"), touch: true) != nil)
        time.advance(by: .seconds(9))
        #expect(await cache.contains(CacheKey("after")), "a use begins the time again")
        #expect(try await cache.metadata(for: CacheKey("at")) == nil)
        time.advance(by: .seconds(9))
        #expect(try await cache.entry(for: CacheKey("after"), touch: true) == nil)
        #expect(cache.keys == ["never", "standard"])
    }

    @Test func `The fake coder is a coder`() {
        let sample = FakeImageCoder.bytes(width: 5, height: 3, red: 200, green: 100, blue: 50)
        let check = CoderConformance(FakeImageCoder(), format: FakeImageCoder.format, sample: sample, name: "fake")
        #expect(check.failures() == [])
        let empty = CoderConformance(FakeImageCoder(), format: FakeImageCoder.format, sample: [], name: "empty")
        #expect(empty.failures().count == 1)
    }
}

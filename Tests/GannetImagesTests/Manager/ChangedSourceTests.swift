import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

@testable import GannetCache
@testable import GannetFetch
@testable import GannetImages
@testable import GannetViews

/// Loads that run while their source is changed by PUT or DELETE. RFC 9111 §4.4
@Suite struct ChangedSourceTests {
    /// Each GET waits at a separate gate and delivers an image whose red is its number, or the result of `answer`; PUT completes
    /// at once.
    private struct Scene {
        let gates = [AsyncGate(), AsyncGate(), AsyncGate(isOpen: true)]
        let disk = InMemoryImageCache()
        let transport: ScriptedTransport
        let manager: ImageManager
        let memory = MemoryCache()
        let url = ImageSource(ManagerFixture.url)

        init(_ answer: @escaping @Sendable (HTTPRequest, Int) -> HTTPResponse = Scene.picture) {
            let time = ManualTimeSource()
            let gates = gates
            let count = Atomic(0)
            transport = ScriptedTransport { request, _ in
                guard request.method == "GET" else { return .fixed(request, status: 204) }
                let number = count.add(1, ordering: .sequentiallyConsistent).newValue
                await gates[number - 1].wait()
                return answer(request, number)
            }
            var configuration = ManagerConfiguration(
                memoryCache: memory, diskCache: disk,
                loaders: LoadersManager([
                    HTTPLoader(transport: transport, configuration: DownloaderConfiguration(), time: time, observers: [])
                ]), coders: CodersManager([FakeImageCoder()]))
            configuration.time = time
            manager = ImageManager(configuration: configuration)
        }

        static func picture(_ request: HTTPRequest, _ number: Int) -> HTTPResponse {
            .fixed(
                request, headers: [("Cache-Control", "max-age=3600")],
                body: FakeImageCoder.bytes(width: 80, height: 40, red: UInt8(number)))
        }

        func put() async throws {
            var request = ImageRequest(source: url)
            request.download.method = "PUT"
            _ = try await manager.fetchBytes(for: request)
        }

        func gets() -> Int { transport.requests.count { $0.method == "GET" } }
    }

    @Test func `Who asks after the change gets the new picture, and the old one is not stored`() async throws {
        let scene = Scene()
        let small = ImageRequest(scene.url, .fit(40, 20), .waitingForStore)
        let old = [ImageRequest(scene.url), small].map { scene.manager.task(for: $0) }
        await scene.gates[0].waitForArrivals(1)
        #expect(await eventually { scene.manager.transferWaiterCount == 2 })
        try await scene.put()
        let new = scene.manager.task(for: ImageRequest(scene.url))
        scene.gates[1].open()
        #expect(red(try await new.value) == 2)
        // The old answer comes last.
        scene.gates[0].open()
        for task in old { #expect(red(try await task.value) == 1, "who asked before gets what there was") }
        try await scene.manager.waitForStores()
        #expect(red(try await scene.manager.image(for: scene.url)) == 2)
        #expect(red(try await scene.manager.image(for: small)) == 2)
        scene.memory.removeAll()
        #expect(red(try await scene.manager.image(for: scene.url)) == 2)
        #expect(red(try await scene.manager.image(for: small)) == 2)
        #expect(scene.gets() == 2)
    }

    @Test func `Waiting for all transfers includes those that began before the change`() async throws {
        let scene = Scene()
        let old = scene.manager.task(for: scene.url)
        await scene.gates[0].waitForArrivals(1)
        try await scene.put()
        let hasReturned = Atomic(false)
        let waiting = Task {
            await scene.manager.waitForTransfers()
            hasReturned.store(true, ordering: .sequentiallyConsistent)
        }
        // One waiter is the load, the other this call.
        await eventually { scene.manager.transferWaiterCount == 2 || hasReturned.load(ordering: .sequentiallyConsistent) }
        let isEarly = hasReturned.load(ordering: .sequentiallyConsistent)
        #expect(!isEarly)
        scene.gates[0].open()
        await waiting.value
        #expect(red(try await old.value) == 1)
    }

    @Test func `A picture that was missing before the change is not missing after it`() async throws {
        let scene = Scene { request, number in number == 1 ? .fixed(request, status: 404) : Scene.picture(request, number) }
        let old = scene.manager.task(for: scene.url)
        await scene.gates[0].waitForArrivals(1)
        try await scene.put()
        scene.gates[0].open()
        #expect(await failureCode { try await old.value } == .httpStatus)
        scene.gates[1].open()
        #expect(red(try await scene.manager.image(for: scene.url)) == 2)
    }

    @Test func `Bytes from before the change that are no picture say nothing of those after it`() async throws {
        let scene = Scene { request, number in
            number == 1 ? .fixed(request, body: Array("FAKE 1\n".utf8)) : Scene.picture(request, number)
        }
        let old = scene.manager.task(for: scene.url)
        await scene.gates[0].waitForArrivals(1)
        try await scene.put()
        scene.gates[1].open()
        #expect(red(try await scene.manager.image(for: scene.url)) == 2)
        scene.gates[0].open()
        #expect(await failureCode { try await old.value } == .corrupt)
        #expect(await scene.disk.contains(CacheKey(ManagerFixture.url)))
    }

    @Test func `Everything is cancelled, also what nobody joins any more`() async throws {
        let scene = Scene()
        let old = scene.manager.task(for: scene.url)
        await scene.gates[0].waitForArrivals(1)
        try await scene.put()
        scene.manager.cancelAll()
        #expect(await failureCode { try await old.value } == .cancelled)
        #expect(await eventually { scene.manager.isIdle })
    }
}

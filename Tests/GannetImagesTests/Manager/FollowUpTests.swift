import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// Everything made from an image after the image has expired: U-13, U-14, MG-15, S3-03. Real rules, real files, a scripted server
/// and a clock that stands still.
@Suite struct FollowUpTests {
    /// A server with one picture that can be changed, and that knows conditional requests.
    final class Origin: Sendable {
        struct Picture {
            var red: UInt8 = 1
            var tag = "\"v1\""
            var control = "max-age=60"
            var status = 200
        }

        let picture = Mutex(Picture())
        let conditional = Mutex(0)
        /// Nobody is answered while it is closed.
        let gate = AsyncGate(isOpen: true)

        func set(_ change: (inout Picture) -> Void) { picture.withLock { change(&$0) } }

        func answer(_ request: HTTPRequest) -> HTTPResponse {
            let now = picture.withLock { $0 }
            let fields = [("ETag", now.tag), ("Cache-Control", now.control)]
            if now.status != 200 { return .fixed(request, status: now.status) }
            if request.headers["If-None-Match"] == now.tag {
                conditional.withLock { $0 += 1 }
                return .fixed(request, status: 304, headers: fields)
            }
            return .fixed(request, headers: fields, body: FakeImageCoder.bytes(width: 80, height: 40, red: now.red))
        }
    }

    struct Scene {
        static let url = ImageSource("https://example.org/a.fake")

        let folder = CacheFolder()
        let origin = Origin()
        let coder = FakeImageCoder()
        let memory: MemoryCache
        let disk: DiskCache
        let transport: ScriptedTransport
        let manager: ImageManager
        let observer = RecordingObserver()

        var time: ManualTimeSource { folder.time }

        init() {
            transport = ScriptedTransport { [origin] request, _ in
                await origin.gate.wait()
                return origin.answer(request)
            }
            memory = MemoryCache()
            disk = folder.cache()
            let loader = HTTPLoader(transport: transport, time: folder.time)
            var configuration = ManagerConfiguration(
                memoryCache: memory, diskCache: disk, loaders: LoadersManager([loader]), coders: CodersManager([coder]))
            configuration.time = folder.time
            configuration.slots = loader.slots
            configuration.observers = [observer]
            manager = ImageManager(configuration: configuration)
        }

        /// The plain picture, a thumbnail, a transformed one.
        static let wishes = [
            ImageRequest(url), ImageRequest(url, .fit(40, 20)), ImageRequest(url, .transform(AddTransformer(amount: 100))),
        ]

        func reds(_ change: (inout ImageRequest) -> Void = { _ in }) async throws -> [UInt8] {
            var result: [UInt8] = []
            for var wish in Self.wishes {
                change(&wish)
                result.append(red(try await manager.image(for: wish)))
            }
            try await manager.waitForStores()
            return result
        }

        /// Everything of memory forgotten, so that the disk must answer.
        func forgetMemory() { memory.removeAll() }
    }

    // CG-22
    @Test func `Fresh: nobody is asked, in memory and from disk`() async throws {
        let scene = Scene()
        #expect(try await scene.reds() == [1, 1, 101])
        #expect(scene.transport.requests.count == 1)
        scene.time.advance(by: .seconds(59))
        #expect(try await scene.reds() == [1, 1, 101])
        scene.forgetMemory()
        #expect(try await scene.reds() == [1, 1, 101])
        #expect(scene.transport.requests.count == 1)
    }

    @Test(arguments: [false, true])
    func `Its time is over and it changed: memory, disk, thumbnail and variant follow`(_ forgets: Bool) async throws {
        let scene = Scene()
        _ = try await scene.reds()
        scene.origin.set {
            $0.red = 2
            $0.tag = "\"v2\""
        }
        scene.time.advance(by: .seconds(61))
        if forgets { scene.forgetMemory() }
        #expect(try await scene.reds() == [2, 2, 102])
        #expect(scene.transport.requests.count == 2)
        // And it stays so, from memory and from disk.
        #expect(try await scene.reds() == [2, 2, 102])
        scene.forgetMemory()
        #expect(try await scene.reds { $0.cache.lookup = .cacheOnly } == [2, 2, 102])
        #expect(scene.transport.requests.count == 2)
    }

    // CX-28, U-13
    @Test(arguments: [false, true])
    func `Its time is over and it is the same: one question, nothing is decoded again`(_ forgets: Bool) async throws {
        let scene = Scene()
        _ = try await scene.reds()
        let decodes = scene.coder.decodeCount
        scene.time.advance(by: .seconds(61))
        if !forgets {
            #expect(try await scene.reds() == [1, 1, 101])
            #expect(scene.coder.decodeCount == decodes)
        } else {
            scene.forgetMemory()
            #expect(try await scene.reds() == [1, 1, 101])
        }
        #expect(scene.transport.requests.count == 2)
        #expect(scene.origin.conditional.withLock { $0 } == 1)
        // The 304 made all of them fresh again.
        scene.time.advance(by: .seconds(30))
        _ = try await scene.reds()
        #expect(scene.transport.requests.count == 2)
    }

    @Test func `no-store leaves nothing in memory and nothing on disk`() async throws {
        let scene = Scene()
        scene.origin.set { $0.control = "no-store" }
        _ = try await scene.reds()
        #expect(scene.memory.usage.count == 0)
        #expect(try await scene.disk.usage().count == 0)
        #expect(try scene.folder.entryFiles().isEmpty)
    }

    /// Together with everything made from it, whether it changed or not.
    @Test(arguments: [false, true]) func `A picture that becomes no-store goes from the disk too`(isSame: Bool) async throws {
        let scene = Scene()
        _ = try await scene.reds()
        scene.origin.set {
            $0.control = "no-store"
            if isSame { return }
            $0.red = 3
            $0.tag = "\"v3\""
        }
        scene.time.advance(by: .seconds(61))
        #expect(try await scene.reds() == (isSame ? [1, 1, 101] : [3, 3, 103]))
        for _ in 0..<2 {
            for var request in Scene.wishes {
                request.cache.lookup = .cacheOnly
                let stored = request
                await #expect(throws: ImageError.self) { _ = try await scene.manager.image(for: stored) }
            }
            scene.forgetMemory()
        }
        #expect(try scene.folder.entryFiles().isEmpty)
    }

    /// stale-while-revalidate, RFC 5861 §3: the old one at once, the new one next time.
    @Test func `Stale while it is asked again`() async throws {
        let scene = Scene()
        scene.origin.set { $0.control = "max-age=60, stale-while-revalidate=600" }
        let plain = Scene.wishes[0]
        _ = try await scene.manager.image(for: plain)
        try await scene.manager.waitForStores()
        scene.forgetMemory()
        scene.origin.set {
            $0.red = 2
            $0.tag = "\"v2\""
        }
        scene.time.advance(by: .seconds(61))
        #expect(red(try await scene.manager.image(for: plain)) == 1)
        await scene.observer.wait(for: 2) { if case .transferEnded = $0 { true } else { false } }
        #expect(await eventually { scene.manager.isIdle })
        #expect(scene.transport.requests.count == 2)
        #expect(red(try await scene.manager.image(for: plain)) == 2)
        #expect(scene.transport.requests.count == 2)
    }

    @Test func `Stale while it is asked again, out of memory`() async throws {
        let scene = Scene()
        scene.origin.set { $0.control = "max-age=60, stale-while-revalidate=600" }
        let thumbnail = Scene.wishes[1]
        _ = try await scene.manager.image(for: thumbnail)
        try await scene.manager.waitForStores()
        let decodes = scene.coder.decodeCount
        scene.time.advance(by: .seconds(61))
        #expect(red(try await scene.manager.image(for: thumbnail)) == 1)
        #expect(scene.coder.decodeCount == decodes, "the stale picture in memory was decoded again")
        await scene.observer.wait(for: 2) { if case .transferEnded = $0 { true } else { false } }
        #expect(await eventually { scene.manager.isIdle })
    }

    /// stale-if-error, RFC 5861 §4.
    // U-14
    @Test func `The server is down: the old one within its time, then the error`() async throws {
        let scene = Scene()
        scene.origin.set { $0.control = "max-age=60, stale-if-error=600" }
        _ = try await scene.reds()
        scene.origin.set { $0.status = 503 }
        scene.time.advance(by: .seconds(61))
        #expect(try await scene.reds() == [1, 1, 101])
        scene.time.advance(by: .seconds(700))
        await #expect(throws: ImageError.self) { _ = try await scene.reds() }
    }

    @Test func `must-revalidate: no old picture when the server is down`() async throws {
        let scene = Scene()
        scene.origin.set { $0.control = "max-age=60, must-revalidate" }
        _ = try await scene.reds()
        scene.origin.set { $0.status = 503 }
        scene.time.advance(by: .seconds(61))
        await #expect(throws: ImageError.self) { _ = try await scene.reds() }
        // cacheFirst is SDWebImage's way: the cached picture is good, whatever HTTP says.
        #expect(try await scene.reds { $0.cache.lookup = .cacheFirst } == [1, 1, 101])
    }

    /// test07ThatLoadImageWithSDWebImageRefreshCachedWorks: the stored one first, then the new one, also from the original.
    // MG-15
    @Test(arguments: [false, true])
    func `Refresh shows the stored picture and then the new one, also when only the original is stored`(
        _ forgets: Bool
    ) async throws {
        let scene = Scene()
        _ = try await scene.manager.image(for: Scene.wishes[0])
        try await scene.manager.waitForStores()
        if forgets { scene.forgetMemory() }
        scene.origin.set {
            $0.red = 2
            $0.tag = "\"v2\""
        }
        var request = Scene.wishes[0]
        request.cache.lookup = .revalidate
        var seen: [UInt8] = []
        // A reader that is late gets only the new image.
        scene.origin.gate.close()
        for await event in scene.manager.task(for: request).events {
            switch event {
            case .stale(let picture):
                seen.append(red(picture))
                scene.origin.gate.open()
            case .finished(let result): seen.append(red(try result.get()))
            default: break
            }
        }
        #expect(seen == [1, 2])
    }

    @Test func `Refresh of a stored original decodes it once, and shows it also when the server is down`() async throws {
        let scene = Scene()
        _ = try await scene.manager.image(for: Scene.wishes[0])
        try await scene.manager.waitForStores()
        for wish in [Scene.wishes[0], Scene.wishes[2]] {
            var request = wish
            request.cache.lookup = .revalidate
            scene.forgetMemory()
            let decodes = scene.coder.decodeCount
            let result = try await scene.manager.image(for: request)
            #expect(result.origin == .revalidated && scene.coder.decodeCount == decodes + 1)
            #expect((result.encoded != nil) == (wish.transform.transformers == nil))
        }
        try await scene.manager.waitForStores()
        #expect(try await scene.disk.usage().count == 2, "what was made of it is stored as always")
        scene.origin.set { $0.status = 503 }
        scene.forgetMemory()
        var request = Scene.wishes[0]
        request.cache.lookup = .revalidate
        var (seen, codes): ([UInt8], [Int?]) = ([], [])
        for await event in scene.manager.task(for: request).events {
            switch event {
            case .stale(let picture): seen.append(red(picture))
            case .finished(.failure(let error)): codes.append(error.httpStatus)
            default: break
            }
        }
        #expect(seen == [1] && codes == [503])
    }

    // OP-03
    @Test func `Refresh of a picture that did not change tells so, and decodes nothing`() async throws {
        let scene = Scene()
        _ = try await scene.reds()
        let decodes = scene.coder.decodeCount
        for var request in Scene.wishes {
            request.cache.lookup = .revalidate
            let result = try await scene.manager.image(for: request)
            #expect(result.origin == .revalidated)
        }
        #expect(scene.coder.decodeCount == decodes)
    }

    @Test func `immutable and fresh is not even asked by a refresh`() async throws {
        let scene = Scene()
        scene.origin.set { $0.control = "max-age=600, immutable" }
        _ = try await scene.reds()
        _ = try await scene.reds { $0.cache.lookup = .revalidate }
        #expect(scene.transport.requests.count == 1)
    }
}

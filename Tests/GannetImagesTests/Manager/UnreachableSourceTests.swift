import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// Results made from an image may replace an unreachable source as the image itself may, even if the image is gone. U-14, MG-15
@Suite struct UnreachableSourceTests: ManagerSuite {
    /// A server that sends one picture, and then fails.
    private final class Scene: Sendable {
        let time = ManualTimeSource()
        let memory = MemoryCache()
        let disk: InMemoryImageCache?
        let manager: ImageManager
        private let failure: Failure

        private final class Failure: Sendable {
            let status = Mutex<Int?>(nil)
        }

        init(_ control: String, hasDisk: Bool = true) {
            let (time, failure) = (time, Failure())
            self.failure = failure
            disk = hasDisk ? InMemoryImageCache(time: time) : nil
            let transport = ScriptedTransport { (request, _) throws(ImageError) in
                switch failure.status.withLock({ $0 }) {
                case 0?: throw ImageError(.connectionFailed, stage: .load, "Nobody is there.")
                case let status?: return .fixed(request, status: status)
                case nil:
                    return .fixed(
                        request, headers: [("ETag", "\"1\""), ("Cache-Control", control)],
                        body: FakeImageCoder.bytes(width: 8, height: 4, red: 1))
                }
            }
            let loader = HTTPLoader(transport: transport, time: time)
            var configuration = ManagerConfiguration(
                memoryCache: memory, diskCache: disk, loaders: LoadersManager([loader]), coders: CodersManager([FakeImageCoder()])
            )
            configuration.time = time
            configuration.slots = loader.slots
            manager = ImageManager(configuration: configuration)
        }

        /// 0: the server cannot be reached.
        func fail(_ status: Int) { failure.status.withLock { $0 = status } }
    }

    private var small: ImageRequest { request { $0.decode.target = .size(TargetSize(.fit, width: 4, height: 4)) } }

    // MG-15, U-14
    @Test(arguments: [false, true]) func aThumbnailWithoutItsOriginalStandsIn(_ forgetsMemory: Bool) async throws {
        let scene = Scene("max-age=60")
        _ = try await scene.manager.image(for: small)
        try await scene.disk?.remove(CacheKey(ManagerFixture.url))
        if forgetsMemory { scene.memory.removeAll() }
        scene.time.advance(by: .seconds(3600))
        scene.fail(0)
        let shown = try await scene.manager.image(for: small)
        #expect(shown.size == PixelSize(width: 4, height: 2) && shown.origin == (forgetsMemory ? .disk : .memory))
        #expect(try await scene.manager.image(for: small).size.width == 4)
        // Not for requests that must contact the source.
        var anew = small
        anew.cache.lookup = .loaderOnly
        #expect(await failureCode { try await scene.manager.image(for: anew) } == .connectionFailed)
    }

    @Test func withoutADiskWhatMemoryHasStandsIn() async throws {
        let scene = Scene("max-age=60", hasDisk: false)
        _ = try await scene.manager.image(for: request())
        scene.time.advance(by: .seconds(3600))
        scene.fail(0)
        #expect(try await scene.manager.image(for: request()).origin == .memory)
    }

    @Test(arguments: ["max-age=60, must-revalidate", "no-cache", "max-age=60, stale-if-error=100"])
    func whatMayNotStandInDoesNot(_ control: String) async throws {
        let scene = Scene(control)
        _ = try await scene.manager.image(for: small)
        try await scene.disk?.remove(CacheKey(ManagerFixture.url))
        scene.time.advance(by: .seconds(3600))
        scene.fail(0)
        #expect(await failureCode { try await scene.manager.image(for: small) } == .connectionFailed)
    }

    @Test(arguments: [("max-age=60", false), ("max-age=60, stale-if-error=7200", true)])
    func forAServersErrorOnlyWithStaleIfError(_ control: String, _ standsIn: Bool) async throws {
        let scene = Scene(control)
        _ = try await scene.manager.image(for: small)
        try await scene.disk?.remove(CacheKey(ManagerFixture.url))
        scene.memory.removeAll()
        scene.time.advance(by: .seconds(3600))
        scene.fail(503)
        #expect(await failureCode { try await scene.manager.image(for: small) } == (standsIn ? nil : .httpStatus))
        scene.fail(404)
        scene.manager.fetcher.failedSources.removeAll()
        #expect(await failureCode { try await scene.manager.image(for: small) } == .httpStatus)
    }

    @Test func whatMayStandInIsRememberedOnDisk() throws {
        let freshness = Freshness(
            freshUntil: Timestamp(milliseconds: 5), unreachableUntil: .distantFuture,
            staleIfErrorUntil: Timestamp(milliseconds: 9))
        let entry = CacheEntry(
            bytes: ByteRope([1]), metadata: CacheEntryMetadata(storedAt: Timestamp(milliseconds: 1), freshness: freshness))
        let key = CacheKey("a")
        let file = try CacheEntryCoding.encode(entry, for: key, writtenAt: Timestamp(milliseconds: 1))
        #expect(try CacheEntryCoding.decode(file, for: key).metadata.freshness == freshness)
    }
}

/// A loader's own word that nothing has changed, without HTTP. LD-01
@Suite struct UnchangedSourceTests: ManagerSuite {
    private final class Revisions: ImageLoader {
        let identifier = "revisions"
        let loads = Mutex(0)
        let isGone = Mutex(false)
        let time: ManualTimeSource
        init(_ time: ManualTimeSource) { self.time = time }

        func canLoad(_ source: ImageSource) -> Bool { true }
        func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse {
            loads.withLock { $0 += 1 }
            if isGone.withLock({ $0 }) { throw ImageError(.connectionFailed, stage: .load, "Nobody is there.") }
            let freshness = Freshness(freshUntil: time.now + .seconds(60), etag: request.stored == nil ? "1" : nil)
            if request.stored?.freshness.etag == "1" {
                return LoadResponse(body: .notModified, origin: .network, freshness: freshness)
            }
            let bytes = FakeImageCoder.bytes(width: 8, height: 4, red: 1)
            return LoadResponse(body: .bytes(ByteRope(bytes)), origin: .network, freshness: freshness)
        }
    }

    // LD-01
    @Test func isBelieved() async throws {
        let time = ManualTimeSource()
        let loader = Revisions(time)
        let fixture = ManagerFixture(diskCache: InMemoryImageCache(time: time)) {
            $0.time = time
            $0.loaders = LoadersManager([loader])
        }
        _ = try await fixture.manager.image(for: request())
        for round in 2...3 {
            time.advance(by: .seconds(61))
            #expect(try await fixture.manager.image(for: request()).origin == .revalidated)
            #expect(loader.loads.withLock { $0 } == round && fixture.coder.decodeCount == 1)
            #expect(try await fixture.manager.image(for: request()).origin == .memory)
        }
        // If the source cannot be reached, the stored image is shown.
        time.advance(by: .seconds(61))
        loader.isGone.withLock { $0 = true }
        fixture.memory.removeAll()
        #expect(try await fixture.manager.image(for: request()).origin == .disk)
    }
}

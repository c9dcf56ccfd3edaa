import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// Options that no other suite focuses on.
@Suite struct RequestOptionTests {
    @Test func `The disk is read on this thread`() async throws {  // OP-14
        let scene = FollowUpTests.Scene()
        let request = FollowUpTests.Scene.wishes[1]
        #expect(try scene.manager.blockingCachedImage(for: request) == nil)
        _ = try await scene.manager.image(for: request)
        try await scene.manager.waitForStores()
        #expect(try scene.manager.blockingCachedImage(for: request)?.origin == .memory)
        scene.forgetMemory()
        let found = try #require(try scene.manager.blockingCachedImage(for: request))
        #expect(found.origin == .disk && found.size.width == 40)
        #expect(scene.transport.requests.count == 1)
    }

    @Test func `A picture that must move and does not is an error`() async {  // OP-21, CX-22
        let fixture = ManagerFixture()
        fixture.serve()
        var request = ImageRequest(ImageSource(ManagerFixture.url))
        request.decode.requireAnimated = true
        do throws(ImageError) {
            _ = try await fixture.manager.image(for: request)
            Issue.record("a still picture was delivered")
        } catch { #expect(error.code == .unsupported && error.message.contains("requireAnimated")) }
    }

    /// A coder that reads nothing, whatever it is given.
    private struct RefusingCoder: ImageCoder {
        var identifier: String { "refusing" }
        var formats: [ImageFormat] { [.png] }
        func recognizes(_ head: Span<UInt8>) -> Recognition { .no }
        func makeDecoder(
            for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
        ) throws(ImageError) -> any ImageDecoder {
            throw ImageError(.corrupt, stage: .decode, "Not of this coder.")
        }
        func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? { nil }
    }

    @Test(arguments: [false, true])
    func `What a request's own coder cannot read stays stored for those who can`(_ isPicture: Bool) async throws {
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        if !isPicture { fixture.loader.answer(ManagerFixture.url, with: .bytes(Array("nothing".utf8))) }
        let plain = ImageRequest(ImageSource(ManagerFixture.url))
        _ = try await fixture.manager.fetchBytes(for: plain)
        #expect(disk.keys == [ManagerFixture.url])
        var own = plain
        own.decode.coder = RefusingCoder()
        #expect(await failureCode { try await fixture.manager.image(for: own) } == .corrupt)
        #expect(disk.keys.isEmpty == !isPicture, "what is a picture to nobody goes")
        if isPicture { #expect(try await fixture.manager.image(for: plain.with(.onlyFromCache)).origin == .disk) }
    }

    /// CD-20, CD-21, CX-06, CD-45
    // MG-02, CG-02
    @Test func `The last coder added is asked first, and a request may bring its own`() async throws {
        let fixture = ManagerFixture()
        let (second, own) = (FakeImageCoder(identifier: "second"), FakeImageCoder(identifier: "own"))
        fixture.manager.configuration.coders.add(second)
        for name in ["a", "b", "c"] { fixture.serve("https://example.org/\(name)") }
        _ = try await fixture.manager.image(for: "https://example.org/a")
        #expect([fixture.coder.decodeCount, second.decodeCount] == [0, 1])
        var request = ImageRequest("https://example.org/b")
        request.decode.coder = own
        _ = try await fixture.manager.image(for: request)
        #expect([fixture.coder.decodeCount, second.decodeCount, own.decodeCount] == [0, 1, 1])
        fixture.manager.configuration.coders.remove(identifier: "second")
        _ = try await fixture.manager.image(for: "https://example.org/c")
        #expect([fixture.coder.decodeCount, second.decodeCount, own.decodeCount] == [1, 1, 1])
    }

    @Test func `A prefetcher that is paused begins nothing`() async {  // PF-08
        let fixture = ManagerFixture()
        fixture.serve()
        let prefetcher = ImagePrefetcher(manager: fixture.manager)
        prefetcher.isPaused = true
        let batch = prefetcher.prefetch([ImageRequest(ImageSource(ManagerFixture.url))])
        for _ in 0..<100 { await Task.yield() }
        #expect(fixture.loader.loadCount == 0 && !batch.isFinished)
        prefetcher.isPaused = false
        #expect(await batch.wait().loaded == 1)
    }

    @Test func `Any memory cache will do`() async throws {  // MC-12, MG-02
        final class Shelf: ImageMemoryCaching {
            let pictures = Mutex<[CacheKey: CachedImage]>([:])
            func image(for key: CacheKey) -> CachedImage? { pictures.withLock { $0[key] } }
            func store(_ picture: CachedImage, for key: CacheKey) { pictures.withLock { $0[key] = picture } }
            func remove(_ key: CacheKey) { pictures.withLock { $0[key] = nil } }
            func removeAll(prefix: String) { pictures.withLock { $0 = $0.filter { !$0.key.text.hasPrefix(prefix) } } }
            func removeAll() { pictures.withLock { $0 = [:] } }
            func contains(_ key: CacheKey) -> Bool { image(for: key) != nil }
            var usage: CacheUsage { CacheUsage(count: pictures.withLock { $0.count }, bytes: 0) }
            func trim(toFraction fraction: Double) { if fraction < 1 { removeAll() } }
        }
        let shelf = Shelf()
        let fixture = ManagerFixture { $0.memoryCache = shelf }
        fixture.serve()
        let request = ImageRequest(ImageSource(ManagerFixture.url))
        _ = try await fixture.manager.image(for: request)
        #expect(shelf.usage.count == 1)
        #expect(fixture.manager.cachedImage(for: request)?.origin == .memory)
    }

    @Test func `Backups leave the folder out`() async throws {  // DC-10
        let scene = FollowUpTests.Scene()
        _ = try await scene.reds()
        #expect(try scene.folder.allFiles().contains { $0.hasSuffix("/CACHEDIR.TAG") })
    }

    /// MG-13, OP-12, testImageResultContainsDataWhenDownloaded
    @Test func `The bytes come with an original, and are brought for everything else`() async throws {
        let scene = FollowUpTests.Scene()
        let bytes = FakeImageCoder.bytes(width: 80, height: 40, red: 1)
        let plain = FollowUpTests.Scene.wishes[0]
        #expect(try await scene.manager.image(for: plain).encoded?.bytes.contiguous() == bytes)
        #expect(try await scene.manager.image(for: FollowUpTests.Scene.wishes[2]).encoded == nil)
        #expect(try await scene.manager.image(for: plain).encoded == nil)
        #expect(try await scene.manager.fetchBytes(for: plain).encoded?.bytes.contiguous() == bytes)
        #expect(scene.transport.requests.count == 1)
    }

    /// MG-07, DL-17, test06CancellAll, test11ThatCancelAllDownloadWorks
    @Test func `All that runs is cancelled at once`() async {
        let fixture = ManagerFixture()
        fixture.loader.gate.close()
        let tasks = (0..<5).map { index in
            fixture.serve("https://example.org/\(index)")
            return fixture.manager.task(for: ImageSource("https://example.org/\(index)"))
        }
        await fixture.loader.gate.waitForArrivals(5)
        #expect(fixture.manager.runningCount == 5)
        fixture.manager.cancelAll()
        for task in tasks {
            do throws(ImageError) {
                _ = try await task.value
                Issue.record("a cancelled load gave a picture")
            } catch { #expect(error.code == .cancelled) }
        }
        #expect(fixture.manager.runningCount == 0)
    }

    /// NK-17, DC-22
    @Test func `The caches used alone`() async throws {
        let scene = FollowUpTests.Scene()
        let cache = scene.manager.cache
        let picture = try await scene.manager.image(for: FollowUpTests.Scene.wishes[0]).image
        try await cache.store(picture, data: ByteRope(FakeImageCoder.bytes(width: 8, height: 4, red: 9)), forKey: "mine")
        #expect(await cache.tier(ofKey: "mine") == .memory)
        #expect(cache.memoryImage(forKey: "mine")?.size == picture.size)
        try await cache.remove(forKey: "mine", tier: .memory)
        #expect(await cache.tier(ofKey: "mine") == .disk)
        #expect(try await cache.image(forKey: "mine", tier: .memory) == nil)
        #expect(try await cache.image(forKey: "mine")?.origin == .disk)
        #expect(await cache.tier(ofKey: "mine") == .memory)
        #expect(try await cache.data(forKey: "mine")?.contiguous() == FakeImageCoder.bytes(width: 8, height: 4, red: 9))
        try await cache.removeAll()
        #expect(try await cache.usage(of: .all).count == 0)
        #expect(await cache.tier(ofKey: "mine") == .none)
    }

    @Test func `An entry's file has a name`() async throws {  // DC-18
        let scene = FollowUpTests.Scene()
        _ = try await scene.reds()
        #expect(try scene.folder.allFiles().contains(scene.disk.path(for: CacheKey("https://example.org/a.fake"))))
    }

    @Test func `Pixels for each point are told with the picture`() async throws {  // CX-10
        let fixture = ManagerFixture()
        fixture.serve()
        var request = ImageRequest(ImageSource(ManagerFixture.url))
        request.decode.scale = 2
        #expect(try await fixture.manager.image(for: request).image.metadata.scale == 2)
        #expect(try await fixture.manager.image(for: ImageSource(ManagerFixture.url)).image.metadata.scale == 1)
    }

    @Test func `A hint names the format of bytes that nobody recognises`() async throws {  // CX-13, FM-01
        /// Knows its format by name alone.
        struct Silent: ImageCoder {
            let coder = FakeImageCoder()
            var identifier: String { "silent" }
            var formats: [ImageFormat] { [ImageFormat(identifier: "silent", mimeTypes: [], fileExtensions: [])] }
            func recognizes(_ head: Span<UInt8>) -> Recognition { .no }
            func makeDecoder(
                for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
            ) throws(ImageError) -> any ImageDecoder {
                try coder.makeDecoder(for: format, options: options, environment: environment)
            }
            func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? { nil }
        }
        let silent = Silent()
        let fixture = ManagerFixture { $0.coders = CodersManager([silent]) }
        fixture.serve()
        var request = ImageRequest(ImageSource(ManagerFixture.url))
        request.decode.formatHint = silent.formats[0]
        #expect(try await fixture.manager.image(for: request).size.width == 8)
        request.decode.formatHint = nil
        request.cache.lookup = .loaderOnly
        do throws(ImageError) {
            _ = try await fixture.manager.image(for: request)
            Issue.record("bytes that nobody recognises became a picture")
        } catch { #expect(error.code == .notAnImage) }
    }

    @Test func `Memory of pixels is used again`() async throws {  // CG-11, S3-18
        let pool = PixelPool()
        let fixture = ManagerFixture {
            $0.pool = pool
            $0.memoryCache = nil
        }
        fixture.serve(width: 256, height: 256)
        func idleAfterALoad() async throws -> Int {
            _ = try await fixture.manager.image(for: ImageSource(ManagerFixture.url))
            // The last user of the memory releases it.
            #expect(await eventually { pool.livingBytes == 0 })
            return pool.idleBytes
        }
        let idle = try await idleAfterALoad()
        #expect(idle >= 256 * 256 * 4)
        #expect(try await idleAfterALoad() == idle)
    }
}

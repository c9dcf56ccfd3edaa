import GannetCache
import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

@testable import GannetFetch
@testable import GannetImages

/// A result read from the disk matches the request, or is a miss.
@Suite struct StoredResultTests {
    private let disk = InMemoryImageCache()
    private let url = ImageSource(ManagerFixture.url)

    private func request(_ change: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
        var request = ImageRequest(source: url)
        request.schedule.waitsForStore = true
        change(&request)
        return request
    }

    /// `items()` lists it, and no loader says it.
    @Test func whatIsDownloadedIsListedWithItsFormat() async throws {
        let (fixture, _) = tenants()
        _ = try await fixture.manager.image(for: request { $0.download.headers = HTTPHeaders([("X-Tenant", "a")]) })
        let key = try #require(disk.keys.first)
        #expect(try await disk.metadata(for: CacheKey(key))?.format == "fake")
    }

    /// Names and servers may lie about it.
    // U-28
    @Test func theFormatIsThatOfTheBytes() async throws {
        let transport = ScriptedTransport { request, _ in
            .fixed(
                request, headers: [("Content-Type", "text/html"), ("Cache-Control", "max-age=1000")],
                body: FakeImageCoder.bytes(width: 8, height: 4))
        }
        let fixture = ManagerFixture(diskCache: disk) {
            $0.loaders = LoadersManager([HTTPLoader(transport: transport, time: ManualTimeSource())])
        }
        let loaded = try await fixture.manager.image(for: ImageRequest("https://example.org/a.jpg", .waitingForStore))
        #expect(loaded.image.metadata.format == FakeImageCoder.format)
        #expect(try await disk.metadata(for: CacheKey("https://example.org/a.jpg"))?.format == "fake")
    }

    /// A server that answers each `X-Tenant` with a separate image; the bytes for `bad` are no image.
    private func tenants() -> (fixture: ManagerFixture, transport: ScriptedTransport) {
        let transport = ScriptedTransport { request, _ in
            let tenant = request.headers["X-Tenant"] ?? ""
            let body = tenant == "bad" ? Array("nonsense".utf8) : FakeImageCoder.bytes(width: 8, height: tenant.utf8.count)
            return .fixed(request, headers: [("Vary", "X-Tenant"), ("Cache-Control", "max-age=1000")], body: body)
        }
        let loader = HTTPLoader(transport: transport, time: ManualTimeSource())
        return (ManagerFixture(diskCache: disk) { $0.loaders = LoadersManager([loader]) }, transport)
    }

    private func tenant(_ name: String) -> ImageRequest {
        request { $0.download.headers = HTTPHeaders([("X-Tenant", name)]) }
    }

    // U-18, S3-04
    @Test func theDiskOnThisThreadObeysVary() async throws {
        let (fixture, _) = tenants()
        _ = try await fixture.manager.image(for: tenant("a"))
        fixture.memory.removeAll()
        #expect(try fixture.manager.blockingCachedImage(for: tenant("bbb")) == nil)
        #expect(fixture.memory.usage.count == 0)
        #expect(try fixture.manager.blockingCachedImage(for: tenant("a"))?.size.height == 1)
        #expect(try await fixture.manager.image(for: tenant("bbb")).size.height == 3)
    }

    @Test func badBytesOfOneVariantLeaveTheOther() async throws {
        let (fixture, transport) = tenants()
        _ = try await fixture.manager.image(for: tenant("a"))
        #expect(await failureCode { try await fixture.manager.image(for: tenant("bad")) } == .notAnImage)
        #expect(disk.keys.contains(ManagerFixture.url) && !disk.keys.contains { $0.contains("vary=") })
        fixture.memory.removeAll()
        #expect(try await fixture.manager.image(for: tenant("a")).origin == .disk)
        #expect(transport.requests.count == 2)
    }

    @Test func badBytesOfAnAlternativeAreHeldAgainstIt() async throws {
        let fixture = ManagerFixture(diskCache: disk)
        let other = "https://example.org/b.fake"
        fixture.loader.answer(ManagerFixture.url, with: .failure(ImageError(.network, stage: .load, "gone")))
        fixture.loader.answer(other, with: .bytes(Array("nonsense".utf8)))
        let result = await failureCode {
            try await fixture.manager.image(for: request { $0.download.alternatives = [ImageSource(other)] })
        }
        #expect(result == .notAnImage && disk.keys.isEmpty)
        let failed = fixture.manager.fetcher.failedSources
        #expect(failed.contains(ImageSource(other)) && !failed.contains(url))
    }

    @Test func oneFrameOfSeveralIsFoundAgain() async throws {
        let fixture = ManagerFixture(diskCache: disk)
        fixture.loader.answer(ManagerFixture.url, with: .image(TestImages.still(try solid(9, width: 8, height: 8))))
        let third = request {
            $0.decode.frames = .index(2)
            $0.cache.encode = EncodeOptions(format: FakeImageCoder.format)
        }
        _ = try await fixture.manager.image(for: third)
        fixture.memory.removeAll()
        let found = try await fixture.manager.image(for: third)
        #expect(found.origin == .disk && red(found) == 9)
    }

    /// Writes what only it can read; and cannot.
    private struct Sealing: CacheSerializer {
        var code: ImageError.Code?
        func data(for image: DecodedImage, data: EncodedImage?) async throws(ImageError) -> [UInt8]? { [1, 2, 3] }
        func image(from data: [UInt8]) async throws(ImageError) -> DecodedImage? {
            guard let code else { return nil }
            throw ImageError(code, stage: .cache, "sealed")
        }
    }

    @Test(arguments: [ImageError.Code.corrupt, .limitExceeded, .unsupported])
    func aSerializerThatCannotReadIsAMiss(_ code: ImageError.Code) async throws {
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        let small = request {
            $0.decode.target = .size(.fit(4, 4))
            $0.cache.serializer = Sealing(code: code)
        }
        for _ in 0..<2 {
            #expect(try await fixture.manager.image(for: small).size.width == 4)
            fixture.memory.removeAll()
        }
        #expect(fixture.loader.loadCount == 1)
        #expect(fixture.observer.count { if case .corruptEntry = $0 { true } else { false } } == 1)
        // On this thread it is not asked at all.
        #expect(try fixture.manager.blockingCachedImage(for: small)?.size.width == 4)
    }

    @Test func onThisThreadTheOriginalStandsInForADamagedResult() async throws {
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        let small = request {
            $0.decode.target = .size(.fit(4, 4))
            $0.cache.encode = EncodeOptions(format: FakeImageCoder.format)
        }
        _ = try await fixture.manager.image(for: small)
        let key = CacheKey(try fixture.manager.cacheKey(for: small))
        let metadata = try #require(try await disk.metadata(for: key))
        try await disk.store(CacheEntry(bytes: ByteRope(Array("FAKE nonsense\n".utf8)), metadata: metadata), for: key)
        fixture.memory.removeAll()
        #expect(try fixture.manager.blockingCachedImage(for: small)?.size.width == 4)
        #expect(fixture.observer.count { if case .corruptEntry = $0 { true } else { false } } == 1)
    }

    @Test func readsThatAreNoUse() async throws {
        let disk = WrappedCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        _ = try await fixture.manager.image(for: request())
        for extends in [true, false] {
            let again = request { $0.cache.countsUses = extends }
            for lookup in [LookupPolicy.cacheFirst, .revalidate] {
                fixture.memory.removeAll()
                _ = try await fixture.manager.image(
                    for: request { [again] in
                        $0 = again
                        $0.cache.lookup = lookup
                    })
            }
            fixture.memory.removeAll()
            #expect(try fixture.manager.blockingCachedImage(for: again) != nil)
            let touches = disk.touches.withLock { touches in
                defer { touches = [] }
                return touches
            }
            #expect(touches.count >= 3 && Set(touches) == [extends])
        }
    }

    // CX-16
    @Test func howItIsEncodedIsPartOfTheKey() throws {
        let fixture = ManagerFixture()
        func key(_ quality: Int?, _ target: DecodeTarget?) throws -> String {
            try fixture.manager.cacheKey(
                for: request {
                    $0.cache.encode = EncodeOptions(quality: quality)
                    $0.decode.target = target
                })
        }
        let small = DecodeTarget.size(.fit(4, 4))
        #expect(try Set([nil, 10, 90].map { try key($0, small) }).count == 3)
        #expect(try key(10, nil) == key(nil, nil), "originals are stored as they came")
    }

    @Test func sizesServeEachOtherWithinOneEncoding() async throws {
        let fixture = ManagerFixture()
        fixture.serve(width: 64, height: 32)
        func load(_ side: Int, _ quality: Int) async throws -> Int {
            let loaded = try await fixture.manager.image(
                for: request {
                    $0.decode.target = .size(.fit(side, side))
                    $0.cache.encode = EncodeOptions(quality: quality)
                })
            #expect(loaded.size.width == side)
            return fixture.coder.decodeCount
        }
        #expect(try await load(64, 10) == 1)
        #expect(try await load(16, 10) == 1)
        #expect(try await load(15, 90) == 2)
    }

    /// Writes the fake format, whichever format is requested.
    private struct AnyFormatCoder: ImageCoder {
        let inner = FakeImageCoder()
        var identifier: String { "any" }
        var formats: [ImageFormat] { [.jpeg, .png] + inner.formats }
        func recognizes(_ head: Span<UInt8>) -> Recognition { inner.recognizes(head) }
        func makeDecoder(
            for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
        ) throws(ImageError) -> any ImageDecoder {
            try inner.makeDecoder(for: format, options: options, environment: environment)
        }
        func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            try inner.makeEncoder(for: FakeImageCoder.format, options: options)
        }
    }

    // CX-16
    @Test(arguments: [ImageFormat.jpeg, .png, FakeImageCoder.format])
    func theRequestChoosesTheFormat(_ format: ImageFormat) async throws {
        let fixture = ManagerFixture(diskCache: disk) { $0.coders = CodersManager([AnyFormatCoder()]) }
        fixture.serve()
        let small = request {
            $0.decode.target = .size(.fit(4, 4))
            $0.cache.encode = EncodeOptions(format: format)
        }
        _ = try await fixture.manager.image(for: small)
        let stored = try await disk.metadata(for: CacheKey(try fixture.manager.cacheKey(for: small)))
        #expect(stored?.format == format.identifier)
    }

    @Test(arguments: [PixelFormat.rgba8, .rgba16])
    func sixteenBitsAreKept(_ format: PixelFormat) async throws {
        let fixture = ManagerFixture(diskCache: disk) { $0.coders = CodersManager([AnyFormatCoder()]) }
        let layout = PixelLayout(size: PixelSize(clamping: 4, 4), format: format, alpha: .opaque)
        let bitmap = try PixelBuffer(layout).freeze()
        fixture.loader.answer(ManagerFixture.url, with: .image(TestImages.still(bitmap)))
        let deep = request { $0.decode.keeps16Bit = true }
        _ = try await fixture.manager.image(for: deep)
        let stored = try await disk.metadata(for: CacheKey(try fixture.manager.cacheKey(for: deep)))
        #expect(stored?.format == (format == .rgba16 ? "png" : "jpeg"))
    }
}

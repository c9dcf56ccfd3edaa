import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// Kingfisher's live photos, by the names of its tests. KF-14
@Suite struct LivePhotoTests {
    private static let still = "https://example.org/photo.heic"
    private static let video = "https://example.org/photo.mov"

    private static func bytes(brand: String) -> [UInt8] { [0, 0, 0, 16] + Array(("ftyp" + brand + "0000").utf8) }

    private func fixture(_ disk: InMemoryImageCache = InMemoryImageCache()) -> ManagerFixture {
        let fixture = ManagerFixture(diskCache: disk)
        fixture.loader.answer(Self.still, with: .bytes(Self.bytes(brand: "heic")))
        fixture.loader.answer(Self.video, with: .bytes(Self.bytes(brand: "qt  ")))
        return fixture
    }

    private var source: [LivePhotoResource] { [Self.still, Self.video].map { LivePhotoResource(ImageSource($0)) } }

    // MARK: Parts

    @Test func `testLivePhotoResourceInitialization, InitializationWithResource, InitializationWithCacheKey`() {
        let plain = LivePhotoResource(ImageSource(Self.still))
        #expect(plain.source == ImageSource(Self.still) && plain.cacheKey == nil && plain.fileType == .heic)
        #expect(LivePhotoResource(ImageSource(Self.video), cacheKey: "k").cacheKey == "k")
    }

    @Test func `testLivePhotoResourceInitializationWithFileType, GuessedFileType, FileExtensionByType`() {
        #expect(LivePhotoResource(ImageSource(Self.still), fileType: .mov).fileType == .mov)
        for (name, type) in [
            ("a.heic", LivePhotoResource.FileType.heic), ("A.HEIC", .heic), ("a.mov", .mov), ("a.MOV?x=.heic", .mov),
            ("a.jpg", .other("jpg")),
            ("a", .other("")), (".heic", .other("")), ("a.b/c", .other("")),
        ] {
            #expect(LivePhotoResource(ImageSource("https://example.org/" + name)).fileType == type, "\(name)")
        }
        #expect(LivePhotoResource(.file("/x/a.mov")).fileType == .mov)
        let types: [LivePhotoResource.FileType] = [.heic, .mov, .other("jpg")]
        #expect(types.map(\.fileExtension) == ["heic", "mov", "jpg"])
    }

    @Test(arguments: [
        ("heic", LivePhotoResource.FileType.heic), ("mif1", .heic), ("qt  ", .mov), ("isom", .other("")),
    ])
    func `testLivePhotoResourceFileTypeDeterminationForHEIC, QT, Unknown`(_ brand: String, _ type: LivePhotoResource.FileType) {
        let resource = LivePhotoResource("https://example.org/photo")
        #expect(resource.determinedFileType(of: ByteRope(Self.bytes(brand: brand))) == type)
    }

    @Test func `testLivePhotoResourceFileTypeDeterminationForExplicitFileType, NonFYTP, NotEnoughData`() {
        let video = ByteRope(Self.bytes(brand: "qt  "))
        #expect(LivePhotoResource("https://example.org/a", fileType: .heic).determinedFileType(of: video) == .heic)
        #expect(LivePhotoResource("https://example.org/a.jpg").determinedFileType(of: video) == .other("jpg"))
        let unknown = LivePhotoResource("https://example.org/a")
        #expect(unknown.determinedFileType(of: ByteRope(Array("0000moovqt  0000".utf8))) == .other(""))
        #expect(unknown.determinedFileType(of: ByteRope(Array(Self.bytes(brand: "heic")[..<11]))) == .other(""))
        #expect(unknown.determinedFileType(of: ByteRope()) == .other(""))
    }

    @Test func `testLivePhotoSourceInitializationWithResources, URLs, MixedResources`() {
        #expect(source.map(\.fileType) == [.heic, .mov])
        let mixed = [LivePhotoResource(ImageSource(Self.still), cacheKey: "k"), LivePhotoResource(.file("/a.mov"))]
        #expect(mixed.map(\.source) == [ImageSource(Self.still), .file("/a.mov")])
        #expect(LivePhotoResource("https://example.org/a", fileExtension: "MOV").fileType == .mov)
    }

    // MARK: In the caches

    @Test func `testMissingResourceOfLivePhotoFound, NotFound, FoundOne, ForceRefresh`() async throws {
        let fixture = fixture()
        #expect(try await fixture.manager.missingResources(of: source) == source)
        _ = try await fixture.manager.fetchBytes(for: ImageRequest(ImageSource(Self.video)))
        #expect(try await fixture.manager.missingResources(of: source) == [source[0]])
        _ = try await fixture.manager.livePhoto(for: source)
        #expect(try await fixture.manager.missingResources(of: source) == [])
        #expect(try await fixture.manager.missingResources(of: source, .lookup(.loaderOnly)) == source)
    }

    // KF-14
    @Test
    func `testDownloadAndCacheLivePhotoResourcesAll, testRetrieveLivePhotoFromNetwork, testRetrieveLivePhotoNetworkThenCache`()
        async throws
    {
        let fixture = fixture()
        let first = try await fixture.manager.livePhoto(for: source)
        #expect(first.parts.map(\.fileType) == [.heic, .mov] && first.parts.allSatisfy { $0.origin == .network })
        #expect(first.still?.bytes.contiguous() == Self.bytes(brand: "heic"))
        #expect(first.video?.bytes.contiguous() == Self.bytes(brand: "qt  "))
        let second = try await fixture.manager.livePhoto(for: source)
        #expect(second.parts.allSatisfy { $0.origin == .disk } && fixture.loader.loadCount == 2)
        // Loaded again if requested.
        _ = try await fixture.manager.livePhoto(for: source, .lookup(.loaderOnly))
        #expect(fixture.loader.loadCount == 4)
    }

    @Test func `testRetrieveLivePhotoFromLocal, testRetrieveLivePhotoMixed`() async throws {
        let folder = CacheFolder()
        try folder.files.makeDirectory(folder.path)
        let path = folder.path + "/local.mov"
        try folder.files.write([Self.bytes(brand: "qt  ")], toNew: path, sync: false)
        let loader = FakeImageLoader()
        loader.answer(Self.still, with: .bytes(Self.bytes(brand: "heic")))
        let manager = ImageManager(
            configuration: ManagerConfiguration(
                memoryCache: nil, diskCache: InMemoryImageCache(), loaders: LoadersManager([loader, FileLoader()]),
                coders: CodersManager([])))
        let local = try await manager.livePhoto(for: [LivePhotoResource(.file(path)), LivePhotoResource(.file(path))])
        #expect(local.parts.map(\.origin) == [.file, .file] && loader.loadCount == 0)
        let mixed = try await manager.livePhoto(for: [LivePhotoResource(ImageSource(Self.still)), LivePhotoResource(.file(path))])
        #expect(mixed.parts.map(\.origin) == [.network, .file] && mixed.parts.map(\.fileType) == [.heic, .mov])
    }

    @Test func `testDownloadAndCacheLivePhotoWithEmptyResources, SingleResource`() async throws {
        let fixture = fixture()
        #expect(try await fixture.manager.livePhoto(for: []).parts.isEmpty)
        let one = try await fixture.manager.livePhoto(for: [LivePhotoResource(ImageSource(Self.video))])
        #expect(one.parts.count == 1 && one.still == nil && one.video != nil && fixture.loader.loadCount == 1)
    }

    /// Guessing an unsupported, an explicitly set, a HEIC and a MOV extension: the names of files that are written.
    @Test
    func
        `testDownloadAndCacheLivePhotoWithSingleResource GuessingUnsupportedExtension, ExplicitSetExtension, GuessingHEICExtension, GuessingMOVExtension`()
        async throws
    {
        let folder = CacheFolder()
        try folder.files.makeDirectory(folder.path)
        let url = "https://example.org/photo"
        for (brand, type, name) in [
            ("isom", LivePhotoResource.FileType?.none, "a"), ("isom", .other("bin"), "a.bin"), ("heic", nil, "a.heic"),
            ("qt  ", nil, "a.mov"),
        ] {
            let fixture = ManagerFixture(diskCache: InMemoryImageCache())
            fixture.loader.answer(url, with: .bytes(Self.bytes(brand: brand)))
            let resource = LivePhotoResource(ImageSource(url), cacheKey: "own key", fileType: type)
            let photo = try await fixture.manager.livePhoto(for: [resource])
            #expect(try photo.write(toFolder: folder.path, named: "a") == [folder.path + "/" + name])
            #expect(
                try folder.files.read(folder.path + "/" + name, maximumBytes: 100, nofollow: true) == Self.bytes(brand: brand))
            #expect(try await fixture.manager.missingResources(of: [resource]) == [])
        }
        #expect(try folder.allFiles().count == 4)
    }

    /// All or none: the failure of one part cancels the other, and is thrown.
    // KF-14
    @Test func `One part that cannot be had ends the others`() async throws {
        let provider = Unending()
        let loader = FakeImageLoader()
        let fixture = ManagerFixture(diskCache: InMemoryImageCache()) {
            $0.loaders = LoadersManager([loader, ProviderLoader()])
        }
        loader.gate.close()
        loader.answer(Self.still, with: .failure(ImageError(.network, "down")))
        let source = [LivePhotoResource(ImageSource(Self.still)), LivePhotoResource(.provider(provider))]
        let task = Task { await failureCode { try await fixture.manager.livePhoto(for: source) } }
        await provider.gate.waitForArrivals(1)
        loader.gate.open()
        #expect(await task.value == .network)
        await eventually { fixture.manager.isIdle }
        #expect(fixture.manager.isIdle)
    }

    private struct Unending: ImageDataProvider {
        let cacheKey = "unending"
        let gate = AsyncGate()

        func data() async throws -> [UInt8] {
            await gate.wait()
            throw ImageError.cancelled()
        }
    }

    // KingfisherError 1004, livePhotoTaskCancelled
    @Test func `A live photo that is cancelled says so, and nothing goes on`() async {
        let fixture = fixture()
        fixture.loader.gate.close()
        let task = Task { await failureCode { try await fixture.manager.livePhoto(for: source) } }
        await fixture.loader.gate.waitForArrivals(2)
        task.cancel()
        #expect(await task.value == .cancelled)
        await eventually { fixture.manager.transferWaiterCount == 0 && fixture.loader.cancelledCount == 2 }
        #expect(fixture.loader.cancelledCount == 2)
    }
}

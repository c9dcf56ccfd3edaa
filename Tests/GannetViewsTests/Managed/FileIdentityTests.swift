import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import GannetViews
import Glibc
import Synchronization
import Testing

/// KS-07: a file's identity is its path, size, time and inode; a changed file is another picture.
@Suite struct FileIdentityTests {
    struct Scene {
        let folder = CacheFolder()
        let coder = FakeImageCoder()
        let manager: ImageManager
        let path: String

        init() throws {
            try #require(mkdir(folder.path, 0o700) == 0)
            path = folder.path + "/a.fake"
            let cache = DiskCache(DiskCacheConfiguration(directory: folder.path + "/cache"))
            manager = ImageManager(
                configuration: ManagerConfiguration(
                    memoryCache: MemoryCache(), diskCache: cache, loaders: LoadersManager(), coders: CodersManager([coder])))
        }

        /// Always the same number of bytes.
        func write(_ red: UInt8, seconds: Int) throws {
            try Data(FakeImageCoder.bytes(width: 80, height: 40, red: red)).write(to: URL(filePath: path))
            try touch(seconds)
        }

        func touch(_ seconds: Int) throws {
            let time = timespec(tv_sec: seconds, tv_nsec: 0)
            try #require(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
        }
    }

    // KS-07
    @Test func `A changed file gives the new picture, as it is, small and transformed`() async throws {
        let scene = try Scene()
        let source = ImageSource.file(scene.path)
        let wishes = [
            ImageRequest(source), ImageRequest(source, .fit(40, 20)),
            ImageRequest(source, .transform(AddTransformer(amount: 100))),
        ]
        func reds() async throws -> [UInt8] {
            var result: [UInt8] = []
            for wish in wishes { result.append(red(try await scene.manager.image(for: wish))) }
            return result
        }
        try scene.write(1, seconds: 1000)
        #expect(try await reds() == [1, 1, 101])
        let decodes = scene.coder.decodeCount
        #expect(try await reds() == [1, 1, 101])
        #expect(scene.coder.decodeCount == decodes)
        // The same length, another time.
        try scene.write(2, seconds: 1001)
        #expect(scene.manager.cachedImage(for: wishes[0]) == nil)
        #expect(try await reds() == [2, 2, 102])
        // The same length and time, another file in its place.
        let other = scene.path + ".new"
        try Data(FakeImageCoder.bytes(width: 80, height: 40, red: 3)).write(to: URL(filePath: other))
        try #require(rename(other, scene.path) == 0)
        try scene.touch(1001)
        #expect(try await reds() == [3, 3, 103])
    }

    @Test func `A file that is gone is an error, not its old picture`() async throws {
        let scene = try Scene()
        try scene.write(1, seconds: 1000)
        let source = ImageSource.file(scene.path)
        _ = try await scene.manager.image(for: source)
        try #require(unlink(scene.path) == 0)
        do throws(ImageError) {
            _ = try await scene.manager.image(for: source)
            Issue.record("the old picture was shown")
        } catch { #expect(error.code == .notFound) }
    }

    /// Its name in the caches would say nothing of its state.
    @Test func `A file that comes while it is loaded is kept by nobody`() async throws {
        let scene = try Scene()
        try scene.write(1, seconds: 1000)
        let files = FaultyFileSystem(POSIXFileSystem(), rule: FaultyFileSystem.fail(.status, number: 1, errno: ENOENT))
        let fixture = ManagerFixture { $0.loaders = LoadersManager([FileLoader(files: files)]) }
        #expect(red(try await fixture.manager.image(for: .file(scene.path))) == 1)
        #expect(files.failureCount == 1)
        try #require(unlink(scene.path) == 0)
        #expect(await failureCode { try await fixture.manager.image(for: .file(scene.path)) } == .notFound)
    }

    @Test func `The original of a file is not copied into the cache`() async throws {
        let scene = try Scene()
        try scene.write(1, seconds: 1000)
        _ = try await scene.manager.image(for: ImageSource.file(scene.path))
        try await scene.manager.waitForStores()
        #expect(try await scene.manager.configuration.diskCache?.usage().count == 0)
    }

    /// Calls that a view makes before it draws must not wait for a file system, which may be on another machine. // KS-07
    @Test func `Synchronous look-ups wait for no file`() async throws {
        let scene = try Scene()
        try scene.write(1, seconds: 1000)
        let files = FaultyFileSystem(POSIXFileSystem())
        let fixture = ManagerFixture { $0.loaders = LoadersManager([FileLoader(files: files)]) }
        let request = ImageRequest(.file(scene.path), .fit(40, 20))
        #expect(try await fixture.manager.image(for: request).origin == .file)
        let calls = files.callCount
        _ = fixture.manager.cachedImage(for: request)
        _ = fixture.manager.hasCachedImage(for: request)
        _ = fixture.manager.otherSize(for: request)
        _ = fixture.manager.smallerCachedImage(for: request)
        #expect(files.callCount == calls)
        #expect(try await fixture.manager.image(for: request).origin == .memory)
        #expect(files.count(of: .status) > 1, "a load looks at its file")
    }

    @Test(.enabled(if: Kernel.tells, Comment(rawValue: Kernel.comment)))
    func `A file that the kernel knows is found synchronously, until it changes`() async throws {
        let scene = try Scene()
        try scene.write(1, seconds: 1000)
        let link = scene.path + ".link"
        try #require(symlink(scene.path, link) == 0)
        for path in [scene.path, link] {
            let source = ImageSource.file(path)
            try scene.write(1, seconds: 1000)
            #expect(red(try await scene.manager.image(for: source)) == 1)
            // The kernel may say at any time that it would have to wait.
            let found = try #require(
                (0..<100).lazy.compactMap { _ in scene.manager.cachedImage(for: ImageRequest(source)) }.first)
            #expect(red(found) == 1)
            try scene.write(2, seconds: 1001)
            #expect(scene.manager.cachedImage(for: ImageRequest(source)) == nil)
        }
        #expect(FileLoader().identityAtOnce(of: .file("/nowhere")) == nil)
    }

    /// The identity that is available at once may be outdated or missing: then the look-up is just a miss. // LD-06
    @Test(arguments: ["2", nil]) func `What a loader says at once only decides synchronous look-ups`(_ atOnce: String?)
        async throws
    {
        struct Remote: ImageLoader {
            let atOnce: String?
            var identifier: String { "remote" }
            var isRemote: Bool { false }
            func canLoad(_ source: ImageSource) -> Bool { true }
            func identity(of source: ImageSource) throws(ImageError) -> String? { "1" }
            func identityAtOnce(of source: ImageSource) -> String? { atOnce }
            func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse {
                LoadResponse(body: .bytes(ByteRope(FakeImageCoder.bytes(width: 4, height: 4, red: 5))), origin: .data)
            }
        }
        let source = ImageSource("roof:///now")
        let wrong = ManagerFixture { $0.loaders = LoadersManager([Remote(atOnce: atOnce)]) }
        for origin in [LoadedImage.Origin.data, .memory] {
            #expect(try await wrong.manager.image(for: source).origin == origin)
            #expect(wrong.manager.cachedImage(for: ImageRequest(source)) == nil)
        }
        let right = ManagerFixture { $0.loaders = LoadersManager([Remote(atOnce: "1")]) }
        _ = try await right.manager.image(for: source)
        #expect(right.manager.cachedImage(for: ImageRequest(source)) != nil)
    }

    @MainActor @Test func `A caller's actor is free while a file is looked at`() async throws {
        let scene = try Scene()
        try scene.write(1, seconds: 1000)
        let looksOnCaller = Atomic(0)
        let caller = pthread_self()
        let files = FaultyFileSystem(POSIXFileSystem()) { call, _, _, _ in
            if call == .status, pthread_equal(pthread_self(), caller) != 0 {
                looksOnCaller.add(1, ordering: .sequentiallyConsistent)
            }
            return nil
        }
        let fixture = ManagerFixture(diskCache: InMemoryImageCache()) { $0.loaders = LoadersManager([FileLoader(files: files)]) }
        let (manager, source) = (fixture.manager, ImageSource.file(scene.path))
        for _ in 1...2 {
            _ = try await manager.image(for: source)
            _ = try await manager.task(for: source).value
            _ = try await manager.fetchBytes(for: ImageRequest(source))
            _ = try await manager.livePhoto(for: [LivePhotoResource(source)])
            _ = try await manager.missingResources(of: [LivePhotoResource(source)])
            _ = try await manager.explanation(of: ImageRequest(source))
            _ = await manager.summary(for: ImageRequest(source))
        }
        #expect(looksOnCaller.load(ordering: .sequentiallyConsistent) == 0)
        #expect(files.count(of: .status) > 0)
    }

    /// LD-06
    @Test func `A loader of another scheme has a say in the keys`() async throws {
        final class Camera: ImageLoader {
            let red = Mutex<UInt8>(1)
            var identifier: String { "camera" }
            var isRemote: Bool { false }
            func canLoad(_ source: ImageSource) -> Bool { source.keyText.hasPrefix("camera:") }
            func identity(of source: ImageSource) throws(ImageError) -> String? { "\(red.withLock { $0 })" }
            func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse {
                let bytes = FakeImageCoder.bytes(width: 4, height: 4, red: red.withLock { $0 })
                return LoadResponse(body: .bytes(ByteRope(bytes)), origin: .data)
            }
        }
        let camera = Camera()
        let fixture = ManagerFixture { $0.loaders = LoadersManager([camera]) }
        let source = ImageSource("camera://roof/now")
        #expect(red(try await fixture.manager.image(for: source)) == 1)
        #expect(try await fixture.manager.image(for: source).origin == .memory)
        camera.red.withLock { $0 = 2 }
        #expect(red(try await fixture.manager.image(for: source)) == 2)
    }
}

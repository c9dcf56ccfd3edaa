import FoundationEssentials
import GannetCore
import GannetPipeline
import GannetTesting
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

import FoundationEssentials
import GannetCore
import GannetFetch
import GannetImages
import GannetSharedCaches
import GannetTesting
import Synchronization
import Testing

/// The module as a program has it that is no server: through its public interface alone.
struct S3CacheTests {
    private let bucket = Bucket()
    private let url = "https://example.org/a.fake"

    private func program(_ cache: S3Cache, _ loader: any ImageLoader) -> ImageManager {
        ImageManager(
            configuration: ManagerConfiguration(
                memoryCache: nil, diskCache: cache, loaders: LoadersManager([loader]), coders: CodersManager([FakeImageCoder()])))
    }

    private func cache(_ report: @escaping @Sendable (String) -> Void = { _ in }) throws -> S3Cache {
        try S3Cache(
            bucket: "pictures/originals", region: "eu-west-1", credentials: Bucket.credentials, transport: bucket, report: report)
    }

    @Test func whatOneProgramFetchedAnotherFinds() async throws {
        let (first, second) = (FakeImageLoader(), FakeImageLoader())
        first.answer(
            url, with: .bytes(FakeImageCoder.bytes(width: 8, height: 4), freshness: Freshness(freshUntil: .distantFuture)))
        let (mine, yours) = (try cache(), try cache())
        let made = try await program(mine, first).image(for: ImageRequest(ImageSource(url), .waitingForStore))
        try await mine.flush()
        let found = try await program(yours, second).image(for: ImageRequest(ImageSource(url)))
        #expect(made.origin == .network && found.origin == .disk && found.size == PixelSize(width: 8, height: 4))
        #expect(first.loadCount == 1 && second.loadCount == 0)
        #expect(bucket.hosts == ["pictures.s3.eu-west-1.amazonaws.com"])
    }

    @Test func objectsAreSources() async throws {
        bucket.put(FakeImageCoder.bytes(width: 2, height: 2), "/a/b.fake")
        let loader = try S3Loader(["pictures"], region: "eu-west-1", credentials: Bucket.credentials, transport: bucket)
        let manager = ImageManager(
            configuration: ManagerConfiguration(
                memoryCache: nil, diskCache: nil, loaders: LoadersManager([loader]), coders: CodersManager([FakeImageCoder()])))
        let loaded = try await manager.image(for: ImageRequest("s3://pictures/a/b.fake"))
        #expect(loaded.size == PixelSize(width: 2, height: 2) && loaded.origin == .network)
        await #expect(throws: ImageError.self) { try await manager.image(for: ImageRequest("s3://others/a/b.fake")) }
        #expect(bucket.isEachSigned && bucket.hosts == ["pictures.s3.eu-west-1.amazonaws.com"])
    }

    /// Reads are misses and stores are lost; what is to be removed may still be there.
    @Test func aBucketThatCannotBeReachedFailsNoLoad() async throws {
        bucket.isDown.store(true, ordering: .relaxed)
        let loader = FakeImageLoader()
        let reports = Mutex<[String]>([])
        loader.answer(url, with: .bytes(FakeImageCoder.bytes(width: 8, height: 4)))
        let cache = try cache { line in reports.withLock { $0.append(line) } }
        for _ in 0..<3 {
            #expect(try await program(cache, loader).image(for: ImageRequest(ImageSource(url))).origin == .network)
            try await cache.flush()
        }
        await #expect(throws: ImageError.self) { try await cache.remove(CacheKey("a")) }
        let lines = reports.withLock { $0 }
        #expect(lines.count == 1 && lines.first?.contains("S3, pictures/originals/") == true && !lines[0].contains("se/cret"))
    }
}

/// Objects in memory, for whoever signs.
private final class Bucket: HTTPTransport {
    static let credentials = S3Credentials(identifier: "AKIDTEST", secret: "se/cret+")

    let isDown = Atomic(false)
    private let objects = Mutex<[String: [UInt8]]>([:])
    private let requests = Mutex<[HTTPRequest]>([])

    var hosts: Set<String?> { Set(requests.withLock { $0.map { $0.url.host() } }) }

    var isEachSigned: Bool {
        requests.withLock { all in
            all.allSatisfy { $0.headers["Authorization"]?.hasPrefix("AWS4-HMAC-SHA256 Credential=AKIDTEST/") == true }
        }
    }

    func put(_ bytes: [UInt8], _ path: String) { objects.withLock { $0[path] = bytes } }

    func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse {
        requests.withLock { $0.append(request) }
        if isDown.load(ordering: .relaxed) { throw ImageError(.connectionFailed, stage: .load, "There is no server.") }
        let path = request.url.path()
        switch request.method {
        case "PUT": objects.withLock { $0[path] = request.body }
        case "DELETE": objects.withLock { $0[path] = nil }
        default:
            guard let object = objects.withLock({ $0[path] }) else { return .fixed(request, status: 404) }
            return .fixed(request, body: object)
        }
        return .fixed(request)
    }
}

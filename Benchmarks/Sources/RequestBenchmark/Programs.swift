import Dispatch
import GannetCache
import GannetCore
import GannetFetch
import GannetImages

/// A manager as programs use it, on the fakes: memory, no disk.
func makeManager(_ origin: FakeOrigin, disk: (any ImageCaching)? = nil) -> ImageManager {
    ImageManager(
        configuration: ManagerConfiguration(
            memoryCache: MemoryCache(), diskCache: disk, loaders: LoadersManager([origin]), coders: CodersManager([FakeCoder()])))
}

/// Decodes where its task runs, in Swift's own pool.
func makeBaseline(_ origin: FakeOrigin) -> Baseline {
    Baseline(fetch: { _ in try await origin.bytes() }, decode: { try FakeCoder.decode($0) })
}

/// Decodes on a queue, so that the decodes of large images do not block Swift's pool: what the library promises, too.
func makeBaselineWithQueue(_ origin: FakeOrigin) -> Baseline {
    let queue = DispatchQueue(label: "decoding")
    return Baseline(
        fetch: { _ in try await origin.bytes() },
        decode: { bytes in
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Result { try FakeCoder.decode(bytes) }) }
            }
        })
}

func makeURLs(_ count: Int) -> [String] { (0..<count).map { "https://example.org/pictures/photo-\($0).jpg" } }

func makeRequests(_ count: Int) -> [ImageRequest] { makeURLs(count).map { ImageRequest(ImageSource($0)) } }

/// Suspends until the condition holds. Polls seldom enough for the polling not to be seen in a round of some hundred requests.
func until(_ condition: () -> Bool) async throws {
    // With one processor everything that is ready runs now.
    await Task.yield()
    while !condition() { try await Task.sleep(for: .microseconds(200)) }
}

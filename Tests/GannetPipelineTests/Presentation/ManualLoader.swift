import GannetCore
import GannetPipeline
import Synchronization

/// A loader whose loads do what a test says, when it says so.
final class ManualLoader: ImageLoading {
    final class Load: Sendable {
        let request: ImageRequest
        let stream: AsyncStream<ImageTaskEvent>
        private let continuation: AsyncStream<ImageTaskEvent>.Continuation
        private let state = Mutex((cancelled: false, ended: false))
        private let priorities = Mutex<[LoadPriority]>([])

        init(_ request: ImageRequest) {
            self.request = request
            (stream, continuation) = AsyncStream.makeStream()
        }

        var isCancelled: Bool { state.withLock { $0.cancelled } }
        var priorityChanges: [LoadPriority] { priorities.withLock { $0 } }

        func send(_ event: ImageTaskEvent) { continuation.yield(event) }

        func succeed(_ image: DecodedImage, origin: LoadedImage.Origin = .network) {
            end(.success(LoadedImage(image: image, origin: origin)))
        }

        func fail(_ code: ImageError.Code = .network) { end(.failure(ImageError(code, stage: .load, "The test says no."))) }

        func cancel() {
            state.withLock { $0.cancelled = true }
            end(.failure(.cancelled()))
        }

        func setPriority(_ priority: LoadPriority) { priorities.withLock { $0.append(priority) } }

        private func end(_ result: Result<LoadedImage, ImageError>) {
            let isFirst = state.withLock { state in
                defer { state.ended = true }
                return !state.ended
            }
            guard isFirst else { return }
            continuation.yield(.finished(result))
            continuation.finish()
        }
    }

    private let state = Mutex(
        (loads: [Load](), cache: [String: LoadedImage](), asked: [ImageRequest](), smaller: [String: LoadedImage]()))

    var loads: [Load] { state.withLock { $0.loads } }
    /// Every request memory was asked for.
    var lookups: [ImageRequest] { state.withLock { $0.asked } }

    func remember(_ image: DecodedImage, for source: ImageSource) {
        state.withLock { $0.cache[source.keyText] = LoadedImage(image: image, origin: .memory) }
    }

    func rememberSmaller(_ image: DecodedImage, for source: ImageSource) {
        state.withLock { $0.smaller[source.keyText] = LoadedImage(image: image, origin: .memory) }
    }

    func standIn(for request: ImageRequest) -> LoadedImage? { state.withLock { $0.smaller[request.source.keyText] } }

    func cachedImage(for request: ImageRequest) -> LoadedImage? {
        state.withLock {
            $0.asked.append(request)
            return $0.cache[request.source.keyText]
        }
    }

    func startLoad(_ request: ImageRequest) -> PresentedLoad {
        let load = Load(request)
        state.withLock { $0.loads.append(load) }
        return PresentedLoad(
            events: load.stream, cancel: { load.cancel() }, setPriority: { load.setPriority($0) })
    }
}

func still(_ bitmap: Bitmap, original: PixelSize? = nil) -> DecodedImage {
    .still(bitmap, ImageMetadata(format: .png, originalSize: original ?? bitmap.size))
}

/// Lets the tasks of the actor run until something is true; gives up after very many turns. What is waited for may need other
/// threads and files, on a machine that is busy with something else.
func until(isolation: isolated (any Actor)? = #isolation, _ condition: () -> Bool) async {
    for _ in 0..<2_000_000 {
        if condition() { return }
        await Task.yield()
    }
}

package import GannetCache
package import GannetCore
import GannetFetch
package import GannetImages
package import GannetTesting
import Synchronization

/// A manager over fakes: no network, no files, no real codecs.
package struct ManagerFixture {
    package let loader = FakeImageLoader()
    package let coder = FakeImageCoder()
    package let observer = RecordingObserver()
    package let memory = MemoryCache()
    package let time = ManualTimeSource()
    package let manager: ImageManager

    package init(diskCache: (any ImageCaching)? = nil, change: (inout ManagerConfiguration) -> Void = { _ in }) {
        var configuration = ManagerConfiguration(
            memoryCache: memory, diskCache: diskCache, loaders: LoadersManager([loader]), coders: CodersManager([coder]))
        configuration.observers = [observer]
        configuration.time = time
        change(&configuration)
        manager = ImageManager(configuration: configuration)
    }

    package static let url = "https://example.org/a.fake"

    /// Makes the loader answer `url` with a picture of this size.
    package func serve(
        _ url: String = Self.url, width: Int = 8, height: Int = 4, red: UInt8 = 10, freshness: Freshness = .unknown
    ) {
        loader.answer(url, with: .bytes(FakeImageCoder.bytes(width: width, height: height, red: red), freshness: freshness))
    }
}

/// Adds a number to every channel; counts nothing, so equal numbers are equal transformers.
package struct AddTransformer: ImageTransformer {
    package let amount: UInt8

    package init(amount: UInt8) { self.amount = amount }

    package var identifier: String? { "add-\(amount)" }

    package func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        var buffer = try bitmap.mutableCopy(pool: context.pool)
        for y in 0..<buffer.size.height {
            var row = buffer.mutableRow(y)
            for x in row.indices { row[x] = row[x] &+ amount }
        }
        return buffer.freeze()
    }
}

/// The red value of the first pixel.
package func red(_ result: LoadedImage) -> UInt8 {
    let row = result.bitmap.row(0)
    return row[0]
}

/// The error code of a failed load; nil if it succeeded.
package func failureCode(_ body: () async throws -> some Any) async -> ImageError.Code? {
    do {
        _ = try await body()
        return nil
    } catch { return (error as? ImageError)?.code }
}

/// Shared by the suites of the manager's behaviours.
package protocol ManagerSuite {}

extension ManagerSuite {
    package var url: ImageSource { ImageSource(ManagerFixture.url) }

    /// For `url`: its result comes when everything is stored, as files of the fake format.
    package func request(_ change: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
        var request = ImageRequest(source: url)
        request.schedule.waitsForStore = true
        request.cache.encode = EncodeOptions(format: FakeImageCoder.format)
        change(&request)
        return request
    }
}

/// Counts what happens on any thread.
package final class CallCount: Sendable {
    private let value = Mutex(0)

    package init() {}

    package var count: Int { value.withLock { $0 } }
    package func add() { value.withLock { $0 += 1 } }

    /// Counts the callbacks that run on it.
    package var executor: @Sendable (@escaping @Sendable () -> Void) -> Void {
        { body in
            self.add()
            body()
        }
    }
}

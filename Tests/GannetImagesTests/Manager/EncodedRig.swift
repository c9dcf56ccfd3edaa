import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization

/// Reads the fake format, and writes it under several names. Counts its encodes, and may refuse them.
final class CountedCoder: ImageCoder {
    let inner = FakeImageCoder()
    let encodes = CallCount()
    /// Every encode fails.
    let refuses = Atomic(false)
    var identifier: String { "counted" }
    var formats: [ImageFormat] { [.jpeg, .png] + inner.formats }

    func recognizes(_ head: Span<UInt8>) -> Recognition { inner.recognizes(head) }

    func makeDecoder(
        for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
    ) throws(ImageError) -> any ImageDecoder {
        try inner.makeDecoder(for: format, options: options, environment: environment)
    }

    func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
        Encoder(coder: self, format: format, quality: options.quality)
    }

    private final class Encoder: ImageEncoder {
        let coder: CountedCoder
        let format: ImageFormat
        let quality: Int?

        init(coder: CountedCoder, format: ImageFormat, quality: Int?) {
            (self.coder, self.format, self.quality) = (coder, format, quality)
        }

        /// The colours tell format and quality.
        func encode(_ image: DecodedImage) throws(ImageError) -> [UInt8] {
            coder.encodes.add()
            if coder.refuses.load(ordering: .relaxed) { throw ImageError(.encodeFailed, stage: .encode, "Not this one.") }
            return FakeImageCoder.bytes(
                width: image.size.width, height: image.size.height, red: image.bitmap.row(0)[0],
                green: UInt8(format.identifier.utf8.count), blue: UInt8(quality ?? 0))
        }
    }
}

/// A program that makes files of images: several managers with one disk, like one process after the other.
struct EncodedRig {
    let disk: InMemoryImageCache
    let time = ManualTimeSource()
    let loader = FakeImageLoader()

    init(storeGate: AsyncGate = AsyncGate(isOpen: true)) {
        disk = InMemoryImageCache(storeGate: storeGate, time: time)
        serve()
    }

    func serve(width: Int = 8, height: Int = 8, red: UInt8 = 10, freshness: Freshness = .unknown) {
        let bytes = FakeImageCoder.bytes(width: width, height: height, red: red)
        loader.answer(ManagerFixture.url, with: .bytes(bytes, freshness: freshness))
    }

    /// A process with nothing in memory.
    struct Process {
        let manager: ImageManager
        let coder = CountedCoder()
        let memory = MemoryCache()
        let observer = RecordingObserver()

        init(_ loader: any ImageLoader, _ disk: any ImageCaching, _ time: any TimeSource) {
            var configuration = ManagerConfiguration(
                memoryCache: memory, diskCache: disk, loaders: LoadersManager([loader]), coders: CodersManager([coder]))
            configuration.time = time
            configuration.observers = [observer]
            manager = ImageManager(configuration: configuration)
        }

        func file(_ request: ImageRequest, _ options: EncodeOptions = EncodedRig.options) async throws -> String {
            String(decoding: try await manager.encoded(for: request, as: options).bytes.contiguous(), as: UTF8.self)
        }

        /// Decodes and encodes so far.
        var work: [Int] { [coder.inner.decodeCount, coder.encodes.count] }
    }

    func process(_ loader: (any ImageLoader)? = nil) -> Process { Process(loader ?? self.loader, disk, time) }

    static let options = EncodeOptions(format: FakeImageCoder.format)

    /// Half as wide.
    static func thumbnail(_ change: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
        var request = ImageRequest(ImageSource(ManagerFixture.url), .fit(4, 4))
        change(&request)
        return request
    }

    /// As its source has it.
    static func whole(_ change: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
        var request = ImageRequest(ImageSource(ManagerFixture.url))
        change(&request)
        return request
    }
}

import FoundationEssentials
import Gannet
import GannetCore
import GannetImages
import GannetPlatform
import GannetTesting
import Testing

// The code of the articles on parts of one's own, compiled, and tried by `SnippetTests`.

struct FlatCoder: ImageCoder {
    static let format = ImageFormat(identifier: "flat", mimeTypes: ["image/x-flat"], fileExtensions: ["flat"])
    var identifier: String { "flat" }
    var formats: [ImageFormat] { [Self.format] }

    func recognizes(_ head: Span<UInt8>) -> Recognition {
        if head.count == 0 { return .needsMoreBytes(1) }
        return head[0] == UInt8(ascii: "F") ? .yes(Self.format) : .no
    }

    func makeDecoder(
        for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
    ) throws(ImageError) -> any ImageDecoder { FlatDecoder(environment) }

    func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? { nil }
}

final class FlatDecoder: ImageDecoder {
    private let limits: DecodeLimits
    private var color: [UInt8] = []
    private var failure: ImageError?
    private(set) var header: ImageHeader?

    init(_ environment: DecodeEnvironment) { limits = environment.limits }

    /// What `decodeFrame` fills; the caller checks it against the limits, and only then makes the buffer.
    var outputLayout: PixelLayout? { header.map { PixelLayout(size: $0.size, alpha: .opaque) } }

    func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus {
        try sticking { () throws(ImageError) in
            let head = bytes.prefix(6)
            guard head.count == 6 else {
                guard bytes.isComplete else { return .needsMoreData }
                throw ImageError(.truncated, stage: .decode, "A flat image has 6 bytes; load it again.")
            }
            guard let size = PixelSize(width: Int(head[1]), height: Int(head[2])) else {
                throw ImageError(.corrupt, stage: .decode, "A flat image without pixels.")
            }
            header = ImageHeader(format: FlatCoder.format, size: size)
            color = head[3...] + [255]
            return .finished
        }
    }

    func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
        try sticking { () throws(ImageError) in
            let start = SystemTimeSource().uptime
            for y in 0..<buffer.size.height {
                try ImageError.checkCancellation(stage: .decode)
                guard SystemTimeSource().uptime - start <= limits.maximumDecodeTime else {
                    throw ImageError(.limitExceeded, stage: .decode, "Decoding takes longer than maximumDecodeTime.")
                }
                var row = buffer.mutableRow(y)
                for x in row.indices { row[x] = color[x % 4] }
            }
            buffer.setAlpha(.opaque)
        }
    }

    /// After an error every call throws it again.
    private func sticking<R>(_ body: () throws(ImageError) -> R) throws(ImageError) -> R {
        if let failure { throw failure }
        do throws(ImageError) { return try body() } catch {
            failure = error
            throw error
        }
    }
}

struct BundleLoader: ImageLoader {
    let images: [String: [UInt8]]
    var identifier: String { "bundle" }
    var isRemote: Bool { false }

    func canLoad(_ source: ImageSource) -> Bool {
        if case .url(let url) = source { url.scheme == "bundle" } else { false }
    }

    func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse {
        guard case .url(let url) = request.source, let bytes = images[url.lastPathComponent] else {
            throw ImageError(.notFound, stage: .load, "The bundle has no such image.")
        }
        return LoadResponse(body: .bytes(ByteRope(bytes)), origin: .data, expectedBytes: bytes.count)
    }
}

actor Table {
    nonisolated let name = "images"
    private var rows: [String: [UInt8]] = [:]

    func row(_ key: String) -> [UInt8]? { rows[key] }
    func setRow(_ key: String, _ bytes: [UInt8]?) { rows[key] = bytes }
    func clear() { rows = [:] }
}

struct TableCache: ImageCaching {
    let table: Table
    var identifier: String { "table:" + table.name }

    func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry? {
        await table.row(key.text).flatMap { try? CacheEntry(encoded: $0, for: key) }
    }
    func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) {
        await table.setRow(key.text, try entry.encoded(for: key, writtenAt: entry.metadata.storedAt))
    }
    func remove(_ key: CacheKey) async throws(ImageError) { await table.setRow(key.text, nil) }
    func removeAll() async throws(ImageError) { await table.clear() }
}

struct ReadOnlyCache: ImageCaching {
    let inner: any ImageCaching
    var identifier: String { "read-only:" + inner.identifier }

    func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry? {
        try await inner.entry(for: key, touch: false)
    }
    func blockingEntry(for key: CacheKey, touch: Bool) throws(ImageError) -> CacheEntry? {
        try inner.blockingEntry(for: key, touch: false)
    }
    func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata? { try await inner.metadata(for: key) }
    func contains(_ key: CacheKey) async -> Bool { await inner.contains(key) }
    func usage() async throws(ImageError) -> CacheUsage { try await inner.usage() }

    func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) {}
    func update(_ metadata: CacheEntryMetadata, for key: CacheKey) async throws(ImageError) {}
    func remove(_ key: CacheKey) async throws(ImageError) {}
    func removeAll(prefix: String) async throws(ImageError) {}
    func removeAll() async throws(ImageError) {}
    func flush() async throws(ImageError) {}
}

struct Posterize: ImageTransformer {
    let levels: Int
    var identifier: String? { "posterize-1-\(levels)" }

    func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        var buffer = try bitmap.mutableCopy(pool: context.pool)
        let step = max(1, 255 / max(1, levels - 1))
        for y in 0..<buffer.size.height {
            var row = buffer.mutableRow(y)
            for x in row.indices where x % 4 != 3 {
                // The last of the four is alpha, which no colour may exceed.
                row[x] = UInt8(min((Int(row[x]) + step / 2) / step * step, Int(row[x | 3])))
            }
        }
        return buffer.freeze()
    }
}

func writingACoder() {
    let check = CoderConformance(FlatCoder(), format: FlatCoder.format, sample: [70, 3, 2, 200, 100, 50], name: "flat")
    #expect(check.failures() == [])
}

func writingALoader(_ manager: ImageManager, logo: [UInt8]) async throws -> LoadedImage {
    manager.configuration.loaders.add(BundleLoader(images: ["logo.png": logo]))
    let image = try await manager.image(for: "bundle:///logo.png")
    return image
}

func writingACache(_ configuration: inout ManagerConfiguration) {
    let shipped = DiskCache(DiskCacheConfiguration(directory: "/usr/share/birdwatch/pictures", maximumAge: nil))
    let own = DiskCache(DiskCacheConfiguration(directory: "/var/cache/birdwatch"))
    configuration.diskCache = CachesManager([ReadOnlyCache(inner: shipped), own])
}

func writingATransformer() -> ImageRequest {
    let poster = ImageRequest("https://example.org/a.jpg", .fit(800, 600), .transform(Posterize(levels: 4)))
    return poster
}

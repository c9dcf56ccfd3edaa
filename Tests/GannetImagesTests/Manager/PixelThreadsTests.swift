import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// Decoding, transforming and encoding run on the manager's executor, also for callers on the main actor.
@MainActor @Suite struct PixelThreadsTests: ManagerSuite {
    private final class Notes: Sendable {
        private let threads = Mutex<[String: Set<String>]>([:])
        var all: [String: Set<String>] { threads.withLock { $0 } }

        func note(_ work: String) {
            let name = try? POSIXFileSystem().read("/proc/thread-self/comm", maximumBytes: 64, nofollow: false)
            let thread = String(decoding: name ?? [], as: UTF8.self).filter { !$0.isNewline }
            threads.withLock { _ = $0[work, default: []].insert(thread) }
        }
    }

    private struct NotingCoder: ImageCoder {
        let base = FakeImageCoder()
        let notes: Notes
        var needsOwnThread = false
        var identifier: String { "noting" }
        var formats: [ImageFormat] { base.formats }
        func recognizes(_ head: Span<UInt8>) -> Recognition { base.recognizes(head) }
        func makeDecoder(
            for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
        ) throws(ImageError) -> any ImageDecoder {
            NotingDecoder(try base.makeDecoder(for: format, options: options, environment: environment), notes)
        }
        func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            try base.makeEncoder(for: format, options: options).map { NotingEncoder($0, notes) }
        }
    }

    private final class NotingDecoder: ImageDecoder {
        private let base: any ImageDecoder
        private let notes: Notes
        init(_ base: any ImageDecoder, _ notes: Notes) { (self.base, self.notes) = (base, notes) }
        var header: ImageHeader? { base.header }
        var outputLayout: PixelLayout? { base.outputLayout }
        func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus { try base.read(from: bytes) }
        func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
            notes.note("decode")
            try base.decodeFrame(at: index, into: &buffer)
        }
    }

    private final class NotingEncoder: ImageEncoder {
        private let base: any ImageEncoder
        private let notes: Notes
        init(_ base: any ImageEncoder, _ notes: Notes) { (self.base, self.notes) = (base, notes) }
        func encode(_ image: DecodedImage) throws(ImageError) -> [UInt8] {
            notes.note("encode")
            return try base.encode(image)
        }
    }

    private struct NotingTransformer: ImageTransformer {
        let notes: Notes
        var identifier: String? { "noting" }
        func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
            notes.note("transform")
            return bitmap
        }
    }

    // MG-19, NK-07
    @Test func everyStageRunsOnTheExecutor() async throws {
        let notes = Notes()
        let fixture = ManagerFixture(diskCache: InMemoryImageCache()) {
            $0.coders = CodersManager([NotingCoder(notes: notes)])
            $0.executor = BlockingExecutor(name: "pixels", threads: 1)
        }
        fixture.serve()
        _ = try await fixture.manager.image(for: request { $0.transform.transformers = [NotingTransformer(notes: notes)] })
        #expect(notes.all == ["decode": ["pixels-0"], "transform": ["pixels-0"], "encode": ["pixels-0"]])
        #expect(BlockingExecutor.decoding.threadCount > BlockingExecutor.processorCount)
        #expect(
            ManagerConfiguration(memoryCache: nil, diskCache: nil, loaders: LoadersManager(), coders: CodersManager([])).executor
                === BlockingExecutor.decoding)
    }

    /// Where a file of this size is decoded by the standard executor.
    private func threads(
        width: Int, height: Int, padding: Int = 0, needsOwnThread: Bool = false, _ change: (inout ImageRequest) -> Void = { _ in }
    ) async throws -> Set<String> {
        let notes = Notes()
        let fixture = ManagerFixture {
            $0.coders = CodersManager([NotingCoder(notes: notes, needsOwnThread: needsOwnThread)])
            $0.executor = .decoding
        }
        var bytes = FakeImageCoder.bytes(width: width, height: height)
        bytes.insert(contentsOf: [UInt8](repeating: UInt8(ascii: " "), count: padding), at: bytes.count - 1)
        fixture.loader.answer(ManagerFixture.url, with: .bytes(bytes))
        _ = try await fixture.manager.image(for: request(change))
        return notes.all["decode"] ?? []
    }

    @Test func `Small images are decoded where the load runs, and never on the caller's actor`() async throws {
        let pixels = "gannet-decode"
        #expect(try await threads(width: 512, height: 512).allSatisfy { !$0.hasPrefix(pixels) && $0 != mainThread })
        #expect(try await threads(width: 513, height: 512).allSatisfy { $0.hasPrefix(pixels) })
        #expect(try await threads(width: 4, height: 4, padding: 64 << 10).allSatisfy { $0.hasPrefix(pixels) })
        #expect(try await threads(width: 4, height: 4, needsOwnThread: true).allSatisfy { $0.hasPrefix(pixels) })
        // One frame behind others takes as long as all of them.
        #expect(try await threads(width: 4, height: 4) { $0.decode.frames = .index(0) }.allSatisfy { $0.hasPrefix(pixels) })
    }

    private var mainThread: String {
        let name = try? POSIXFileSystem().read("/proc/self/comm", maximumBytes: 64, nofollow: false)
        return String(decoding: name ?? [], as: UTF8.self).filter { !$0.isNewline }
    }
}

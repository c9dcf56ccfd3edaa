import GannetCore
import Synchronization

/// Answers every source at once with the same 40 KB, or holds the answers back until it is opened. Both programs load from it.
final class FakeOrigin: ImageLoader {
    private struct State {
        var isOpen: Bool
        /// Loads that came to wait so far.
        var arrivals = 0
        var held: [Int: UnsafeContinuation<Void, Never>] = [:]
        var watcher: (arrivals: Int, continuation: UnsafeContinuation<Void, Never>)?

        /// Called under the lock, so that a cancellation that comes later finds the continuation.
        mutating func hold(
            _ continuation: UnsafeContinuation<Void, Never>, _ number: Int
        ) -> (goesOn: Bool, watcher: UnsafeContinuation<Void, Never>?) {
            let goesOn = isOpen || Task.isCancelled
            if !goesOn { held[number] = continuation }
            guard let watcher, arrivals >= watcher.arrivals else { return (goesOn, nil) }
            self.watcher = nil
            return (goesOn, watcher.continuation)
        }
    }

    let identifier = "benchmark"
    private let body = ByteRope([FakeCoder.magic] + [UInt8](repeating: 0, count: 40 * 1024 - 1))
    private let state: Mutex<State>

    init(isOpen: Bool = true) { state = Mutex(State(isOpen: isOpen)) }

    func canLoad(_ source: ImageSource) -> Bool { true }

    func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse {
        do { return LoadResponse(body: .bytes(try await bytes()), origin: .network) } catch { throw .cancelled() }
    }

    /// The body, for programs that are no loaders.
    func bytes() async throws(CancellationError) -> ByteRope {
        if !state.withLock({ $0.isOpen }) { try await wait() }
        return body
    }

    func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [:] }
            return state.held
        }
        for continuation in held.values { continuation.resume() }
    }

    /// Returns when so many loads have come to wait for ``open()``, also if some have left since. For one caller at a time.
    func isReached(by count: Int) async {
        await withUnsafeContinuation { continuation in
            let isReached = state.withLock { state in
                if state.arrivals < count { state.watcher = (count, continuation) }
                return state.arrivals >= count
            }
            if isReached { continuation.resume() }
        }
    }

    private func wait() async throws(CancellationError) {
        let number = state.withLock { state in
            state.arrivals += 1
            return state.arrivals
        }
        await withTaskCancellationHandler {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                let (goesOn, watcher) = state.withLock { $0.hold(continuation, number) }
                if goesOn { continuation.resume() }
                watcher?.resume()
            }
        } onCancel: {
            state.withLock { $0.held.removeValue(forKey: number) }?.resume()
        }
        if Task.isCancelled { throw CancellationError() }
    }
}

/// Decodes every body at once to 32 × 32 pixels, whose values nobody looks at.
struct FakeCoder: ImageCoder {
    static let magic: UInt8 = 0xFA
    static let format = ImageFormat(identifier: "benchmark", mimeTypes: ["image/x-benchmark"], fileExtensions: ["benchmark"])
    static let size = PixelSize(clamping: 32, 32)

    let identifier = "benchmark"
    let formats = [Self.format]

    func recognizes(_ head: Span<UInt8>) -> Recognition {
        head.isEmpty ? .needsMoreBytes(1) : head[0] == Self.magic ? .yes(Self.format) : .no
    }

    /// Not inlined: the baseline would have the decoder on its stack, as no real one is.
    @inline(never) func makeDecoder(
        for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
    ) throws(ImageError) -> any ImageDecoder { FakeDecoder() }

    func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? { nil }

    /// The same decoder, driven by hand.
    static func decode(_ bytes: ByteRope) throws -> DecodedImage {
        let decoder = try FakeCoder().makeDecoder(for: format, options: options, environment: environment)
        _ = try decoder.read(from: bytes)
        guard let layout = decoder.outputLayout else { throw ImageError(.truncated, stage: .decode, "No header.") }
        var buffer = try PixelBuffer(layout)
        try decoder.decodeFrame(at: 0, into: &buffer)
        return .still(buffer.freeze(), metadata)
    }

    private static let options = ResolvedDecodeOptions()
    private static let environment = DecodeEnvironment()
    private static let metadata = ImageMetadata(format: format, originalSize: size)
}

private final class FakeDecoder: ImageDecoder {
    private static let header = ImageHeader(format: FakeCoder.format, size: FakeCoder.size)

    var header: ImageHeader? { Self.header }
    var outputLayout: PixelLayout? { PixelLayout(size: FakeCoder.size, alpha: .opaque) }
    func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus { .finished }
    func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError) { buffer.setAlpha(.opaque) }
}

import GannetCore
import Glibc
import Synchronization

/// An image of 2048 × 2048 pixels whose regions wait at a gate once they have begun.
struct GatedCoder: RegionCoder {
    final class Gate: Sendable {
        private let isOpen = Atomic(false)
        private let counts = Mutex((begun: 0, finished: 0, cancelled: 0))

        func open() { isOpen.store(true, ordering: .releasing) }
        func close() { isOpen.store(false, ordering: .releasing) }

        var begun: Int { counts.withLock { $0.begun } }
        var finished: Int { counts.withLock { $0.finished } }
        var cancelled: Int { counts.withLock { $0.cancelled } }

        fileprivate func pass() throws(ImageError) {
            counts.withLock { $0.begun += 1 }
            while !isOpen.load(ordering: .acquiring) {
                do throws(ImageError) { try ImageError.checkCancellation(stage: .decode) } catch {
                    counts.withLock { $0.cancelled += 1 }
                    throw error
                }
                sched_yield()
            }
            counts.withLock { $0.finished += 1 }
        }
    }

    let gate: Gate
    /// As where a process of its own has the file.
    var needsOwnThread = false
    var identifier: String { "gated" }
    var formats: [ImageFormat] { [.png] }

    func recognizes(_ head: Span<UInt8>) -> Recognition { .yes(.png) }

    func makeDecoder(
        for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
    ) throws(ImageError) -> any ImageDecoder { Decoder(gate, options.region) }

    func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? { nil }

    private final class Decoder: RegionDecoder {
        private let gate: Gate
        private let region: PixelRect?
        let header: ImageHeader? = ImageHeader(format: .png, size: PixelSize(clamping: 2048, 2048))

        init(_ gate: Gate, _ region: PixelRect?) { (self.gate, self.region) = (gate, region) }

        var decodesRegion: Bool { region != nil }
        var outputLayout: PixelLayout? {
            PixelLayout(size: region?.size ?? PixelSize(clamping: 2048, 2048), alpha: .opaque)
        }

        func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus { .finished }

        func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
            if region != nil { try gate.pass() }
            buffer.fill(90)
            buffer.setAlpha(.opaque)
        }
    }
}

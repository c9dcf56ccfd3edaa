import GannetCore
import Synchronization

/// Another coder that notes which sessions were begun and which frames they decoded.
final class CountingCoder: ImageCoder {
    private let base: any ImageCoder
    private let log = Mutex(Log())

    struct Log {
        var sessions = 0
        /// In order, of all sessions.
        var frames: [Int] = []
    }

    init(_ base: any ImageCoder) { self.base = base }

    var noted: Log { log.withLock { $0 } }

    var identifier: String { base.identifier }
    var formats: [ImageFormat] { base.formats }
    func recognizes(_ head: Span<UInt8>) -> Recognition { base.recognizes(head) }
    func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? { nil }

    func makeDecoder(
        for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
    ) throws(ImageError) -> any ImageDecoder {
        log.withLock { $0.sessions += 1 }
        return Decoder(try base.makeDecoder(for: format, options: options, environment: environment), self)
    }

    private final class Decoder: ImageDecoder {
        let base: any ImageDecoder
        let coder: CountingCoder

        init(_ base: any ImageDecoder, _ coder: CountingCoder) { (self.base, self.coder) = (base, coder) }

        var header: ImageHeader? { base.header }
        var outputLayout: PixelLayout? { base.outputLayout }
        var outputColorSpace: ColorSpace { base.outputColorSpace }
        var isPartial: Bool { base.isPartial }
        var availableFrameCount: Int { base.availableFrameCount }
        var exif: [UInt8]? { base.exif }
        func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus { try base.read(from: bytes) }
        func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
            coder.log.withLock { $0.frames.append(index) }
            try base.decodeFrame(at: index, into: &buffer)
        }
        func decodePreview(into buffer: inout PixelBuffer) throws(ImageError) -> Bool {
            try base.decodePreview(into: &buffer)
        }
    }
}

public import GannetCore
import GannetPlatform
import Synchronization

/// A coder for a minimal format: the text `FAKE width height red green blue`. For tests of everything around coders.
public final class FakeImageCoder: ImageCoder {
    /// Not one of `ImageFormat.builtIn`.
    public static let format = ImageFormat(identifier: "fake", mimeTypes: ["image/x-fake"], fileExtensions: ["fake"])

    public let identifier: String
    private let decodes = Mutex(0)

    /// Coders with other identifiers may coexist; all read the same format.
    public init(identifier: String = "fake") { self.identifier = identifier }

    public var formats: [ImageFormat] { [Self.format] }
    /// Frames decoded by all sessions of this coder.
    public var decodeCount: Int { decodes.withLock { $0 } }

    /// A file of this format.
    public static func bytes(width: Int, height: Int, red: UInt8 = 0, green: UInt8 = 0, blue: UInt8 = 0) -> [UInt8] {
        Array("FAKE \(width) \(height) \(red) \(green) \(blue)\n".utf8)
    }

    public func recognizes(_ head: Span<UInt8>) -> Recognition {
        let magic = Array("FAKE ".utf8)
        for index in 0..<min(magic.count, head.count) where head[index] != magic[index] { return .no }
        return head.count < magic.count ? .needsMoreBytes(magic.count) : .yes(Self.format)
    }

    public func makeDecoder(
        for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
    ) throws(ImageError) -> any ImageDecoder {
        FakeDecoder(environment.limits) { self.decodes.withLock { $0 += 1 } }
    }

    public func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
        FakeEncoder()
    }
}

extension FakeImageCoder: MultiSizeCoder {}

private final class FakeDecoder: ImageDecoder {
    private(set) var header: ImageHeader?
    private var color: [UInt8] = []
    private var failure: ImageError?
    private let limits: DecodeLimits
    private let didDecode: () -> Void

    init(_ limits: DecodeLimits, didDecode: @escaping () -> Void) {
        self.limits = limits
        self.didDecode = didDecode
    }

    var outputLayout: PixelLayout? { header.map { PixelLayout(size: $0.size, alpha: .opaque) } }

    func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus {
        try sticking { () throws(ImageError) in
            let text = String(decoding: bytes.contiguous(), as: UTF8.self)
            guard text.hasSuffix("\n") else {
                if bytes.isComplete { throw ImageError(.truncated, stage: .decode, "The fake file has no end of line.") }
                return .needsMoreData
            }
            let words = text.dropLast().split(separator: " ").dropFirst().compactMap { Int($0) }
            guard words.count == 5, let size = PixelSize(width: words[0], height: words[1]) else {
                throw ImageError(.corrupt, stage: .decode, "The fake file has not five numbers.")
            }
            header = ImageHeader(format: FakeImageCoder.format, size: size)
            color = words[2...].map { UInt8(truncatingIfNeeded: $0) } + [255]
            return .finished
        }
    }

    func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
        try sticking { () throws(ImageError) in
            didDecode()
            let start = SystemTimeSource().uptime
            for y in 0..<buffer.size.height {
                try ImageError.checkCancellation(stage: .decode)
                guard SystemTimeSource().uptime - start <= limits.maximumDecodeTime else {
                    throw ImageError(.limitExceeded, stage: .decode, "The fake decode takes longer than maximumDecodeTime.")
                }
                var row = buffer.mutableRow(y)
                for x in row.indices { row[x] = color[x % 4] }
            }
            buffer.setAlpha(.opaque)
        }
    }

    /// Makes errors stick: every later call throws the first one again.
    private func sticking<R>(_ body: () throws(ImageError) -> R) throws(ImageError) -> R {
        if let failure { throw failure }
        do throws(ImageError) { return try body() } catch {
            failure = error
            throw error
        }
    }
}

private final class FakeEncoder: ImageEncoder {
    func encode(_ image: DecodedImage) throws(ImageError) -> [UInt8] {
        let bitmap = image.bitmap
        let row = bitmap.row(0)
        return FakeImageCoder.bytes(width: bitmap.width, height: bitmap.height, red: row[0], green: row[1], blue: row[2])
    }
}

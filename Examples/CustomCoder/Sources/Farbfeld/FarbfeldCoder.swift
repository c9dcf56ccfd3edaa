public import GannetCore

extension ImageFormat {
    /// https://tools.suckless.org/farbfeld/: 8 letters, width, height, then 16-bit RGBA with straight alpha, all big-endian.
    public static let farbfeld = ImageFormat(
        identifier: "farbfeld", mimeTypes: ["image/x-farbfeld"], fileExtensions: ["ff"])
}

/// Farbfeld, still images without compression.
public struct FarbfeldCoder: ImageCoder {
    static let signature = Array("farbfeld".utf8)
    /// Signature, width and height.
    static let headerBytes = 16

    public init() {}

    public var identifier: String { "farbfeld" }
    public var formats: [ImageFormat] { [.farbfeld] }

    public func recognizes(_ head: Span<UInt8>) -> Recognition {
        let count = min(head.count, Self.signature.count)
        for index in 0..<count where head[index] != Self.signature[index] { return .no }
        return count < Self.signature.count ? .needsMoreBytes(Self.signature.count) : .yes(.farbfeld)
    }

    public func makeDecoder(
        for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
    ) throws(ImageError) -> any ImageDecoder {
        guard format == .farbfeld else { throw wrong(format) }
        return FarbfeldDecoder(options: options, environment: environment)
    }

    public func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
        guard format == .farbfeld else { throw wrong(format) }
        return FarbfeldEncoder()
    }

    private func wrong(_ format: ImageFormat) -> ImageError {
        ImageError(.unsupported, stage: .decode, "The farbfeld coder does not know \(format).")
    }
}

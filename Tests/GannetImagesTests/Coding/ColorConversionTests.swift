import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTesting
import Testing

@testable import GannetImages

/// The result for an image whose colour conversion fails.
@Suite struct ColorConversionTests {
    private func decode(_ code: ImageError.Code) throws(ImageError) -> DecodedImage {
        var decoding = ImageDecoding(coders: CodersManager([ClearCoder()]))
        decoding.environment = DecodeEnvironment(colorManager: FailingManager(code: code))
        return try decoding.decode(ByteRope([1]), options: ResolvedDecodeOptions())
    }

    @Test func cancellationIsNoPicture() {
        let error = #expect(throws: ImageError.self) { try decode(.cancelled) }
        #expect(error?.code == .cancelled)
    }

    @Test func otherFailuresLeaveTheNumbersAndPremultipliedAlpha() throws {
        let bitmap = try decode(.corrupt).bitmap
        #expect(bitmap.layout.alpha == .premultiplied)
        #expect(bitmap.packedBytes() == [100, 50, 0, 128])
    }
}

private struct FailingManager: ColorManager {
    let code: ImageError.Code

    func converter(from colorSpace: ColorSpace, format: PixelFormat) throws(ImageError) -> (any ColorConverter)? {
        FailingConverter(code: code)
    }

    func cmykConverter(iccProfile: [UInt8]) throws(ImageError) -> (any ColorConverter)? { nil }
}

private final class FailingConverter: ColorConverter {
    let code: ImageError.Code

    init(code: ImageError.Code) { self.code = code }

    func convert(_ buffer: inout PixelBuffer) throws(ImageError) { throw ImageError(code, "Half of the rows are done.") }
    func convertRow(_ pixels: inout MutableSpan<UInt8>, count: Int) {}
}

/// One pixel, half clear.
private struct ClearCoder: ImageCoder {
    var identifier: String { "clear" }
    var formats: [ImageFormat] { [.png] }

    func recognizes(_ head: Span<UInt8>) -> Recognition { .yes(.png) }

    func makeDecoder(
        for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
    ) throws(ImageError) -> any ImageDecoder { ClearDecoder() }

    func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? { nil }
}

private final class ClearDecoder: ImageDecoder {
    private(set) var header: ImageHeader?
    var outputLayout: PixelLayout? { header.map { PixelLayout(size: $0.size, alpha: .premultiplied) } }

    func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus {
        header = ImageHeader(format: .png, size: PixelSize(clamping: 1, 1), hasAlpha: true)
        return .finished
    }

    func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
        buffer.fill(0)
        var row = buffer.mutableRow(0)
        (row[0], row[1], row[3]) = (100, 50, 128)
    }
}

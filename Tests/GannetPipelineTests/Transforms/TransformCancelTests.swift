import GannetCore
import GannetPipeline
import Testing

/// A transformer of a load that nobody wants any more ends with `cancelled`, and leaves no memory behind.
@Suite struct TransformCancelTests {
    private static let transformers: [any ImageTransformer] = [
        .resize(width: 20, height: 30), .resize(width: 90, height: 80, filter: .lanczos3), .resize(width: 20, filter: .box),
        .resize(.stretch(30, 30), linearLight: true), .rotate(degrees: 90), .rotate(degrees: 17),
        .rotate(degrees: 17, quality: .linear),
        .flip(horizontal: true), .roundCorners(radius: 10), .circle(), .tint(.red), .overlay(.red), .blend(.multiply, over: .red),
        .flatten(.white), .border(width: 2, color: .red), .blur(radius: 2), .blur(radius: 30), .sharpen(), .grayscale, .invert,
        .colorControls(contrast: 2), .pipeline(.flip(vertical: true), .grayscale),
    ]

    @Test(arguments: transformers.indices) func aCancelledTaskEndsIt(_ index: Int) async throws {
        let transformer = Self.transformers[index]
        let picture = try Drawing.varied(70, 64)
        let pool = PixelPool(maximumIdleBytes: 0)
        let outcome = await Task { () -> Result<PixelSize, ImageError> in
            withUnsafeCurrentTask { $0?.cancel() }
            let context = TransformContext(metadata: ImageMetadata(format: nil, originalSize: picture.size), pool: pool)
            do throws(ImageError) { return .success(try transformer.transform(picture, context: context).size) } catch {
                return .failure(error)
            }
        }.value
        #expect(outcome.failureCode == .cancelled, "\(transformer.identifier ?? "-")")
        #expect(pool.livingBytes == 0)
    }
}

import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetKernels
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// If a load is no longer wanted, its transformer ends with `cancelled`, and leaves no memory behind.
@Suite struct TransformCancelTests {
    private static let transformers: [any ImageTransformer] = [
        .resize(width: 20, height: 30), .resize(width: 90, height: 80, filter: .lanczos3), .resize(width: 20, filter: .box),
        .resize(width: 9, height: 9), .resize(width: 600, height: 600), .resize(.stretch(30, 30), linearLight: true),
        .resize(.fit(30, 30), background: .red), .crop(x: 1, y: 2, width: 1000, height: 1000),
        .rotate(degrees: 90), .rotate(degrees: 17), .rotate(degrees: 17, fast: true),
        .rotate(degrees: 17, background: .red),
        .flip(horizontal: true), .flip(vertical: true), .roundCorners(radius: 10), .border(width: 2, color: .red), .circle(),
        .tint(.red), .tint(.red, mode: .multiply), .overlay(.red), .blend(.multiply, over: .red), .flatten(.white),
        .blur(radius: 2), .blur(radius: 30), .sharpen(), .sharpen(radius: 9), .grayscale, .invert, .blackAndWhite,
        .colorControls(contrast: 2), .colorMatrix([0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0]),
        .stamp(TransformCancelTests.picture(9, .rgba8)), .pipeline(.flip(vertical: true), .grayscale),
    ]

    /// Square, with every alpha.
    private static func picture(_ side: Int, _ format: PixelFormat, _ alpha: AlphaMode = .premultiplied) -> Bitmap {
        do throws(ImageError) {
            let small = try Drawing.varied(16, 16)
            let picture = try resample(small, to: PixelSize(clamping: side, side))
            let deep = format == .rgba16 ? try widened(picture) : picture
            return alpha == .straight ? try unpremultiplied(deep) : deep
        } catch {
            preconditionFailure("\(error)")
        }
    }

    private static let pictures = [picture(300, .rgba8), picture(300, .rgba16)]
    private static let tall = picture(600, .rgba8)

    @Test(arguments: transformers.indices) func aCancelledTaskEndsIt(_ index: Int) async throws {
        let transformer = Self.transformers[index]
        let picture = try Drawing.varied(70, 64)
        let pool = PixelPool(maximumIdleBytes: 0)
        let outcome = await Task { () -> Result<PixelSize, ImageError> in
            withUnsafeCurrentTask { $0?.cancel() }
            do throws(ImageError) {
                return .success(try transformer.transform(picture, context: context(picture, pool)).size)
            } catch {
                return .failure(error)
            }
        }.value
        #expect(outcome.failureCode == .cancelled, "\(transformer.identifier ?? "-")")
        #expect(pool.livingBytes == 0)
    }

    /// In the middle: at the looks that a whole run takes, of which larger pictures get more.
    @Test(arguments: transformers.indices, pictures.indices) func aCancelBetweenBandsEndsIt(_ index: Int, _ which: Int) {
        let transformer = Self.transformers[index]
        let name = "\(transformer.identifier ?? "-")"
        func failure(_ looks: CountedLooks, _ picture: Bitmap, _ pool: PixelPool) -> ImageError? {
            looks.failure { () throws(ImageError) in
                _ = try transformer.transform(picture, context: context(picture, pool))
            }
        }
        let pool = PixelPool(maximumIdleBytes: 0)
        let picture = Self.pictures[which]
        let whole = CountedLooks()
        #expect(failure(whole, picture, pool) == nil, "\(name)")
        #expect(whole.count >= 3, "\(name)")
        let larger = CountedLooks()
        #expect(failure(larger, Self.tall, pool) == nil, "\(name)")
        #expect(
            which > 0 || larger.count >= whole.count + 2, "\(name): \(whole.count) looks, \(larger.count) in a larger picture")
        for look in stride(from: 1, through: whole.count, by: max(1, whole.count / 8)) {
            let looks = CountedLooks(cancelsAt: look)
            #expect(failure(looks, picture, pool)?.code == .cancelled, "\(name), look \(look)")
            #expect(looks.count == look, "\(name) went on after it saw at look \(look) that it was cancelled")
            #expect(pool.livingBytes == 0, "\(name), look \(look)")
        }
    }

    /// Pixels with straight alpha are made ready first, which takes a whole pass.
    @Test func aCancelWhilePixelsArePremultipliedEndsIt() {
        for format in [PixelFormat.rgba8, .rgba16] {
            let picture = Self.picture(300, format, .straight)
            let looks = CountedLooks(cancelsAt: 4)
            #expect(looks.failure { () throws(ImageError) in _ = try premultiplied(picture) }?.code == .cancelled)
            #expect(looks.count == 4)
        }
    }

    private func context(_ picture: Bitmap, _ pool: PixelPool) -> TransformContext {
        TransformContext(metadata: ImageMetadata(format: nil, originalSize: picture.size), pool: pool)
    }
}

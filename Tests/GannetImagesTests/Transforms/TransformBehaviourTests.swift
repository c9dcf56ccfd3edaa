import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetKernels
import GannetPlatform
import GannetTestSupport
import Testing

/// SDImageTransformerTests by their names, on a drawn picture of the size of theirs. The three ways that each of them goes there
/// (Core Graphics, Core Image, methods of the picture) are here the three kinds of pictures that have the methods.
@Suite struct TransformBehaviourTests {
    enum Way: CaseIterable, Sendable {
        case bitmap, decoded, loaded

        func apply(_ transformer: any ImageTransformer, to bitmap: Bitmap) throws -> Bitmap {
            let image = DecodedImage.still(bitmap, ImageMetadata(format: nil, originalSize: bitmap.size))
            switch self {
            case .bitmap: return try bitmap.transformed(by: transformer)
            case .decoded: return try image.transformed(by: transformer).bitmap
            case .loaded: return try LoadedImage(image: image, origin: .memory).transformed(by: transformer).bitmap
            }
        }
    }

    private static let yellow = PixelColor(red: 255, green: 204, blue: 0)

    /// 300 × 300: clear around, a black figure in the middle whose head reaches the upper edge, a yellow foot.
    private let logo: Bitmap

    init() throws {
        logo = try Drawing.picture(300, 300) { x, y in
            if (100..<200).contains(x), y < 60 { return .black }
            guard (60..<240).contains(x), (60..<240).contains(y) else { return .clear }
            return y < 200 ? .black : Self.yellow
        }
    }

    @Test("test01UIImageTransformResizeCG, …CI, …WithImage", arguments: Way.allCases)
    func resize(_ way: Way) throws {  // TR-02
        let filled = try way.apply(.resize(width: 200, height: 100), to: logo)
        #expect(filled.size == PixelSize(clamping: 200, 100))
        #expect(filled.color(atX: 100, y: 5) == .black, "it is upside down")
        #expect(filled.color(atX: 100, y: 95)?.alpha == 0)
        let boxed = try way.apply(
            .resize(TargetSize(.fit, width: 2000, height: 1000, allowsUpscaling: true), background: .clear), to: logo)
        #expect(boxed.size == PixelSize(clamping: 2000, 1000))
        #expect(boxed.color(atX: 1000, y: 50) == .black && boxed.color(atX: 100, y: 500)?.alpha == 0)
    }

    @Test("test02UIImageTransformCropCG, …CI, …WithImage", arguments: Way.allCases)
    func crop(_ way: Way) throws {  // TR-03
        let part = try way.apply(.crop(PixelRect(x: 50, y: 10, width: 200, height: 200)), to: logo)
        #expect(part.size == PixelSize(clamping: 200, 200))
        #expect(part.color(atX: 0, y: 0) == .clear && part.color(atX: 100, y: 10) == .black)
        #expect(part.color(atX: 100, y: 195) == Self.yellow)
    }

    @Test("test03UIImageTransformRoundedCornerCG, …CI, …WithImage", arguments: Way.allCases)
    func roundedCorner(_ way: Way) throws {  // TR-01
        let color = PixelColor(red: 0, green: 0, blue: 255)
        let white = try Drawing.flat(300, 300, .white)
        let round = try way.apply(.roundCorners(radius: .pixels(50), border: BorderStyle(width: 1, color: color)), to: white)
        #expect(round.size == white.size)
        for (x, y) in [(0, 0), (299, 0), (0, 299), (299, 299), (13, 13)] { #expect(round.color(atX: x, y: y)?.alpha == 0) }
        for (x, y) in [(0, 150), (150, 0), (299, 150), (150, 299)] { #expect(round.color(atX: x, y: y) == color) }
        #expect(round.color(atX: 1, y: 150) == .white && round.color(atX: 16, y: 16) == .white)
    }

    // TR-05
    @Test("test04UIImageTransformRotateCG, …CI, …WithImage", arguments: Way.allCases)
    func rotate(_ way: Way) throws {  // TR-04
        let kept = try way.apply(.rotate(degrees: 45, fit: false), to: logo)
        #expect(kept.size == logo.size)
        #expect(kept.color(atX: 150, y: 150) == .black && kept.color(atX: 150, y: 60) == .black)
        // The head, which pointed upwards, points to the upper right; the foot lies at the lower left.
        #expect(kept.color(atX: 235, y: 65) == .black && kept.color(atX: 100, y: 200) == Self.yellow)
        let whole = try way.apply(.rotate(degrees: 45), to: logo)
        #expect(whole.width >= 424 && whole.width <= 426 && whole.height == whole.width)  // 300 √2 + 1
        #expect(whole.color(atX: 212, y: 212) == .black && whole.color(atX: 0, y: 0)?.alpha == 0)
    }

    // TR-04
    @Test("test05UIImageTransformFlipCG, …CI, …WithImage", arguments: Way.allCases)
    func flip(_ way: Way) throws {  // TR-05
        let corners: [PixelColor] = [.red, .blue, .black, .white]
        let picture = try Drawing.picture(300, 300) { x, y in corners[(y < 150 ? 0 : 2) + (x < 150 ? 0 : 1)] }
        let turned = try way.apply(.flip(horizontal: true, vertical: true), to: picture)
        #expect([(0, 0), (299, 0), (0, 299), (299, 299)].map { turned.color(atX: $0.0, y: $0.1) } == corners.reversed())
        let sideways = try way.apply(.flip(horizontal: true), to: picture)
        #expect(sideways.color(atX: 0, y: 0) == .blue && sideways.color(atX: 299, y: 299) == .black)
    }

    @Test("test06UIImageTransformTintCG, …CI, …WithImage", arguments: Way.allCases)
    func tint(_ way: Way) throws {  // TR-06
        let tinted = try way.apply(.tint(Self.yellow), to: logo)
        #expect(tinted.color(atX: 10, y: 10) == .clear)
        for (x, y) in [(150, 5), (150, 150), (150, 230)] { #expect(tinted.color(atX: x, y: y) == Self.yellow) }
        let atop = try way.apply(.tint(Self.yellow, mode: .sourceAtop), to: logo)
        #expect(difference(atop, tinted) <= 1)
    }

    @Test("test07UIImageTransformBlurCG, …CI, …WithImage", arguments: Way.allCases)
    func blur(_ way: Way) throws {  // TR-07
        let soft = try way.apply(.blur(radius: 25), to: logo)
        #expect(soft.size == logo.size)
        #expect(soft.channels(150, 0) != soft.channels(150, 299))
        // Beside a straight edge the Gaussian integral gives the remainder: 25.5 pixels are 1.02 standard deviations.
        let edge = try Drawing.picture(300, 40) { x, _ in x < 150 ? .black : .white }
        let mixed = try way.apply(.blur(radius: 25), to: edge)
        #expect(abs(mixed.channels(175, 20)[0] - 216) <= 3 && abs(mixed.channels(124, 20)[0] - 39) <= 3)
        #expect(abs(mixed.channels(150, 20)[0] - 130) <= 3)
    }

    @Test("test08UIImageTransformFilterCG, …CI, …WithImage", arguments: Way.allCases)
    func filter(_ way: Way) throws {  // TR-08
        let inverted = try way.apply(.invert, to: logo)
        #expect(inverted.color(atX: 150, y: 5) == .white && inverted.color(atX: 0, y: 0) == .clear)
        #expect(inverted.color(atX: 150, y: 230) == PixelColor(red: 0, green: 51, blue: 255))
        let half: StandardTransformer = .custom("half") { bitmap, _ throws(ImageError) in
            try bitmap.cropped(to: PixelSize(clamping: bitmap.width / 2, bitmap.height))
        }
        #expect(try way.apply(half, to: logo).width == 150)
    }

    @Test("test22CGImageCreateScaledWithSize", arguments: [(1, 1), (100, 33), (299, 301), (600, 7)])
    func scaled(_ width: Int, _ height: Int) throws {  // CD-32
        #expect(try logo.transformed(by: .resize(width: width, height: height)).size == PixelSize(clamping: width, height))
    }
}

import GannetCodecs
import GannetCore
import GannetImages
import GannetKernels
import GannetTesting
import Testing

/// A part of an image has the pixels that it has in the whole image, whichever coder knows of regions.
@Suite("Regions") struct RegionTests {
    private static func files(_ image: DecodedImage) throws -> [(name: String, bytes: [UInt8])] {
        var files: [(name: String, bytes: [UInt8])] = []
        for coder in BuiltInCoders.all {
            for format in coder.formats {
                for progressive in [false, true] {
                    let options = EncodeOptions(format: format, quality: 90, effort: 1, progressive: progressive)
                    guard let encoder = try coder.makeEncoder(for: format, options: options) else { continue }
                    files.append(("\(format) \(progressive)", try encoder.encode(image)))
                }
            }
        }
        return files
    }

    // S3-17
    @Test func everyFormatThatCanBeWritten() throws {
        let images = [try TestImages.gradient(width: 131, height: 85), try TestImages.discs(width: 61, height: 97)]
        for image in images {
            for file in try Self.files(TestImages.still(image)) {
                for (alpha, isDeep) in [(AlphaMode.premultiplied, false), (.straight, true), (.opaque, false)] {
                    var comparison = RegionComparison()
                    (comparison.options.alpha, comparison.options.keeps16Bit) = (alpha, isDeep)
                    #expect(
                        try comparison.differences(file.bytes, RegionComparison.parts(of: image.size)) == [],
                        "\(file.name) \(alpha)")
                }
            }
        }
    }

    #if GIF
        @Test func everyFrame() throws {
            let file = try #require(
                try Self.files(.animated(try TestImages.animation(width: 40, height: 30))).first { $0.name == "gif false" })
            let part = PixelRect(x: 11, y: 7, width: 20, height: 16)
            let comparison = RegionComparison()
            guard case .animated(let whole) = try comparison.whole(file.bytes),
                case .animated(let own) = try comparison.region(part, of: file.bytes)
            else { return #expect(Bool(false)) }
            #expect(own.frameCount == whole.frameCount && own.frameCount > 1)
            for index in 0..<whole.frameCount {
                let wanted = try cropped(whole.blockingFrame(at: index), to: part)
                #expect(try own.blockingFrame(at: index).packedBytes() == wanted.packedBytes())
            }
        }
    #endif

    @Test(arguments: Orientation.allCases) func theStoredPartOfAnUprightOne(_ orientation: Orientation) throws {
        let stored = try TestImages.noise(width: 9, height: 7)
        let upright = try oriented(stored, orientation)
        for part in RegionComparison.parts(of: upright.size).compactMap({ $0.clipped(to: upright.size) }) {
            let turned = try oriented(cropped(stored, to: orientation.stored(part, of: stored.size)), orientation)
            #expect(try turned.packedBytes() == cropped(upright, to: part).packedBytes())
        }
    }

    @Test func regionsWithoutAPixelAreRefused() throws {
        let files = try Self.files(TestImages.still(try TestImages.gradient(width: 40, height: 30)))
        #expect(!files.isEmpty)
        let parts = [
            PixelRect(x: 40, y: 0, width: 5, height: 5), PixelRect(x: 0, y: -9, width: 5, height: 9),
            PixelRect(x: 3, y: 3, width: 0, height: 4), PixelRect(x: 3, y: 3, width: 4, height: -1),
            PixelRect(x: .max, y: .max, width: .max, height: .max), PixelRect(x: .min, y: 0, width: .max, height: 1),
        ]
        for file in files {
            for part in parts {
                let error = #expect(throws: ImageError.self) { _ = try RegionComparison().region(part, of: file.bytes) }
                #expect(error?.code == .misuse, "\(file.name) \(part)")
            }
        }
    }

    @Test func theTargetIsTheSizeOfTheRegion() throws {
        let image = try TestImages.gradient(width: 240, height: 180)
        let part = PixelRect(x: 40, y: 20, width: 120, height: 60)
        for file in try Self.files(TestImages.still(image)) {
            for (target, size) in [
                (TargetSize.fit(50, 50), (50, 25)), (.fill(30, 30), (30, 30)), (.stretch(70, 10), (70, 10)),
                (.fit(900, 900), (120, 60)),
            ] {
                let own = try RegionComparison().region(part, of: file.bytes, at: .size(target))
                #expect(own.size == PixelSize(clamping: size.0, size.1), "\(file.name) \(target)")
                #expect(own.metadata.originalSize == image.size)
            }
        }
    }

    @Test func theKeyHasTheRegion() {
        var options = ResolvedDecodeOptions()
        options.region = PixelRect(x: 1, y: -2, width: 3, height: 4)
        #expect(options.keyText == "r=1,-2,3x4" && !options.isOfWhole)
        var request = ImageRequest(ImageSource("https://example.org/a.png"), .region(PixelRect(x: 1, y: 2, width: 3, height: 4)))
        #expect(request.decode.region == PixelRect(x: 1, y: 2, width: 3, height: 4))
        #expect("\(request)" == "https://example.org/a.png, region 3×4 at 1, 2")
        request.decode.region = nil
        #expect(request.decode.region == nil)
    }
}

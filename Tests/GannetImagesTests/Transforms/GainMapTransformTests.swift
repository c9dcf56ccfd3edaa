import GannetCore
import GannetFetch
import GannetImages
import GannetKernels
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

// NW-01
/// Which transformers leave a gain map to its pixels, and whether they say so.
@Suite("Gain maps and transformers") struct GainMapTransformTests {
    private static let keeping: [StandardTransformer] = [
        .identity, .crop(x: 1, y: 2, width: 10, height: 9), .crop(to: PixelSize(clamping: 8, 8)), .resize(.fit(10, 10)),
        .resize(.fill(7, 9)), .resize(.fill(9, 7).focused(on: .attention)), .resize(width: 40),
        .resize(.fit(10, 10), linearLight: true),
        .rotate(degrees: 90), .rotate(degrees: -180), .rotate(degrees: 0), .flip(horizontal: true), .sharpen(), .flatten(.black),
        .pipeline(.rotate(degrees: 270), .resize(.fit(8, 8))),
    ]

    private static let dropping: [StandardTransformer] = [
        .blur(radius: 2), .tint(.red), .overlay(.black), .blend(.multiply, over: .red), .invert, .grayscale, .blackAndWhite,
        .colorControls(exposure: 1), .roundCorners(radius: 3), .circle, .border(width: 1, color: .black), .rotate(degrees: 10),
        .resize(.fit(10, 10), background: .black), .pipeline(.rotate(degrees: 90), .blur(radius: 2)),
        .custom("same") { bitmap, _ in try bitmap.mutableCopy().freeze() },
    ]

    private func bitmap() throws -> Bitmap {
        let channel = GainMapMetadata.Channel(maximum: 1)
        let metadata = try #require(GainMapMetadata(channel, channel, channel, baseHeadroom: 0, alternateHeadroom: 1))
        let size = PixelSize(clamping: 20, 16)
        let encoded = EncodedGainMap(bytes: [0], size: size, isGray: true, metadata: metadata, format: .iso)
        let source = GainMap.Source(encoded, imageSize: size) { size throws(ImageError) in
            throw ImageError(.corrupt, stage: .decode, "not to be decoded")
        }
        return try Drawing.flat(20, 16, .red).mutableCopy().freeze(with: GainMap(source))
    }

    @Test func whatTheySayIsSo() throws {
        let bitmap = try bitmap()
        for transformer in Self.keeping {
            let map = try bitmap.transformed(by: transformer).gainMap
            #expect(transformer.keepsGainMap && map != nil, "\(transformer.base)")
        }
        for transformer in Self.dropping {
            let map = try bitmap.transformed(by: transformer).gainMap
            #expect(!transformer.keepsGainMap && map == nil, "\(transformer.base)")
        }
    }

    @Test func partsOfPartsAndTurnsOfTurns() throws {
        let map = try #require(try bitmap().gainMap)
        let size = PixelSize(clamping: 20, 16)
        let part = map.cropped(to: PixelRect(x: 10, y: 0, width: 10, height: 8), of: size)
        #expect(sides(part) == [0.5, 0, 1, 0.5])
        // After a quarter turn to the right the upper left of the image is the lower left of the stored one.
        let turned = part.turned(by: .right).cropped(
            to: PixelRect(x: 0, y: 0, width: 4, height: 5), of: PixelSize(clamping: 8, 10))
        #expect(sides(turned) == [0.5, 0.25, 0.75, 0.5] && turned.orientation == .right)
        for first in Orientation.allCases {
            for second in Orientation.allCases {
                let both = first.followed(by: second)
                let (outer, expected) = (second.stored(x: 0.1, y: 0.7), both.stored(x: 0.1, y: 0.7))
                let inner = first.stored(x: outer.x, y: outer.y)
                #expect(abs(inner.x - expected.x) < 1e-12 && abs(inner.y - expected.y) < 1e-12)
            }
        }
        #expect(map.storedSize(for: PixelSize(clamping: 5, 4)) == PixelSize(clamping: 5, 4))
        #expect(map.storedSize(for: PixelSize(clamping: 50, 40)) == size)
    }

    private func sides(_ map: GainMap) -> [Double] { [map.part.left, map.part.top, map.part.right, map.part.bottom] }

    @Test func anExplanationSaysWhatLosesIt() async throws {
        let fixture = ManagerFixture()
        var request = ImageRequest(stringLiteral: ManagerFixture.url)
        #expect(try await fixture.manager.explanation(of: request).gainMap == nil)
        request.transform.transformers = [.resize(.fit(10, 10)), StandardTransformer.blur(radius: 2)]
        let told = try await fixture.manager.explanation(of: request)
        #expect(told.gainMap?.contains("blur@1(2)") == true && told.description.contains("gain map: left out"))
        request.transform.transformers = []
        request.cache.encode = EncodeOptions(keepsGainMap: false)
        #expect(try await fixture.manager.explanation(of: request).gainMap?.contains("options") == true)
    }
}

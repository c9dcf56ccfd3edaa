import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

@testable import GannetImages

/// A request names the coder that encodes, whatever others are registered.
@Suite struct NamedEncoderTests {
    private let rig = EncodedRig()

    /// Writes the fake format with this blue.
    private struct OwnCoder: ImageCoder {
        var identifier: String
        var blue: UInt8
        var formats = [FakeImageCoder.format]

        func recognizes(_ head: Span<UInt8>) -> Recognition { .no }

        func makeDecoder(
            for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
        ) throws(ImageError) -> any ImageDecoder {
            throw ImageError(.unsupported, stage: .decode, "It only writes.")
        }

        func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            Encoder(blue)
        }

        private final class Encoder: ImageEncoder {
            let blue: UInt8

            init(_ blue: UInt8) { self.blue = blue }

            func encode(_ image: DecodedImage) throws(ImageError) -> [UInt8] {
                FakeImageCoder.bytes(
                    width: image.size.width, height: image.size.height, red: image.bitmap.row(0)[0], blue: blue)
            }
        }
    }

    private func options(_ identifier: String, _ blue: UInt8, _ formats: [ImageFormat] = [FakeImageCoder.format]) -> EncodeOptions
    {
        EncodeOptions(coder: OwnCoder(identifier: identifier, blue: blue, formats: formats))
    }

    // NW-25
    @Test(arguments: [EncodedRig.thumbnail(), EncodedRig.whole()]) func itEncodesFiles(_ request: ImageRequest) async throws {
        let process = rig.process()
        let file = try await process.file(request, options("own", 77))
        #expect(file.hasSuffix(" 77\n") && process.coder.encodes.count == 0)
        // Its name is part of the key: another coder makes another file, and neither is made twice.
        #expect(try await process.file(request, options("other", 78)).hasSuffix(" 78\n"))
        #expect(try await process.file(request, options("own", 79)) == file)
        #expect(try await rig.process().file(request, options("other", 80)).hasSuffix(" 78\n"))
        #expect(try await !process.file(request, EncodedRig.options).hasSuffix(" 77\n"))
        #expect(rig.loader.loadCount == 1)
    }

    // NW-25
    /// And what is stored of images; a coder that is registered reads it.
    @Test func itEncodesForTheDisk() async throws {
        var request = EncodedRig.thumbnail { $0.schedule.waitsForStore = true }
        request.cache.encode = options("own", 77)
        _ = try await rig.process().manager.image(for: request)
        let other = rig.process()
        let stored = try await other.manager.image(for: request)
        #expect(stored.origin == .disk && stored.bitmap.row(0)[2] == 77)
    }

    @Test func aFormatThatItDoesNotWriteIsRefusedBeforeTheLoad() async throws {
        var wish = options("own", 77)
        wish.format = .jpeg
        let process = rig.process()
        let error = await #expect(throws: ImageError.self) {
            try await process.manager.encoded(for: EncodedRig.whole(), as: wish)
        }
        #expect(error?.code == .unsupported && error?.message.contains("own") == true && rig.loader.loadCount == 0)
    }

    @Test func optionsAreEqualByTheNameOfTheCoder() throws {
        #expect(options("a", 1) == options("a", 2) && options("a", 1) != options("b", 1))
        #expect(Set([options("a", 1), options("a", 2), EncodeOptions()]).count == 2)
        #expect(options("a,b", 1).keyText.hasPrefix(EncodeOptions().keyText + ",x="))
        #expect(options("a,b", 1).keyText != options("a", 1).keyText)
        var cleared = options("a", 1)
        cleared.coder = nil
        #expect(cleared == EncodeOptions() && cleared.keyText == EncodeOptions().keyText)
    }

    /// Without a format it is that of the image, if the coder writes it, or the first of the coder's own.
    @Test func theFormatIsOneOfTheCoders() throws {
        let encoding = ImageEncoding(coders: CodersManager([FakeImageCoder()]))
        let image = still(try solid(1, 2, 3))
        let odd = ImageFormat(identifier: "odd", mimeTypes: [], fileExtensions: [])
        #expect(try encoding.encode(image, options: options("own", 7, [odd])).format == odd)
        #expect(try encoding.encode(image, options: options("own", 7, [odd, .jpeg])).format == .jpeg)
        #expect(try encoding.encodeForStoring(image, options: options("own", 7, [odd])).format == odd)
    }
}

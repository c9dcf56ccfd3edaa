import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// Which transformed images are stored, and what is fetched again for them.
@Suite struct ProcessedStoreTests {
    private let url = ImageSource(ManagerFixture.url)

    private func request(_ change: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
        var request = ImageRequest(source: url)
        change(&request)
        request.schedule.waitsForStore = true
        return request
    }

    /// Reports a given length for the bytes that it encodes.
    private struct PaddedCoder: ImageCoder {
        let inner = FakeImageCoder()
        let length: Int
        var identifier: String { "padded" }
        var formats: [ImageFormat] { inner.formats }
        func recognizes(_ head: Span<UInt8>) -> Recognition { inner.recognizes(head) }
        func makeDecoder(
            for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
        ) throws(ImageError) -> any ImageDecoder {
            try inner.makeDecoder(for: format, options: options, environment: environment)
        }
        func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            Encoder(length: length)
        }

        final class Encoder: ImageEncoder {
            let length: Int
            init(length: Int) { self.length = length }
            func encode(_ image: DecodedImage) throws(ImageError) -> [UInt8] {
                let bytes = FakeImageCoder.bytes(width: image.size.width, height: image.size.height, red: 1)
                return Array(bytes.dropLast()) + [UInt8](repeating: 0x20, count: max(length - bytes.count, 0)) + [0x0A]
            }
        }
    }

    @Test func theIdentityIsTheOriginalItself() async throws {  // TR-10
        #expect(IdentityTransformer().identifier?.isEmpty == true)
        let fixture = ManagerFixture()
        fixture.serve()
        let plain = try await fixture.manager.image(for: request())
        let same = request { $0.transform.transformers = [IdentityTransformer()] }
        #expect(try fixture.manager.cacheKey(for: same) == fixture.manager.cacheKey(for: request()))
        let again = try await fixture.manager.image(for: same)
        #expect(again.origin == .memory && again.bitmap.identity == plain.bitmap.identity)
        // Between others it adds nothing to their key.
        let add = AddTransformer(amount: 1)
        #expect(PipelineTransformer([IdentityTransformer(), add, IdentityTransformer()]).identifier == add.identifier)
    }

    @Test func downsamplingActsOnTheBytes() async throws {  // TR-16
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve(width: 80, height: 40)
        let small = request { $0.decode.target = .size(.fit(20, 20)) }
        let result = try await fixture.manager.image(for: small)
        #expect(result.size == PixelSize(clamping: 20, 10))
        #expect(result.image.metadata.originalSize == PixelSize(clamping: 80, 40))
        // It is no transformer: bytes are stored as they came, and other sizes are decoded from them.
        let stored = try await disk.entry(for: CacheKey(ManagerFixture.url), touch: false)
        #expect(stored?.bytes.contiguous() == FakeImageCoder.bytes(width: 80, height: 40, red: 10))
        let other = try await fixture.manager.image(for: request { $0.decode.target = .size(.fit(40, 40)) })
        #expect(other.size == PixelSize(clamping: 40, 20))
        #expect(fixture.loader.loadCount == 1)
        #expect(try fixture.manager.cacheKey(for: small) != fixture.manager.cacheKey(for: request()))
        // Never larger than it is.
        let large = try await fixture.manager.image(for: request { $0.decode.target = .size(.fit(400, 400)) })
        #expect(large.size == PixelSize(clamping: 80, 40))
    }

    @Test func anotherTransformerDownloadsNothingAgain() async throws {  // U-20
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        for amount: UInt8 in 1...3 {
            let changed = request { $0.transform.transformers = [AddTransformer(amount: amount)] }
            #expect(red(try await fixture.manager.image(for: changed)) == 10 + amount)
            fixture.memory.removeAll()
        }
        #expect(fixture.loader.loadCount == 1)
    }

    @Test(arguments: [(4000, true), (40_000, false)])
    func resultsLargerThanTheirSourceAreMadeAgain(_ length: Int, _ isStored: Bool) async throws {  // U-20
        let disk = InMemoryImageCache()
        let coder = PaddedCoder(length: length)
        let fixture = ManagerFixture(diskCache: disk) { $0.coders = CodersManager([coder]) }
        fixture.serve()
        let changed = request { $0.transform.transformers = [AddTransformer(amount: 1)] }
        _ = try await fixture.manager.image(for: changed)
        let key = try CacheKey(fixture.manager.cacheKey(for: changed))
        #expect(await disk.contains(CacheKey(ManagerFixture.url)))
        #expect(await disk.contains(key) == isStored)
        // Made of the stored original, not downloaded again.
        fixture.memory.removeAll()
        #expect(try await fixture.manager.image(for: changed).origin == .disk)
        #expect(fixture.loader.loadCount == 1)
    }

    @Test func whoNamesAFormatOrKeepsNoOriginalGetsItStored() async throws {  // U-20
        for keepsOriginal in [true, false] {
            let disk = InMemoryImageCache()
            let coder = PaddedCoder(length: 40_000)
            let fixture = ManagerFixture(diskCache: disk) { $0.coders = CodersManager([coder]) }
            fixture.serve()
            let changed = request {
                $0.transform.transformers = [AddTransformer(amount: 1)]
                if keepsOriginal {
                    $0.cache.encode = EncodeOptions(format: FakeImageCoder.format)
                } else {
                    $0.cache.writeOriginal = .none
                }
            }
            _ = try await fixture.manager.image(for: changed)
            #expect(await disk.contains(try CacheKey(fixture.manager.cacheKey(for: changed))))
        }
    }
}

import FoundationEssentials
import Gannet
import GannetCache
import GannetCodecs
import GannetCore
import GannetFetch
import GannetImages
import GannetTesting
import Testing

/// The parts that `Examples/` writes, compiled here too: as separate packages they are only built with the long checks.
@Suite struct ExampleSnippets {
    // FM-01
    @Test func theCoderKeepsEveryPromise() async throws {
        let encoder = try #require(try FarbfeldCoder().makeEncoder(for: .farbfeld, options: EncodeOptions()))
        let image = TestImages.still(try TestImages.discs(width: 9, height: 7))
        let bytes = try encoder.encode(image)
        let check = CoderConformance(FarbfeldCoder(), format: .farbfeld, sample: bytes, name: "discs")
        #expect(check.failures() == [])
        #expect(await check.cancellation() == [])
        #expect(check.roundTrip(image, tolerance: 0) == [])
    }

    @Test func theCoderIsAskedFirst() throws {
        let configuration = ManagerConfiguration(
            memoryCache: nil, diskCache: nil, loaders: LoadersManager(), coders: CodersManager())
        configuration.coders.add(FarbfeldCoder())
        var request: ImageRequest = "https://example.org/a.ff"
        request.decode.coder = FarbfeldCoder()
        #expect(configuration.coders.coders.last is FarbfeldCoder && request.decode.coder is FarbfeldCoder)
    }

    #if PNM
        @Test func theLoaderBringsPicturesOutOfArchives() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "gannet-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let archive = try Demo.writeArchive(in: folder.path)
            let configuration = ManagerConfiguration(
                memoryCache: MemoryCache(), diskCache: nil, loaders: LoadersManager(), coders: CodersManager([PNMCoder()]))
            configuration.loaders.add(TarLoader())
            let manager = ImageManager(configuration: configuration)
            for origin in [LoadedImage.Origin.file, .memory] {
                let image = try await manager.image(for: ImageSource("tar://\(archive)?birds/gannet.ppm"))
                #expect(image.size == PixelSize(width: 4, height: 2) && image.origin == origin)
            }
            let error = await #expect(throws: ImageError.self) {
                try await manager.image(for: ImageSource("tar://\(archive)?birds/dodo.ppm"))
            }
            #expect(error?.code == .notFound)
        }
    #endif

    @Test func theTransformerIsNamedByAllItDoes() throws {
        let (dark, light) = (PixelColor(red: 10, green: 0, blue: 60), PixelColor(red: 255, green: 240, blue: 200))
        let duotone = DuotoneTransformer(shadows: dark, highlights: light)
        #expect(duotone.identifier != DuotoneTransformer(shadows: light, highlights: dark).identifier)
        let bitmap = try TestImages.gradient()
        let context = TransformContext(metadata: ImageMetadata(format: .png, originalSize: bitmap.size))
        #expect(try duotone.transform(bitmap, context: context).size == bitmap.size)
    }
}

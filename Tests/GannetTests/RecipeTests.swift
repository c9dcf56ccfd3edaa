import FoundationEssentials
import Gannet
import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetTesting
import Testing

/// The recipes of the documentation, run on fakes: their files below `Examples` are compiled with these tests too.
@Suite struct RecipeTests {
    #if PNG
        @Test func aSecondRunMakesWhatIsMissing() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "gannet-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let loader = FakeImageLoader()
            loader.answer("https://example.org/0.fake", with: .bytes(FakeImageCoder.bytes(width: 8, height: 4)))
            let manager = ImageManager(
                configuration: ManagerConfiguration(
                    memoryCache: MemoryCache(), diskCache: InMemoryImageCache(), loaders: LoadersManager([loader]),
                    coders: CodersManager([FakeImageCoder()])))
            let items = (0..<2).map { number in
                ThumbnailJob.Item(
                    source: ImageSource("https://example.org/\(number).fake"), output: "\(folder)/\(number).png")
            }
            func outcomes() async -> [String] {
                var lines: [String] = []
                await ThumbnailJob(manager: manager).run(items) { report in
                    let name =
                        switch report.outcome {
                        case .made: "made"
                        case .skipped: "skipped"
                        case .failed(let error): error.code.name
                        }
                    lines.append("\(report.item.source) \(name)")
                }
                return lines.sorted()
            }
            #expect(await outcomes() == ["https://example.org/0.fake made", "https://example.org/1.fake notFound"])
            loader.answer("https://example.org/1.fake", with: .bytes(FakeImageCoder.bytes(width: 4, height: 4)))
            #expect(await outcomes() == ["https://example.org/0.fake skipped", "https://example.org/1.fake made"])
            #expect(await outcomes() == ["https://example.org/0.fake skipped", "https://example.org/1.fake skipped"])
        }
    #endif

    #if JPEG && PNG
        @Test func uploadsAreAnsweredWithThumbnails() async throws {
            var uploads = Uploads(manager: try Uploads.manager())
            let options = EncodeOptions(format: .png)
            let photo = try TestImages.still(try TestImages.gradient(width: 640, height: 480)).blockingEncoded(options).bytes
                .contiguous()
            let opaque = await uploads.thumbnail(of: photo)
            #expect(opaque.status == 200 && opaque.type == "image/jpeg" && opaque.body.starts(with: [0xFF, 0xD8]))
            let disc = try TestImages.still(try TestImages.discs()).blockingEncoded(options).bytes.contiguous()
            let clear = await uploads.thumbnail(of: disc)
            #expect(clear.status == 200 && clear.type == "image/png" && clear.body.starts(with: [0x89, 0x50]))
            #expect(await uploads.thumbnail(of: Array("no image".utf8)).status == 415)
            #expect(await uploads.thumbnail(of: []).status == 415)
            uploads.limits.maximumPixels = 1000
            let refused = await uploads.thumbnail(of: photo)
            #expect(refused.status == 413)
            // The error's own message says to raise maximumPixels.
            #expect(String(decoding: refused.body, as: UTF8.self) == "This image is larger than the service takes.\n")
        }
    #endif
}

#if CommandLine && HTTP && Server && PNG && JPEG && WebP
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import GannetTesting
    import Testing

    @testable import GannetServer
    @testable import gannet

    // NW-01
    /// Thumbnails of photographs with a gain map.
    struct ServeGainMapTests {
        private func gainMap(_ options: String, of source: String) async throws -> GainMap? {
            var configuration = ThumbnailService.Configuration(policy: SourcePolicy(hosts: ["127.0.0.1"], allowsCostly: true))
            configuration.watermark = try TestImages.draw(width: 4, height: 4, alpha: .opaque) { _, _ in 0xFFFF_FFFF }
            var manager = try ManagerConfiguration.standard(StandardOptions())
            manager.diskCache = nil
            let service = ThumbnailService(configuration, manager: ImageManager(configuration: manager))
            let answer = await service.respond(to: .init(target: "/_/\(options)/plain/\(source)"))
            #expect(answer.status == 200, "\(options): \(answer.failure ?? "")")
            let decoding = ImageDecoding(coders: service.manager.configuration.coders)
            return try decoding.decode(ByteRope(answer.body)).bitmap.gainMap
        }

        @Test func thumbnailsKeepThem() async throws {
            let bytes = try Samples.ultraHDR()
            let server = PictureServer(PictureServer.picture(bytes))
            let source = server.url("/a.jpg")
            #expect(try await gainMap("rs:fit:120:80/f:jpg", of: source)?.source.encoded.size == PixelSize(clamping: 30, 20))
            #expect(
                try await gainMap("rs:fill:80:80/rot:90/f:jpg", of: source)?.source.encoded.size == PixelSize(clamping: 20, 20))
            // A mark would shine where the image does.
            #expect(try await gainMap("rs:fit:120:80/wm:1:nowe/f:jpg", of: source) == nil)
            #expect(try await gainMap("rs:fit:120:80/f:webp", of: source) == nil)
        }
    }
#endif

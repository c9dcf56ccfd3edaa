#if CommandLine && Server && PNG && JPEG && GIF
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// Options of an address change the pixels and the file of its answer.
    struct ServeOptionTests {
        let tool: Tool

        init() throws { tool = try Tool() }

        private func service(prefer: [ImageFormat] = []) throws -> ThumbnailService {
            var options = StandardOptions()
            options.cacheDirectory = tool.path("cache")
            let manager = try Assembly.manager(options, policy: ThumbnailService.policy(defaultLifetime: .seconds(1000)))
            var configuration = ThumbnailService.Configuration(
                policy: SourcePolicy(hosts: ["127.0.0.1"], allowsCostly: true))
            configuration.preferredFormats = prefer
            return ThumbnailService(configuration, manager: manager)
        }

        private func image(_ body: [UInt8]) async throws -> DecodedImage {
            var request = ImageRequest(source: .data(body, identifier: String(body.hashValue)))
            request.decode.frames = .preloaded
            return try await ImageManager(configuration: .standard()).image(for: request).image
        }

        /// 40 × 20: the colour of a pixel is its place.
        private static func map() throws -> [UInt8] {
            let bitmap = try TestImages.draw(width: 40, height: 20, alpha: .opaque) { x, y in
                0xFF00_0000 | UInt32(y * 8) << 8 | UInt32(x * 4)
            }
            return try TestImages.still(bitmap).blockingEncoded(EncodeOptions(format: .png)).bytes.contiguous()
        }

        /// The first pixel tells which part was kept.
        @Test(arguments: [
            ("c:10:8", 10, 8, 16, 6), ("c:10:8:nowe", 10, 8, 0, 0), ("crop:10:8:soea", 10, 8, 30, 12), ("c:0.5:0", 20, 20, 10, 0),
            ("c::0.25:no", 40, 5, 0, 0), ("c:10:8:fp:0.5:0.5", 10, 8, 15, 6), ("c:10:8:fp:0:1", 10, 8, 0, 12),
            ("g:we/c:10:8", 10, 8, 0, 6), ("c:100:100", 40, 20, 0, 0), ("c:0:0", 40, 20, 0, 0),
            ("c:0.001:0.001:nowe", 1, 1, 0, 0),
            ("c:20:20:ea/rs:fill:20:10:0/g:no", 20, 10, 20, 0),
        ])
        func aPartIsKeptBeforeResizing(options: String, width: Int, height: Int, x: Int, y: Int) async throws {
            let server = PictureServer(PictureServer.picture(try Self.map()))
            let answer = try await service().respond(to: .init(target: "/_/\(options)/f:png/plain/\(server.url("/a.png"))"))
            try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
            let bitmap = try await image(answer.body).bitmap
            #expect(bitmap.width == width && bitmap.height == height, "\(options): \(bitmap.size)")
            #expect(Int(bitmap.row(0)[0]) == x * 4 && Int(bitmap.row(0)[1]) == y * 8, "\(options)")
        }

        @Test func aPartIsResized() async throws {
            let server = PictureServer(PictureServer.picture(try Self.map()))
            let service = try service()
            for (options, width, height) in [
                ("c:20:20:ea/w:5", 5, 5), ("c:0.5:0.5/rs:force:8:3", 8, 3), ("c:20:20/w:5/dpr:2", 10, 10),
            ] {
                let answer = await service.respond(to: .init(target: "/_/\(options)/f:png/plain/\(server.url("/a.png"))"))
                let bitmap = try await image(answer.body).bitmap
                #expect(bitmap.width == width && bitmap.height == height, "\(options): \(bitmap.size)")
            }
        }

        /// The box, the part that is kept and its place are those of the turned image, as imgproxy has them. The map becomes 20 × 40 by a
        /// quarter turn; its first pixel comes from the place of the map that is named.
        @Test(arguments: [
            ("rot:90", 20, 40, 0, 19), ("rot:180", 40, 20, 39, 19), ("rot:270", 20, 40, 39, 0),
            ("rs:fill:20:10/g:no/rot:90", 20, 10, 0, 19), ("rot:90/rs:fill:20:10/g:so", 20, 10, 30, 19),
            ("rs:fill:20:10/g:no/rot:270", 20, 10, 39, 0), ("rs:fill:10:40/g:we/rot:90", 10, 40, 0, 19),
            ("rs:fill:10:40/g:ea/rot:90", 10, 40, 0, 9), ("rs:fill:40:10/g:no/rot:180", 40, 10, 39, 19),
            ("rs:fill:20:20/g:we/rot:180", 20, 20, 39, 19), ("c:10:8:nowe/rot:90", 10, 8, 0, 19),
            ("c:10:8:soea/rot:90", 10, 8, 32, 9), ("c:0.5:0.25:no/rot:270", 10, 10, 39, 6),
        ])
        func aTurnComesFirst(options: String, width: Int, height: Int, x: Int, y: Int) async throws {
            let server = PictureServer(PictureServer.picture(try Self.map()))
            let answer = try await service().respond(to: .init(target: "/_/\(options)/f:png/plain/\(server.url("/a.png"))"))
            let bitmap = try await image(answer.body).bitmap
            #expect(bitmap.width == width && bitmap.height == height, "\(options): \(bitmap.size)")
            let first = bitmap.row(0)
            #expect(Set([Int(first[0]), Int(first[1]), Int(first[2])]) == Set([0, y * 8, x * 4]), "\(options)")
        }

        /// A photograph lies as its EXIF says before it is turned.
        @Test(arguments: [
            ("rs:fit:20:30", 20, 30), ("rs:fill:30:20", 30, 20), ("rs:fill:30:20/rot:90", 30, 20), ("w:30/rot:90", 30, 20),
            ("w:20/rot:180", 20, 30), ("h:30/rot:270", 45, 30),
        ])
        func aTurnFollowsTheOrientation(options: String, width: Int, height: Int) async throws {
            let server = PictureServer(PictureServer.picture(try Self.photo()))
            let answer = try await service().respond(to: .init(target: "/_/\(options)/f:png/plain/\(server.url("/a.jpg"))"))
            let size = try await image(answer.body).bitmap.size
            #expect(size.width == width && size.height == height, "\(options): \(size)")
        }

        @Test func oneFrameCanBeChosen() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.gif()))
            let service = try service()
            var bodies: Set<[UInt8]> = []
            for page in 0...3 {
                let answer = await service.respond(to: .init(target: "/_/pg:\(page)/f:png/plain/\(server.url("/a.gif"))"))
                #expect(answer.status == 200)
                #expect(try await image(answer.body).frameCount == 1)
                bodies.insert(answer.body)
            }
            #expect(bodies.count == 4)
            let beyond = await service.respond(to: .init(target: "/_/pg:4/f:png/plain/\(server.url("/a.gif"))"))
            #expect(beyond.status == 404 && beyond.text == "There is no page 4 in this source; the first one is 0.\n")
        }

        /// Pixels of animations and drawings are changed as those of photographs.
        @Test func everyFrameIsChanged() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.gif()))
            let service = try service()
            let plain = await service.respond(to: .init(target: "/_/da:0/f:png/plain/\(server.url("/a.gif"))"))
            let turned = await service.respond(to: .init(target: "/_/da:0/rot:90/f:png/plain/\(server.url("/a.gif"))"))
            let (before, after) = (try await image(plain.body), try await image(turned.body))
            #expect(before.frameCount == 4 && after.frameCount == 4)
            #expect(after.bitmap.width == before.bitmap.height && after.bitmap.height == before.bitmap.width)
        }

        #if SVG
            /// Without a size a drawing has the one that it says.
            @Test(arguments: [
                ("", 40, 20), ("dpr:2/", 80, 40), ("dpr:0.5/", 20, 10), ("rot:90/", 20, 40), ("rot:90/dpr:2/", 40, 80),
                ("w:100/", 100, 50), ("h:10/", 20, 10), ("dpr:8/", 200, 100), ("el:1/", 40, 20), ("c:20:20:we/", 20, 20),
            ])
            func drawingsHaveTheirOwnSize(options: String, width: Int, height: Int) async throws {
                let drawing =
                    "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='20'><rect width='40' height='20'/></svg>"
                let server = PictureServer(PictureServer.picture(Array(drawing.utf8)))
                let service = try service()
                service.configuration.maximumSide = 200
                let answer = await service.respond(to: .init(target: "/_/\(options)f:png/plain/\(server.url("/a.svg"))"))
                let size = try await image(answer.body).bitmap.size
                #expect(size.width == width && size.height == height, "\(options): \(size)")
            }

            @Test func drawingsAreChangedToo() async throws {
                let drawing =
                    "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='20'><rect width='40' height='20'/></svg>"
                let server = PictureServer(PictureServer.picture(Array(drawing.utf8)))
                let answer = try await service().respond(
                    to: .init(target: "/_/w:20/transform:invert/f:png/plain/\(server.url("/a.svg"))"))
                let row = try await image(answer.body).bitmap.row(5)
                #expect(row[40] == 255 && row[41] == 255 && row[42] == 255)
            }
        #endif

        // MARK: Metadata

        /// With orientation 6 and a name in its EXIF.
        private static func photo() throws -> [UInt8] {
            let plain = try Samples.photo()
            let entries: [UInt8] =
                [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0] + [0x01, 0x3B, 0, 2, 0, 0, 0, 4] + Array("me!".utf8) + [0]
            let exif = Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 2] + entries + [0, 0, 0, 0]
            return [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + plain.dropFirst(2)
        }

        private static func contains(_ text: String, _ bytes: [UInt8]) -> Bool {
            String(decoding: bytes, as: Unicode.ASCII.self).contains(text)
        }

        @Test(arguments: ["jpeg", "png", "webp"]) func metadataIsKeptWhereItIsAskedFor(format: String) async throws {
            let server = PictureServer(PictureServer.picture(try Self.photo()))
            let service = try service()
            for (option, isKept) in [("sm:1", false), ("w:16", false), ("sm:0", true), ("strip_metadata:0", true)] {
                let answer = await service.respond(
                    to: .init(target: "/_/\(option)/w:16/f:\(format)/plain/\(server.url("/a.jpg"))"))
                #expect(answer.status == 200)
                #expect(Self.contains("me!", answer.body) == isKept, "\(option)")
                // Upright, and not turned once more.
                let shown = try await image(answer.body).bitmap
                #expect(shown.width == 16 && shown.height == 24)
            }
            #expect(server.requests.count == 1)
        }

        @Test func metadataChoosesAFormatThatHasIt() async throws {
            let server = PictureServer(PictureServer.picture(try Self.photo()))
            let service = try service(prefer: [.avif, .webp])
            let target = "/_/sm:0/w:16/plain/\(server.url("/a.jpg"))"
            let answer = await service.respond(to: .init(target: target, headers: [("Accept", "image/avif,image/webp")]))
            #expect(answer.headers.contains { $0 == ("Content-Type", "image/webp") })
            #expect(Self.contains("me!", answer.body))
            #expect(await service.respond(to: .init(target: "/_/sm:0/f:gif/plain/\(server.url("/a.jpg"))")).status == 400)
        }

        @Test func metadataCountsForTheSizeOfTheFile() async throws {
            let server = PictureServer(PictureServer.picture(try Self.photo()))
            let answer = try await service().respond(
                to: .init(target: "/_/sm:0/mb:2000/f:jpeg/plain/\(server.url("/a.jpg"))"))
            #expect(answer.status == 200 && answer.body.count <= 2000 && Self.contains("me!", answer.body))
        }
    }
#endif

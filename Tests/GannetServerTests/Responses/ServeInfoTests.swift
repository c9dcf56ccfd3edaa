#if CommandLine && HTTP && Server && PNG && JPEG
    import Foundation
    import Gannet
    import GannetCodecs
    import GannetCommandTestSupport
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetServer

    /// What `/info` tells, and only when it is asked.
    struct ServeInfoTests {
        private static let block = EXIFBlock(
            image: [(0x010F, .text("Gannet")), (0x0110, .text("One")), (0x0112, .short(6)), (0x013B, .text("Me"))],
            photo: [(0x829A, .fraction(1, 250)), (0x8827, .short(100)), (0x9003, .text("2026:05:01 10:20:30"))],
            place: [
                (0x0001, .text("S")), (0x0002, .fractions([(33, 1), (51, 1), (2448, 100)])),
                (0x0003, .text("E")), (0x0004, .fractions([(151, 1), (12, 1), (3600, 100)])),
                (0x0005, .short(0)), (0x0006, .fraction(125, 10)),
            ]
        ).bytes

        private func photo() throws -> [UInt8] { try EmbeddedMetadata(of: [], exif: Self.block).added(to: Samples.photo()) }

        private func object(_ answer: ThumbnailService.Response) throws -> [String: Any] {
            #expect(answer.status == 200, "\(answer.text)")
            return try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
        }

        private func info(
            _ drawn: DrawnService, _ options: String, _ headers: [(String, String)] = []
        ) async -> ThumbnailService.Response {
            let target = "/info/_\(options.isEmpty ? "" : "/" + options)/plain/\(drawn.server.url("/a.png"))"
            return await drawn.service.respond(to: .init(target: target, headers: headers))
        }

        @Test func `Without options it is the header, and nothing is decoded`() async throws {
            let drawn = try DrawnService(try photo())
            let told = try object(await info(drawn, ""))
            #expect(told["format"] as? String == "jpeg" && told["bitDepth"] as? Int == 8 && told["orientation"] as? Int == 6)
            #expect(told["hasAlpha"] as? Bool == false && told["colorSpace"] as? String == "rgb")
            for name in ["exif", "gps", "palette", "dominantColor", "blurHash", "thumbHash"] { #expect(told[name] == nil) }
            #expect(drawn.service.metrics.counts.decodes == 0)
        }

        @Test func `The camera is told on request, and the place by its own word`() async throws {  // NW-20
            let drawn = try DrawnService(try photo())
            let camera = try object(await info(drawn, "exif:1"))
            let exif = try #require(camera["exif"] as? [String: Any])
            #expect(exif["camera"] as? String == "Gannet One" && exif["exposureSeconds"] as? Double == 0.004)
            #expect(exif["taken"] as? String == "2026-05-01 10:20:30" && exif["iso"] as? Int == 100)
            #expect(camera["gps"] == nil && !String(describing: camera).contains("151"))
            let place = try #require(try object(await info(drawn, "gps:1"))["gps"] as? [String: Any])
            #expect(place["latitude"] as? Double == -33.8568 && place["longitude"] as? Double == 151.21)
            #expect(place["altitudeMetres"] as? Double == 12.5)
            let neither = try object(await info(drawn, "gps:0/exif:0"))
            #expect(neither["gps"] == nil && neither["exif"] == nil)
        }

        @Test func `What the camera wrote needs a signature`() async throws {
            let drawn = try DrawnService(try photo()) { $0.policy.allowsCostly = false }
            for option in ["exif:1", "gps:1"] { #expect(await info(drawn, option).status == 403, "\(option)") }
            #expect(await info(drawn, "palette:2/dc:1").status == 200)
        }

        /// Three quarters red, a quarter blue.
        private static func flag() throws -> [UInt8] {
            try DrawnService.png { x, _ in x < 30 ? 0xFF00_00FF : 0xFFFF_0000 }
        }

        @Test func `Colours are those of the pixels`() async throws {  // NW-20
            let drawn = try DrawnService(try Self.flag())
            let told = try object(await info(drawn, "dominant_color:1/palette:2"))
            #expect(told["dominantColor"] as? String == "#ff0000")
            let palette = try #require(told["palette"] as? [[String: Any]])
            #expect(palette.map { $0["color"] as? String } == ["#ff0000", "#0000ff"])
            #expect(palette.map { $0["part"] as? Double } == [0.75, 0.25])
            let clear = try DrawnService(try DrawnService.png(alpha: .straight) { _, _ in 0 })
            let none = try object(await info(clear, "dc:1/p:4"))
            #expect(none["dominantColor"] is NSNull && (none["palette"] as? [Any])?.isEmpty == true)
            #expect(none["hasAlpha"] as? Bool == true)
        }

        @Test func `More colours than asked for become fewer`() async throws {
            let drawn = try DrawnService(try DrawnService.map())
            let palette = try #require(try object(await info(drawn, "palette:5"))["palette"] as? [[String: Any]])
            let parts = palette.compactMap { $0["part"] as? Double }
            #expect(palette.count == 5 && abs(parts.reduce(0, +) - 1) < 0.01 && parts == parts.sorted(by: >))
        }

        @Test func `Hashes are those of the library`() async throws {
            let png = try DrawnService.map()
            let drawn = try DrawnService(png)
            let told = try object(await info(drawn, "blurhash:4:3/thumbhash:1"))
            let image = try await ImageManager(configuration: .standard()).image(
                for: ImageRequest(source: .data(png, identifier: "map"))
            ).bitmap
            let (blurHash, thumbHash) = (try BlurHash.string(for: image, across: 4, down: 3), try ThumbHash.bytes(for: image))
            #expect(told["blurHash"] as? String == blurHash)
            #expect(told["thumbHash"] as? String == Data(thumbHash).base64EncodedString())
            #expect(told["palette"] == nil && told["dominantColor"] == nil)
        }

        @Test func `A page that is not there is missing`() async throws {
            let drawn = try DrawnService(try Self.flag())
            #expect(await info(drawn, "page:3/dc:1").status == 404)
            #expect(await info(drawn, "page:0/dc:1").status == 200)
        }

        @Test(arguments: ["palette:1", "palette:257", "palette:x", "blurhash:4", "blurhash:0:3", "blurhash:4:10", "exif:yes"])
        func `What makes no sense is refused`(option: String) async throws {
            #expect(await info(try DrawnService(try Self.flag()), option).status == 400)
        }

        @Test func `Images have none of these options`() async throws {
            let drawn = try DrawnService(try Self.flag())
            for option in ["palette:4", "exif:1", "gps:1", "blurhash:4:3"] { #expect(await drawn.answer(option).status == 400) }
        }

        @Test func `A description is kept, and confirmed by its tag`() async throws {
            let drawn = try DrawnService(try Self.flag())
            let first = await info(drawn, "palette:2")
            let decodes = drawn.service.metrics.counts.decodes
            #expect(decodes == 1 && first.headers.contains { $0.0 == "Cache-Control" && $0.1.hasPrefix("public, max-age=") })
            let second = await info(drawn, "palette:2")
            #expect(second.body == first.body && drawn.service.metrics.counts.decodes == decodes)
            #expect(await info(drawn, "palette:3").body == first.body)
            let tag = try #require(first.headers.first { $0.0 == "ETag" }?.1)
            let confirmed = await info(drawn, "palette:2", [("If-None-Match", tag)])
            #expect(confirmed.status == 304 && confirmed.body.isEmpty)
        }
    }
#endif

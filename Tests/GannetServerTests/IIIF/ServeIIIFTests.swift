#if CommandLine && Server && PNG && JPEG
    import Foundation
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetKernels
    import GannetSupport
    import GannetTesting
    import Glibc
    import Testing

    @testable import GannetServer
    @testable import GannetSharedCaches
    @testable import gannet

    /// The service as viewers of IIIF use it.
    struct ServeIIIFTests {
        let tool: Tool
        let service: SourcedService
        let image: Bitmap

        init() throws {
            tool = try Tool()
            #expect(mkdir(tool.path("pictures"), 0o700) == 0)
            image = try TestImages.gradient(width: 700, height: 500)
            let coders = CodersManager(BuiltInCoders.all)
            for (format, name) in [(ImageFormat.png, "a.png"), (.jpeg, "b.jpg")] {
                let file = try ImageEncoding(coders: coders).encode(
                    TestImages.still(image), options: EncodeOptions(format: format, quality: 95))
                try tool.write(file.bytes.contiguous(), "pictures/" + name)
            }
            service = try SourcedService(folder: FolderLoader(tool.path("pictures"))) {
                $0.iiifBaseURL = "https://images.example.org/iiif"
                $0.maximumSide = 600
            }
        }

        private static let png = "/iiif/local%3A%2F%2F%2Fa.png"

        private func pixels(_ rest: String) async throws -> Bitmap {
            let response = await service.get(Self.png + rest)
            #expect(response.status == 200, "\(rest): \(response.text)")
            return try ImageDecoding(coders: CodersManager(BuiltInCoders.all)).decode(ByteRope(response.body)).bitmap
        }

        // NW-04
        @Test func aRegionIsThatOfTheSource() async throws {
            let part = PixelRect(x: 100, y: 50, width: 300, height: 200)
            let plain = try await pixels("/100,50,300,200/max/0/default.png")
            let wanted = try cropped(image, to: part)
            #expect(plain.packedBytes() == wanted.packedBytes())
            for (rotation, turn) in [("90", Orientation.right), ("!0", .upMirrored), ("!270", .leftMirrored)] {
                let own = try await pixels("/100,50,300,200/max/\(rotation)/default.png")
                #expect(try own.packedBytes() == oriented(wanted, turn).packedBytes())
            }
            let small = try await pixels("/100,50,300,200/60,/90/gray.png")
            #expect(small.size == PixelSize(clamping: 40, 60))
            let bytes = small.packedBytes()
            for index in stride(from: 0, to: bytes.count, by: 4) {
                let isGray = bytes[index] == bytes[index + 1] && bytes[index] == bytes[index + 2]
                #expect(isGray)
            }
            let two = Set(try await pixels("/100,50,300,200/max/0/bitonal.png").packedBytes())
            #expect(two == [0, 255])
            #expect(try await pixels("/full/max/0/default.png").size == PixelSize(clamping: 600, 429))
        }

        @Test func whatComesWithAnImage() async throws {
            let response = await service.get("/iiif/local%3A%2F%2F%2Fb.jpg/square/100,/0/default.jpg")
            #expect(response.status == 200 && response.field("Content-Type") == "image/jpeg")
            #expect(response.field("Access-Control-Allow-Origin") == "*")
            #expect(response.field("Link") == "<http://iiif.io/api/image/3/level2.json>;rel=\"profile\"")
            #expect(response.field("Vary") == nil && response.field("ETag") != nil)
            let again = service.service.cachedResponse(
                to: .init(target: "/iiif/local%3A%2F%2F%2Fb.jpg/square/100,/0/default.jpg"))
            #expect(again?.body == response.body && again?.field("Access-Control-Allow-Origin") == "*")
        }

        /// Viewers ask for the smallest of what is named first.
        @Test(arguments: [
            (100_000_000, [1, 2, 4, 8, 16], 0), (200_000_000, [1, 2, 4, 8, 16, 32], 6), (512 * 512, [1], 0), (1, [1], 0),
        ])
        func whatWouldBeRefusedIsNotDescribed(_ sample: (pixels: Int, factors: [Int], sizes: Int)) throws {
            let text = IIIFDescription(
                id: "https://images.example.org/iiif/a", size: PixelSize(clamping: 12_288, 12_288), limit: 20_000,
                maximumPixels: sample.pixels, writesWebP: true
            ).json.text
            let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            let tiles = try #require((json["tiles"] as? [[String: Any]])?.first)
            #expect(tiles["scaleFactors"] as? [Int] == sample.factors)
            #expect((json["sizes"] as? [[String: Int]])?.count == sample.sizes)
        }

        /// Without the field a viewer in a browser sees a failure of the network, and not what is said.
        @Test(arguments: [
            ("/full/max/45/default.jpg", 501), ("/full/max/0/default.jpg?x=1", 400), ("/full/max/0/default.none", 400),
            ("/full/max/0", 404), ("/9000,9000,10,10/max/0/default.jpg", 400),
        ])
        func refusalsAreForEveryOriginToo(_ sample: (path: String, status: Int)) async throws {
            let response = await service.get(Self.png + sample.path)
            #expect(response.status == sample.status)
            #expect(response.headers.filter { $0.0 == "Access-Control-Allow-Origin" }.map(\.1) == ["*"])
            #expect(await service.get("/none" + sample.path).field("Access-Control-Allow-Origin") == nil)
        }

        // NW-04
        @Test func theDescription() async throws {
            let redirect = await service.get(Self.png)
            #expect(
                redirect.status == 303 && redirect.field("Location") == "https://images.example.org" + Self.png + "/info.json")
            let response = await service.get(Self.png + "/info.json")
            #expect(response.status == 200 && response.field("Content-Type") == "application/json")
            #expect(response.field("Access-Control-Allow-Origin") == "*" && response.field("Vary") == "Accept")
            let json = try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
            #expect(json["@context"] as? String == "http://iiif.io/api/image/3/context.json")
            #expect(json["id"] as? String == "https://images.example.org" + Self.png && json["profile"] as? String == "level2")
            #expect(json["type"] as? String == "ImageService3" && json["protocol"] as? String == "http://iiif.io/api/image")
            #expect(json["width"] as? Int == 700 && json["height"] as? Int == 500 && json["maxWidth"] as? Int == 600)
            #expect(json["sizes"] as? [[String: Int]] == [["width": 350, "height": 250]])
            let tiles = try #require((json["tiles"] as? [[String: Any]])?.first)
            #expect(tiles["width"] as? Int == 512 && tiles["scaleFactors"] as? [Int] == [1, 2])
            let linked = await service.service.respond(
                to: .init(target: Self.png + "/info.json", headers: [("accept", "application/ld+json")]))
            let type = "application/ld+json;profile=\"http://iiif.io/api/image/3/context.json\""
            #expect(linked.field("Content-Type") == type && linked.body == response.body)
        }

        @Test func failures() async throws {
            for (target, status) in [
                (Self.png + "/700,0,1,1/max/0/default.png", 400), (Self.png + "/full/701,/0/default.png", 400),
                (Self.png + "/full/max/45/default.png", 501), (Self.png + "/full/max/0/default.jp2", 501),
                (Self.png + "/full/max/0/sepia.png", 400), ("/iiif/local%3A%2F%2F%2Fc.png/info.json", 404),
                ("/iiif/local%3A%2F%2F%2Fc.png/full/max/0/default.png", 404), ("/iiif/s3%3A%2F%2Fb%2Fc.png/info.json", 403),
                ("/iiif/https%3A%2F%2Fa.org%2Fb.png/info.json", 403), ("/iiif/x/local%3A%2F%2F%2Fa.png/info.json", 403),
                ("/iiif/local:///a.png/info.json", 404),
            ] {
                let response = await service.get(target)
                #expect(response.status == status, "\(target): \(response.text)")
            }
            #expect(await service.get(try SourcedService.keys.sign(Self.png + "/info.json")).status == 200)
            let without = try SourcedService(folder: FolderLoader(tool.path("pictures")))
            #expect(await without.get(Self.png + "/info.json").status == 404)
        }

        /// An image that is too large for this service has parts all the same, where its format has.
        @Test func partsOfLargeImages() async throws {
            let small = try SourcedService(folder: FolderLoader(tool.path("pictures"))) {
                $0.iiifBaseURL = "https://images.example.org/iiif"
                $0.limits.maximumPixels = 100_000
            }
            #expect(await small.get(Self.png + "/info.json").status == 200)
            #expect(await small.get(Self.png + "/100,100,200,200/max/0/default.jpg").status == 200)
            #expect(await small.get(Self.png + "/full/max/0/default.jpg").status == 413)
        }
    }
#endif

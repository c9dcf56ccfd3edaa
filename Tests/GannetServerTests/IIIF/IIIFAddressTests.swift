#if CommandLine && Server
    import GannetCore
    import Testing

    @testable import GannetServer

    /// Addresses as the IIIF Image API 3.0 has them.
    struct IIIFAddressTests {
        private static let whole = PixelSize(clamping: 600, 400)

        private static func plan(_ text: String, limit: Int = 1000) throws -> IIIFOptions.Plan {
            let address = try ThumbnailAddress("/iiif/https%3A%2F%2Fa.org%2Fb.jpg/" + text)
            return try #require(address.options.iiif).plan(for: whole, limit: limit)
        }

        // NW-04
        @Test(arguments: [
            ("full/max", (0, 0, 600, 400), (600, 400)), ("square/max", (100, 0, 400, 400), (400, 400)),
            ("10,20,30,40/max", (10, 20, 30, 40), (30, 40)), ("590,390,30,40/max", (590, 390, 10, 10), (10, 10)),
            ("pct:50,25,50,50/max", (300, 100, 300, 200), (300, 200)),
            ("pct:41.6,7.5,40,70/max", (250, 30, 240, 280), (240, 280)),
            ("full/300,", (0, 0, 600, 400), (300, 200)), ("full/,100", (0, 0, 600, 400), (150, 100)),
            ("full/pct:50", (0, 0, 600, 400), (300, 200)), ("full/120,300", (0, 0, 600, 400), (120, 300)),
            ("full/!300,300", (0, 0, 600, 400), (300, 200)), ("full/!900,900", (0, 0, 600, 400), (600, 400)),
            ("full/^!900,900", (0, 0, 600, 400), (900, 600)), ("full/^max", (0, 0, 600, 400), (1000, 667)),
            ("full/^900,", (0, 0, 600, 400), (900, 600)), ("full/^pct:150", (0, 0, 600, 400), (900, 600)),
            ("full/^700,900", (0, 0, 600, 400), (700, 900)), ("0,0,600,1/9,", (0, 0, 600, 1), (9, 1)),
        ])
        func partsAndSizes(_ text: String, _ region: (Int, Int, Int, Int), _ size: (Int, Int)) throws {
            let plan = try Self.plan(text + "/0/default.jpg")
            #expect(plan.region == PixelRect(x: region.0, y: region.1, width: region.2, height: region.3))
            #expect(plan.size == PixelSize(clamping: size.0, size.1))
        }

        @Test func sizesAreLimited() throws {
            #expect(try Self.plan("full/max/0/default.jpg", limit: 300).size == PixelSize(clamping: 300, 200))
            #expect(try Self.plan("full/!500,500/0/default.jpg", limit: 300).size == PixelSize(clamping: 300, 200))
            for text in ["full/301,", "full/pct:51", "full/^900,"] {
                #expect(throws: ImageError.self) { try Self.plan(text + "/0/default.jpg", limit: 300) }
            }
        }

        @Test(arguments: [
            ("0", Orientation.up), ("90", .right), ("180", .down), ("270", .left), ("360", .up), ("!0", .upMirrored),
            ("!180", .downMirrored), ("90.0", .right), ("!90", .rightMirrored), ("!270", .leftMirrored),
        ])
        func turns(_ text: String, _ turn: Orientation) throws {
            let address = try ThumbnailAddress("/iiif/https%3A%2F%2Fa.org%2Fb.jpg/full/max/\(text)/gray.png")
            #expect(address.options.iiif?.turn == turn && address.options.iiif?.quality == .gray)
            #expect(address.options.format == .png && !address.isCostly && address.source == "https://a.org/b.jpg")
        }

        @Test(arguments: [
            "whole/max/0/default.jpg", "1,2,3/max/0/default.jpg", "1,2,0,4/max/0/default.jpg", "-1,2,3,4/max/0/default.jpg",
            "pct:1,2,0,4/max/0/default.jpg", "600,0,10,10/max/0/default.jpg", "full/full/0/default.jpg", "full/0,/0/default.jpg",
            "full/,/0/default.jpg", "full/!9,/0/default.jpg", "full/pct:0/0/default.jpg", "full/pct:101/0/default.jpg",
            "full/601,/0/default.jpg", "full/9x9/0/default.jpg", "full/max/x/default.jpg", "full/max/361/default.jpg",
            "full/max/-90/default.jpg", "full/max/0/native.jpg", "full/max/0/default.word", "full/max/0/default",
            "full/max/0/.jpg",
            "full/max/!/default.jpg", "full/99999999999999999999,/0/default.jpg", "1e3,0,1,1/max/0/default.jpg",
        ])
        func whatTheStandardDoesNotHaveIsRefused(_ text: String) {
            let error = #expect(throws: ImageError.self) { try Self.plan(text) }
            #expect(error?.code == .misuse)
        }

        @Test(arguments: [
            "full/max/45/default.jpg", "full/max/!1/gray.jpg", "full/max/0/default.tif", "full/max/!22.5/default.png",
        ])
        func whatThisServiceDoesNotHave(_ text: String) {
            let error = #expect(throws: ImageError.self) { try Self.plan(text) }
            #expect(error?.code == .unsupported && error?.stage == .resolve)
        }

        @Test(arguments: [
            "/iiif/", "/iiif//info.json", "/iiif/a/b/c/info.json", "/iiif/x/y/z/https%3A%2F%2Fa.org/full/max/0/default.jpg",
            "/iiif/https%3A%2F%2Fa.org%2Fb.jpg/info.json?a=b", "/iiif/nothing/info.json",
        ])
        func noAddress(_ target: String) { #expect(throws: ImageError.self) { try ThumbnailAddress(target) } }

        @Test func aSignatureCoversTheIdentifier() throws {
            let keys = SigningKeys(keys: [SigningKeys.Key(secret: Array("0123456789abcdef".utf8))])
            let signed = try keys.sign("/iiif/https%3A%2F%2Fa.org%2Fb.jpg/full/max/0/default.jpg")
            let identifier = try #require(signed.split(separator: "/").dropFirst().first)
            #expect(signed == "/iiif/\(identifier)/https%3A%2F%2Fa.org%2Fb.jpg/full/max/0/default.jpg")
            for rest in ["", "/info.json", "/0,0,9,9/9,9/90/gray.png"] {
                let address = try ThumbnailAddress("/iiif/\(identifier)/https%3A%2F%2Fa.org%2Fb.jpg" + rest)
                let signature = try #require(address.signature)
                #expect(keys.isRight(signature, of: address.signedPart))
                #expect(address.iiif?.identifier == "\(identifier)/https%3A%2F%2Fa.org%2Fb.jpg")
                #expect(!address.shown.contains(String(identifier)))
            }
            let other = try ThumbnailAddress("/iiif/\(identifier)/https%3A%2F%2Fa.org%2Fc.jpg/info.json")
            #expect(!keys.isRight(try #require(other.signature), of: other.signedPart))
        }
    }
#endif

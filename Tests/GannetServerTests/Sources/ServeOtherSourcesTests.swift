#if CommandLine && HTTP && Server && PNG && JPEG
    import GannetCommandTestSupport
    import GannetCore
    import GannetTesting
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// Sources that an address names beside its own: a fallback, and a watermark.
    struct ServeOtherSourcesTests {
        /// `/a.png` is the map, `/mark.png` 4 × 4 blue pixels with little time, `/other.png` red ones; there is nothing else.
        private static func service(
            _ change: (inout ThumbnailService.Configuration) -> Void = { _ in }
        ) throws -> DrawnService {
            let map = try DrawnService.map()
            let mark = try DrawnService.png(width: 4, height: 4) { _, _ in 0xFFFF_0000 }
            let other = try DrawnService.png(width: 10, height: 10) { _, _ in 0xFF00_00FF }
            return try DrawnService(change) { head in
                let path = head.split(separator: " ").dropFirst().first ?? ""
                switch path {
                case "/a.png": return PictureServer.picture(map)(head)
                case "/mark.png":
                    return PictureServer.response(
                        "200 OK", ["Content-Type: image/png", "ETag: \"2\"", "Cache-Control: max-age=60"], mark)
                case "/other.png": return PictureServer.picture(other)(head)
                default: return PictureServer.response("404 Not Found")
                }
            }
        }

        private static func text(_ url: String) -> String { Base64.urlText(of: Array(url.utf8)) }

        private static func get(_ service: DrawnService, _ options: String, _ path: String) async -> ThumbnailService.Response {
            await service.service.respond(to: .init(target: "/_/\(options)/f:png/plain/\(service.server.url(path))"))
        }

        private static func maximumAge(_ response: ThumbnailService.Response) -> Int? {
            response.field("Cache-Control")?.split(separator: "=").last.flatMap { Int($0.prefix { $0.isNumber }) }
        }

        @Test func anotherSourceIsShownInstead() async throws {
            let service = try Self.service()
            let option = "fiu:" + Self.text(service.server.url("/other.png"))
            let answer = await Self.get(service, "\(option)/w:5", "/missing.png")
            let bitmap = try await DrawnService.decoded(answer).bitmap
            #expect(bitmap.width == 5 && bitmap.text(2, 2) == "#ff0000")
            #expect(answer.origin == .fallback && answer.failure != nil)
            #expect(try #require(Self.maximumAge(answer)) <= 60)
            // The source itself, where there is one.
            let whole = try await DrawnService.decoded(
                await Self.get(service, "fallback_image_url:\(option.dropFirst(4))/w:5", "/a.png"))
            #expect(whole.bitmap.text(4, 0) != "#ff0000")
        }

        @Test func aFallbackThatFailsIsNone() async throws {
            let service = try Self.service()
            let option = "fiu:" + Self.text(service.server.url("/nothing.png"))
            #expect(await Self.get(service, option, "/missing.png").status == 404)
            let blue = try DrawnService.png { _, _ in 0xFFFF_0000 }
            let other = try Self.service { $0.fallback = blue }
            let answer = await Self.get(other, "fiu:" + Self.text(other.server.url("/nothing.png")), "/missing.png")
            #expect(try await DrawnService.decoded(answer).bitmap.text(3, 3) == "#0000ff")
        }

        @Test func aWatermarkIsLoaded() async throws {
            let service = try Self.service()
            let option = "wm:1:nowe:3:2/wmu:" + Self.text(service.server.url("/mark.png"))
            let answer = await Self.get(service, option, "/a.png")
            let bitmap = try await DrawnService.decoded(answer).bitmap
            #expect(bitmap.width == 40 && bitmap.text(3, 2) == "#0000ff" && bitmap.text(6, 5) == "#0000ff")
            #expect(bitmap.text(2, 2) != "#0000ff" && bitmap.text(7, 2) != "#0000ff")
            // Not longer than the watermark itself.
            #expect(try #require(Self.maximumAge(answer)) <= 60)
            // Both are there now.
            let asked = service.server.requests.count
            let again = await Self.get(service, option, "/a.png")
            #expect(again.body == answer.body && service.server.requests.count == asked)
            // Without a place there is none.
            let plain = await Self.get(service, "wmu:" + Self.text(service.server.url("/mark.png")), "/a.png")
            #expect(try await DrawnService.decoded(plain).bitmap.text(3, 2) != "#0000ff")
        }

        @Test func aWatermarkThatFailsIsAFailure() async throws {
            let service = try Self.service()
            let answer = await Self.get(service, "wm:1/wmu:" + Self.text(service.server.url("/missing.png")), "/a.png")
            #expect(answer.status == 404 && answer.failure?.hasPrefix("The watermark: ") == true)
        }

        /// Neither leads to hosts that the address itself may not name.
        @Test(arguments: ["fiu", "fallback_image_url", "wmu", "watermark_url"]) func hostsAreChecked(name: String) async throws {
            let service = try Self.service()
            let url = "http://example.org/b.png?token=hidden"
            let answer = await Self.get(service, "wm:1/\(name):\(Self.text(url))", "/a.png")
            #expect(answer.status == 403)
            let address = try ThumbnailAddress("/_/\(name):\(Self.text(url))/plain/http://a.org/b")
            #expect(address.isCostly && address.shown == "/_/\(name):…/plain/http://a.org/b")
            #expect(throws: ImageError.self) { try ThumbnailAddress("/_/\(name):***/plain/http://a.org/b") }
            #expect(throws: ImageError.self) { try ThumbnailAddress("/_/\(name):\(Self.text("ftp://a"))/plain/http://a.org/b") }
        }

        #if SVG
            @Test func textIsDrawn() async throws {
                let service = try Self.service()
                let white = try DrawnService.png(width: 200, height: 100) { _, _ in 0xFF20_2020 }
                let drawn = try DrawnService(white)
                func inked(_ text: String, _ mark: String = "wm:1") async throws -> (width: Int, height: Int) {
                    let bitmap = try await drawn.bitmap("\(mark)/wmt:" + Self.text(text))
                    let (columns, rows) = (0..<bitmap.width, 0..<bitmap.height)
                    let wide = columns.filter { x in rows.contains { bitmap.text(x, $0) != "#202020" } }
                    let tall = rows.filter { y in columns.contains { bitmap.text($0, y) != "#202020" } }
                    return ((wide.last ?? 0) - (wide.first ?? 0), (tall.last ?? 0) - (tall.first ?? 0))
                }
                let short = try await inked("Ab")
                let long = try await inked("Abcdef <&> \"x\"")
                let twoLines = try await inked("Ab\nAb")
                #expect(short.width > 10 && short.height > 8 && short.height < 40)
                #expect(long.width > 3 * short.width && long.height < 2 * short.height)
                #expect(twoLines.height > short.height + 20)
                // Half of the image's width, whatever the letters are.
                let scaled = try await inked("Abcdef", "wm:1:ce:0:0:0.5")
                #expect((95...101).contains(scaled.width + 1))
                #expect(service.server.requests.isEmpty)
            }
        #endif

        @Test func textHasBounds() throws {
            func isRead(_ text: String) -> Bool {
                (try? ThumbnailAddress("/_/wmt:\(Self.text(text))/plain/http://a.org/b")) != nil
            }
            #expect(isRead("© 2026 Grüße 漢字") && isRead("a\nb"))
            #expect(!isRead(" ") && !isRead("a\u{0}b") && !isRead("a\tb") && !isRead("\u{FFFF}a"))
            #expect(isRead(String(repeating: "a", count: 256)) && !isRead(String(repeating: "a", count: 257)))
            #expect(!isRead(String(repeating: "a\n", count: 8)))
        }
    }
#endif

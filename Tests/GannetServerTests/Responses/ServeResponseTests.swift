#if CommandLine && Server && PNG && JPEG && WebP
    import FoundationEssentials
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// An answer is sent again with the same bytes and the same tag: from memory, from disk, and after a restart.
    struct ServeResponseTests {
        let tool: Tool

        init() throws { tool = try Tool() }

        /// A service in a new process, so to say: with the same folder and nothing in memory.
        private func service(
            _ change: (inout ThumbnailService.Configuration) -> Void = { _ in }
        ) throws -> ThumbnailService {
            var options = StandardOptions()
            options.cacheDirectory = tool.path("cache")
            let manager = try Assembly.manager(options, policy: ThumbnailService.policy(defaultLifetime: .seconds(1000)))
            var configuration = ThumbnailService.Configuration(
                policy: SourcePolicy(hosts: ["127.0.0.1"], allowsCostly: true))
            change(&configuration)
            return ThumbnailService(configuration, manager: manager)
        }

        private func get(
            _ service: ThumbnailService, _ target: String, _ headers: [(String, String)] = []
        ) async throws -> (status: Int, headers: [String: String], body: [UInt8]) {
            // Over a socket, as clients have it.
            let server = try await ThumbnailServer.start(service, at: .host("127.0.0.1", port: 0))
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)\(target)"))
            let (head, body) = try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try? await server.run() }
                defer { group.cancelAll() }
                let answer = try await CURLTransport().send(HTTPRequest(url: url, headers: HTTPHeaders(headers)))
                var body: [UInt8] = []
                while let piece = try await answer.body.next() { body += piece }
                return (answer.head, body)
            }
            return (head.status, Dictionary(head.headers.fields.map { ($0.name, $0.value) }) { first, _ in first }, body)
        }

        /// The key of the source's own bytes; those of files that were made of it begin with it.
        private static func original(_ url: String) -> String { url + "\u{1}hooks=f=allowed-hosts" }

        @Test(arguments: ["format=jpeg&quality=92", "format=png", "format=webp&quality=30", ""])
        func anAnswerIsTheSameFromEverywhere(options: String) async throws {
            let server = PictureServer(PictureServer.picture(try Samples.photo()))
            let target = "/60x40/fill?\(options)&url=\(server.url("/a.jpg"))".replacing("?&", with: "?")
            let first = try service()
            let made = try await get(first, target)
            #expect(made.status == 200 && made.headers["ETag"] != nil)
            #expect(try await get(first, target).body == made.body)
            try await first.manager.waitForStores()
            let second = try service()
            let again = try await get(second, target)
            #expect(again.body == made.body && again.headers["ETag"] == made.headers["ETag"])
            #expect(again.headers["Content-Type"] == made.headers["Content-Type"])
            // And if only the source is there, as on another machine.
            let third = try service { $0.responseBytes = 0 }
            try await third.manager.configuration.diskCache?.removeAll(prefix: Self.original(server.url("/a.jpg")) + "\u{1}")
            let remade = try await get(third, target)
            #expect(remade.body == made.body && remade.headers["ETag"] == made.headers["ETag"])
            #expect(server.requests.count == 1)
        }

        /// Nothing is decoded or asked for what is on disk: the source is gone, and so is its stored original.
        /// Also where the size depends on the source's header.
        @Test(arguments: ["rs:fit:12:12", "w:12/z:0.5", "mw:20/w:12"])
        func aStoredAnswerNeedsNothingElse(options: String) async throws {
            var source: PictureServer? = PictureServer(PictureServer.picture(try Samples.png()))
            let url = try #require(source).url("/a.png")
            let target = "/_/\(options)/plain/\(url)"
            let first = try service()
            let made = try await get(first, target)
            #expect(made.status == 200)
            try await first.manager.waitForStores()
            source = nil
            let second = try service()
            try await second.manager.configuration.diskCache?.remove(CacheKey(Self.original(url)))
            #expect(try await get(second, target).body == made.body)
        }

        /// A source that wants to be asked each time, and has not changed: what was sent stays, and lives on.
        @Test func aConfirmedSourceKeepsItsAnswer() async throws {
            let png = try Samples.png()
            let server = PictureServer { head in
                head.lowercased().contains("if-none-match")
                    ? PictureServer.response("304 Not Modified", ["ETag: \"a\"", "Cache-Control: no-cache"])
                    : PictureServer.response(
                        "200 OK", ["Content-Type: image/png", "ETag: \"a\"", "Cache-Control: no-cache"], png)
            }
            let service = try service()
            let target = "/12x12/fit?url=\(server.url("/a.png"))"
            let first = try await get(service, target)
            let second = try await get(service, target, [("If-None-Match", first.headers["ETag"] ?? "")])
            #expect(first.status == 200 && second.status == 304 && server.requests.count == 2)
        }

        /// A source that knows no conditions sends its file each time. Its strong tag says that this is the same one (RFC 9110 §8.8.1), so
        /// nothing is encoded again: shown by a source whose tag is not true.
        @Test(arguments: [true, false], [true, false])
        func aFileThatIsSentAgainKeepsItsAnswerIfItsTagIsStrong(_ isStrong: Bool, _ isRestarted: Bool) async throws {
            let (file, other) = (
                try Samples.png(),
                try TestImages.still(try TestImages.noise()).blockingEncoded(EncodeOptions(format: .png)).bytes.contiguous()
            )
            let fields = [
                "Content-Type: image/png", "ETag: " + (isStrong ? "\"a\"" : "W/\"a\""), "Cache-Control: no-cache",
            ]
            let server = PictureServer { head in
                PictureServer.response("200 OK", fields, head.lowercased().contains("if-none-match") ? other : file)
            }
            let target = "/12x12/fit?url=\(server.url("/a.png"))"
            let first = try service()
            let made = try await get(first, target)
            try await first.manager.waitForStores()
            let again = try await get(isRestarted ? try service() : first, target)
            #expect(made.status == 200 && again.status == 200 && server.requests.count == 2)
            #expect((again.body == made.body) == isStrong)
            #expect((again.headers["ETag"] == made.headers["ETag"]) == isStrong)
            #expect(again.headers["Cache-Control"] == made.headers["Cache-Control"])
        }

        @Test func theFormatIsNegotiated() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.photo()))
            let service = try service { $0.preferredFormats = [.avif, .webp] }
            let target = "/_/w:20/plain/\(server.url("/a.jpg"))"
            let plain = try await get(service, target, [("Accept", "image/*, */*;q=0.8")])
            #expect(plain.headers["Content-Type"] == "image/jpeg" && plain.headers["Vary"] == "Accept")
            let webp = try await get(service, target, [("Accept", "image/webp,*/*")])
            #expect(webp.headers["Content-Type"] == "image/webp" && webp.headers["Vary"] == "Accept")
            #expect(webp.headers["ETag"] != plain.headers["ETag"])
            let named = try await get(service, target + "@png", [("Accept", "image/webp")])
            #expect(named.headers["Content-Type"] == "image/png" && named.headers["Vary"] == nil)
        }

        @Test func originalsPassUnchanged() async throws {
            let png = try Samples.png()
            let server = PictureServer { head in
                head.contains("/text")
                    ? PictureServer.response("200 OK", ["Content-Type: image/png"], Array("<html>".utf8))
                    : PictureServer.response("200 OK", ["Content-Type: application/octet-stream"], png)
            }
            let service = try service()
            let answer = try await get(service, "/_/raw:1/fn:a%22b/att:1/plain/\(server.url("/a"))")
            #expect(answer.body == png && answer.headers["Content-Type"] == "image/png")
            #expect(answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox")
            #expect(answer.headers["Content-Disposition"] == "attachment; filename*=UTF-8''a%22b")
            #expect(try await get(service, "/_/raw:1/plain/\(server.url("/text"))").status == 415)
        }

        @Test func sourcesAreDescribed() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let answer = try await get(try service(), "/info/_/plain/\(server.url("/a.png"))")
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(answer.headers["Content-Type"] == "application/json")
            #expect(text.contains("\"format\":\"png\"") && text.contains("\"width\":24") && text.contains("\"height\":16"))
        }

        @Test func anImageStandsInForASourceThatFails() async throws {
            let server = PictureServer { _ in PictureServer.response("404 Not Found") }
            let png = try Samples.png()
            let service = try service { $0.fallback = png }
            let answer = try await get(service, "/_/w:6/f:png/plain/\(server.url("/a.png"))")
            let header = try Assembly.decoding(limits: .standard).header(
                of: ByteRope(answer.body), options: ResolvedDecodeOptions(DecodeOptions()))
            #expect(answer.status == 200 && header.size.width == 6)
            #expect(answer.headers["Cache-Control"]?.hasPrefix("public, max-age=") == true)
            // A client's own mistakes stay errors.
            #expect(try await get(service, "/_/w:x/plain/\(server.url("/a.png"))").status == 400)
            #expect(try await get(service, "/_/w:6/plain/http://b.org/a.png").status == 403)
        }

        @Test func watermarksAreDrawn() async throws {
            let white = try Samples.png()
            let server = PictureServer(PictureServer.picture(white))
            let mark = try TestImages.draw(width: 4, height: 4, alpha: .opaque) { _, _ in 0xFFFF_00FF }
            let service = try service { $0.watermark = mark }
            let plain = "/_/f:png/plain/\(server.url("/a.png"))"
            let unmarked = try await get(service, plain)
            let marked = try await get(service, "/_/wm:1:nowe/f:png/plain/\(server.url("/a.png"))")
            #expect(marked.status == 200 && marked.body != unmarked.body)
            let image = try await ImageManager(configuration: .standard()).image(
                for: ImageRequest(source: .data(marked.body, identifier: "marked"))
            ).bitmap
            let row = image.row(0)
            #expect(row[0] == 255 && row[1] == 0 && row[2] == 255)
            let none = try self.service()
            #expect(try await get(none, "/_/wm:1/f:png/plain/\(server.url("/a.png"))").status == 400)
        }

        /// 24 × 16 pixels become 12 × 8, and 12 × 12 with what is around them.
        @Test(arguments: [
            ("rs:fit:12:12:0:1:nowe", 12, 12, 0, 0), ("rs:fit:12:12/ex:1:soea", 12, 12, 0, 4), ("s:12:12::1", 12, 12, 0, 2),
            ("w:12/pd:1:2:3:4", 18, 12, 4, 1), ("w:12/pd:1:2", 16, 10, 2, 1), ("w:6/dpr:2/pd:1", 16, 12, 2, 2),
            ("w:12/h:8/ex:1", 12, 8, 0, 0),
        ])
        func canvases(options: String, width: Int, height: Int, left: Int, top: Int) async throws {
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let service = try service()
            let answer = try await get(service, "/_/\(options)/f:png/plain/\(server.url("/a.png"))")
            let image = try await ImageManager(configuration: .standard()).image(
                for: ImageRequest(source: .data(answer.body, identifier: options))
            ).bitmap
            #expect(image.width == width && image.height == height, "\(options)")
            for y in 0..<height {
                let row = image.row(y)
                for x in 0..<width {
                    let isInside = (left..<(left + 12)).contains(x) && (top..<(top + 8)).contains(y)
                    #expect((row[x * 4 + 3] == 255) == isInside, "\(options): \(x), \(y)")
                }
            }
            let inColor = try await get(service, "/_/\(options)/bg:00ff00/f:png/plain/\(server.url("/a.png"))")
            let filled = try await ImageManager(configuration: .standard()).image(
                for: ImageRequest(source: .data(inColor.body, identifier: options + "filled"))
            ).bitmap
            let last = filled.row(height - 1)
            if top + 8 < height { #expect(last[0] == 0 && last[1] == 255 && last[3] == 255) }
        }

        @Test func aCanvasHasTheLimitOfAllSizes() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let service = try service { $0.maximumSide = 100 }
            #expect(try await get(service, "/_/w:90/pd:0:5/plain/\(server.url("/a.png"))").status == 200)
            #expect(try await get(service, "/_/w:90/pd:0:6/plain/\(server.url("/a.png"))").status == 413)
        }

        /// A stranger learns whether there is an image, and nothing of the network around the service.
        @Test func failuresTellNothingOfTheNetwork() async throws {
            let server = PictureServer { head in
                head.contains("/login") ? PictureServer.response("401 Unauthorized") : PictureServer.response("500 Oops")
            }
            let service = try service()
            var bodies: Set<[UInt8]> = []
            let closing = RawServer { _ in }
            for url in ["http://127.0.0.1:1/a", closing.url("/a"), server.url("/login"), server.url("/a")] {
                let answer = try await get(service, "/_/w:6/plain/\(url)")
                #expect(answer.status == 502 && answer.headers["X-Gannet-Code"] == nil, "\(url)")
                bodies.insert(answer.body)
            }
            #expect(bodies.count == 1)
        }
    }
#endif

#if CommandLine && Server && PNG
    import Dispatch
    import FoundationEssentials
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import GannetTesting
    import Glibc
    import NIOCore
    import NIOPosix
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// The service, and the server around it on a loopback port.
    struct ServeTests {
        let tool: Tool
        let manager: ImageManager

        init() throws {
            tool = try Tool()
            var options = StandardOptions()
            options.cacheDirectory = tool.path("cache")
            manager = try Assembly.manager(options, policy: ThumbnailService.policy(defaultLifetime: .seconds(1000)))
        }

        @Test func whyNothingCanBeListenedOnIsSaidInWords() {
            func reason(_ error: any Error) -> String { ServeCommand.reason(error, host: "host", port: 80) }
            #expect(
                reason(IOError(errnoCode: EADDRINUSE, reason: "bind(descriptor:)"))
                    == "host:80 cannot be listened on: Address already in use. Choose another --port.")
            #expect(reason(IOError(errnoCode: EADDRNOTAVAIL, reason: "bind")).hasSuffix("Choose another --host."))
            #expect(reason(SocketAddressError.unsupported) == "There is no address for host. Choose another --host.")
        }

        private func service(_ change: (inout ThumbnailService.Configuration) -> Void = { _ in }) -> ThumbnailService {
            var configuration = ThumbnailService.Configuration(policy: SourcePolicy(hosts: ["127.0.0.1"]))
            change(&configuration)
            return ThumbnailService(configuration, manager: manager)
        }

        private func get(
            _ service: ThumbnailService, _ target: String, _ headers: [(String, String)] = []
        ) async -> (status: Int, headers: [String: String], body: [UInt8]) {
            let answer = await service.respond(to: ThumbnailService.Request(method: "GET", target: target, headers: headers))
            return (answer.status, Dictionary(answer.headers) { first, _ in first }, answer.body)
        }

        @Test func aWeightOfZeroIsARefusal() {
            for field in ["image/webp", "image/png, Image/WebP;q=0.1", "image/webp ; q=1"] {
                #expect(FormatChoice.accepts("image/webp", field), "\(field)")
            }
            for field in ["", "*/*", "image/*", "image/webp;q=0", "image/webp; q=0.000, image/png", "image/webpx"] {
                #expect(!FormatChoice.accepts("image/webp", field), "\(field)")
            }
        }

        @Test func thumbnailsAreSmallFreshAndKnownByTheirTag() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let service = service()
            let target = "/12x12/fit?format=png&url=\(server.url("/a.png"))"
            let first = await get(service, target)
            #expect(first.status == 200 && first.headers["Content-Type"] == "image/png")
            #expect(first.headers["Cache-Control"]?.hasPrefix("public, max-age=3") == true)
            let header = try Assembly.decoding(limits: .standard).header(
                of: ByteRope(first.body), options: ResolvedDecodeOptions(DecodeOptions()))
            #expect(header.size.width == 12 && header.size.height == 8)
            let tag = try #require(first.headers["ETag"])
            let again = await get(service, target, [("If-None-Match", "\"x\",\tW/\(tag)\t")])
            #expect(again.status == 304 && again.body.isEmpty && again.headers["ETag"] == tag)
            #expect(await get(service, target, [("if-none-match", "\"x\"")]).status == 200)
            // Several lines are one list (RFC 9110 §5.3).
            #expect(await get(service, target, [("If-None-Match", "\"x\""), ("If-None-Match", tag)]).status == 304)
            #expect(server.requests.count == 1)
        }

        /// The service is a cache for many: RFC 9111 §3.5, §4.2.4, §5.2.2. `rules` is what thumbnails say; # is less than the last of
        /// `seconds` by the time that the machine takes. `asked`: how often the source is, for two requests.
        @Test(
            arguments: [
                ("Cache-Control: private, max-age=60", "no-store", 0...0, 2), ("Vary: *", "no-store", 0...0, 2),
                ("Cache-Control: no-cache", "public, no-cache", 0...0, 2),
                ("Cache-Control: no-cache, max-age=60", "public, no-cache", 0...0, 2),
                ("Cache-Control: s-maxage=500, max-age=900", "public, max-age=#, must-revalidate", 100...500, 1),
                ("Cache-Control: s-maxage=900, max-age=500", "public, max-age=#, must-revalidate", 100...500, 1),
                ("Cache-Control: max-age=500, must-revalidate", "public, max-age=#, must-revalidate", 100...500, 1),
                ("Cache-Control: max-age=500, proxy-revalidate", "public, max-age=#, must-revalidate", 100...500, 1),
                ("Cache-Control: max-age=500, stale-if-error=60", "public, max-age=#", 100...500, 1),
                ("Cache-Control: max-age=0, must-revalidate", "public, max-age=#, must-revalidate", 0...0, 2),
                ("Cache-Control: max-age=999999999999", "public, max-age=#", 2_147_483_647...2_147_483_647, 1),
                ("X-Nothing: said", "public, max-age=#", 501...1000, 1),
            ] as [(String, String, ClosedRange<Int>, Int)])
        func freshnessIsThatOfASharedCache(
            field: String, rules: String, seconds: ClosedRange<Int>, asked: Int
        ) async throws {
            let png = try Samples.png()
            let server = PictureServer { _ in PictureServer.response("200 OK", ["Content-Type: image/png", field], png) }
            let service = service()
            for _ in 0..<2 {
                let answer = await get(service, "/12x12/fit?url=\(server.url("/a.png"))")
                let said = try #require(answer.headers["Cache-Control"])
                let digits = said.filter(\.isNumber)
                #expect(said == rules.replacing("#", with: digits))
                #expect(seconds.contains(Int(digits) ?? 0))
            }
            #expect(server.requests.count == asked)
        }

        /// For as long as it is left alone here, and not for 30,000 years.
        @Test func theWaitOfABusySourceIsBounded() async throws {
            let server = PictureServer { _ in PictureServer.response("503 Service Unavailable", ["Retry-After: 999999999999"]) }
            let service = service()
            for _ in 0..<2 {
                let answer = await get(service, "/12x12/fit?url=\(server.url("/a.png"))")
                #expect(answer.status == 502)
                #expect(answer.headers["Retry-After"].flatMap { Int($0) }.map { (80_000...86_400).contains($0) } == true)
            }
            #expect(server.requests.count == 1)
        }

        @Test func equalRequestsShareOneDownload() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let service = service()
            let target = "/12x12/fit?url=\(server.url("/a.png"))"
            let statuses = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        await service.respond(to: ThumbnailService.Request(method: "GET", target: target, headers: [])).status
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == [Int](repeating: 200, count: 20))
            #expect(server.requests.count == 1)
        }

        @Test(.timeLimit(.minutes(10))) func answersUnderWayAreSentBeforeTheEnd() async throws {
            let (asked, goOn) = (AsyncGate(), DispatchSemaphore(value: 0))
            let png = try Samples.png()
            let source = RawServer { connection in
                guard connection.readHead() != nil else { return }
                asked.open()
                connection.write("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(png.count)\r\n\r\n")
                goOn.wait()
                connection.write(png)
            }
            let server = try await ThumbnailServer.start(service(), at: .host("127.0.0.1", port: 0), limits: .patient)
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/12x12/fit?url=\(source.url("/a.png"))"))
            let health = try #require(URL(string: "http://127.0.0.1:\(server.port)/health"))
            async let end: Void = server.run(grace: .seconds(9999))
            let transport = try CURLTransport()
            async let answer = transport.send(HTTPRequest(url: url)).head
            await asked.wait()
            server.stop()
            goOn.signal()
            #expect(try await answer.status == 200)
            try await end
            await #expect(throws: ImageError.self) { try await CURLTransport().send(HTTPRequest(url: health)) }
        }

        /// The time of an answer is its load's affair.
        @Test(.timeLimit(.minutes(10))) func answersMayTakeLongerThanConnectionsAreIdle() async throws {
            let (asked, goOn) = (AsyncGate(), DispatchSemaphore(value: 0))
            let png = try Samples.png()
            let source = RawServer { connection in
                guard connection.readHead() != nil else { return }
                asked.open()
                goOn.wait()
                connection.write("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(png.count)\r\n\r\n")
                connection.write(png)
            }
            let forever = LoadDeadlines(connect: .seconds(9999), idle: .seconds(9999), total: .seconds(9999))
            let server = try await ThumbnailServer.start(
                service { $0.deadlines = forever }, at: .host("127.0.0.1", port: 0),
                limits: ThumbnailServer.Limits(idle: .seconds(2)))
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/12x12/fit?url=\(source.url("/a.png"))"))
            async let end: Void = server.run()
            let transport = try CURLTransport()
            async let answer = transport.send(HTTPRequest(url: url, deadlines: forever)).head
            await asked.wait()
            // Two that say nothing, one after the other, are closed meanwhile.
            for _ in 0..<2 {
                let silent = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .connect(host: "127.0.0.1", port: server.port).get()
                try await silent.closeFuture.get()
            }
            goOn.signal()
            #expect(try await answer.status == 200)
            server.stop()
            try await end
            #expect(source.connectionCount == 1)
        }

        // S3-22
        @Test func refusals() async throws {
            let png = try Samples.png()
            let server = PictureServer { head in
                if head.contains(" /missing ") { return PictureServer.response("404 Not Found") }
                if head.contains(" /broken ") { return PictureServer.response("500 Internal Server Error") }
                if head.contains(" /text ") { return PictureServer.response("200 OK", [], Array("no picture".utf8)) }
                if head.contains(" /away ") { return PictureServer.response("302 Found", ["Location: http://localhost:1/"]) }
                return PictureServer.response("200 OK", ["Content-Type: image/png", "Cache-Control: no-store"], png)
            }
            let service = service {
                $0.maximumSide = 100
                $0.limits.maximumPixels = 384
            }
            func status(_ target: String) async -> Int { await get(service, target).status }
            #expect(await status("/") == 400)
            #expect(await status("/12x12/fit?url=http://example.org/a.png") == 403)
            #expect(await status("/12x12/fit?url=\(server.url("/away"))") == 502)
            #expect(await status("/12x12/fit?url=\(server.url("/missing"))") == 404)
            #expect(await status("/12x12/fit?url=\(server.url("/broken"))") == 502)
            #expect(await status("/101x1/fit?url=\(server.url("/a"))") == 413)
            #expect(await status("/12x12/fit?url=\(server.url("/text"))") == 415)
            // A repeated request is answered without contacting the source: not with 403, and with the time to retry.
            for (path, first) in [("/missing", 404), ("/text", 415)] {
                let again = await get(service, "/12x12/fit?url=\(server.url(path))")
                #expect(again.status == first && again.headers["X-Gannet-Code"] == "blocked")
                #expect(again.headers["Retry-After"].flatMap { Int($0) }.map { (1...300).contains($0) } == true)
            }
            #expect(await status("/health") == 200)
            #expect(await status("HTTP://cdn.example:80/health") == 200)
            #expect(await status("http://cdn.example") == 400)
            let unstored = await get(service, "/12x12/fit?url=\(server.url("/a"))")
            #expect(unstored.status == 200 && unstored.headers["Cache-Control"] == "no-store")
            #expect(unstored.headers["Vary"] == "Accept")
            let posted = await service.respond(to: ThumbnailService.Request(method: "POST", target: "/", headers: []))
            #expect(posted.status == 405)
            let full = self.service { $0.maximumRequests = 0 }
            #expect(await get(full, "/12x12/fit?url=\(server.url("/a"))").status == 503)
            let tight = self.service { $0.limits.maximumPixels = 383 }
            #expect(await get(tight, "/12x12/fit?url=\(server.url("/b"))").status == 413)
            let costly = self.service { $0.policy.allowsCostly = true }
            #expect(await get(costly, "/_/w:12/mb:20/f:png/plain/\(server.url("/a"))").status == 413)
            let fetched = server.requests.count
            #expect(await get(costly, "/12x12/fit?format=svg&url=\(server.url("/a"))").status == 400)
            #expect(server.requests.count == fetched)
            let boxes = self.service { $0.sizes = [PixelSize(clamping: 12, 12)] }
            #expect(await get(boxes, "/12x12/fit?url=\(server.url("/a"))").status == 200)
            #expect(await get(boxes, "/12x11/fit?url=\(server.url("/a"))").status == 413)
        }

        // S3-26
        @Test func overSockets() async throws {
            let source = PictureServer(PictureServer.picture(try Samples.png()))
            let server = try await ThumbnailServer.start(service(), at: .host("127.0.0.1", port: 0))
            let url = "http://127.0.0.1:\(server.port)/12x12/fit?format=png&url=\(source.url("/a.png"))"
            let outcome = try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try? await server.run() }
                let outcome = try await tool.run("fetch", "--json", url, url + "&quality=5")
                group.cancelAll()
                return outcome
            }
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.objects.allSatisfy { $0["width"] as? Int == 12 && $0["origin"] as? String == "network" })
            #expect(source.requests.count == 1)
        }

        @Test func answersSayWhenTheyWereMade() async throws {
            let server = try await ThumbnailServer.start(service(), at: .host("127.0.0.1", port: 0))
            let transport = try CURLTransport()
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/health"))
            let head = try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try? await server.run() }
                defer { group.cancelAll() }
                return try await transport.send(HTTPRequest(url: url)).head
            }
            let (date, now) = (try #require(head.headers["Date"]), SystemTimeSource().now)
            // Within a day of this machine's clock, in the one form that may be sent.
            let moment = try #require(HTTPDate.parse(date, now: now))
            #expect(HTTPDate.format(moment) == date && (.seconds(-86_400) ... .seconds(86_400)).contains(now - moment))
        }

        /// It would keep a connection busy for ever with a byte now and then.
        @Test(.timeLimit(.minutes(10))) func aRequestThatDripsIsCutOff() async throws {
            let server = try await ThumbnailServer.start(
                service(), at: .host("127.0.0.1", port: 0),
                limits: ThumbnailServer.Limits(idle: .seconds(9999), request: .milliseconds(500)))
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await server.run() }
                let client = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .channelInitializer { $0.pipeline.addHandler(Dripper()) }
                    .connect(host: "127.0.0.1", port: server.port).get()
                #expect(client != nil)
                try? await client?.closeFuture.get()
                group.cancelAll()
            }
        }

        /// Begins a request, and adds a byte to it every 10 ms until the other side closes.
        private final class Dripper: ChannelInboundHandler, Sendable {
            typealias InboundIn = ByteBuffer

            func channelActive(context: ChannelHandlerContext) {
                let channel = context.channel
                channel.writeAndFlush(ByteBuffer(string: "GET /health HTTP/1.1\r\nX: "), promise: nil)
                context.eventLoop.scheduleRepeatedTask(initialDelay: .milliseconds(10), delay: .milliseconds(10)) { task in
                    guard channel.isActive else { return task.cancel() }
                    channel.writeAndFlush(ByteBuffer(string: "x"), promise: nil)
                }
            }
        }

        /// No deadline would end the load here. Also with a second request of the same client queued behind the first.
        @Test(.timeLimit(.minutes(10)), arguments: [1, 2]) func aClientThatLeavesEndsItsLoad(_ requests: Int) async throws {
            let (asked, left) = (AsyncGate(), AsyncGate())
            let source = RawServer { connection in
                guard connection.readHead() != nil else { return }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhalf")
                asked.open()
                connection.waitForClose()
                left.open()
            }
            let patient = service {
                $0.deadlines = LoadDeadlines(connect: .seconds(9999), idle: .seconds(9999), total: .seconds(9999))
            }
            let server = try await ThumbnailServer.start(
                patient, at: .host("127.0.0.1", port: 0),
                limits: ThumbnailServer.Limits(idle: .seconds(10)))
            let request = "GET /12x12/fit?url=\(source.url("/a.png")) HTTP/1.1\r\nHost: a\r\n\r\n"
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try? await server.run() }
                let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .connect(host: "127.0.0.1", port: server.port).get()
                try await client.writeAndFlush(ByteBuffer(string: String(repeating: request, count: requests)))
                await asked.wait()
                try await client.close()
                await left.wait()
                group.cancelAll()
            }
            #expect(source.connectionCount == 1)
        }

        @Test func signsFromTheCommandLine() async throws {
            let key = try tool.write(Array("0123456789abcdef\n".utf8), "key")
            let outcome = try await tool.run("serve", "--key-file", key, "--sign", "/4x3/fit?url=http://c.org/")
            #expect(
                outcome.text
                    == (try SigningKeys(keys: [SigningKeys.Key(secret: Array("0123456789abcdef".utf8))])
                        .sign("/4x3/fit?url=http://c.org/")) + "\n")
            let json = try await tool.run("serve", "--key-file", key, "--sign", "/4x3/fit?url=http://c.org/", "--json")
            #expect(json.objects.first?["ok"] as? Bool == true)
            #expect(json.objects.first?["address"] as? String == outcome.text.split(separator: "\n").first.map(String.init))
            let secret = try tool.write(Array("hex:000102030405060708090a0b0c0d0e0f\n".utf8), "secret")
            let path = "/_/w:9/plain/http://c.org/a@png"
            let hidden = try await tool.run(
                "serve", "--key-file", key, "--source-key-file", secret, "--encrypt-source", "--sign", path
            ).text.split(separator: "/")
            let encryption = try SourceEncryption(key: Array(0..<16))
            let sealed = try encryption.encrypted("http://c.org/a") + ".png\n"
            #expect(hidden.dropFirst().map(String.init) == ["w:9", "enc", sealed])
            #expect(try await tool.run("serve", "--allow", "c.org", "--source-key-file", secret).status == 64)
            #expect(try await tool.run("serve", "--key-file", key, "--sign", path, "--encrypt-source").status == 64)
            #expect(try await tool.run("serve").status == 64)
            #expect(try await tool.run("serve", "--allow", "localhost:80").status == 64)
            let short = try tool.write([1, 2], "short")
            #expect(try await tool.run("serve", "--key-file", short).status == 1)
        }
    }
#endif

#if CommandLine && Server && PNG && JPEG && WebP
    import FoundationEssentials
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import GannetTesting
    import NIOCore
    import NIOEmbedded
    import NIOHTTP1
    import Testing

    @testable import GannetServer
    @testable import GannetSharedCaches
    @testable import gannet

    /// Answers in memory are given without waiting, and are those that waiting gives.
    struct CachedResponseTests {
        let server: PictureServer
        let time = ManualTimeSource()
        let keys = SigningKeys(keys: [SigningKeys.Key(secret: Array("0123456789abcdef".utf8))])

        init() throws { server = PictureServer(PictureServer.picture(try Samples.photo())) }

        private func service(
            folder: String? = nil, _ change: (inout ThumbnailService.Configuration) -> Void = { _ in }
        ) throws -> ThumbnailService {
            var options = StandardOptions()
            options.cacheDirectory = folder
            var configuration = try ManagerConfiguration.standard(options)
            configuration.httpPolicy = ThumbnailService.policy(defaultLifetime: .seconds(1000))
            // The cache on disk has the system's time.
            if folder == nil { configuration.time = time }
            var service = ThumbnailService.Configuration(policy: SourcePolicy(hosts: [], keys: keys))
            change(&service)
            return ThumbnailService(service, manager: ImageManager(configuration: configuration))
        }

        private func request(_ target: String, _ headers: [(String, String)] = []) -> ThumbnailService.Request {
            ThumbnailService.Request(target: target, headers: headers)
        }

        @Test func `The second answer waits for nothing, and is the first one`() async throws {
            let service = try service()
            let target = try keys.sign("/_/rs:fill:30:20/plain/\(server.url("/a.jpg"))")
            #expect(service.cachedResponse(to: request(target)) == nil)
            let first = await service.respond(to: request(target, [("Accept", "image/webp")]))
            #expect(first.status == 200)
            // Another client may get another format.
            #expect(service.cachedResponse(to: request(target)) == nil)
            let second = try #require(service.cachedResponse(to: request(target, [("accept", "image/webp")])))
            #expect(second.status == 200 && second.body == first.body && second.origin == .memory)
            #expect(second.headers.map { "\($0.0): \($0.1)" } == first.headers.map { "\($0.0): \($0.1)" })
            #expect(service.metrics.counts.responses.values.reduce(0, +) == 2)
            let tag = try #require(first.headers.first { $0.0 == "ETag" }?.1)
            let fresh = service.cachedResponse(to: request(target, [("Accept", "image/webp"), ("If-None-Match", tag)]))
            #expect(fresh?.status == 304 && fresh?.body.isEmpty == true)
        }

        /// Addresses that were read are forgotten like the responses in memory, to which they lead.
        @Test func `What fails leaves no route, and the memory of responses bounds them`() async throws {
            let service = try service()
            let empty = PictureServer { _ in PictureServer.response("404 Not Found") }
            let failing = try keys.sign("/_/w:20/plain/\(empty.url("/a.jpg"))")
            #expect(await service.respond(to: request(failing)).status == 404)
            #expect(service.settings.routes.count == 0)
            let right = try keys.sign("/_/w:20/plain/\(server.url("/a.jpg"))")
            for _ in 0..<2 { #expect(await service.respond(to: request(right)).status == 200) }
            #expect(service.settings.routes.count == 1)

            let address = try ThumbnailAddress(right)
            let choice = FormatChoice(address.options, accept: "", preferred: [], coders: service.manager.configuration.coders)
            let key = ResponseKey(address, choice, of: service.configuration)
            let routes = RouteCache(responseBytes: 1000 * RouteCache.bytesOfResponse)
            for index in 0..<1200 {
                routes.store(
                    RouteCache.Route(address, choice, key, file: nil),
                    for: RouteCache.Key(target: "/\(index)", accept: "", hints: .none, savesData: false))
            }
            #expect(routes.count == 1000)
        }

        @Test func `Hints choose the size that an address leaves open`() async throws {
            let service = try service()
            var configuration = service.configuration
            configuration.readsClientHints = true
            service.configuration = configuration
            func width(_ options: String, _ headers: [(String, String)]) async throws -> Int {
                let target = try keys.sign("/_/\(options)f:png/plain/\(server.url("/a.jpg"))")
                let answer = await service.respond(to: request(target, headers))
                #expect(answer.headers.contains { $0.0 == "Vary" && $0.1 == "Sec-CH-Width, Sec-CH-DPR, Width, DPR" })
                let again = service.cachedResponse(to: request(target, headers))
                #expect(again?.body == answer.body)
                let image = ImageRequest(source: .data(answer.body, identifier: "\(options)\(headers)"))
                return try await ImageManager(configuration: .standard()).image(for: image).bitmap.width
            }
            #expect(try await width("", [("Sec-CH-Width", "150"), ("Sec-CH-DPR", "2")]) == 160)
            #expect(try await width("", [("sec-ch-width", "161")]) == 240)
            #expect(try await width("w:30/", [("Sec-CH-Width", "60"), ("Sec-CH-DPR", "2")]) == 60)
            #expect(try await width("w:30/", [("DPR", "1.2")]) == 45)
            #expect(try await width("w:30/dpr:3/", [("Sec-CH-DPR", "2")]) == 90)
            #expect(try await width("w:30/", [("Sec-CH-DPR", "nan")]) == 30)
            #expect(try await width("w:30/", [("Sec-CH-DPR", "900")]) == 30)
        }

        /// Whatever clients say, there are a few answers, and each client gets one.
        @Test func `Hints have a few values`() throws {
            func options(_ path: String, _ headers: [(String, String)], _ maximumSide: Int = 2048) throws -> ProcessingOptions {
                var options = try ThumbnailAddress("/_/\(path)plain/http://a.org/").options
                ClientHints(request("/", headers)).apply(to: &options, maximumSide: maximumSide)
                return options
            }
            let widths = try (1...5000).map { try options("", [("Sec-CH-Width", "\($0)")], 5000).pixelWidth }
            #expect(Set(widths).count == ClientHints.widths.count)
            for (wanted, width) in zip(1..., widths) where wanted <= 3840 { #expect(try wanted <= #require(width)) }
            let ratios = try (10...80).map { try options("w:8/", [("DPR", "\(Double($0) / 10)")]).pixelRatio }
            #expect(Set(ratios) == [1, 1.5, 2, 3])
            // A large screen is no reason for a refusal.
            #expect(try options("", [("Sec-CH-Width", "9999")], 1000).pixelWidth == 1000)
            #expect(try options("dpr:2/", [("Sec-CH-Width", "9999")], 1000).pixelWidth == 1000)
            #expect(try options("w:400/h:500/", [("Sec-CH-DPR", "3")], 1000).pixelHeight == 1000)
            #expect(try options("w:2000/", [("Sec-CH-DPR", "3")], 1000).pixelWidth == 2000)
        }

        /// Requests of a pipeline come with the end of the answer before.
        @Test func `An answer that nobody reads has no end, and so nothing follows it`() async throws {
            let service = try service()
            let target = try keys.sign("/_/rs:fill:30:20/plain/\(server.url("/a.jpg"))")
            _ = await service.respond(to: request(target))
            let answerer = RequestHandler(
                ServerEnvironment(service: service, sendBuffers: SendBufferLimiter(maximum: 1 << 20)), nil)
            let channel = EmbeddedChannel(handler: answerer)
            channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
            func ask() throws {
                let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: target, headers: ["Host": "a"])
                try channel.writeInbound(HTTPServerRequestPart.head(head))
                try channel.writeInbound(HTTPServerRequestPart.end(nil))
            }
            func ends() throws -> [Bool] {
                var parts: [Bool] = []
                while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
                    if case .end = part { parts.append(true) } else { parts.append(false) }
                }
                return parts
            }
            try ask()
            #expect(try ends() == [false, false, true])
            channel.isWritable = false
            try ask()
            #expect(try ends() == [false, false])
            channel.isWritable = true
            channel.pipeline.fireChannelWritabilityChanged()
            #expect(try ends() == [true])
            _ = try channel.finish()
        }

        @Test func `A signature counts for its own address only`() async throws {
            let service = try service()
            let target = try keys.sign("/_/rs:fill:30:20/plain/\(server.url("/a.jpg"))")
            _ = await service.respond(to: request(target))
            #expect(service.cachedResponse(to: request(target)) != nil)
            let other = target.replacing("30:20", with: "31:20")
            #expect(service.cachedResponse(to: request(other)) == nil)
            #expect(await service.respond(to: request(other)).status == 403)
            #expect(service.cachedResponse(to: request(other)) == nil)
        }

        @Test func `Another key ends what the one before has allowed`() async throws {
            let service = try service()
            let target = try keys.sign("/_/rs:fill:30:20/plain/\(server.url("/a.jpg"))")
            _ = await service.respond(to: request(target))
            #expect(service.cachedResponse(to: request(target)) != nil)
            var configuration = service.configuration
            configuration.policy.keys = SigningKeys(keys: [SigningKeys.Key(secret: Array("another key of it".utf8))])
            service.configuration = configuration
            #expect(service.cachedResponse(to: request(target)) == nil)
            #expect(await service.respond(to: request(target)).status == 403)
        }

        @Test func `An address that ends, or an answer that is stale, is not given`() async throws {
            let service = try service()
            let ends = time.now.milliseconds / 1000 + 100
            let target = try keys.sign("/_/rs:fill:30:20/exp:\(ends)/plain/\(server.url("/a.jpg"))")
            let lasting = try keys.sign("/_/rs:fill:30:20/plain/\(server.url("/a.jpg"))")
            for target in [target, lasting] {
                _ = await service.respond(to: request(target))
                #expect(service.cachedResponse(to: request(target)) != nil)
            }
            time.advance(by: .seconds(100))
            #expect(service.cachedResponse(to: request(target)) == nil)
            #expect(await service.respond(to: request(target)).status == 403)
            #expect(service.cachedResponse(to: request(lasting)) != nil)
            time.advance(by: .seconds(4000))
            #expect(service.cachedResponse(to: request(lasting)) == nil)
        }

        /// Until that, what is written and who else uses the folder is not certain.
        private func settle(_ service: ThumbnailService) async throws {
            try await service.manager.waitForStores()
            try await service.manager.configuration.diskCache?.flush()
        }

        /// A service is gone when the last of its tasks is, which may end after its answers. Until then a folder has two users.
        private func untilUnused(_ folder: String) async throws {
            let (files, temporary) = (POSIXFileSystem(), folder + "/tmp/")
            let locks = try files.list(temporary).filter { $0.hasSuffix(".lock") }
            #expect(locks.count == 1)
            let isUnused = await eventually { locks.allSatisfy { (try? files.lock(temporary + $0)) ?? nil != nil } }
            #expect(isUnused)
        }

        @Test func `An answer on disk is sent without waiting, also after a restart`() async throws {
            let tool = try Tool()
            let target = try keys.sign("/_/rs:fill:30:20/f:png/plain/\(server.url("/a.jpg"))")
            var first: ThumbnailService.Response?
            do {
                let service = try service(folder: tool.path("cache")) { $0.responseBytes = 0 }
                #expect(service.cachedResponse(to: request(target)) == nil)
                let made = await service.respond(to: request(target))
                #expect(made.status == 200 && made.origin == .made)
                try await settle(service)
                for _ in 1...2 {
                    let again = try #require(service.cachedResponse(to: request(target)))
                    #expect(again.origin == .disk && again.body == made.body)
                    #expect(again.headers.map(\.0) == made.headers.map(\.0))
                    #expect(again.headers.first { $0.0 == "ETag" }?.1 == made.headers.first { $0.0 == "ETag" }?.1)
                }
                first = made
            }
            try await untilUnused(tool.path("cache"))
            // The folder is read before the first file is written, and each answer has to be found once.
            let service = try service(folder: tool.path("cache")) { $0.responseBytes = 0 }
            let other = try keys.sign("/_/rs:fill:31:20/f:png/plain/\(server.url("/a.jpg"))")
            #expect(await service.respond(to: request(other)).origin == .made)
            try await settle(service)
            #expect(service.cachedResponse(to: request(target)) == nil)
            #expect(await service.respond(to: request(target)).origin == .disk)
            #expect(service.cachedResponse(to: request(target))?.body == first?.body)
            try await service.manager.cache.removeAll()
            #expect(service.cachedResponse(to: request(target)) == nil)
        }

        @Test func `From disk an answer gets into memory`() async throws {
            let tool = try Tool()
            let targets = try ["30:20", "31:20"].map { try keys.sign("/_/rs:fill:\($0)/f:png/plain/\(server.url("/a.jpg"))") }
            // Memory for one answer.
            let service = try service(folder: tool.path("cache")) { $0.responseBytes = MemoryResponseStore.overhead + 2000 }
            for target in targets {
                let made = await service.respond(to: request(target))
                #expect(1100...2000 ~= made.body.count, "\(made.body.count)")
            }
            try await settle(service)
            #expect(service.cachedResponse(to: request(targets[0]))?.origin == .disk)
            #expect(service.cachedResponse(to: request(targets[0]))?.origin == .memory)
            #expect(service.cachedResponse(to: request(targets[1]))?.origin == .disk)
        }

        /// Which file is right can be said for files of the web alone: those of a folder change without a word.
        @Test func `Answers to files are not read without asking for the file's state`() async throws {
            let tool = try Tool()
            _ = try tool.write(try Samples.photo(), "pictures/a.jpg")
            let pictures = try FolderLoader(tool.path("pictures"))
            let service = try service(folder: tool.path("cache")) { configuration in
                configuration.responseBytes = 0
                configuration.sources.folder = pictures
            }
            let target = try keys.sign("/_/rs:fill:30:20/f:png/plain/local:///a.jpg")
            #expect(await service.respond(to: request(target)).status == 200)
            let onTheWeb = try keys.sign("/_/rs:fill:30:20/f:png/plain/\(server.url("/a.jpg"))")
            #expect(await service.respond(to: request(onTheWeb)).status == 200)
            try await settle(service)
            #expect(service.cachedResponse(to: request(onTheWeb))?.origin == .disk)
            #expect(service.cachedResponse(to: request(target)) == nil)
            #expect(await service.respond(to: request(target)).status == 200)
        }
    }
#endif

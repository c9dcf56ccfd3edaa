#if CommandLine && Server && PNG
    import Dispatch
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import GannetSupport
    import GannetTesting
    import Synchronization
    import Testing

    @testable import GannetServer
    @testable import GannetSharedCaches
    @testable import gannet

    /// A server whose pictures change, with tags.
    final class ChangingServer: Sendable {
        private final class State: Sendable {
            let version = Mutex(1)
        }

        private let state = State()
        let server: PictureServer

        /// The width of a picture says its version. `tags`: of all of them.
        init(tags: String = "") throws {
            let state = state
            let pictures = try (0..<12).map { version in
                try TestImages.still(try TestImages.gradient(width: 40 + version, height: 8)).blockingEncoded(
                    EncodeOptions(format: .png)
                ).bytes.contiguous()
            }
            server = PictureServer { head in
                let version = state.version.withLock { $0 }
                var headers = ["Content-Type: image/png", "Cache-Control: max-age=3600", "ETag: \"\(version)\""]
                if head.hasPrefix("GET /r") {
                    return PictureServer.response("302 Found", ["Location: /p/a.png", "Cache-Control: max-age=3600"])
                }
                if !tags.isEmpty { headers.append("Cache-Tag: \(tags)") }
                return PictureServer.response("200 OK", headers, pictures[version])
            }
        }

        func change() { state.version.withLock { $0 += 1 } }
        var count: Int { server.requests.count }
        func url(_ name: String = "/p/a.png") -> String { server.url(name) }
    }

    /// A service with purges, as `gannet serve` has it. Several with one folder or one Redis are those of several processes.
    struct PurgedService {
        static let keys = SigningKeys(keys: [SigningKeys.Key(secret: Array("0123456789abcdef".utf8))])
        let service: ThumbnailService
        let purges: Purges

        init(
            folder: String? = nil, redis: RedisServer? = nil, s3: S3Cache? = nil, sharesSources: Bool = false,
            responseBytes: Int = 1 << 20, start: Bool = true
        ) async throws {
            var options = StandardOptions()
            options.cacheDirectory = folder
            let purges = Purges(folder: folder, redis: redis.map { RedisPurges($0.address, limits: .patient) })
            self.purges = purges
            let manager = try Assembly.manager(
                options, policy: ThumbnailService.policy(defaultLifetime: .seconds(1000)),
                originalsBehindDisk: sharesSources ? s3.map { purges.shared($0) } : nil, covering: { purges.cover(&$0) })
            var configuration = ThumbnailService.Configuration(policy: SourcePolicy(hosts: ["127.0.0.1"], allowsCostly: true))
            configuration.responseBytes = responseBytes
            configuration.shared = SharedStores(redis: redis?.responses(), s3: s3)
            (configuration.purges, configuration.purgeKeys) = (purges, Self.keys)
            service = ThumbnailService(configuration, manager: manager)
            if start { await purges.start() }
        }

        /// The version that is delivered.
        func version(_ url: String, _ options: String = "w:100/f:png") async throws -> Int {
            let response = await get(url, options)
            try #require(response.status == 200, "\(response.text)")
            let image = try await ImageManager(configuration: .standard(StandardOptions())).image(
                for: ImageRequest(source: .data(response.body, identifier: String(response.body.hashValue))))
            return image.image.bitmap.width - 40
        }

        func get(_ url: String, _ options: String = "w:100/f:png") async -> ThumbnailService.Response {
            await respond("GET", "/_/\(options)/plain/\(url)")
        }

        func respond(_ method: String, _ target: String) async -> ThumbnailService.Response {
            let request = ThumbnailService.Request(method: method, target: target)
            if let known = service.cachedResponse(to: request) { return known }
            return await service.respond(to: request)
        }

        func target(_ name: String, _ value: String) throws -> String {
            try PurgeRequest.target([(name, value)], keys: Self.keys, now: SystemTimeSource().now)
        }

        @discardableResult
        func purge(_ name: String, _ value: String, method: String = "POST") async throws -> ThumbnailService.Response {
            await respond(method, try target(name, value))
        }
    }

    struct ServePurgeTests {
        @Test func whoMayPurge() async throws {
            let service = try await PurgedService()
            let target = try service.target("tag", "a")
            #expect(await service.respond("POST", "/purge?tag=a").status == 403)
            #expect(await service.respond("POST", "/purge").status == 403)
            #expect(await service.respond("POST", String(target.dropLast()) + "x").status == 403)
            for method in ["GET", "HEAD", "DELETE"] {
                let refused = await service.respond(method, target)
                #expect(refused.status == 405 && refused.field("Allow") == "POST, PURGE", "\(method)")
            }
            let done = await service.respond("PURGE", target)
            #expect(done.status == 200 && done.field("Content-Type") == "application/json", "\(done.text)")
            #expect(done.text.contains(#""ok":true"#) && done.text.contains(#""surrogateKeys":["a"]"#), "\(done.text)")
            // Once.
            let again = await service.respond("POST", target)
            #expect(again.status == 403 && again.text.contains("before"), "\(again.text)")
            let wrong = try await service.purge("prefix", "nothing")
            #expect(wrong.status == 400)
        }

        /// Without a key for purges there are none, whatever signs addresses.
        @Test func withoutAKeyThereAreNone() async throws {
            let service = try await PurgedService()
            service.service.configuration.purgeKeys = nil
            service.service.configuration.policy.keys = PurgedService.keys
            let refused = try await service.purge("tag", "a")
            #expect(refused.status == 405 && refused.field("Allow") == "GET, HEAD")
            let source = try ChangingServer(tags: "a")
            #expect(await service.get(source.url()).field("Cache-Tag") == nil)
        }

        // NW-14
        @Test(arguments: ["source", "prefix", "tag", "everything"]) func memoryAndDisk(_ kind: String) async throws {
            let folder = try TemporaryPurgeFolder()
            let source = try ChangingServer(tags: "product-17, spring")
            let service = try await PurgedService(folder: folder.path)
            let value = [
                "source": source.url(), "prefix": source.server.url("/p"), "tag": "spring", "everything": "1",
            ]
            let options = ["w:100/f:png", "w:100/f:png/bg:ffffff", "raw:1"]
            for option in options { #expect(try await service.version(source.url(), option) == 1) }
            #expect(source.count == 1)
            source.change()
            for option in options { #expect(try await service.version(source.url(), option) == 1) }
            #expect(try await service.purge(kind, value[kind] ?? "").status == 200)
            for option in options { #expect(try await service.version(source.url(), option) == 2) }
            #expect(source.count == 2)
            // It is stored again, and found.
            source.change()
            for option in options { #expect(try await service.version(source.url(), option) == 2) }
            #expect(source.count == 2)
        }

        /// The image of a source that leads to another one has that one's tags, and is not it.
        @Test func behindARedirect() async throws {
            let folder = try TemporaryPurgeFolder()
            let source = try ChangingServer(tags: "a")
            let service = try await PurgedService(folder: folder.path)
            #expect(try await service.version(source.url("/r")) == 1)
            source.change()
            #expect(try await service.purge("source", source.url("/p/a.png")).status == 200)
            #expect(try await service.version(source.url("/r")) == 1)
            #expect(try await service.purge("tag", "a").status == 200)
            #expect(try await service.version(source.url("/r")) == 2)
            source.change()
            #expect(try await service.purge("source", source.url("/r")).status == 200)
            #expect(try await service.version(source.url("/r")) == 3)
            #expect(try await service.version(source.url("/r"), "w:100/f:png/bg:ffffff") == 3)
        }

        /// In stores of bytes.
        @Test func datesAndTagsAreStored() throws {
            var freshness = Freshness(freshUntil: .distantFuture, etag: "\"1\"")
            (freshness.requestedAt, freshness.tags) = (Timestamp(milliseconds: 7), ["a", "b"])
            let address = try ThumbnailAddress("/1x1/fit?url=http://a.org/")
            let choice = FormatChoice(address.options, accept: "", preferred: [], coders: CodersManager([]))
            let key = ResponseKey(address, choice, of: .plain)
            let response = StoredResponse(mimeType: "image/png", bytes: [1], freshness: freshness)
            let coded = try #require(StoredResponseCoding.encode(response, for: key, at: Timestamp(milliseconds: 9)))
            #expect(StoredResponseCoding.decode(coded, for: key)?.freshness == freshness)
        }

        @Test func othersStay() async throws {
            let folder = try TemporaryPurgeFolder()
            let source = try ChangingServer(tags: "a")
            let service = try await PurgedService(folder: folder.path)
            #expect(try await service.version(source.url("/p/a.png")) == 1)
            source.change()
            for (name, value) in [
                ("source", source.url("/p/b.png")), ("prefix", source.server.url("/p/a")), ("prefix", source.server.url("/pp")),
                ("tag", "b"),
            ] {
                #expect(try await service.purge(name, value).status == 200)
                #expect(try await service.version(source.url("/p/a.png")) == 1, "\(name) \(value)")
            }
            #expect(source.count == 1)
        }

        /// The process was killed after its answer: the next one knows, from the file beside the entries.
        @Test func aKilledProcessForgetsNothing() async throws {
            let folder = try TemporaryPurgeFolder()
            let source = try ChangingServer(tags: "a")
            let first = try await PurgedService(folder: folder.path)
            #expect(try await first.version(source.url("/p/a.png")) == 1)
            #expect(try await first.version(source.url("/q/b.png")) == 1)
            try await first.service.manager.waitForStores()
            source.change()
            let target = try first.target("prefix", source.server.url("/p"))
            #expect(await first.respond("POST", target).status == 200)
            let second = try await PurgedService(folder: folder.path)
            #expect(try await second.version(source.url("/p/a.png")) == 2)
            #expect(try await second.version(source.url("/q/b.png")) == 1)
            #expect(await second.respond("POST", target).status == 403)
            // And one more, after the file was written anew.
            let third = try await PurgedService(folder: folder.path)
            source.change()
            #expect(try await third.version(source.url("/p/a.png")) == 2)
        }

        /// Another process with the same folder learns of it at its next look.
        @Test func processesShareAFolder() async throws {
            let folder = try TemporaryPurgeFolder()
            let source = try ChangingServer(tags: "a")
            let (first, second) = (try await PurgedService(folder: folder.path), try await PurgedService(folder: folder.path))
            for service in [first, second] { #expect(try await service.version(source.url()) == 1) }
            source.change()
            #expect(try await first.purge("tag", "a").status == 200)
            await second.purges.look()
            for service in [first, second] { #expect(try await service.version(source.url()) == 2) }
        }

        /// The load of another size began before the purge, and joins this one's transfer: neither is delivered, nor stored.
        @Test(.timeLimit(.minutes(10))) func aLoadThatBeganBefore() async throws {
            let png = try (0..<2).map { version in
                try TestImages.still(try TestImages.gradient(width: 41 + version, height: 8)).blockingEncoded(
                    EncodeOptions(format: .png)
                ).bytes.contiguous()
            }
            let server = HeldServer(pictures: png)
            let service = try await PurgedService()
            try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask { try await service.version(server.url) }
                await server.waitForRequest()
                group.addTask { try await service.version(server.url, "w:100/f:png/bg:ffffff") }
                #expect(await eventually { service.service.rendering.count == 2 })
                #expect(try await service.purge("source", server.url).status == 200)
                server.release()
                for try await version in group { #expect(version == 2) }
            }
            #expect(try await service.version(server.url) == 2)
        }

        @Test func keysForACDN() async throws {
            let source = try ChangingServer(tags: "product-17, spring")
            let service = try await PurgedService()
            let response = await service.get(source.url())
            let key = PurgeScopes(ofSource: source.url()).surrogateKey
            #expect(response.field("Cache-Tag") == "\(key),product-17,spring")
            #expect(response.field("Surrogate-Key") == "\(key) product-17 spring")
            // From memory, and with 304.
            var request = ThumbnailService.Request(target: "/_/w:100/f:png/plain/\(source.url())")
            request.headers = [("If-None-Match", response.field("ETag") ?? "")]
            let same = await service.service.respond(to: request)
            #expect(same.status == 304 && same.field("Cache-Tag") == "\(key),product-17,spring")
            let purged = try await service.purge("source", source.url())
            #expect(purged.text.contains(#""surrogateKeys":["\#(key)"]"#), "\(purged.text)")
        }

        /// As anyone sends it.
        @Test(.timeLimit(.minutes(10))) func overSockets() async throws {
            let service = try await PurgedService()
            let source = try ChangingServer()
            let server = try await ThumbnailServer.start(service.service, at: .host("127.0.0.1", port: 0))
            let base = "http://127.0.0.1:\(server.port)"
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await server.run() }
                let tool = try Tool()
                try tool.write(Array("0123456789abcdef".utf8), "key")
                #expect(try await service.version(source.url()) == 1)
                source.change()
                let done = try await tool.run(
                    "cache", "purge", "--source", source.url(), "--service", base, "--key-file", tool.path("key"), "--json")
                #expect(done.status == 0 && done.text.contains(#""ok":true"#), "\(done.text)\(done.errors)")
                #expect(try await service.version(source.url()) == 2)
                try tool.write(Array("another key, 16+".utf8), "key")
                let refused = try await tool.run(
                    "cache", "purge", "--source", source.url(), "--service", base, "--key-file", tool.path("key"))
                #expect(refused.status == 1 && refused.errors.contains("403"), "\(refused.errors)")
                server.stop()
                try await group.waitForAll()
            }
        }

        /// The command alone, on the folder of services.
        @Test func theCommandOnAFolder() async throws {
            let tool = try Tool()
            let folder = tool.path("cache")
            let source = try ChangingServer(tags: "a")
            let service = try await PurgedService(folder: folder)
            #expect(try await service.version(source.url("/p/a.png")) == 1)
            #expect(try await service.version(source.url("/q/b.png")) == 1)
            try await service.service.manager.waitForStores()
            source.change()
            let done = try await tool.run("cache", "purge", "--prefix", source.server.url("/p"), "--cache-dir", folder, "--json")
            #expect(done.status == 0 && done.text.contains(#""removed":2"#), "\(done.text)\(done.errors)")
            await service.purges.look()
            #expect(try await service.version(source.url("/p/a.png")) == 2)
            #expect(try await service.version(source.url("/q/b.png")) == 1)
            let tagged = try await tool.run("cache", "purge", "--tag", "a", "--cache-dir", folder)
            #expect(tagged.status == 0, "\(tagged.errors)")
            await service.purges.look()
            #expect(try await service.version(source.url("/q/b.png")) == 2)
            for wrong in [
                ["--tag", "a b"], [], ["--tag", "a", "--service", "http://a"], ["--redis", "ftp://secret", "--tag", "a"],
            ] {
                let refused = try await tool.start(["cache", "purge"] + wrong).wait()
                #expect(refused.status == 64 && !refused.errors.contains("secret"), "\(wrong) \(refused.errors)")
            }
        }
    }

    /// Sends the first picture once it is released, and the second one to all later requests.
    final class HeldServer: Sendable {
        private final class State: Sendable {
            let count = Mutex(0)
            let release = DispatchSemaphore(value: 0)
        }

        private let state = State()
        private let server: RawServer

        init(pictures: [[UInt8]]) {
            let state = state
            server = RawServer { connection in
                while connection.readHead() != nil {
                    let number = state.count.withLock { count in
                        defer { count += 1 }
                        return count
                    }
                    if number == 0 { state.release.wait() }
                    let headers = ["Content-Type: image/png", "Cache-Control: max-age=3600"]
                    guard connection.write(PictureServer.response("200 OK", headers, pictures[min(number, 1)])) else { return }
                }
            }
        }

        var url: String { server.url("/a.png") }
        func waitForRequest() async { _ = await eventually { self.state.count.withLock { $0 } > 0 } }
        func release() { state.release.signal() }
    }
#endif

#if CommandLine && Server && PNG
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// Answers that are looked for in stores which take their time.
    struct ServeLookupTests {
        /// Every read waits for the gate.
        private struct SlowCache: ImageCaching {
            let gate = AsyncGate()
            let stored = InMemoryImageCache()

            var identifier: String { "slow" }

            func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry? {
                await gate.wait()
                return try await stored.entry(for: key, touch: touch)
            }

            func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) {
                try await stored.store(entry, for: key)
            }

            func remove(_ key: CacheKey) async throws(ImageError) { try await stored.remove(key) }

            func removeAll() async throws(ImageError) { try await stored.removeAll() }
        }

        private let slow = SlowCache()
        private let originals = InMemoryImageCache()
        private let server: PictureServer

        init() throws { server = PictureServer(PictureServer.picture(try Samples.png())) }

        /// With nothing in memory.
        private func service() throws -> ThumbnailService {
            var options = StandardOptions()
            options.cacheDirectory = nil
            var manager = try ManagerConfiguration.standard(options)
            (manager.diskCache, manager.originalCache) = (slow, originals)
            manager.httpPolicy = ThumbnailService.policy(defaultLifetime: .seconds(1000))
            var configuration = ThumbnailService.Configuration(
                policy: SourcePolicy(hosts: ["127.0.0.1"], allowsCostly: true))
            configuration.maximumRequests = 2
            return ThumbnailService(configuration, manager: ImageManager(configuration: manager))
        }

        /// Stored responses are sent while there is no room for new ones: images, and the source's own bytes.
        @Test(.timeLimit(.minutes(10)), arguments: ["w:5/f:png", "raw:1"])
        func whatIsStoredNeedsNoRoom(_ options: String) async throws {
            slow.gate.open()
            func ask(_ service: ThumbnailService, _ options: String) async -> ThumbnailService.Response {
                await service.respond(to: .init(target: "/_/\(options)/plain/\(server.url("/a.png"))"))
            }
            let made = await ask(try service(), options)
            #expect(made.status == 200 && made.origin == .made)
            let second = try service()
            let (gate, fetched) = (AsyncGate(), server.requests.count)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for party in ["a", "b"] {
                    group.addTask { @Sendable in try await second.rendering.run([.host(party)]) { _ in await gate.wait() } }
                }
                await gate.waitForArrivals(2)
                #expect(await ask(second, "w:6/f:png").status == 503)
                let stored = await ask(second, options)
                #expect(stored.origin == .disk && stored.body == made.body)
                gate.open()
                try await group.waitForAll()
            }
            #expect(server.requests.count == fetched)
        }

        @Test(.timeLimit(.minutes(10))) func theyAreBoundedAndEqualOnesAreOne() async throws {
            let server = server
            @Sendable func ask(_ service: ThumbnailService, _ width: Int) async -> ThumbnailService.Response {
                await service.respond(to: .init(target: "/_/w:\(width)/f:png/plain/\(server.url("/a.png"))"))
            }
            slow.gate.open()
            let first = try service()
            for width in 1...4 { #expect(await ask(first, width).origin == .made) }
            let second = try service()
            #expect(await ask(second, 1).origin == .disk)
            slow.gate.close()
            let (reads, fetched) = (slow.gate.arrivedCount, server.requests.count)
            await withTaskGroup(of: ThumbnailService.Response.Origin.self) { group in
                for width in [2, 2, 2, 3] { group.addTask { await ask(second, width).origin } }
                #expect(await eventually { second.lookups.waiterCount == 4 && slow.gate.arrivedCount == reads + 2 })
                // No room for a third one.
                let refused = await ask(second, 4)
                #expect(refused.status == 503 && refused.field("Retry-After") == "1" && refused.origin == .service)
                // What is in memory needs none.
                #expect(await ask(second, 1).origin == .memory)
                slow.gate.open()
                for await origin in group { #expect(origin == .disk) }
            }
            #expect(server.requests.count == fetched && second.looking.count == 0 && second.rendering.count == 0)
        }
    }
#endif

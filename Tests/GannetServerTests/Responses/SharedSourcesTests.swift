#if CommandLine && Server && PNG
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetTesting
    import Testing

    @testable import GannetServer
    @testable import GannetSharedCaches
    @testable import gannet

    /// `--share-sources`: services, each with a folder, share originals through a bucket.
    struct SharedSourcesTests {
        let tool: Tool
        private let bucket = ObjectServer()

        init() throws { tool = try Tool() }

        /// As `gannet serve` puts it together.
        private func service(_ name: String) throws -> (ThumbnailService, S3Cache) {
            let shared = try bucket.cache()
            var options = StandardOptions()
            options.cacheDirectory = tool.path(name)
            options.memoryLimits = MemoryCacheLimits(bytes: 0)
            let manager = try Assembly.manager(
                options, policy: ThumbnailService.policy(defaultLifetime: .seconds(1000)), originalsBehindDisk: shared)
            var configuration = ThumbnailService.Configuration(policy: SourcePolicy(hosts: ["127.0.0.1"], allowsCostly: true))
            configuration.shared = SharedStores(s3: shared)
            return (ThumbnailService(configuration, manager: manager), shared)
        }

        private func get(_ service: ThumbnailService, _ target: String) async -> Int {
            await service.respond(to: ThumbnailService.Request(method: "GET", target: target, headers: [])).status
        }

        @Test func aSourceIsFetchedOnceForAllMachines() async throws {
            let source = PictureServer(PictureServer.picture(try Samples.png()))
            let (mine, shared) = try service("mine")
            let (yours, other) = try service("yours")
            func target(_ width: Int) -> String { "/_/w:\(width)/f:png/plain/\(source.url("/a.png"))" }
            #expect(await get(mine, target(12)) == 200)
            try await shared.flush()
            // The source and the answer, each once.
            #expect(bucket.state.requests.filter { $0.hasPrefix("PUT") }.count == 2 && bucket.state.objects.count == 2)
            #expect(await get(yours, target(6)) == 200)
            #expect(source.requests.count == 1)
            try await other.flush()
            #expect(bucket.state.requests.filter { $0.hasPrefix("PUT") }.count == 3 && bucket.state.refusals.isEmpty)
            // It has the source in its own folder now.
            let before = bucket.state.requests.count
            bucket.change { $0.objects = [:] }
            #expect(await get(yours, target(7)) == 200)
            #expect(source.requests.count == 1 && bucket.state.requests.count > before)
        }

        /// Originals that shared caches may not store stay where they are.
        @Test func privateSourcesStay() async throws {
            let png = try Samples.png()
            let source = PictureServer { _ in
                PictureServer.response("200 OK", ["Content-Type: image/png", "Cache-Control: private, max-age=60"], png)
            }
            let (mine, shared) = try service("mine")
            #expect(await get(mine, "/_/w:12/f:png/plain/\(source.url("/a.png"))") == 200)
            try await shared.flush()
            #expect(bucket.state.objects.isEmpty)
        }

        @Test func optionsAreCheckedAtOnce() async throws {
            let keys = ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "secret"]
            let alone = try await tool.run("serve", "--allow", "a.org", "--share-sources", variables: keys)
            #expect(alone.status == 64 && alone.errors.contains("--share-sources needs --s3."))
            let diskless = try await tool.run(
                "serve", "--allow", "a.org", "--s3", "abc", "--share-sources", "--no-cache", variables: keys)
            #expect(diskless.status == 64 && diskless.errors.contains("--share-sources needs the disk cache"))
        }
    }
#endif

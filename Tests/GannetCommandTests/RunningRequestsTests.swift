#if CommandLine && Server && PNG
    import Gannet
    import GannetCore
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// How the thumbnail service divides its room among source hosts.
    struct RunningRequestsTests {
        /// How many of this host begin before one is refused.
        private func fill(_ running: inout RunningRequests, _ host: String) -> Int {
            var count = 0
            while running.begin(host) { count += 1 }
            return count
        }

        @Test func oneHostLeavesAsManyFreeAsItHas() {
            var running = RunningRequests(maximum: 256, isShared: true)
            #expect(fill(&running, "a") == 128 && fill(&running, "b") == 64 && fill(&running, "c") == 32)
            for _ in 0..<128 { running.end("a") }
            // The places that it gave back are divided in the same way.
            #expect(fill(&running, "d") == 80 && fill(&running, "a") == 40)
        }

        @Test func whatHasEndedIsNotCounted() {
            var running = RunningRequests(maximum: 3, isShared: true)
            for _ in 0..<1000 {
                #expect(running.begin("a") && running.begin("a") && !running.begin("a"))
                #expect(running.begin("b") && !running.begin("c"))
                for host in ["b", "a", "a"] { running.end(host) }
            }
        }

        @Test(arguments: [(0, 0), (1, 1), (2, 2), (256, 256)])
        func aloneItHasAll(maximum: Int, count: Int) {
            var running = RunningRequests(maximum: maximum, isShared: false)
            #expect(fill(&running, "a") == count)
        }

        @Test func oneAtOnceIsStillOne() {
            var running = RunningRequests(maximum: 1, isShared: true)
            #expect(fill(&running, "a") == 1 && fill(&running, "b") == 0)
            running.end("a")
            #expect(fill(&running, "b") == 1)
        }

        @Test func onlyOneNameWithoutAKeyIsOneHost() {
            func namesOneHost(_ hosts: [String], keys: SigningKeys? = nil) -> Bool {
                SourcePolicy(hosts: hosts, keys: keys).namesOneHost
            }
            #expect(namesOneHost(["a.org"]) && namesOneHost(["a.org", "A.org"]))
            #expect(!namesOneHost([]) && !namesOneHost(["a.org", "b.org"]) && !namesOneHost([".a.org"]))
            #expect(
                !namesOneHost(["a.org"], keys: SigningKeys(keys: [SigningKeys.Key(secret: [UInt8](repeating: 1, count: 16))])))
        }

        /// The first host never answers.
        @Test(.timeLimit(.minutes(10))) func aSilentHostDoesNotBlockTheOthers() async throws {
            let tool = try Tool()
            var options = StandardOptions()
            options.cacheDirectory = tool.path("cache")
            let manager = try Assembly.manager(options, policy: ThumbnailService.policy(defaultLifetime: .seconds(1000)))
            let silent = PictureServer { _ in [] }
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            var configuration = ThumbnailService.Configuration(policy: SourcePolicy(hosts: ["127.0.0.1", "localhost"]))
            configuration.maximumRequests = 4
            let service = ThumbnailService(configuration, manager: manager)
            let other = server.url("/a.png").replacing("127.0.0.1", with: "localhost")
            await withTaskGroup(of: Int.self) { group in
                for number in 0..<4 {
                    let target = "/12x12/fit?url=\(silent.url("/\(number)"))"
                    group.addTask {
                        await service.answer(ThumbnailService.Request(method: "GET", target: target, headers: [])).status
                    }
                }
                // Two wait for the silent host, and more are not let in.
                #expect(await group.next() == 503)
                #expect(await group.next() == 503)
                let answer = await service.answer(
                    ThumbnailService.Request(method: "GET", target: "/12x12/fit?url=\(other)", headers: []))
                #expect(answer.status == 200)
                group.cancelAll()
            }
            let after = await service.answer(
                ThumbnailService.Request(method: "GET", target: "/12x12/fit?url=\(server.url("/a.png"))", headers: []))
            #expect(after.status == 200)
        }
    }
#endif

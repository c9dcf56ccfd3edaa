#if CommandLine && Server && PNG
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// How the thumbnail service divides its room among source hosts.
    struct AdmissionControlTests {
        /// How many of this host begin before one is refused.
        private func fill(_ running: inout AdmissionControlState, _ host: String) -> Int {
            var count = 0
            while running.begin([.host(host)]) != nil { count += 1 }
            return count
        }

        @Test func oneHostLeavesAsManyFreeAsItHas() {
            var running = AdmissionControlState(maximum: 256)
            #expect(fill(&running, "a") == 128 && fill(&running, "b") == 64 && fill(&running, "c") == 32)
            for _ in 0..<128 { running.end([.host("a")]) }
            // The places that it gave back are divided in the same way.
            #expect(fill(&running, "d") == 80 && fill(&running, "a") == 40)
        }

        /// Whatever the hosts are that it asks for.
        @Test func oneClientLeavesAsManyFreeAsItHas() {
            var running = AdmissionControlState(maximum: 256)
            var hosts = 0
            while running.begin([.host("h\(hosts)"), .client("a")]) != nil { hosts += 1 }
            #expect(hosts == 128 && running.total == 128)
            #expect(running.begin([.host("h"), .client("b")]) != nil)
            #expect(running.begin([.host("h"), .client("a")]) == nil)
            for host in 0..<hosts { running.end([.host("h\(host)"), .client("a")]) }
            #expect(running.total == 1 && fill(&running, "h0") == 128)
        }

        /// In the line for decodes a party with many requests is behind one that has few.
        @Test func theFirstRequestsOfEachGoFirst() {
            var running = AdmissionControlState(maximum: 256)
            let priorities = (0..<20).map { _ in running.begin([.host("a"), .client("1")]) }
            #expect(priorities.prefix(2).allSatisfy { $0 == .high } && priorities.suffix(12).allSatisfy { $0 == .veryLow })
            #expect(running.begin([.host("b"), .client("2")]) == .high)
            // The same client with another source, and another client with the same source.
            #expect(
                running.begin([.host("c"), .client("1")]) == .normal && running.begin([.host("a"), .client("3")]) == .normal)
        }

        @Test func whatHasEndedIsNotCounted() {
            var running = AdmissionControlState(maximum: 3)
            func begins(_ host: String) -> Bool { running.begin([.host(host)]) != nil }
            for _ in 0..<1000 {
                let first = [begins("a"), begins("a"), begins("a"), begins("b"), begins("c")]
                #expect(first == [true, true, false, true, false])
                for host in ["b", "a", "a"] { running.end([.host(host)]) }
            }
        }

        @Test(arguments: [(0, 0), (1, 1), (2, 2), (256, 256)])
        func aloneItHasAll(maximum: Int, count: Int) {
            var running = AdmissionControlState(maximum: maximum)
            var begun = 0
            while running.begin([]) != nil { begun += 1 }
            #expect(begun == count)
        }

        @Test func oneAtOnceIsStillOne() {
            var running = AdmissionControlState(maximum: 1)
            #expect(fill(&running, "a") == 1 && fill(&running, "b") == 0)
            running.end([.host("a")])
            #expect(fill(&running, "b") == 1)
        }

        @Test func aClientIsAnAddressOrANetwork() {
            func name(_ client: String) -> String? { ClientShare.name(ofAddress: client) }
            #expect(name("127.0.0.1") != nil && name("127.0.0.1") != name("127.0.0.2") && name("") == nil && name("-") == nil)
            #expect(name("2001:db8:1:2:3::1") == name("2001:db8:1:2:ffff::9") && name("2001:db8:1:2::") != name("2001:db8:1:3::"))
            #expect(name("::ffff:127.0.0.1") == name("127.0.0.1"))
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
                        await service.respond(to: ThumbnailService.Request(method: "GET", target: target, headers: [])).status
                    }
                }
                // Two wait for the silent host, and more are not let in.
                #expect(await group.next() == 503)
                #expect(await group.next() == 503)
                let answer = await service.respond(
                    to: ThumbnailService.Request(method: "GET", target: "/12x12/fit?url=\(other)", headers: []))
                #expect(answer.status == 200)
                group.cancelAll()
            }
            let after = await service.respond(
                to: ThumbnailService.Request(method: "GET", target: "/12x12/fit?url=\(server.url("/a.png"))", headers: []))
            #expect(after.status == 200)
        }
    }
#endif

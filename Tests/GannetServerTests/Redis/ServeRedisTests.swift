#if CommandLine && Server && PNG
    import GannetCommandTestSupport
    import GannetCore
    import GannetTesting
    import Testing

    @testable import GannetServer
    @testable import GannetSharedCaches
    @testable import gannet

    /// Services that share a real Redis and nothing else.
    struct ServeRedisTests {
        private func target(_ server: PictureServer, _ name: String = "a", width: Int = 12) -> String {
            "/_/w:\(width)/f:png/plain/\(server.url("/\(name).png"))"
        }

        @Test func anAnswerOfOneIsThatOfAll() async throws {
            let redis = try await RedisServer()
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let first = try SharedService(SharedStores(redis: redis.responses()))
            let second = try SharedService(SharedStores(redis: redis.responses()), responseBytes: 1 << 20)
            let made = await first.get(target(server))
            let found = await second.get(target(server))
            #expect(made.status == 200 && found.status == 200)
            #expect(found.body == made.body && found.headers["ETag"] == made.headers["ETag"])
            #expect(found.headers["Content-Type"] == "image/png" && server.requests.count == 1)
            #expect(first.count(.made) == 1 && second.count(.shared) == 1)
            // Kept in memory from now on.
            _ = await second.get(target(server))
            #expect(second.count(.memory) == 1)
            let text = String(decoding: await second.get("/metrics").body, as: UTF8.self)
            for line in [
                #"gannet_shared_lookups_total{store="redis",result="hit"} 1"#, #"gannet_shared_open{store="redis"} 0"#,
                #"gannet_shared_failures_total{store="redis"} 0"#, #"gannet_requests_total{origin="shared",status="200"} 1"#,
            ] {
                #expect(text.contains(line + "\n"), "\(line)\n\(text)")
            }
        }

        /// They would wait behind each other for longer than it takes to make an answer.
        @Test(.timeLimit(.minutes(10))) func tooManyQuestionsAreNotAsked() async throws {
            let redis = try await RedisServer()
            var limits = RedisLimits.patient
            (limits.connections, limits.waiting) = (1, 1)
            let client = RedisResponseStore(redis.address, limits: limits).client
            redis.stop()
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<2 { group.addTask { await client.ask(["ECHO", "a"], key: nil) == .bytes([97]) } }
                #expect(await eventually { client.questionCount == 2 })
                #expect(await client.ask(["ECHO", "a"], key: nil) == nil)
                #expect(client.counts.skipped == 1 && client.counts.failures == 0 && !client.counts.isOpen)
                redis.goOn()
                for await isAnswered in group { #expect(isAnswered) }
            }
            #expect(client.questionCount == 0)
        }

        /// A response that its source forbids to store reaches no other machine.
        @Test func privateAnswersAreNotShared() async throws {
            let redis = try await RedisServer()
            let png = try Samples.png()
            let server = PictureServer { _ in
                PictureServer.response("200 OK", ["Content-Type: image/png", "Cache-Control: private"], png)
            }
            let answers = redis.responses()
            let service = try SharedService(SharedStores(redis: answers))
            #expect(await service.get(target(server)).status == 200)
            #expect(await answers.client.ask(["KEYS", "gannet:*:answer:*"], key: nil) == .list([]))
        }

        @Test func damagedValuesAreMissesAndAreReplaced() async throws {
            let redis = try await RedisServer()
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let answers = redis.responses()
            let service = try SharedService(SharedStores(redis: answers))
            let made = await service.get(target(server))
            let key = try service.key(target(server))
            guard case .bytes(let whole) = await answers.client.ask(["HGET", RedisResponseStore.name(key), "answer"], key: nil)
            else {
                Issue.record("nothing was stored")
                return
            }
            let damaged: [[UInt8]] = [
                [], [0], Array(whole.dropLast()), whole + [0], [UInt8](repeating: 0, count: whole.count),
                Array(whole.dropLast(3)) + whole.suffix(3).map { ~$0 },
            ]
            for value in damaged {
                let put = [Array("HSET".utf8), Array(RedisResponseStore.name(key).utf8), Array("answer".utf8), value]
                #expect(await answers.client.ask(put, key: nil) == .number(0))
                #expect(await answers.response(for: key) == nil)
                let again = await service.get(target(server))
                #expect(again.status == 200 && again.body == made.body)
                #expect(await answers.response(for: key)?.bytes == made.body)
            }
            // A value of another kind.
            _ = await answers.client.ask(["DEL", RedisResponseStore.name(key)], key: nil)
            _ = await answers.client.ask(["SET", RedisResponseStore.name(key), "text"], key: nil)
            #expect(await service.get(target(server)).body == made.body)
            #expect(await answers.response(for: key)?.bytes == made.body)
            #expect(answers.counts.failures == 0)
        }

        @Test func answersStayForAWhile() async throws {
            let redis = try await RedisServer()
            let answers = redis.responses()
            let now = Timestamp(milliseconds: 1_767_225_600_000)
            func life(_ until: Timestamp?) -> Duration {
                RedisResponseStore.life(
                    of: StoredResponse(mimeType: "", bytes: [], freshness: Freshness(freshUntil: until)), at: now)
            }
            #expect(life(now + .seconds(60)) == .seconds(86_460))
            #expect(life(.distantPast) == .seconds(86_400) && life(nil) == .seconds(86_400))
            #expect(life(.distantFuture) == .seconds(31 * 86_400))
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let service = try SharedService(SharedStores(redis: answers))
            _ = await service.get(target(server))
            let left = await answers.client.ask(["TTL", RedisResponseStore.name(try service.key(target(server)))], key: nil)
            guard case .number(let seconds) = left else {
                Issue.record("no time to live: \(String(describing: left))")
                return
            }
            // An hour and a day, less than what the machine took.
            #expect((86_400...90_000).contains(seconds))
        }

        @Test func largeAnswersAreNotPutThere() async throws {
            let redis = try await RedisServer()
            var limits = RedisLimits()
            (limits.connect, limits.command, limits.entryBytes) = (.seconds(600), .seconds(600), 10)
            let answers = RedisResponseStore(redis.address, limits: limits)
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let service = try SharedService(SharedStores(redis: answers))
            #expect(await service.get(target(server)).status == 200)
            #expect(await answers.response(for: try service.key(target(server))) == nil)
        }

        /// Killed, then started again: no client sees an error, and the answers are shared again.
        @Test func aServerThatEndsIsNoError() async throws {
            let first = try await RedisServer()
            let time = ManualTimeSource()
            let answers = first.responses(time)
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let service = try SharedService(SharedStores(redis: answers))
            #expect(await service.get(target(server)).status == 200)
            first.end()
            for width in 1...6 { #expect(await service.get(target(server, width: width)).status == 200) }
            #expect(answers.counts.isOpen)
            let failures = answers.counts.failures
            #expect(await service.get(target(server, width: 7)).status == 200)
            // It is left alone.
            #expect(answers.counts.failures == failures)
            guard case .socket(let path) = first.address.endpoints[0] else { return }
            let second = try await RedisServer(at: path)
            time.advance(by: .seconds(1))
            #expect(await service.get(target(server, width: 8)).status == 200)
            #expect(!answers.counts.isOpen && answers.counts.failures == failures)
            withExtendedLifetime(second) {}
        }

        /// It takes connections and says nothing: only the first questions wait, for their limit.
        @Test(.timeLimit(.minutes(10))) func aServerThatHangsCostsALimit() async throws {
            let redis = try await RedisServer()
            var limits = RedisLimits()
            limits.failures = 2
            let time = ManualTimeSource()
            let reports = Reports()
            let answers = RedisResponseStore(redis.address, limits: limits, time: time) { reports.add($0) }
            redis.stop()
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let service = try SharedService(SharedStores(redis: answers))
            for width in 1...20 { #expect(await service.get(target(server, width: width)).status == 200) }
            #expect(answers.counts.isOpen && answers.counts.failures == 2)
            #expect(reports.all.count == 1 && reports.all[0].contains("50 ms"))
            redis.goOn()
            // On a busy machine it may be too slow again, and is tried later.
            while answers.counts.isOpen {
                time.advance(by: .seconds(30))
                await answers.client.check()
            }
            #expect(reports.all.count == 2)
        }

        @Test func passwordsAndDatabases() async throws {
            let redis = try await RedisServer(["--requirepass", "pass word"])
            var address = redis.address
            var limits = RedisLimits()
            (limits.connect, limits.command) = (.seconds(600), .seconds(600))
            let reports = Reports()
            let stranger = RedisResponseStore(address, limits: limits) { reports.add($0) }
            await stranger.client.check()
            #expect(reports.all.count == 1 && reports.all[0].contains("NOAUTH"))
            (address.password, address.database) = ("pass word", 3)
            #expect(
                await RedisResponseStore(address, limits: limits).client.ask(["SET", "a", "b"], key: nil)
                    == .bytes(Array("OK".utf8)))
            address.user = "default"
            #expect(await RedisResponseStore(address, limits: limits).client.ask(["GET", "a"], key: nil) == .bytes([98]))
            address.database = 0
            #expect(await RedisResponseStore(address, limits: limits).client.ask(["GET", "a"], key: nil) == .nothing)
            address.password = "wrong"
            let wrong = RedisResponseStore(address, limits: limits) { reports.add($0) }
            await wrong.client.check()
            #expect(reports.all.count == 2 && reports.all[1].contains("WRONGPASS") && !reports.all[1].contains("wrong"))
        }
    }
#endif

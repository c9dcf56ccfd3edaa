#if CommandLine && Server && PNG
    import GannetCommandTestSupport
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetServer
    @testable import GannetSharedCaches
    @testable import gannet

    /// Services that share a bucket.
    struct ServeS3Tests {
        private let bucket = ObjectServer()

        private func target(_ server: PictureServer, width: Int = 12) -> String {
            "/_/w:\(width)/f:png/plain/\(server.url("/a.png"))"
        }

        @Test func anAnswerOfOneIsThatOfAll() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let (mine, yours) = (try bucket.cache(), try bucket.cache())
            let (first, second) = (try SharedService(SharedStores(s3: mine)), try SharedService(SharedStores(s3: yours)))
            let made = await first.get(target(server))
            try await mine.flush()
            let found = await second.get(target(server))
            #expect(made.status == 200 && found.status == 200 && found.body == made.body)
            #expect(found.headers["ETag"] == made.headers["ETag"] && found.headers["Content-Type"] == "image/png")
            #expect(server.requests.count == 1 && second.count(.shared) == 1)
            #expect(mine.counts == RemoteCounts(misses: 1, stored: 1) && yours.counts == RemoteCounts(hits: 1))
            let state = bucket.state
            #expect(state.refusals.isEmpty && state.requests.count == 3)
            let path = "/pictures/small/\(SharedNames.object(try first.key(target(server)).stored))"
            #expect(state.requests == ["GET \(path)", "PUT \(path)", "GET \(path)"])
            let text = String(decoding: await second.get("/metrics").body, as: UTF8.self)
            #expect(text.contains(#"gannet_shared_lookups_total{store="s3",result="hit"} 1"# + "\n"))
        }

        /// What is found in S3 is on this machine's disk from then on.
        @Test func anAnswerOfAnotherIsKeptOnDisk() async throws {
            let (tool, server) = (try Tool(), PictureServer(PictureServer.picture(try Samples.png())))
            let mine = try bucket.cache()
            let made = await (try SharedService(SharedStores(s3: mine))).get(target(server))
            try await mine.flush()
            func found(_ shared: SharedStores) async throws -> ThumbnailService.Response {
                let service = try SourcedService(hosts: ["127.0.0.1"], cache: tool.path("cache")) { $0.shared = shared }
                defer { withExtendedLifetime(service) {} }
                let answer = await service.get(target(server))
                try await service.service.manager.waitForStores()
                return answer
            }
            let shared = try await found(SharedStores(s3: try bucket.cache()))
            let stored = try await found(SharedStores())
            #expect(shared.origin == .shared && stored.origin == .disk && server.requests.count == 1)
            #expect(shared.body == made.body && stored.body == made.body && stored.field("ETag") == shared.field("ETag"))
            #expect(stored.field("Content-Type") == "image/png")
        }

        /// An entry that was found in S3 is read from Redis from then on.
        @Test func theFasterStoreIsFilled() async throws {
            let redis = try await RedisServer()
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let (mine, yours) = (try bucket.cache(), try bucket.cache())
            let made = await (try SharedService(SharedStores(s3: mine))).get(target(server))
            try await mine.flush()
            for _ in 0..<2 {
                let service = try SharedService(SharedStores(redis: redis.responses(), s3: yours))
                #expect(await service.get(target(server)).body == made.body && service.count(.shared) == 1)
            }
            #expect(server.requests.count == 1 && yours.counts == RemoteCounts(hits: 1))
        }

        @Test func damagedObjectsAreMisses() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let answers = try bucket.cache()
            let service = try SharedService(SharedStores(s3: answers))
            let made = await service.get(target(server))
            try await answers.flush()
            let (path, whole) = try #require(bucket.state.objects.first)
            for damaged in [[], Array(whole.dropLast()), whole + [0], [UInt8](repeating: 0, count: 100)] {
                bucket.change { $0.objects[path] = damaged }
                #expect(await service.get(target(server)).body == made.body)
                try await answers.flush()
                #expect(bucket.state.objects[path]?.count == whole.count)
            }
            #expect(answers.counts.failures == 0)
            // An object that does not arrive whole is a failure.
            bucket.change { $0.mood = .cutsShort }
            #expect(await answers.response(for: try service.key(target(server))) == nil)
            #expect(answers.counts.failures == 1)
        }

        /// Neither is an error of the client's.
        @Test(arguments: ["403 Forbidden", "500 Internal Server Error", "503 Slow Down", "301 Moved Permanently"])
        func refusalsAreNoErrors(status: String) async throws {
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let (reports, time) = (Reports(), ManualTimeSource())
            bucket.change { $0.mood = .answers(status) }
            let answers = try bucket.cache(time: time) { reports.add($0) }
            let service = try SharedService(SharedStores(s3: answers))
            for width in 1...8 {
                #expect(await service.get(target(server, width: width)).status == 200)
                try await answers.flush()
            }
            #expect(answers.counts.isOpen && answers.counts.failures == 3)
            #expect(reports.all.count == 1 && reports.all.first?.contains("status \(status.prefix(3))") == true)
            bucket.change { $0.mood = .well }
            time.advance(by: .seconds(1))
            #expect(await service.get(target(server, width: 9)).status == 200)
            try await answers.flush()
            #expect(!answers.counts.isOpen && answers.counts.stored == 1 && reports.all.count == 2)
        }

        @Test func aWrongKeyIsReported() async throws {
            let reports = Reports()
            let wrong = S3Credentials(identifier: "AKIDTEST", secret: "guessed", token: "to=ken")
            var limits = S3Limits.patient
            limits.breaker = CircuitBreakerState(threshold: 1)
            let answers = try bucket.cache(limits: limits, credentials: wrong) { reports.add($0) }
            let service = try SharedService(SharedStores())
            #expect(await answers.response(for: try service.key("/1x1/fit?url=http://a.org/")) == nil)
            #expect(bucket.state.refusals.count == 1 && reports.all.first?.contains("403") == true)
            #expect(reports.all.first?.contains("guessed") == false)
        }

        /// It takes connections and says nothing.
        @Test(.timeLimit(.minutes(10))) func aServerThatHangsCostsALimit() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            var limits = S3Limits()
            limits.breaker = CircuitBreakerState(threshold: 2)
            bucket.change { $0.mood = .hangs }
            let answers = try bucket.cache(limits: limits, time: ManualTimeSource())
            let service = try SharedService(SharedStores(s3: answers))
            for width in 1...20 { #expect(await service.get(target(server, width: width)).status == 200) }
            await answers.finish()
            #expect(answers.counts.isOpen && answers.counts.hits == 0)
        }

        @Test func whatFindsNoRoomIsDropped() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            var limits = S3Limits.patient
            limits.waiting = 0
            let answers = try bucket.cache(limits: limits)
            let service = try SharedService(SharedStores(s3: answers))
            #expect(await service.get(target(server)).status == 200)
            #expect(answers.counts.dropped == 1 && bucket.state.objects.isEmpty)
            // And what is too large is not even offered.
            limits.entryBytes = 10
            let small = try bucket.cache(limits: limits)
            #expect(await (try SharedService(SharedStores(s3: small))).get(target(server)).status == 200)
            #expect(small.counts.dropped == 0)
        }
    }
#endif

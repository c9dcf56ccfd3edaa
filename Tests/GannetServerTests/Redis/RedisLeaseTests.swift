#if CommandLine && Server && PNG
    import Dispatch
    import GannetCommandTestSupport
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetServer
    @testable import GannetSharedCaches
    @testable import gannet

    /// Leases of a real Redis.
    struct RedisLeaseTests {
        private func key(_ width: Int = 1) throws -> ResponseKey {
            let address = try ThumbnailAddress("/\(width)x1/fit?url=http://a.org/")
            return ResponseKey(
                address, FormatChoice(address.options, accept: "", preferred: [], coders: CodersManager([])), of: .plain)
        }

        private func answer(_ byte: UInt8) -> StoredResponse {
            StoredResponse(mimeType: "image/png", bytes: [byte], freshness: .unknown)
        }

        /// As soon as the earlier one has run out, by the server's clock.
        private func held(_ answers: RedisResponseStore, _ key: ResponseKey) async throws -> ResponseLease {
            while true {
                switch await answers.begin(key) {
                case .held(let lease): return lease
                case .taken: continue
                case .unavailable: throw ImageError(.io, "There is no Redis.")
                }
            }
        }

        @Test func oneHoldsIt() async throws {
            let redis = try await RedisServer()
            let (first, second, key) = (redis.responses(), redis.responses(), try key())
            let lease = try await held(first, key)
            #expect(lease.number == 1)
            #expect(await second.begin(key) == .taken)
            #expect(await second.look(at: key) == LeaseState(isHeld: true, number: nil))
            // Of another answer.
            guard case .held(let different) = await second.begin(try self.key(2)) else {
                Issue.record("it is held by nobody")
                return
            }
            #expect(different.number == 2)
            // Only its holder renews and frees it.
            let stranger = ResponseLease(number: 1, token: "1-x")
            #expect(await second.renew(stranger, of: key) == false)
            await second.end(stranger, of: key)
            #expect(await second.begin(key) == .taken)
            #expect(await first.renew(lease, of: key))
            await first.end(lease, of: key)
            #expect(await first.renew(lease, of: key) == false)
            guard case .held(let next) = await second.begin(key) else {
                Issue.record("it is free")
                return
            }
            #expect(next.number == 3 && next.token != lease.token)
        }

        @Test func whoLostItsLeaseReplacesNothingNewer() async throws {
            let redis = try await RedisServer()
            let (first, second, key) = (redis.responses(lease: .milliseconds(1)), redis.responses(), try key())
            let lost = try await held(first, key)
            let lease = try await held(second, key)
            #expect(lease.number > lost.number)
            // Late, but before the other: both are right, and the newer one replaces it.
            #expect(await first.store(answer(1), for: key, number: lost.number))
            #expect(await second.store(answer(2), for: key, number: lease.number))
            #expect(await second.look(at: key) == LeaseState(isHeld: true, number: lease.number))
            #expect(await first.store(answer(1), for: key, number: lost.number) == false)
            // Nor does one that nobody gave a number to, such as a copy from S3.
            #expect(await first.store(answer(3), for: key, number: 0) == false)
            #expect(await second.response(for: key)?.bytes == [2] && first.counts.outdated == 2)
            await first.end(lost, of: key)
            #expect(await first.begin(key) == .taken)
        }

        /// A server that is short of memory may forget how far it counted.
        @Test func numbersGrowAlthoughTheirCountIsLost() async throws {
            let redis = try await RedisServer()
            let (answers, key) = (redis.responses(), try key())
            for _ in 0..<3 { await answers.end(try await held(answers, key), of: key) }
            #expect(await answers.store(answer(1), for: key, number: 3))
            _ = await answers.client.ask(["DEL", RedisResponseStore.lastNumber(key)], key: nil)
            #expect(try await held(answers, key).number == 4)
            #expect(try await held(answers, try self.key(2)).number == 5)
        }

        /// 1,000 equal requests at three services, while the source waits for all of them.
        @Test(.timeLimit(.minutes(10))) func equalRequestsEverywhereFetchOnce() async throws {
            let redis = try await RedisServer()
            let (png, asked, goOn) = (try Samples.png(), AsyncGate(), DispatchSemaphore(value: 0))
            let server = PictureServer { head in
                asked.open()
                goOn.wait()
                goOn.signal()
                return PictureServer.picture(png)(head)
            }
            let target = "/_/w:12/f:png/plain/\(server.url("/a.png"))"
            let services = try (0..<3).map { _ in
                try SharedService(SharedStores(redis: redis.responses()), responseBytes: 1 << 20)
            }
            let bodies = await withTaskGroup(of: [UInt8].self) { group in
                for number in 0..<1000 {
                    let service = services[number % 3]
                    group.addTask { await service.get(target).status == 200 ? await service.get(target).body : [] }
                }
                await asked.wait()
                // Each has a job, whose waiters are its requests.
                _ = await eventually { services.allSatisfy { $0.service.work.jobCount == 1 } }
                goOn.signal()
                return await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
            }
            #expect(bodies.count == 1 && bodies.first?.isEmpty == false)
            #expect(server.requests.count == 1)
            #expect(services.map { $0.count(.made) > 0 }.filter { $0 }.count == 1)
        }
    }
#endif

#if CommandLine && Server && PNG
    import GannetCommandTestSupport
    import GannetCore
    import GannetImages
    import GannetPlatform
    import GannetTesting
    import Testing

    @testable import GannetServer
    @testable import GannetSharedCaches
    @testable import gannet

    /// Three services that share a real Redis, or a bucket, with separate folders.
    @Suite(.enabled(if: RedisServer.isThere, "there is no /usr/bin/redis-server"), .timeLimit(.minutes(10)))
    struct RedisPurgeTests {
        // NW-14
        @Test(arguments: ["source", "prefix", "tag", "everything"]) func onePurgeIsThatOfAll(_ kind: String) async throws {
            let redis = try await RedisServer()
            let folders = try (0..<3).map { _ in try TemporaryPurgeFolder() }
            let source = try ChangingServer(tags: "spring")
            var services: [PurgedService] = []
            for folder in folders { services.append(try await PurgedService(folder: folder.path, redis: redis)) }
            for service in services { #expect(try await service.version(source.url()) == 1) }
            #expect(source.count == 1)
            for service in services { try await service.service.manager.waitForStores() }
            source.change()
            let value = ["source": source.url(), "prefix": source.server.url("/p"), "tag": "spring", "everything": "1"]
            // The last one is killed before the purge.
            let dead = services.removeLast()
            let target = try services[0].target(kind, value[kind] ?? "")
            let done = await services[0].respond("POST", target)
            #expect(done.status == 200 && done.text.contains(#""shared":true"#), "\(done.text)")
            #expect(try await services[0].version(source.url()) == 2)
            await services[1].purges.look()
            #expect(try await services[1].version(source.url()) == 2)
            #expect(source.count == 2)
            // A signed request is carried out once, also by others.
            #expect(await services[1].respond("POST", target).status == 403)
            // And comes back with what it had.
            let back = try await PurgedService(folder: folders[2].path, redis: redis)
            #expect(try await back.version(source.url()) == 2)
            #expect(source.count == 2)
            _ = dead
        }

        /// The response of a machine that has not learned of the purge yet is void for those that have.
        @Test func whatALateMachineStores() async throws {
            let redis = try await RedisServer()
            let source = try ChangingServer()
            let (first, late) = (try await PurgedService(redis: redis), try await PurgedService(redis: redis))
            #expect(try await first.purge("tag", "unrelated").status == 200)
            #expect(try await first.purge("source", source.url()).status == 200)
            #expect(try await late.version(source.url()) == 1)
            source.change()
            #expect(try await first.version(source.url()) == 2)
            await late.purges.look()
            #expect(try await late.version(source.url()) == 2)
            #expect(source.count == 2)
        }

        /// Redis lost everything: those who know tell it, and one that knows nothing learns it from there.
        @Test func recordsThatRedisLost() async throws {
            let redis = try await RedisServer()
            let folder = try TemporaryPurgeFolder()
            let source = try ChangingServer()
            let first = try await PurgedService(redis: redis)
            let second = try await PurgedService(folder: folder.path, redis: redis)
            #expect(try await second.version(source.url()) == 1)
            try await second.service.manager.waitForStores()
            source.change()
            #expect(try await first.purge("source", source.url()).status == 200)
            #expect(await redis.responses().client.ask(["FLUSHALL"], key: nil) != nil)
            // The first look finds that they are gone, and the next one that they are there.
            await first.purges.look()
            await first.purges.look()
            let back = try await PurgedService(folder: folder.path, redis: redis)
            #expect(try await back.version(source.url()) == 2)
            _ = second
        }

        /// Nothing is said to be purged that others do not learn of; what is stored is still delivered.
        @Test func withoutRedisNothingIsPurged() async throws {
            let redis = try await RedisServer()
            let folder = try TemporaryPurgeFolder()
            let source = try ChangingServer()
            let service = try await PurgedService(folder: folder.path, redis: redis)
            #expect(try await service.version(source.url()) == 1)
            guard case .socket(let path) = redis.address.endpoints[0] else { return }
            redis.end()
            let target = try service.target("source", source.url())
            let failed = await service.respond("POST", target)
            #expect(failed.status == 503 && failed.field("Retry-After") == "1" && failed.failure != nil, "\(failed.text)")
            source.change()
            #expect(try await service.version(source.url()) == 1)
            await service.purges.look()
            // The same request is right when Redis is back.
            let again = try await RedisServer(at: path)
            #expect(await service.respond("POST", target).status == 200)
            #expect(try await service.version(source.url()) == 2)
            _ = again
        }

        /// More than are kept: everything older than the forgotten ones is void at all.
        @Test func thereAreNotMoreThanAreKept() async throws {
            let redis = try await RedisServer()
            let folders = [try TemporaryPurgeFolder(), try TemporaryPurgeFolder()]
            func purges(_ index: Int) -> Purges {
                Purges(
                    folder: folders[index].path, redis: RedisPurges(redis.address, limits: .patient), maximumCount: 1200)
            }
            let first = purges(0)
            await first.start()
            for batch in 0..<13 {
                _ = try await first.purge((0..<100).map { .source("https://a.org/\(batch)/\($0)") })
            }
            #expect(first.log.count <= 1200)
            let second = purges(1)
            await second.start()
            #expect(second.log.count <= 1200 && second.log.last == first.log.last)
            var old = Freshness()
            old.requestedAt = Timestamp(milliseconds: 1)
            #expect(first.log.isVoid(PurgeScopes(ofSource: "https://b.org"), old))
            #expect(second.log.isVoid(PurgeScopes(ofSource: "https://b.org"), old))
            let count = await redis.responses().client.ask(["ZCARD", "gannet:{purges}:log"], key: nil)
            #expect(count == .number(1200))
        }

        /// Everything of a cluster's records is in one slot.
        @Test func aClusterHasThem() async throws {
            let cluster = try await RedisCluster()
            let first = Purges(redis: RedisPurges(cluster.address, limits: .patient))
            let second = Purges(redis: RedisPurges(cluster.address, limits: .patient))
            _ = try await first.purge(
                [.tag("a"), .everything], nonce: ("0123456789abcdef", SystemTimeSource().now + .seconds(60)))
            await second.start()
            #expect(second.log.last == first.log.last && first.log.last > 0)
        }
    }

    /// Through a bucket, without Redis, each machine gets the purge.
    struct BucketPurgeTests {
        @Test(.timeLimit(.minutes(10)), arguments: [false, true]) func responsesAndSourcesInABucket(sharesSources: Bool)
            async throws
        {
            let bucket = ObjectServer()
            let source = try ChangingServer(tags: "a")
            let folder = try TemporaryPurgeFolder()
            let (near, far) = (try bucket.cache(), try bucket.cache())
            let first = try await PurgedService(folder: folder.path, s3: near, sharesSources: sharesSources, responseBytes: 0)
            #expect(try await first.version(source.url()) == 1)
            try await first.service.manager.waitForStores()
            try await near.flush()
            source.change()
            let other = try TemporaryPurgeFolder()
            let second = try await PurgedService(folder: other.path, s3: far, sharesSources: sharesSources, responseBytes: 0)
            #expect(try await second.purge("tag", "a").status == 200)
            #expect(try await second.version(source.url()) == 2)
            #expect(try await second.version(source.url(), "w:100/f:png/bg:ffffff") == 2)
            #expect(source.count == 2)
        }

        /// A process without a folder would forget the purge, and find the bucket's responses again.
        @Test func nothingThatWouldBeForgotten() async throws {
            let bucket = ObjectServer()
            let service = try await PurgedService(s3: try bucket.cache())
            let refused = try await service.purge("tag", "a")
            #expect(refused.status == 503 && refused.failure?.contains("--redis") == true, "\(refused.text)")
        }
    }
#endif

#if CommandLine && Server
    import GannetCache
    import GannetCommandTestSupport
    import GannetCore
    import GannetImages
    import GannetPlatform
    import GannetTesting
    import Testing

    @testable import GannetServer
    @testable import GannetSharedCaches
    @testable import gannet

    /// Caches of programs in a real Redis, a real cluster and a bucket.
    struct SharedCacheTests {
        private let now = SystemTimeSource().now

        private func entry(_ bytes: [UInt8]) -> CacheEntry {
            CacheEntry(bytes: ByteRope(bytes), metadata: CacheEntryMetadata(storedAt: now))
        }

        @Test(.enabled(if: RedisServer.isThere, "there is no /usr/bin/redis-server"))
        func redisKeepsTheContractOfCaches() async throws {
            let redis = try await RedisServer()
            let cache = RedisCache(redis.address, limits: .patient)
            #expect(try await CacheConformance.failures(of: cache, now: now) == [])
            #expect(cache.counts.failures == 0)
        }

        @Test(.enabled(if: RedisServer.isThere, "there is no /usr/bin/redis-server"), .timeLimit(.minutes(10)))
        func aClusterKeepsTheContractOfCaches() async throws {
            let cluster = try await RedisCluster()
            let cache = RedisCache(cluster.address, limits: .patient)
            #expect(try await CacheConformance.failures(of: cache, now: now) == [])
            #expect(cache.counts.failures == 0)
        }

        /// Listings of more than one page.
        @Test(arguments: [1000, 3]) func s3KeepsTheContractOfCaches(pageSize: Int) async throws {
            let bucket = ObjectServer()
            bucket.change { $0.pageSize = pageSize }
            let cache = try bucket.cache()
            #expect(try await CacheConformance.failures(of: cache, now: now) == [])
            #expect(cache.counts.failures == 0 && bucket.state.refusals == [] && bucket.state.objects.isEmpty)
        }

        /// The suite finds no fault with caches that are known to be right.
        @Test func othersKeepItToo() async throws {
            let tool = try Tool()
            let disk = DiskCache(DiskCacheConfiguration(directory: tool.path("cache")))
            #expect(try await CacheConformance.failures(of: disk, now: now) == [])
            #expect(try await CacheConformance.failures(of: InMemoryImageCache(), now: now) == [])
            let bucket = ObjectServer()
            let both = CachesManager([try bucket.cache(), disk], store: .serial)
            #expect(try await CacheConformance.failures(of: both, now: now) == [])
        }

        /// And it finds what is missing.
        @Test func aCacheThatForgetsMetadataIsFoundOut() async throws {
            final class Forgetful: ImageCaching {
                let inner = InMemoryImageCache()
                var identifier: String { "forgetful" }
                func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry? {
                    try await inner.entry(for: key, touch: touch)
                }
                func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) {
                    var entry = entry
                    entry.metadata.http = nil
                    try await inner.store(entry, for: key)
                }
                func remove(_ key: CacheKey) async throws(ImageError) { try await inner.remove(key) }
                func removeAll() async throws(ImageError) { try await inner.removeAll() }
            }
            let failures = try await CacheConformance.failures(of: Forgetful(), now: now, keepsOthers: false)
            #expect(!failures.isEmpty && failures.allSatisfy { $0.contains("metadata") })
        }

        @Test(.enabled(if: RedisServer.isThere, "there is no /usr/bin/redis-server"))
        func othersKeysAreLeftAlone() async throws {
            let redis = try await RedisServer()
            let (cache, answers) = (RedisCache(redis.address, limits: .patient), redis.responses())
            for key in ["mine", "gannet:{abc}:answer:x", "gannet:{abcd}:entry:x"] {
                _ = await answers.client.ask(["SET", key, "1"], key: nil)
            }
            try await cache.store(entry([1]), for: CacheKey("a"))
            try await cache.removeAll()
            #expect(await answers.client.ask(["DBSIZE"], key: nil) == .number(3))
            let bucket = ObjectServer()
            bucket.change { $0.objects = ["/pictures/small/mine": [1], "/pictures/other/a": [2]] }
            let objects = try bucket.cache()
            try await objects.store(entry([1]), for: CacheKey("a"))
            try await objects.flush()
            #expect(bucket.state.objects.count == 3)
            #expect(try await objects.usage().count == 1)
            try await objects.removeAll()
            #expect(bucket.state.objects.keys.sorted() == ["/pictures/other/a", "/pictures/small/mine"])
        }

        /// Seven days since the last use, by the server's clock; uses are noted once a minute.
        @Test(.enabled(if: RedisServer.isThere, "there is no /usr/bin/redis-server"))
        func usesExtendLives() async throws {
            let redis = try await RedisServer()
            let time = ManualTimeSource()
            let cache = RedisCache(redis.address, limits: .patient, time: time)
            let key = CacheKey("a")
            func store(_ expiration: CacheExpiration) async throws {
                let metadata = CacheEntryMetadata(storedAt: time.now, expiration: expiration)
                try await cache.store(CacheEntry(bytes: ByteRope([1]), metadata: metadata), for: key)
            }
            func life() async -> Int? {
                guard case .number(let seconds) = await cache.client.ask(["TTL", RedisCache.name(key)], key: nil) else {
                    return nil
                }
                return seconds
            }
            try await store(.never)
            #expect(await life() == -1)
            try await store(.at(time.now + .seconds(1000)))
            #expect((500...1000).contains(try #require(await life())))
            try await store(.standard)
            #expect((600_000...604_800).contains(try #require(await life())))
            _ = await cache.client.ask(["EXPIRE", RedisCache.name(key), "10000"], key: nil)
            // Too soon after it was stored.
            _ = try await cache.entry(for: key, touch: true)
            #expect(try #require(await life()) <= 10_000)
            time.advance(by: .seconds(61))
            _ = try await cache.entry(for: key, touch: false)
            #expect(try #require(await life()) <= 10_000)
            #expect(try await cache.entry(for: key, touch: true)?.metadata.lastUsed == time.now)
            #expect((600_000...604_800).contains(try #require(await life())))
            #expect(try await cache.metadata(for: key)?.lastUsed == time.now)
            _ = await cache.client.ask(["EXPIRE", RedisCache.name(key), "10000"], key: nil)
            time.advance(by: .seconds(61))
            await cache.noteUse(of: key)
            #expect((600_000...604_800).contains(try #require(await life())))
            // By this machine's clock it is over, whatever the server's says.
            time.advance(by: .seconds(8 * 86_400))
            #expect(try await cache.entry(for: key, touch: true) == nil)
        }

        @Test(.enabled(if: RedisServer.isThere, "there is no /usr/bin/redis-server"))
        func whatIsTooLargeRemovesTheOlderEntry() async throws {
            let redis = try await RedisServer()
            var limits = RedisLimits.patient
            limits.entryBytes = 10
            var objectLimits = S3Limits.patient
            objectLimits.entryBytes = 10
            let bucket = ObjectServer()
            for cache in [RedisCache(redis.address, limits: limits), try bucket.cache(limits: objectLimits)] as [any ImageCaching]
            {
                let key = CacheKey("a")
                try await cache.store(entry([1]), for: key)
                try await cache.store(entry([UInt8](repeating: 2, count: 11)), for: key)
                #expect(try await cache.entry(for: key, touch: true) == nil)
                try await cache.store(entry([UInt8](repeating: 2, count: 10)), for: key)
                #expect(try await cache.entry(for: key, touch: true)?.bytes.count == 10)
            }
            withExtendedLifetime(bucket) {}
        }

        /// Down, or left alone: misses, lost stores, and removals that say so.
        @Test func serversThatAreDownCostNoError() async throws {
            let tool = try Tool()
            let reports = Reports()
            let redis = RedisCache(RedisAddress(.socket(path: tool.path("none.sock")))) { reports.add($0) }
            let bucket = ObjectServer()
            bucket.change { $0.mood = .answers("500 Internal Server Error") }
            let s3 = try bucket.cache { reports.add($0) }
            for cache in [redis, s3] as [any ImageCaching] {
                for number in 0..<5 {
                    let key = CacheKey("\(number)")
                    try await cache.store(entry([1]), for: key)
                    try await cache.flush()
                    #expect(try await cache.entry(for: key, touch: true) == nil)
                    #expect(try await cache.metadata(for: key) == nil)
                    #expect(await !cache.contains(key))
                    try await cache.update(CacheEntryMetadata(storedAt: now), for: key)
                    await cache.noteUse(of: key)
                }
                let error = await #expect(throws: ImageError.self) { try await cache.remove(CacheKey("a")) }
                #expect(error?.code == .network || error?.code == .httpStatus)
                await #expect(throws: ImageError.self) { try await cache.removeAll(prefix: "a") }
                await #expect(throws: ImageError.self) { try await cache.removeAll() }
                await #expect(throws: ImageError.self) { try await cache.usage() }
            }
            #expect(redis.counts.isOpen && s3.counts.isOpen && reports.all.count == 2)
        }

        @Test(.enabled(if: RedisServer.isThere, "there is no /usr/bin/redis-server"))
        func damageIsAMissAndGoes() async throws {
            let redis = try await RedisServer()
            let (cache, key) = (RedisCache(redis.address, limits: .patient), CacheKey("a"))
            for field in ["head", "body"] {
                try await cache.store(entry([1, 2, 3]), for: key)
                _ = await cache.client.ask(["HSET", RedisCache.name(key), field, "x"], key: nil)
                #expect(try await cache.entry(for: key, touch: false) == nil)
                #expect(await cache.client.ask(["EXISTS", RedisCache.name(key)], key: nil) == .number(0))
            }
            // Somebody else's value under the name.
            _ = await cache.client.ask(["SET", RedisCache.name(key), "x"], key: nil)
            #expect(try await cache.entry(for: key, touch: false) == nil)
            let bucket = ObjectServer()
            let objects = try bucket.cache()
            try await objects.store(entry([1, 2, 3]), for: key)
            try await objects.flush()
            let path = try #require(bucket.state.objects.keys.first)
            bucket.change { $0.objects[path]?[90] ^= 1 }
            #expect(try await objects.entry(for: key, touch: true) == nil)
            #expect(bucket.state.objects.isEmpty)
        }

        /// A look for metadata reads the first bytes alone.
        @Test func metadataCostsFewBytes() async throws {
            let bucket = ObjectServer()
            let cache = try bucket.cache()
            try await cache.store(entry([UInt8](repeating: 1, count: 1 << 20)), for: CacheKey("a"))
            try await cache.flush()
            #expect(try await cache.metadata(for: CacheKey("a")) != nil)
            #expect(bucket.state.sent == 4096)
        }

        /// Two programs, each with a folder: the second finds in the bucket the original that the first has fetched.
        @Test func machinesShareOriginals() async throws {
            let bucket = ObjectServer()
            let tool = try Tool()
            func caches(_ name: String) throws -> (CachesManager, DiskCache, S3Cache) {
                let disk = DiskCache(DiskCacheConfiguration(directory: tool.path(name)))
                let shared = try bucket.cache()
                return (CachesManager([shared, disk], store: .serial), disk, shared)
            }
            let (mine, _, shared) = try caches("mine")
            let (yours, disk, _) = try caches("yours")
            let key = CacheKey("https://example.org/a.png")
            try await mine.store(entry([1, 2, 3]), for: key)
            try await shared.flush()
            #expect(try await yours.entry(for: key, touch: true)?.bytes.contiguous() == [1, 2, 3])
            // Kept near from now on.
            #expect(try await disk.entry(for: key, touch: true)?.bytes.contiguous() == [1, 2, 3])
        }

        @Test func addressesAndCredentialsAreNotShown() throws {
            let cache = try RedisCache("redis://me:secret@a.org:7000,b.org/0")
            #expect(cache.identifier == "redis:a.org:7000,b.org:6379/0")
            let error = #expect(throws: ImageError.self) { try RedisCache("redis://me:secret@a.org:x") }
            #expect(error?.code == .misuse && error?.message.contains("secret") == false)
        }
    }
#endif

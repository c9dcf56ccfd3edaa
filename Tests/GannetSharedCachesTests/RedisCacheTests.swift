#if Redis
    import GannetCache
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import GannetSharedCaches
    import GannetTesting
    import Synchronization
    import Testing

    /// The module as a program has it that is no server: through its public interface alone, with a real Redis.
    struct RedisCacheTests {
        private let url = "https://example.org/a.fake"

        /// Never in a hurry.
        private func cache(_ redis: RedisProcess) throws -> RedisCache {
            var limits = RedisLimits()
            (limits.connect, limits.command) = (.seconds(600), .seconds(600))
            return try RedisCache(redis.url, limits: limits)
        }

        private func program(_ cache: any ImageCaching, _ loader: FakeImageLoader) -> ImageManager {
            ImageManager(
                configuration: ManagerConfiguration(
                    memoryCache: nil, diskCache: CachesManager([cache, InMemoryImageCache()], store: .serial),
                    loaders: LoadersManager([loader]), coders: CodersManager([FakeImageCoder()])))
        }

        @Test(.enabled(if: RedisProcess.isThere, "there is no /usr/bin/redis-server"))
        func whatOneProgramFetchedAnotherFinds() async throws {
            let redis = try await RedisProcess()
            let (first, second) = (FakeImageLoader(), FakeImageLoader())
            first.answer(
                url, with: .bytes(FakeImageCoder.bytes(width: 8, height: 4), freshness: Freshness(freshUntil: .distantFuture)))
            let made = try await program(cache(redis), first).image(for: ImageRequest(ImageSource(url), .waitingForStore))
            let found = try await program(cache(redis), second).image(for: ImageRequest(ImageSource(url)))
            #expect(made.origin == .network && found.origin == .disk && found.size == PixelSize(width: 8, height: 4))
            #expect(first.loadCount == 1 && second.loadCount == 0)
        }

        @Test(.enabled(if: RedisProcess.isThere, "there is no /usr/bin/redis-server"))
        func theContractOfCachesIsKept() async throws {
            let redis = try await RedisProcess()
            #expect(try await CacheConformance.failures(of: cache(redis), now: SystemTimeSource().now) == [])
        }

        /// Reads are misses and stores are lost; what is to be removed may still be there.
        @Test func aServerThatCannotBeReachedFailsNoLoad() async throws {
            let loader = FakeImageLoader()
            let reports = Mutex<[String]>([])
            loader.answer(url, with: .bytes(FakeImageCoder.bytes(width: 8, height: 4)))
            let cache = try RedisCache("unix:/tmp/gannet-test-nothing/redis.sock") { line in reports.withLock { $0.append(line) }
            }
            for _ in 0..<3 {
                #expect(try await program(cache, loader).image(for: ImageRequest(ImageSource(url))).origin == .network)
            }
            await #expect(throws: ImageError.self) { try await cache.remove(CacheKey("a")) }
            #expect(reports.withLock { $0 }.count == 1)
        }

        @Test func wrongAddressesAreRefusedWithoutTheirPasswords() {
            let error = #expect(throws: ImageError.self) { try RedisCache("redis://me:secret@a.org:x") }
            #expect(error?.code == .misuse && error?.message.contains("secret") == false)
        }
    }
#endif

import GannetCache
import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// Kingfisher's "Memory storage" behaviours, by their names. // MC-01 … MC-15
@Suite struct MemoryStorageTests {
    let time = ManualTimeSource()
    let key = CacheKey("a")

    func cache(bytes: Int = 1 << 20, count: Int = .max, age: Duration? = nil, extending: AccessExtension = .cacheTime)
        -> MemoryCache
    {
        MemoryCache(limits: MemoryCacheLimits(bytes: bytes, count: count, age: age), accessExtension: extending, time: time)
    }

    // MC-03, MC-11
    @Test func testConfigSettingStorage() throws {
        let cache = cache(count: 3)
        for name in ["a", "b", "c"] { cache.store(try Pictures.picture(), for: CacheKey(name)) }
        cache.limits.count = 2
        #expect(cache.usage.count == 2)
        #expect(!cache.contains(key))
        #expect(cache.limits.count == 2)
    }

    @Test func testStoreAndGetValue() throws {
        let cache = cache()
        let picture = try Pictures.picture()
        #expect(cache.image(for: key) == nil)
        cache.store(picture, for: key)
        #expect(cache.image(for: key)?.image.bitmap.identity == picture.image.bitmap.identity)
        #expect(cache.contains(key))
        #expect(cache.statistics.hits == 1)
        #expect(cache.statistics.misses == 1)
    }

    @Test func testStoreValueOverwriting() throws {
        let cache = cache()
        cache.store(try Pictures.picture(fill: 1), for: key)
        let second = try Pictures.picture(fill: 2)
        cache.store(second, for: key)
        #expect(cache.usage.count == 1)
        #expect(cache.image(for: key)?.image.bitmap.identity == second.image.bitmap.identity)
        #expect(cache.usage.bytes == second.image.byteCount)
    }

    @Test func testRemoveValue() throws {
        let cache = cache()
        let picture = try Pictures.picture()
        cache.store(picture, for: key)
        cache.remove(key)
        cache.remove(CacheKey("never there"))
        // Held by the test, yet removed is removed: weak references are for evictions only.
        #expect(cache.image(for: key) == nil)
        #expect(picture.image.byteCount > 0)
    }

    @Test func testRemoveAllValues() throws {
        let cache = cache()
        let held = try Pictures.picture()
        cache.store(held, for: key)
        cache.store(try Pictures.picture(), for: CacheKey("b"))
        cache.removeAll()
        #expect(cache.usage == CacheUsage(count: 0, bytes: 0))
        #expect(cache.image(for: key) == nil)
        cache.store(held, for: key)
        #expect(cache.contains(key))
    }

    // MC-13
    @Test func testTotalCacheCost() throws {
        let cache = cache()
        let (a, b) = (try Pictures.picture(bytes: 4096), try Pictures.picture(bytes: 8192))
        cache.store(a, for: key)
        cache.store(b, for: CacheKey("b"))
        #expect(cache.usage.bytes == a.image.byteCount + b.image.byteCount)
        cache.remove(key)
        #expect(cache.usage.bytes == b.image.byteCount)
    }

    @Test func testTotalCacheCostIncludesExpiredValues() throws {
        let cache = cache()
        let picture = try Pictures.picture(expiration: .after(.seconds(1)))
        cache.store(picture, for: key)
        time.advance(by: .seconds(2))
        #expect(cache.usage.bytes == picture.image.byteCount)
        #expect(cache.image(for: key) == nil)
        #expect(cache.usage.bytes == 0)
    }

    @Test func testTotalCacheCostExcludesEvictedValues() throws {
        let unit = try Pictures.bitmap().byteCount
        let cache = cache(bytes: 2 * unit)
        for name in ["a", "b", "c"] { cache.store(try Pictures.picture(), for: CacheKey(name)) }
        #expect(cache.usage == CacheUsage(count: 2, bytes: 2 * unit))
        #expect(!cache.contains(key))
        #expect(cache.statistics.evictions == 1)
    }

    // MC-05
    @Test func testStoreWithExpiration() throws {
        let cache = cache()
        cache.store(try Pictures.picture(expiration: .after(.seconds(10))), for: key)
        cache.store(try Pictures.picture(expiration: .at(time.now + .seconds(20))), for: CacheKey("b"))
        cache.store(try Pictures.picture(expiration: .never), for: CacheKey("c"))
        cache.store(try Pictures.picture(expiration: .expired), for: CacheKey("d"))
        #expect(!cache.contains(CacheKey("d")))
        time.advance(by: .milliseconds(9999))
        #expect(cache.contains(key))
        time.advance(by: .milliseconds(1))
        #expect(!cache.contains(key))
        time.advance(by: .seconds(10))
        #expect(!cache.contains(CacheKey("b")))
        time.advance(by: .seconds(1_000_000))
        #expect(cache.contains(CacheKey("c")))
    }

    /// No timer: the first store after a while cleans up. // MC-06
    @Test func testAutoCleanExpiredMemory() throws {
        let cache = cache()
        cache.store(try Pictures.picture(expiration: .after(.seconds(1))), for: key)
        cache.store(try Pictures.picture(expiration: .after(.seconds(1000))), for: CacheKey("b"))
        time.advance(by: .seconds(60))
        cache.store(try Pictures.picture(), for: CacheKey("c"))
        #expect(cache.usage.count == 3)
        time.advance(by: .seconds(60))
        cache.store(try Pictures.picture(), for: CacheKey("d"))
        #expect(cache.usage.count == 3)
        #expect(!cache.contains(key))
        #expect(cache.contains(CacheKey("b")))
    }

    @Test func testStoreWithConfigExpiration() throws {
        let cache = cache(age: .seconds(5))
        cache.store(try Pictures.picture(), for: key)
        time.advance(by: .seconds(5))
        #expect(cache.image(for: key) == nil)
    }

    @Test func testStoreWithExpirationExtending() throws {
        let cache = cache(extending: .after(.seconds(100)))
        cache.store(try Pictures.picture(expiration: .after(.seconds(10))), for: key)
        time.advance(by: .seconds(9))
        #expect(cache.image(for: key) != nil)
        time.advance(by: .seconds(99))
        #expect(cache.image(for: key) != nil)
        time.advance(by: .seconds(100))
        #expect(cache.image(for: key) == nil)
    }

    @Test func testStoreWithExpirationNotExtending() throws {
        let cache = cache(extending: .none)
        cache.store(try Pictures.picture(expiration: .after(.seconds(10))), for: key)
        time.advance(by: .seconds(9))
        #expect(cache.image(for: key) != nil)
        time.advance(by: .seconds(1))
        #expect(cache.image(for: key) == nil)
    }

    @Test func testExtendExpirationByAccessing() throws {
        let cache = cache(age: .seconds(10))
        cache.store(try Pictures.picture(), for: key)
        for _ in 0..<5 {
            time.advance(by: .seconds(9))
            #expect(cache.image(for: key) != nil)
        }
        // Asking whether it is there is no use.
        time.advance(by: .seconds(9))
        #expect(cache.contains(key))
        time.advance(by: .seconds(1))
        #expect(!cache.contains(key))
    }

    @Test func testRemoveExpired() throws {
        let cache = cache()
        cache.store(try Pictures.picture(expiration: .after(.seconds(1))), for: key)
        cache.store(try Pictures.picture(), for: CacheKey("b"))
        time.advance(by: .seconds(1))
        cache.removeExpired()
        #expect(cache.usage.count == 1)
    }

    @Test func testStorageObject() throws {
        let cache = cache()
        cache.store(
            CachedImage(image: Pictures.still(try Pictures.bitmap()), freshness: Freshness(etag: "e"), extended: [1, 2]),
            for: key)
        let found = try #require(cache.image(for: key))
        #expect(found.freshness.etag == "e")
        #expect(found.extended == [1, 2])
    }

    /// A calendar that jumps does not end lifetimes. // MC-05
    @Test(arguments: [Int64(10), -10]) func clockJumpsByYears(years: Int64) throws {
        let cache = cache(age: .seconds(10))
        cache.store(try Pictures.picture(), for: key)
        time.setCalendar(time.now + .seconds(years * 365 * 86_400))
        #expect(cache.contains(key))
        time.advance(by: .seconds(10))
        #expect(!cache.contains(key))
    }
}

@Suite struct MemoryCacheTests {
    /// SDImageCacheTests.test46MemoryCacheWeakCache // MC-04, U-09
    // CG-07
    @Test func test46MemoryCacheWeakCache() throws {
        let cache = MemoryCache(limits: MemoryCacheLimits(bytes: 1 << 20))
        let shown = try Pictures.picture()
        cache.store(shown, for: CacheKey("shown"))
        cache.store(try Pictures.picture(), for: CacheKey("gone"))
        cache.trim(toFraction: .nan)
        #expect(cache.usage.count == 2, "no number is no order to drop anything")
        cache.trim(toFraction: 0)
        #expect(cache.usage == CacheUsage(count: 0, bytes: 0))
        #expect(cache.image(for: CacheKey("shown"))?.image.bitmap.identity == shown.image.bitmap.identity)
        #expect(cache.image(for: CacheKey("gone")) == nil)
        #expect(cache.usage.count == 1)
        #expect(cache.statistics.weakHits == 1)
    }

    @Test func weakReferencesCanBeSwitchedOff() throws {
        let cache = MemoryCache(limits: MemoryCacheLimits(bytes: 1 << 20), keepsWeakReferences: false)
        let shown = try Pictures.picture()
        cache.store(shown, for: CacheKey("shown"))
        cache.trim(toFraction: 0)
        #expect(cache.image(for: CacheKey("shown")) == nil)
        #expect(shown.image.byteCount > 0)
    }

    // MC-15
    @Test func animationsAreFoundWeakly() throws {
        let cache = MemoryCache(limits: MemoryCacheLimits(bytes: 1 << 20))
        let image = Pictures.animation([try Pictures.bitmap(), try Pictures.bitmap()])
        cache.store(CachedImage(image: image), for: CacheKey("a"))
        cache.trim(toFraction: 0)
        #expect(cache.image(for: CacheKey("a"))?.image.frameCount == 2)
        #expect(image.isAnimated)
    }

    /// Counts the bytes really held; shared pixels count once. // MC-09
    @Test func sharedPixelsAreCountedOnce() throws {
        let cache = MemoryCache(limits: MemoryCacheLimits(bytes: 1 << 20))
        let (first, second) = (try Pictures.bitmap(), try Pictures.bitmap())
        cache.store(CachedImage(image: Pictures.still(first)), for: CacheKey("a"))
        cache.store(CachedImage(image: Pictures.still(first)), for: CacheKey("b"))
        #expect(cache.usage == CacheUsage(count: 2, bytes: first.byteCount))
        cache.store(CachedImage(image: Pictures.animation([first, second, first, second])), for: CacheKey("c"))
        #expect(cache.usage.bytes == first.byteCount + second.byteCount)
        cache.remove(CacheKey("a"))
        cache.remove(CacheKey("c"))
        #expect(cache.usage.bytes == first.byteCount)
        cache.remove(CacheKey("b"))
        #expect(cache.usage.bytes == 0)
    }

    // MC-02
    @Test func leastRecentlyUsedLeavesFirst() throws {
        let unit = try Pictures.bitmap().byteCount
        let cache = MemoryCache(limits: MemoryCacheLimits(bytes: 3 * unit))
        for name in ["a", "b", "c"] { cache.store(try Pictures.picture(), for: CacheKey(name)) }
        #expect(cache.image(for: CacheKey("a")) != nil)
        cache.store(try Pictures.picture(), for: CacheKey("d"))
        #expect(["a", "b", "c", "d"].filter { cache.contains(CacheKey($0)) } == ["a", "c", "d"])
        cache.trim(toFraction: 0.67)
        #expect(["a", "b", "c", "d"].filter { cache.contains(CacheKey($0)) } == ["a", "d"])
    }

    // MC-10
    @Test func pictureLargerThanTheLimitIsOnlyRemembered() throws {
        let cache = MemoryCache(limits: MemoryCacheLimits(bytes: 1 << 20, entryBytes: 8192))
        cache.store(try Pictures.picture(), for: CacheKey("small"))
        let large = try Pictures.picture(bytes: 64 << 10)
        cache.store(large, for: CacheKey("large"))
        #expect(cache.usage.count == 1)
        #expect(cache.image(for: CacheKey("large"))?.image.bitmap.identity == large.image.bitmap.identity)
        #expect(cache.contains(CacheKey("small")))
    }

    @Test func removesByPrefix() throws {
        let cache = MemoryCache(limits: MemoryCacheLimits(bytes: 1 << 20))
        for name in ["https://a/1", "https://a/1\u{1}round", "https://b/1"] {
            cache.store(try Pictures.picture(), for: CacheKey(name))
        }
        cache.removeAll(prefix: "https://a/1")
        #expect(cache.usage.count == 1)
        #expect(cache.contains(CacheKey("https://b/1")))
    }

    /// Against a plain model: any order of calls, same contents, same order of eviction, same sums.
    // MC-01
    @Test(arguments: 1...200) func behavesLikeTheModel(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let unit = try Pictures.bitmap().byteCount
        let cache = MemoryCache(limits: MemoryCacheLimits(bytes: 8 * unit, count: 6), keepsWeakReferences: false)
        var model: [String] = []  // least recently used first
        for _ in 0..<500 {
            let name = "k\(UInt64.random(in: 0..<12, using: &chance))"
            switch UInt64.random(in: 0..<10, using: &chance) {
            case 0..<5:
                cache.store(try Pictures.picture(), for: CacheKey(name))
                model.removeAll { $0 == name }
                model.append(name)
                if model.count > 6 { model.removeFirst(model.count - 6) }
            case 5..<8:
                let found = cache.image(for: CacheKey(name)) != nil
                #expect(found == model.contains(name))
                if found {
                    model.removeAll { $0 == name }
                    model.append(name)
                }
            case 8:
                cache.remove(CacheKey(name))
                model.removeAll { $0 == name }
            default:
                cache.trim(toFraction: 0.5)
                model.removeFirst(max(0, model.count - 3))
            }
            #expect(cache.usage == CacheUsage(count: model.count, bytes: model.count * unit))
        }
    }

    // U-11
    @Test func concurrentUseKeepsTheLimit() async throws {
        // Eight tasks; how many of them really run at once is the machine's.
        let unit = try Pictures.bitmap().byteCount
        let cache = MemoryCache(limits: MemoryCacheLimits(bytes: 10 * unit))
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for round in 0..<500 {
                        let key = CacheKey("k\((round * 7 + worker) % 30)")
                        if cache.image(for: key) == nil, let picture = try? Pictures.picture() {
                            cache.store(picture, for: key)
                        }
                        if round % 50 == 0 { cache.trim(toFraction: 0.3) }
                        #expect(cache.usage.bytes <= 10 * unit)
                    }
                }
            }
        }
        #expect(cache.usage.count == cache.usage.bytes / unit)
    }
}

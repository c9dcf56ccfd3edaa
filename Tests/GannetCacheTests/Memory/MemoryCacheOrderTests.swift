import GannetCache
import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// Order of use and limits over all parts of the cache together. // MC-01, MC-02, MC-05
@Suite struct MemoryCacheOrderTests {
    /// Random look-ups, stores and removals beside the simplest model of a least-recently-used list.
    @Test(arguments: 1...5) func theLeastRecentlyUsedOfAllGoesFirst(seed: UInt64) throws {
        let cache = MemoryCache(limits: MemoryCacheLimits(bytes: .max, count: 40), keepsWeakReferences: false)
        let picture = try Pictures.picture()
        var chance = SeededGenerator(seed: seed)
        var model: [CacheKey] = []
        for step in 0..<2000 {
            let key = CacheKey("k\(UInt64.random(in: 0..<80, using: &chance))")
            switch UInt64.random(in: 0..<10, using: &chance) {
            case 0..<4:
                cache.store(picture, for: key)
                model.removeAll { $0 == key }
                model.insert(key, at: 0)
                if model.count > 40 { model.removeLast() }
            case 4..<9:
                let known = model.contains(key)
                #expect((cache.image(for: key) != nil) == known, "step \(step)")
                if known {
                    model.removeAll { $0 == key }
                    model.insert(key, at: 0)
                }
            default:
                cache.remove(key)
                model.removeAll { $0 == key }
            }
            #expect(cache.usage.count == model.count)
        }
        for left in stride(from: 30, through: 0, by: -10) {
            cache.trim(toFraction: Double(left) / 40)
            model.removeLast(max(model.count - left, 0))
            #expect(model.allSatisfy { cache.contains($0) })
            #expect(cache.usage.count == model.count)
        }
        // All entries share their pixels.
        #expect(cache.usage.bytes == 0)
    }

    /// Whatever several threads do, no reader ever sees more than the limits, and the counts agree with the entries.
    @Test func limitsHoldWhileThreadsStoreAndLookUp() async throws {
        let unit = try Pictures.bitmap().byteCount
        let cache = MemoryCache(limits: MemoryCacheLimits(bytes: 20 * unit, count: 15))
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    var chance = SeededGenerator(seed: UInt64(worker))
                    for _ in 0..<400 {
                        let key = CacheKey("k\(UInt64.random(in: 0..<60, using: &chance))")
                        switch UInt64.random(in: 0..<8, using: &chance) {
                        case 0..<3: if let picture = try? Pictures.picture() { cache.store(picture, for: key) }
                        case 3..<6: _ = cache.image(for: key)
                        case 6: cache.remove(key)
                        default: cache.trim(toBytes: 10 * unit)
                        }
                        let usage = cache.usage
                        #expect(usage.count <= 15)
                        #expect(usage.bytes <= 20 * unit)
                    }
                }
            }
        }
        let there = (0..<60).filter { cache.contains(CacheKey("k\($0)")) }
        #expect(there.count == cache.usage.count)
        cache.removeAll()
        #expect(cache.usage == CacheUsage(count: 0, bytes: 0))
    }
}

public import GannetCore
public import GannetPlatform
import Synchronization

/// A cache of decoded images: the most recently used ones within a limit. All calls are synchronous, O(1) unless documented,
/// and safe from any thread.
///
/// Cost is the memory really held: shared pixels are counted once. An evicted image that is still shown stays findable through
/// a weak reference, so that a purge does not make the screen flicker.
///
/// Concurrent look-ups rarely contend: keys are distributed over parts with a lock each. Limits and the order of use apply to
/// the whole cache.
public final class MemoryCache: ImageMemoryCaching {
    private final class Part: Sendable {
        let shard = Mutex(MemoryShard())
    }

    private let parts: [Part]
    /// Taken before a part's lock, never after it.
    private let ledger: Mutex<MemoryLedger>
    /// Counts uses.
    private let uses = Atomic<UInt64>(0)
    private let accessExtension: AccessExtension
    private let keepsWeakReferences: Bool
    private let time: any TimeSource
    /// An entry may expire, so look-ups need the time.
    private let usesTime: Atomic<Bool>
    private let watcher = Mutex<MemoryPressureWatcher?>(nil)

    /// A power of two. With more threads than processors, a thread that is preempted in a look-up blocks only its part.
    static let partCount = 16

    /// `accessExtension` says how a use extends an entry that expires. `keepsWeakReferences`: evicted images are found while
    /// other code still holds them. - SDWebImage: shouldUseWeakMemoryCache
    public init(
        limits: MemoryCacheLimits = .standard, accessExtension: AccessExtension = .cacheTime, keepsWeakReferences: Bool = true,
        time: any TimeSource = SystemTimeSource()
    ) {
        parts = (0..<Self.partCount).map { _ in Part() }
        ledger = Mutex(MemoryLedger(limits: limits, parts: Self.partCount))
        self.accessExtension = accessExtension
        self.keepsWeakReferences = keepsWeakReferences
        self.time = time
        usesTime = Atomic(limits.age != nil)
    }

    /// A change trims at once. - SDWebImage: maxMemoryCost, maxMemoryCount
    public var limits: MemoryCacheLimits {
        get { ledger.withLock { $0.limits } }
        set {
            if newValue.age != nil { usesTime.store(true, ordering: .relaxed) }
            change { ledger, garbage in
                ledger.limits = newValue
                trim(&ledger, bytes: newValue.bytes, count: newValue.count, &garbage)
            }
        }
    }

    /// The image, which becomes the most recently used one.
    public func image(for key: CacheKey) -> CachedImage? {
        let moment = moment()
        let found = part(of: key).shard.withBriefLock { shard in shard.get(key, at: moment, stamp: nextUse) }
        switch found {
        case .hit(let contents): return contents.cached
        case .miss: return nil
        case .unsettled: return settle(key, at: moment)
        }
    }

    /// Adds or replaces an image. One above the limit for an entry is only referenced weakly.
    public func store(_ cached: CachedImage, for key: CacheKey) {
        if cached.expiration == .expired { return remove(key) }
        // Computed before the lock: the cost may call a user's frame source.
        let contents = MemoryShard.Contents(key: key, cached: cached, cost: PixelCost(cached.image))
        if cached.expiration != .standard, cached.expiration != .never { usesTime.store(true, ordering: .relaxed) }
        let moment = moment()
        change { ledger, garbage in
            if let moment, ledger.isCleaningDue(at: moment) { clean(&ledger, at: moment, &garbage) }
            let deadline = MemoryDeadline(
                cached.expiration, age: ledger.limits.age, extending: accessExtension, at: moment)
            let entry = MemoryShard.Entry(contents: contents, deadline: deadline)
            part(of: key).shard.withLock { shard in
                remove(key, from: &shard, &ledger, &garbage)
                insert(entry, into: &shard, &ledger, &garbage)
            }
            trim(&ledger, bytes: ledger.limits.bytes, count: ledger.limits.count, &garbage)
        }
    }

    public func remove(_ key: CacheKey) {
        change { ledger, garbage in
            part(of: key).shard.withLock { shard in remove(key, from: &shard, &ledger, &garbage) }
        }
    }

    /// O(n), n = entries.
    public func removeAll(prefix: String) {
        let prefix = prefix.utf8
        change { ledger, garbage in
            for part in parts {
                part.shard.withLock { shard in
                    let taken = shard.take { $0.contents.key.text.utf8.starts(with: prefix) }
                    drop(taken, &ledger, &garbage)
                    shard.forgetAll { $0.text.utf8.starts(with: prefix) }
                }
            }
        }
    }

    /// Also drops the weak references.
    public func removeAll() {
        change { ledger, garbage in
            for part in parts {
                part.shard.withLock { shard in
                    drop(shard.takeAll(), &ledger, &garbage)
                    shard.forgetAll()
                }
            }
        }
    }

    /// Not a use: the order does not change.
    public func contains(_ key: CacheKey) -> Bool {
        let moment = moment()
        var garbage: [CachedImage] = []
        return part(of: key).shard.withLock { $0.contains(key, at: moment, garbage: &garbage) }
    }

    public var usage: CacheUsage { ledger.withLock { CacheUsage(count: $0.count, bytes: $0.bytes) } }

    /// Keeps a fraction of the limits; 0 drops everything that is not shown elsewhere, for applications in the background or
    /// short of memory.
    public func trim(toFraction fraction: Double) {
        // NaN must not drop anything.
        let fraction = fraction.isNaN ? 1 : min(max(fraction, 0), 1)
        change { ledger, garbage in
            let limits = ledger.limits
            trim(&ledger, bytes: scale(limits.bytes, fraction), count: scale(limits.count, fraction), &garbage)
        }
    }

    /// Drops the least recently used images until at most this much is held.
    public func trim(toBytes bytes: Int) {
        change { ledger, garbage in trim(&ledger, bytes: max(bytes, 0), count: .max, &garbage) }
    }

    /// Removes expired entries. O(n), n = entries. Look-ups drop single entries; the first store after two minutes does this
    /// for all. - Kingfisher: removeExpired
    public func removeExpired() {
        guard let moment = moment() else { return }
        change { ledger, garbage in clean(&ledger, at: moment, &garbage) }
    }

    /// Counts since creation; parts are read in turn, so that sums may be slightly inconsistent.
    package var statistics: MemoryCacheStatistics {
        var statistics = MemoryCacheStatistics()
        statistics.evictions = ledger.withLock { $0.evictions }
        for part in parts {
            let (hits, misses, weakHits) = part.shard.withLock { ($0.hits, $0.misses, $0.weakHits) }
            statistics.hits += hits
            statistics.misses += misses
            statistics.weakHits += weakHits
        }
        return statistics
    }

    /// Keeps the watcher until it is replaced or this cache ends.
    func follow(_ new: MemoryPressureWatcher) {
        let old = watcher.withLock { watcher in
            defer { watcher = new }
            return watcher
        }
        _ = old
    }

    // MARK: Parts and ledger

    private func index(of key: CacheKey) -> Int { Int(truncatingIfNeeded: key.digest.high) & (Self.partCount - 1) }

    private func part(of key: CacheKey) -> Part { parts[index(of: key)] }

    private func nextUse() -> UInt64 { uses.wrappingAdd(1, ordering: .relaxed).newValue }

    private func moment() -> Moment? {
        usesTime.load(ordering: .relaxed) ? Moment(uptime: time.uptime.wholeMilliseconds, now: time.now) : nil
    }

    /// Makes all changes of sums. Releases images after it, outside the locks: releasing a frame source runs user code.
    private func change<R: Sendable>(_ body: (inout MemoryLedger, inout [CachedImage]) -> R) -> R {
        let (result, garbage) = ledger.withLock { ledger -> (R, [CachedImage]) in
            var garbage: [CachedImage] = []
            let result = body(&ledger, &garbage)
            return (result, garbage)
        }
        _ = garbage
        return result
    }

    /// Ends a look-up that changes sums: an entry expired, or a weak reference is alive.
    private func settle(_ key: CacheKey, at moment: Moment?) -> CachedImage? {
        change { ledger, garbage in
            let found = part(of: key).shard.withLock { shard -> CachedImage? in
                // Another thread may have done this meanwhile.
                switch shard.get(key, at: moment, stamp: nextUse) {
                case .hit(let contents): return contents.cached
                case .miss: return nil
                case .unsettled: break
                }
                drop(shard.take(key).map { [$0] } ?? [], &ledger, &garbage)
                guard let entry = shard.takeWeak(key) else {
                    shard.countMiss()
                    return nil
                }
                if entry.deadline.isOver(at: moment) {
                    garbage.append(entry.contents.cached)
                    shard.countMiss()
                    return nil
                }
                shard.countWeakHit()
                insert(entry, into: &shard, &ledger, &garbage)
                return entry.contents.cached
            }
            trim(&ledger, bytes: ledger.limits.bytes, count: ledger.limits.count, &garbage)
            return found
        }
    }

    private func insert(
        _ entry: MemoryShard.Entry, into shard: inout MemoryShard, _ ledger: inout MemoryLedger, _ garbage: inout [CachedImage]
    ) {
        guard ledger.accepts(entry.contents.cost) else { return remember(entry, in: &shard, &garbage) }
        let stamp = nextUse()
        shard.insert(entry, stamp: stamp)
        ledger.add(entry.contents.cost, part: index(of: entry.contents.key), stamp: stamp)
    }

    private func remove(
        _ key: CacheKey, from shard: inout MemoryShard, _ ledger: inout MemoryLedger, _ garbage: inout [CachedImage]
    ) {
        if let entry = shard.take(key) { drop([entry], &ledger, &garbage) }
        shard.forget(key)
    }

    private func drop(_ entries: [MemoryShard.Entry], _ ledger: inout MemoryLedger, _ garbage: inout [CachedImage]) {
        for entry in entries {
            ledger.subtract(entry.contents.cost)
            garbage.append(entry.contents.cached)
        }
    }

    private func clean(_ ledger: inout MemoryLedger, at moment: Moment, _ garbage: inout [CachedImage]) {
        for part in parts {
            part.shard.withLock { shard in drop(shard.take { $0.deadline.isOver(at: moment) }, &ledger, &garbage) }
        }
    }

    private func remember(_ entry: MemoryShard.Entry, in shard: inout MemoryShard, _ garbage: inout [CachedImage]) {
        garbage.append(entry.contents.cached)
        if keepsWeakReferences { shard.remember(entry, garbage: &garbage) }
    }

    /// Evicts the least recently used entries of the whole cache. O(evicted).
    private func trim(_ ledger: inout MemoryLedger, bytes: Int, count: Int, _ garbage: inout [CachedImage]) {
        while ledger.exceeds(bytes: bytes, count: count), let (number, expected) = ledger.oldestPart {
            parts[number].shard.withLock { shard in
                // Used meanwhile: another part may hold an older one now.
                if shard.oldestStamp == expected, let entry = shard.takeOldest() {
                    ledger.subtract(entry.contents.cost, isEviction: true)
                    remember(entry, in: &shard, &garbage)
                }
                ledger.correct(part: number, stamp: shard.oldestStamp)
            }
        }
    }
}

/// `value` × `fraction` without overflow.
private func scale(_ value: Int, _ fraction: Double) -> Int {
    fraction >= 1 ? value : Int(min(Double(value) * fraction, Double(Int.max / 2)))
}

/// Counts of a ``MemoryCache`` since its creation.
package struct MemoryCacheStatistics: Hashable, Sendable {
    /// Look-ups that found an image.
    package var hits = 0
    /// Look-ups that found nothing, or an expired entry.
    package var misses = 0
    /// Hits through a weak reference.
    package var weakHits = 0
    /// Entries removed by a limit or a trim.
    package var evictions = 0

    /// All counts zero.
    package init() {}
}

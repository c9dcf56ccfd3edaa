public import GannetCore
import Synchronization

/// Decoded pictures, the most recently used ones within a limit. All calls are synchronous, O(1) unless they say otherwise,
/// and safe from any thread.
///
/// Cost is the memory really held: pixels that several entries share are counted once. What is evicted while somebody still
/// shows it stays findable through a weak reference, so that a purge does not make the screen flicker.
public final class MemoryCache: ImageMemoryCaching {
    private let state: Mutex<MemoryCacheState>
    private let time: any TimeSource
    /// Some entry may end by itself, so look-ups need to know the time.
    private let usesTime: Atomic<Bool>
    private let watcher = Mutex<MemoryPressureWatcher?>(nil)

    /// `accessExtension` says what a use does to an entry that ends after a while.
    /// `keepsWeakReferences`: evicted pictures are found again while somebody else holds them. - SDWebImage: shouldUseWeakMemoryCache
    public init(
        limits: MemoryCacheLimits = .standard, accessExtension: AccessExtension = .cacheTime, keepsWeakReferences: Bool = true,
        time: any TimeSource = SystemTimeSource()
    ) {
        state = Mutex(
            MemoryCacheState(limits: limits, accessExtension: accessExtension, keepsWeakReferences: keepsWeakReferences))
        self.time = time
        usesTime = Atomic(limits.age != nil)
    }

    /// Changing them trims at once. - SDWebImage: maxMemoryCost, maxMemoryCount
    public var limits: MemoryCacheLimits {
        get { state.withLock { $0.limits } }
        set {
            if newValue.age != nil { usesTime.store(true, ordering: .relaxed) }
            drop(
                state.withLock { state in
                    state.limits = newValue
                    state.trim(bytes: newValue.bytes, count: newValue.count)
                    return state.takeGarbage()
                })
        }
    }

    /// The picture, which becomes the most recently used one.
    public func picture(for key: CacheKey) -> CachedPicture? {
        let moment = moment()
        return state.withLock { state in Found(picture: state.get(key, at: moment), garbage: state.takeGarbage()) }.picture
    }

    /// Replaces what is there. A picture larger than the limit for one entry is only remembered weakly.
    public func store(_ picture: CachedPicture, for key: CacheKey) {
        if picture.expiration == .expired { return remove(key) }
        // The cost may ask a frame source of the user's, so it is computed before the lock is taken.
        let cost = PixelCost(picture.image)
        if picture.expiration != .standard, picture.expiration != .never { usesTime.store(true, ordering: .relaxed) }
        let moment = moment()
        drop(
            state.withLock { state in
                state.put(picture, cost: cost, for: key, at: moment)
                return state.takeGarbage()
            })
    }

    public func remove(_ key: CacheKey) {
        drop(
            state.withLock { state in
                state.remove(key)
                return state.takeGarbage()
            })
    }

    /// O(n), n = entries.
    public func removeAll(prefix: String) {
        drop(
            state.withLock { state in
                state.removeAll { $0.text.utf8.starts(with: prefix.utf8) }
                return state.takeGarbage()
            })
    }

    /// Also forgets the weak references.
    public func removeAll() {
        drop(
            state.withLock { state in
                state.removeAll()
                return state.takeGarbage()
            })
    }

    /// Not a use: the order does not change.
    public func contains(_ key: CacheKey) -> Bool {
        let moment = moment()
        let (found, garbage) = state.withLock { state in (state.contains(key, at: moment), state.takeGarbage()) }
        drop(garbage)
        return found
    }

    public var usage: CacheUsage { state.withLock { CacheUsage(count: $0.count, bytes: $0.bytes) } }

    /// Fraction 0 drops everything that is not shown elsewhere: what an application does in the background or when memory is
    /// short.
    public func trim(toFraction fraction: Double) {
        let fraction = min(max(fraction, 0), 1)
        drop(
            state.withLock { state in
                let limits = state.limits
                state.trim(bytes: scale(limits.bytes, fraction), count: scale(limits.count, fraction))
                return state.takeGarbage()
            })
    }

    /// Drops the least recently used pictures until no more than this is held.
    public func trim(toBytes bytes: Int) {
        drop(
            state.withLock { state in
                state.trim(bytes: max(bytes, 0), count: .max)
                return state.takeGarbage()
            })
    }

    /// Removes what has ended by itself. O(n), n = entries; look-ups also notice it one by one. - Kingfisher: removeExpired
    public func removeExpired() {
        let moment = moment()
        drop(
            state.withLock { state in
                state.removeExpired(at: moment)
                return state.takeGarbage()
            })
    }

    public var statistics: MemoryCacheStatistics { state.withLock { $0.statistics } }

    /// Holds the watcher until the next one or the end of this cache.
    func follow(_ new: MemoryPressureWatcher) {
        let old = watcher.withLock { watcher in
            defer { watcher = new }
            return watcher
        }
        _ = old
    }

    private func moment() -> Moment? {
        usesTime.load(ordering: .relaxed) ? Moment(uptime: time.uptime.wholeMilliseconds, now: time.now) : nil
    }

    /// Pictures end here, outside the lock: the end of a frame source is the user's code.
    private func drop(_ garbage: [CachedPicture]) { _ = garbage }

    private struct Found {
        var picture: CachedPicture?
        var garbage: [CachedPicture]
    }
}

/// `value` × `fraction` without leaving the range of Int.
private func scale(_ value: Int, _ fraction: Double) -> Int {
    fraction >= 1 ? value : Int(min(Double(value) * fraction, Double(Int.max / 2)))
}

/// What a ``MemoryCache`` did since it was made.
public struct MemoryCacheStatistics: Hashable, Sendable {
    public var hits = 0
    public var misses = 0
    /// Of the hits, those that only a weak reference still knew.
    public var weakHits = 0
    /// Thrown out by a limit or a trim.
    public var evictions = 0

    public init() {}
}

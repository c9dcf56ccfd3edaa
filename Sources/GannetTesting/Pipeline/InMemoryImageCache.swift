import GannetCache
public import GannetCore
public import GannetPlatform
import Synchronization

/// A bytes cache without files, for tests. Entries expire by their `expiration`, on the test's clock if it has one.
public final class InMemoryImageCache: ImageCaching {
    private struct State {
        var entries: [CacheKey: CacheEntry] = [:]
        var stores = 0
        var reads = 0
    }

    public let identifier: String
    /// Passed before each store; open by default.
    public let storeGate: AsyncGate
    private let time: any TimeSource
    private let rule = ExpiryRule(ageRule: .lastUse, maximumAge: nil, accessExtension: .cacheTime)
    private let state = Mutex(State())

    /// By default stores pass at once, and time is the system's.
    public init(
        identifier: String = "in-memory", storeGate: AsyncGate = AsyncGate(isOpen: true),
        time: any TimeSource = SystemTimeSource()
    ) {
        self.identifier = identifier
        self.storeGate = storeGate
        self.time = time
    }

    /// Includes expired entries that no read has noticed.
    public var keys: Set<String> { state.withLock { Set($0.entries.keys.map(\.text)) } }
    /// Stores so far; replacing an entry counts again.
    public var storeCount: Int { state.withLock { $0.stores } }
    /// Reads of whole entries so far, including misses.
    public var readCount: Int { state.withLock { $0.reads } }

    public func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry? {
        try blockingEntry(for: key, touch: touch)
    }

    public func blockingEntry(for key: CacheKey, touch: Bool) throws(ImageError) -> CacheEntry? {
        let now = time.now
        return state.withLock { state in
            state.reads += 1
            let entry = valid(key, &state, now)
            if touch, entry != nil { state.entries[key]?.metadata.lastUsed = now }
            return entry
        }
    }

    public func noteUse(of key: CacheKey) async {
        let now = time.now
        state.withLock { state in
            if valid(key, &state, now) != nil { state.entries[key]?.metadata.lastUsed = now }
        }
    }

    public func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata? {
        let now = time.now
        return state.withLock { valid(key, &$0, now)?.metadata }
    }

    /// Returns the entry; removes it if expired.
    private func valid(_ key: CacheKey, _ state: inout State, _ now: Timestamp) -> CacheEntry? {
        guard let entry = state.entries[key] else { return nil }
        let metadata = entry.metadata
        let end = rule.deadline(
            storedAt: metadata.storedAt, writtenAt: metadata.storedAt, lastUsed: metadata.lastUsed,
            expiration: metadata.expiration,
            now: now)
        if end > now { return entry }
        state.entries[key] = nil
        return nil
    }

    public func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) {
        await storeGate.wait()
        state.withLock { state in
            state.stores += 1
            state.entries[key] = entry
        }
    }

    public func update(_ metadata: CacheEntryMetadata, for key: CacheKey) async throws(ImageError) {
        state.withLock { $0.entries[key]?.metadata = metadata }
    }

    public func remove(_ key: CacheKey) async throws(ImageError) { state.withLock { $0.entries[key] = nil } }

    public func removeAll(prefix: String) async throws(ImageError) {
        state.withLock { state in state.entries = state.entries.filter { !$0.key.text.hasPrefix(prefix) } }
    }

    public func removeAll() async throws(ImageError) { state.withLock { $0.entries = [:] } }

    public func removeExpired() async throws(ImageError) {
        let now = time.now
        state.withLock { state in for key in state.entries.keys { _ = valid(key, &state, now) } }
    }

    public func contains(_ key: CacheKey) async -> Bool {
        let now = time.now
        return state.withLock { valid(key, &$0, now) != nil }
    }

    public func usage() async throws(ImageError) -> CacheUsage {
        state.withLock { state in
            CacheUsage(count: state.entries.count, bytes: state.entries.values.reduce(0) { $0 + $1.bytes.count })
        }
    }

    public func flush() async throws(ImageError) {}
}

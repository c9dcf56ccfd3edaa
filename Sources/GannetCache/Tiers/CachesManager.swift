public import GannetCore
import Synchronization

/// Several caches behind one: the last one added is the highest and is read first. - SDWebImage: SDImageCachesManager
///
/// Reads and stores pass over a cache that fails; they throw only if every cache failed. Removals and ``flush()`` try every cache
/// and throw the first failure. A read that began earlier does not bring back what was removed or replaced meanwhile.
public final class CachesManager: ImageCaching, LookupAtOnce {
    /// The caches that an operation uses. - SDWebImage: SDImageCachesManagerOperationPolicy
    public enum Policy: String, Hashable, Sendable, CaseIterable {
        /// In turn, from the highest down; a read ends with the first hit.
        case serial
        /// All at once; a read ends with the first hit, and the others are cancelled.
        case concurrent
        /// Only the cache that was added last.
        case highestOnly
        /// Only the cache that was added first.
        case lowestOnly
    }

    /// The policy of each operation.
    package struct Policies: Hashable, Sendable {
        package var query: Policy
        package var store: Policy
        package var remove: Policy
        package var contains: Policy
        package var clear: Policy

        package init(
            query: Policy = .serial, store: Policy = .highestOnly, remove: Policy = .concurrent, contains: Policy = .serial,
            clear: Policy = .concurrent
        ) {
            self.query = query
            self.store = store
            self.remove = remove
            self.contains = contains
            self.clear = clear
        }
    }

    package let policies: Policies
    /// Stores a hit of a lower cache in those above that have reported a miss; with `serial` reads, in all above.
    public let promotes: Bool
    /// The highest first.
    private let list: Mutex<[any ImageCaching]>
    private let promotions = Promotions()

    /// The default policies are those of SDWebImage: stores go to the highest cache, removals to all, reads from the highest
    /// down.
    ///
    /// - Parameters:
    ///   - caches: in the order of adding: the last one is the highest.
    ///   - query: Reads of entries and metadata. - SDWebImage: queryOperationPolicy
    ///   - store: New entries; updates of stored ones apply to all caches. - SDWebImage: storeOperationPolicy
    ///   - remove: Removal of one key, or of all keys with a prefix. - SDWebImage: removeOperationPolicy
    ///   - contains: Checks for a key, without reading. - SDWebImage: containsOperationPolicy
    ///   - clear: Removal of everything. - SDWebImage: clearOperationPolicy
    ///   - promotes: Stores a hit of a lower cache in those above.
    public convenience init(
        _ caches: [any ImageCaching] = [], query: Policy = .serial, store: Policy = .highestOnly, remove: Policy = .concurrent,
        contains: Policy = .serial, clear: Policy = .concurrent, promotes: Bool = true
    ) {
        let policies = Policies(query: query, store: store, remove: remove, contains: contains, clear: clear)
        self.init(caches, policies: policies, promotes: promotes)
    }

    package init(_ caches: [any ImageCaching], policies: Policies, promotes: Bool = true) {
        list = Mutex(caches.reversed())
        self.policies = policies
        self.promotes = promotes
    }

    /// The highest first.
    public var caches: [any ImageCaching] { list.withLock { $0 } }

    public var identifier: String { "caches:" + caches.map(\.identifier).joined(separator: ",") }

    /// The key of the lowest cache, which usually keeps its entries longest.
    public var scopeKey: ScopeKey { caches.last?.scopeKey ?? .process }

    /// Adds a cache as the highest.
    public func add(_ cache: any ImageCaching) { list.withLock { $0.insert(cache, at: 0) } }

    /// Does nothing for an unknown identifier. The cache's entries stay on disk, and running reads still use it.
    public func removeCache(identifier: String) { list.withLock { $0.removeAll { $0.identifier == identifier } } }

    // MARK: Reads

    public func entry(for key: CacheKey, touch: Bool = true) async throws(ImageError) -> CacheEntry? {
        let caches = caches
        let mayPromote = promotes && caches.count > 1 && (policies.query == .serial || policies.query == .concurrent)
        let question = mayPromote ? promotions.ask(key) : nil
        defer { if let question { promotions.end(question) } }
        let hit = try await first(of: chosen(caches, policies.query), policies.query) { cache throws(ImageError) in
            try await cache.entry(for: key, touch: touch)
        }
        guard let hit else { return nil }
        let above = hit.misses.filter { $0 < hit.index }
        // Partial entries stay in the cache that resumes them.
        if !above.isEmpty, let question, !hit.value.metadata.isPartial, promotions.mayStore(question) {
            // The hit counts whether or not the upper caches accept it.
            for index in above { try? await caches[index].store(hit.value, for: key) }
        }
        return hit.value
    }

    /// Reads the caches in turn, even with the policy `concurrent`; promotes nothing.
    public func blockingEntry(for key: CacheKey, touch: Bool = true) throws(ImageError) -> CacheEntry? {
        var failures = Failures()
        for cache in chosen(caches, policies.query) {
            do throws(ImageError) {
                if let entry = try cache.blockingEntry(for: key, touch: touch) { return entry }
                failures.passed()
            } catch {
                failures.add(error)
            }
        }
        try failures.throwIfNothingWorked()
        return nil
    }

    public func blockingMetadata(for key: CacheKey) throws(ImageError) -> CacheEntryMetadata? {
        var failures = Failures()
        for cache in chosen(caches, policies.query) {
            do throws(ImageError) {
                if let metadata = try cache.blockingMetadata(for: key) { return metadata }
                failures.passed()
            } catch {
                failures.add(error)
            }
        }
        try failures.throwIfNothingWorked()
        return nil
    }

    public func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata? {
        try await first(of: chosen(caches, policies.query), policies.query) { cache throws(ImageError) in
            try await cache.metadata(for: key)
        }?.value
    }

    public func contains(_ key: CacheKey) async -> Bool {
        let hit = try? await first(of: chosen(caches, policies.contains), policies.contains) { cache throws(ImageError) in
            await cache.contains(key) ? true : nil
        }
        return hit != nil
    }

    /// Notes the use in the first cache that has the entry; reads and promotes nothing.
    public func noteUse(of key: CacheKey) async {
        for cache in chosen(caches, policies.query) {
            if await cache.contains(key) { return await cache.noteUse(of: key) }
        }
    }

    public func mightContain(_ key: CacheKey) -> Bool { chosen(caches, policies.query).contains { $0.mightContain(key) } }

    /// The first cache of a read decides: the others may be on another machine.
    package func wasStored(_ key: CacheKey, by date: Timestamp) -> Bool {
        guard let first = chosen(caches, policies.query).first, let dates = first as? any LookupAtOnce else { return false }
        return !first.mightContain(key) || dates.wasStored(key, by: date)
    }

    package func dateAtOnce(of key: CacheKey) -> Timestamp? {
        (chosen(caches, policies.query).first as? any LookupAtOnce)?.dateAtOnce(of: key)
    }

    /// The entry of the first cache that reads ask.
    package func entryAtOnce(for key: CacheKey) -> CacheEntry? {
        (chosen(caches, policies.query).first as? any LookupAtOnce)?.entryAtOnce(for: key)
    }

    /// The sum of all caches: entries in several of them count several times.
    public func usage() async throws(ImageError) -> CacheUsage {
        var sum = CacheUsage(count: 0, bytes: 0)
        var failures = Failures()
        for cache in caches {
            do throws(ImageError) {
                let usage = try await cache.usage()
                sum.count += usage.count
                sum.bytes += usage.bytes
                failures.passed()
            } catch {
                failures.add(error)
            }
        }
        try failures.throwIfNothingWorked()
        return sum
    }

    // MARK: Changes

    public func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) {
        try await change(.key(key), policies.store) { cache throws(ImageError) in try await cache.store(entry, for: key) }
    }

    /// Updates every cache with the entry, whatever the policies: copies must not contradict each other.
    public func update(_ metadata: CacheEntryMetadata, for key: CacheKey) async throws(ImageError) {
        try await change(.key(key), .concurrent) { cache throws(ImageError) in try await cache.update(metadata, for: key) }
    }

    /// Throws the first failure after all chosen caches have been tried: the entry may still be in those that failed.
    public func remove(_ key: CacheKey) async throws(ImageError) {
        try await change(.key(key), policies.remove, needsAll: true) { cache throws(ImageError) in try await cache.remove(key) }
    }

    /// Throws as ``remove(_:)`` does.
    public func removeAll(prefix: String) async throws(ImageError) {
        try await change(.prefix(prefix), policies.remove, needsAll: true) { cache throws(ImageError) in
            try await cache.removeAll(prefix: prefix)
        }
    }

    /// Throws as ``remove(_:)`` does.
    public func removeAll() async throws(ImageError) {
        try await change(.everything, policies.clear, needsAll: true) { cache throws(ImageError) in try await cache.removeAll() }
    }

    /// Removes expired entries from every cache, whatever the policies say. Throws as ``remove(_:)`` does.
    public func removeExpired() async throws(ImageError) {
        try await each(.concurrent, needsAll: true) { cache throws(ImageError) in try await cache.removeExpired() }
    }

    /// Every cache, whatever the policies say. Throws the first failure after all have been tried.
    public func flush() async throws(ImageError) {
        try await each(.concurrent, needsAll: true) { cache throws(ImageError) in try await cache.flush() }
    }

    // MARK: Policies

    private func chosen(_ caches: [any ImageCaching], _ policy: Policy) -> [any ImageCaching] {
        switch policy {
        case .serial, .concurrent: caches
        case .highestOnly: Array(caches.prefix(1))
        case .lowestOnly: Array(caches.suffix(1))
        }
    }

    private struct Hit<Value: Sendable>: Sendable {
        var index: Int
        var value: Value
        /// The caches that have reported a miss; one that is still reading may have a newer entry.
        var misses: [Int]
    }

    /// The first answer that is not nil, and the index of its cache.
    private func first<Value: Sendable>(
        of caches: [any ImageCaching], _ policy: Policy,
        _ ask: @Sendable @escaping (any ImageCaching) async throws(ImageError) -> Value?
    ) async throws(ImageError) -> Hit<Value>? {
        var failures = Failures()
        if policy != .concurrent {
            var misses: [Int] = []
            for (index, cache) in caches.enumerated() {
                do throws(ImageError) {
                    if let value = try await ask(cache) { return Hit(index: index, value: value, misses: misses) }
                    misses.append(index)
                    failures.passed()
                } catch {
                    failures.add(error)
                }
            }
            try failures.throwIfNothingWorked()
            return nil
        }
        let (hit, seen): (Hit<Value>?, Failures) = await withTaskGroup(of: CacheAnswer<Value>.self) { group in
            for (index, cache) in caches.enumerated() {
                group.addTask {
                    do throws(ImageError) { return CacheAnswer(index, .success(try await ask(cache))) } catch {
                        return CacheAnswer(index, .failure(error))
                    }
                }
            }
            var seen = Failures()
            var misses: [Int] = []
            for await answer in group {
                switch answer.result {
                case .success(let value?):
                    group.cancelAll()
                    return (Hit(index: answer.index, value: value, misses: misses), seen)
                case .success(nil):
                    misses.append(answer.index)
                    seen.passed()
                case .failure(let error): seen.add(error)
                }
            }
            return (nil, seen)
        }
        if let hit { return hit }
        try seen.throwIfNothingWorked()
        return nil
    }

    /// Applies a change and keeps reads in flight from restoring stale data over it.
    private func change(
        _ extent: Promotions.Extent, _ policy: Policy, needsAll: Bool = false,
        _ body: @Sendable @escaping (any ImageCaching) async throws(ImageError) -> Void
    ) async throws(ImageError) {
        let change = promotes ? await promotions.beginChange(of: extent) : nil
        defer { if let change { promotions.endChange(change) } }
        try await each(policy, needsAll: needsAll, body)
    }

    /// Does something to each chosen cache. `needsAll`: one failure is an error although the other caches worked.
    private func each(
        _ policy: Policy, needsAll: Bool, _ body: @Sendable @escaping (any ImageCaching) async throws(ImageError) -> Void
    ) async throws(ImageError) {
        var failures = Failures()
        let caches = chosen(caches, policy)
        if policy == .concurrent {
            let results = await withTaskGroup(of: Result<Void, ImageError>.self) { group in
                for cache in caches {
                    group.addTask {
                        do throws(ImageError) { return .success(try await body(cache)) } catch { return .failure(error) }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for result in results {
                switch result {
                case .success: failures.passed()
                case .failure(let error): failures.add(error)
                }
            }
        } else {
            for cache in caches {
                do throws(ImageError) {
                    try await body(cache)
                    failures.passed()
                } catch {
                    failures.add(error)
                }
            }
        }
        if needsAll { try failures.throwIfAnyFailed() } else { try failures.throwIfNothingWorked() }
    }
}

/// Whether any cache succeeded, and the first error.
private struct Failures: Sendable {
    private var first: ImageError?
    private var worked = false

    mutating func passed() { worked = true }
    mutating func add(_ error: ImageError) { first = first ?? error }

    func throwIfNothingWorked() throws(ImageError) {
        if let first, !worked { throw first }
    }

    func throwIfAnyFailed() throws(ImageError) {
        if let first { throw first }
    }
}

/// The answer of one of several caches. A class as a precaution: an optimised build lost the tuples of a similar task group
/// (see `DemoRunner`); no fault was seen here.
private final class CacheAnswer<Value: Sendable>: Sendable {
    let index: Int
    let result: Result<Value?, ImageError>

    init(_ index: Int, _ result: Result<Value?, ImageError>) {
        self.index = index
        self.result = result
    }
}

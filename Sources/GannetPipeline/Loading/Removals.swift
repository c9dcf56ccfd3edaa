import GannetCore
import Synchronization

/// What was removed by hand, and which sources were changed, so that loads which had begun before do not bring it back.
final class Removals: Sendable {
    /// What goes at once.
    enum Extent: Sendable {
        case everything(CacheTier)
        /// With what was made of it; of a source's own key that is all there is of the source.
        case key(CacheKey, CacheTier)
        /// All that was made of these sources, in every cache there is: the sources are others now.
        case sources(Set<CacheKey>)
    }

    private struct Tier {
        /// Everything.
        var all: UInt64 = 0
        var keys: [CacheKey: UInt64] = [:]

        func last(_ key: CacheKey) -> UInt64 { max(all, keys[key] ?? 0) }

        mutating func note(_ key: CacheKey?, _ number: UInt64) {
            if let key, keys.count < Removals.maximumKeys {
                keys[key] = number
            } else {
                // More than are worth remembering: what is being loaded now is then not stored at all.
                all = number
                keys = [:]
            }
        }
    }

    private struct State {
        var memory = Tier()
        var disk = Tier()
        var sources = Tier()
        var underWay: [UInt64: Extent] = [:]
    }

    private static let maximumKeys = 1000

    private let state = Mutex(State())
    private let count = Atomic<UInt64>(0)
    private let underWay = Atomic<Int>(0)

    /// Removals so far: what a load remembers when it begins.
    var now: UInt64 { count.load(ordering: .sequentiallyConsistent) }

    /// Called before it is removed; until ``end(_:)`` is told the number, nothing of it is stored at all. Who began in between may
    /// have read what was not removed yet.
    func begin(_ extent: Extent) -> UInt64 {
        underWay.add(1, ordering: .sequentiallyConsistent)
        return state.withLock { state in
            let number = note(extent, &state)
            state.underWay[number] = extent
            return number
        }
    }

    /// The number of its end: who began then knows of it.
    @discardableResult
    func end(_ number: UInt64) -> UInt64 {
        defer { underWay.subtract(1, ordering: .sequentiallyConsistent) }
        return state.withLock { state in
            guard let extent = state.underWay.removeValue(forKey: number) else { return number }
            return note(extent, &state)
        }
    }

    private func note(_ extent: Extent, _ state: inout State) -> UInt64 {
        let number = count.add(1, ordering: .sequentiallyConsistent).newValue
        switch extent {
        case .everything(let tiers):
            if tiers.contains(.memory) { state.memory.note(nil, number) }
            if tiers.contains(.disk) { state.disk.note(nil, number) }
        case .key(let key, let tiers):
            if tiers.contains(.memory) { state.memory.note(key, number) }
            if tiers.contains(.disk) { state.disk.note(key, number) }
        case .sources(let sources):
            for source in sources { state.sources.note(source, number) }
        }
        return number
    }

    /// Whether `key` was removed from memory, or from the disk, after `moment`, or its source was changed. `tier` nil: in a cache of
    /// which only the latter can be said.
    func happened(to key: CacheKey, in tier: CacheTier?, since moment: UInt64) -> Bool {
        guard now != moment || underWay.load(ordering: .sequentiallyConsistent) != 0 else { return false }
        let source = CacheKey(key.sourceText)
        let key = key.besidesOwnCache
        // Removing the stored answer removes its others, what is left of a transfer, and what was made of it.
        let whole = key.storedPart
        return state.withLock { state in
            var last = state.sources.last(source)
            if let tier {
                let removals = tier == .memory ? state.memory : state.disk
                last = max(last, removals.last(key), removals.last(whole), removals.last(source))
            }
            return last > moment
                || state.underWay.values.contains { extent in
                    switch extent {
                    case .everything(let tiers): tier.map { tiers.contains($0) } ?? false
                    case .key(let other, let tiers):
                        [key, whole, source].contains(other) && tier.map { tiers.contains($0) } ?? false
                    case .sources(let sources): sources.contains(source)
                    }
                }
        }
    }
}

extension CacheKey {
    /// Without the name of the cache that a request brought along.
    fileprivate var besidesOwnCache: CacheKey {
        guard let part = text.firstRange(of: RequestKeys.ownCachePart) else { return self }
        return CacheKey(String(text[..<part.lowerBound]))
    }
}

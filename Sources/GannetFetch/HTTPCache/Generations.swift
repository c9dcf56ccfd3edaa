package import GannetCore
import Synchronization

/// Changes to sources and to what is stored of them. Work that began before a change must not undo it.
///
/// Every change has a number. A load remembers the newest number when it begins. Before and after it stores or joins, it checks
/// whether its source has changed since then. So either the load sees a concurrent change, or the change sees the load.
package final class Generations: Sendable {
    /// The number of the newest change at some moment.
    package struct Moment: Hashable, Sendable { fileprivate var number: UInt64 }

    /// Kinds of changes.
    package struct Kinds: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Removed from memory by hand.
        static let removedFromMemory = Kinds(rawValue: 1)
        /// Removed from the disk by hand.
        static let removedFromDisk = Kinds(rawValue: 2)
        /// An unsafe method changed the source.
        package static let changed = Kinds(rawValue: 4)
        /// Stored bytes gave way to newer ones.
        package static let replaced = Kinds(rawValue: 8)
        /// Its loads were cancelled by name.
        package static let cancelled = Kinds(rawValue: 16)

        fileprivate static let count = 5
    }

    /// The entries that a change concerns.
    package enum Extent: Sendable {
        case everything
        /// Entries with these keys and everything made of them; the key of a source covers everything made of the source.
        case keys(Set<CacheKey>)
    }

    /// The newest changes of one kind.
    private struct Numbers {
        var all: UInt64 = 0
        var keys: [CacheKey: UInt64] = [:]

        func last(_ key: CacheKey) -> UInt64 { max(all, keys[key] ?? 0) }

        mutating func note(_ extent: Extent, _ number: UInt64, isExact: Bool) {
            guard case .keys(let changed) = extent else {
                (all, keys) = (number, [:])
                return
            }
            for key in changed { keys[key] = number }
            guard keys.count > Generations.maximumKeys else { return }
            if isExact {
                // A load joins shortly after the moment it remembers, so the newest changes are enough.
                let newest = keys.values.sorted()[keys.count / 2]
                keys = keys.filter { $0.value > newest }
            } else {
                // Too many to remember: counts as a change of everything, so running loads store nothing.
                (all, keys) = (number, [:])
            }
        }
    }

    private struct State {
        /// By kind.
        var numbers = [Numbers](repeating: Numbers(), count: Kinds.count)
        var underWay: [UInt64: (kinds: Kinds, extent: Extent)] = [:]
    }

    private static let maximumKeys = 10_000

    private let state = Mutex(State())
    private let newest = Atomic<UInt64>(0)
    private let underWay = Atomic<Int>(0)

    package var now: Moment { Moment(number: newest.load(ordering: .sequentiallyConsistent)) }

    /// A change that takes no time.
    package func note(_ kinds: Kinds, of extent: Extent = .everything) { state.withLock { _ = note(kinds, extent, &$0) } }

    /// Called before a change that takes time. Until ``end(_:)`` it counts for every load, because a load that begins in between
    /// may have read an entry before its removal.
    package func begin(_ kinds: Kinds, of extent: Extent) -> Moment {
        underWay.add(1, ordering: .sequentiallyConsistent)
        return state.withLock { state in
            let number = note(kinds, extent, &state)
            state.underWay[number] = (kinds, extent)
            return Moment(number: number)
        }
    }

    /// Loads that begin at the moment of the end know of the change.
    @discardableResult
    package func end(_ change: Moment) -> Moment {
        defer { underWay.subtract(1, ordering: .sequentiallyConsistent) }
        return state.withLock { state in
            guard let (kinds, extent) = state.underWay.removeValue(forKey: change.number) else { return change }
            return Moment(number: note(kinds, extent, &state))
        }
    }

    private func note(_ kinds: Kinds, _ extent: Extent, _ state: inout State) -> UInt64 {
        let number = newest.add(1, ordering: .sequentiallyConsistent).newValue
        for kind in 0..<Kinds.count where kinds.rawValue & 1 << kind != 0 {
            state.numbers[kind].note(extent, number, isExact: Kinds(rawValue: 1 << UInt8(kind)) == .cancelled)
        }
        return number
    }

    /// Whether a change of one of these kinds has happened to an entry, or to its source, after `moment`.
    package func happened(_ kinds: Kinds, to key: CacheKey, since moment: Moment) -> Bool {
        guard mayHaveHappened(since: moment) else { return false }
        let key = key.besidesOwnCache
        // Removing a stored response also removes its variants, the rest of a transfer, and everything made of it.
        return happened(kinds, toAnyOf: [key, key.storedPart, CacheKey(key.sourceText)], since: moment)
    }

    /// Whether loads of a source were cancelled after `moment`.
    package func wasCancelled(_ source: ImageSource, since moment: Moment) -> Bool {
        guard mayHaveHappened(since: moment) else { return false }
        return happened(.cancelled, toAnyOf: [CacheKey(source.keyText)], since: moment)
    }

    /// Whether any stored bytes gave way to newer ones after `moment`.
    package func hasReplaced(since moment: Moment) -> Bool {
        guard mayHaveHappened(since: moment) else { return false }
        return happened(.replaced, toAnyOf: [], since: moment)
    }

    private func mayHaveHappened(since moment: Moment) -> Bool {
        now != moment || underWay.load(ordering: .sequentiallyConsistent) != 0
    }

    private func happened(_ kinds: Kinds, toAnyOf keys: [CacheKey], since moment: Moment) -> Bool {
        state.withLock { state in
            for kind in 0..<Kinds.count where kinds.rawValue & 1 << kind != 0 {
                let numbers = state.numbers[kind]
                if numbers.all > moment.number || keys.contains(where: { numbers.last($0) > moment.number }) { return true }
            }
            return state.underWay.values.contains { change in
                guard !change.kinds.isDisjoint(with: kinds) else { return false }
                return switch change.extent {
                case .everything: true
                case .keys(let changed): keys.contains { changed.contains($0) }
                }
            }
        }
    }
}

extension Generations.Kinds {
    /// Removals from these tiers.
    package init(removedFrom tiers: CacheTier) {
        self = []
        if tiers.contains(.memory) { insert(.removedFromMemory) }
        if tiers.contains(.disk) { insert(.removedFromDisk) }
    }

    /// Changes that invalidate an image in memory.
    package static let ofMemory: Self = [.removedFromMemory, .changed]
    /// Changes that invalidate an entry on the disk. Removals by hand do not apply to caches that requests bring along.
    package static func ofDisk(isOwn: Bool) -> Self { isOwn ? .changed : [.removedFromDisk, .changed] }
}

extension CacheKey {
    /// Without the name of the cache that a request brought along.
    fileprivate var besidesOwnCache: CacheKey {
        guard let part = text.firstRange(of: RequestKeys.ownCachePart) else { return self }
        return CacheKey(String(text[..<part.lowerBound]))
    }
}

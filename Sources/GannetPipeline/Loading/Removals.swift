import GannetCore
import Synchronization

/// What was removed by hand, so that loads which had begun before do not bring it back.
final class Removals: Sendable {
    private struct Tier {
        /// Everything.
        var all: UInt64 = 0
        var keys: [CacheKey: UInt64] = [:]
    }

    private struct State {
        var memory = Tier()
        var disk = Tier()
    }

    private static let maximumKeys = 1000

    private let state = Mutex(State())
    private let count = Atomic<UInt64>(0)

    /// Removals so far: what a load remembers when it begins.
    var now: UInt64 { count.load(ordering: .sequentiallyConsistent) }

    /// Called before it is removed; nil: everything.
    func note(_ key: CacheKey?, in tiers: CacheTier) {
        let number = count.add(1, ordering: .sequentiallyConsistent).newValue
        state.withLock { state in
            if tiers.contains(.memory) { Self.note(key, number, &state.memory) }
            if tiers.contains(.disk) { Self.note(key, number, &state.disk) }
        }
    }

    private static func note(_ key: CacheKey?, _ number: UInt64, _ tier: inout Tier) {
        if let key, tier.keys.count < maximumKeys {
            tier.keys[key] = number
        } else {
            // More than are worth remembering: what is being loaded now is then not stored at all.
            tier.all = number
            tier.keys = [:]
        }
    }

    /// Whether `key` was removed from memory, or from the disk, after `moment`.
    func happened(to key: CacheKey, in tier: CacheTier, since moment: UInt64) -> Bool {
        guard now != moment else { return false }
        return state.withLock { state in
            let known = tier == .memory ? state.memory : state.disk
            return max(known.all, known.keys[key] ?? 0) > moment
        }
    }
}

import GannetCore
import Synchronization

/// Which sizes of which pictures were put into the memory cache lately, so that one size can serve another.
///
/// Only hints: whether a picture is still there, and still fresh, is asked of the memory cache. Bounded; the picture whose
/// sizes were not asked for the longest is forgotten first.
final class KnownSizes: Sendable {
    struct Entry: Sendable {
        var key: CacheKey
        var size: PixelSize
        /// Of the picture it was made of: what other sizes are computed from.
        var originalSize: PixelSize
        /// How it would be encoded, and then read back, under this key; nil: not at all.
        var encodeText: String?
    }

    private struct Family {
        var entries: [Entry]
        var lastUse: UInt64
    }

    private struct State {
        var families: [CacheKey: Family] = [:]
        var clock: UInt64 = 0
    }

    private let state = Mutex(State())
    private let maximumFamilies: Int
    private let maximumSizes: Int

    /// At most this many pictures, and sizes of each.
    init(maximumFamilies: Int = 4096, maximumSizes: Int = 8) {
        self.maximumFamilies = maximumFamilies
        self.maximumSizes = maximumSizes
    }

    func add(_ entry: Entry, to family: CacheKey) {
        state.withLock { state in
            state.clock += 1
            var known = state.families[family]?.entries ?? []
            known.removeAll { $0.key == entry.key }
            if known.count >= maximumSizes { known.removeFirst() }
            known.append(entry)
            state.families[family] = Family(entries: known, lastUse: state.clock)
            guard state.families.count > maximumFamilies else { return }
            // A tenth at once, so that the cost of looking for the oldest is spread.
            let uses = state.families.values.map(\.lastUse).sorted()
            let limit = uses[maximumFamilies / 10]
            state.families = state.families.filter { $0.value.lastUse > limit }
        }
    }

    /// Smallest first.
    func entries(of family: CacheKey) -> [Entry] {
        state.withLock { state in
            guard let known = state.families[family]?.entries else { return [] }
            state.clock += 1
            state.families[family]?.lastUse = state.clock
            return known.sorted { $0.size.area < $1.size.area }
        }
    }

    func remove(_ key: CacheKey, from family: CacheKey) {
        state.withLock { state in
            state.families[family]?.entries.removeAll { $0.key == key }
            if state.families[family]?.entries.isEmpty == true { state.families[family] = nil }
        }
    }

    var familyCount: Int { state.withLock { $0.families.count } }
}

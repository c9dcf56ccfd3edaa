import GannetCore
import GannetPlatform
import Synchronization

/// Which sizes of which images were put into the memory cache lately, so that one size can serve another.
///
/// Only hints: the memory cache decides whether an image is still there and fresh. Bounded by two generations: when the young one
/// is full, it becomes the old one, and entries of the old one that were not used since are dropped. O(1).
final class KnownSizes: Sendable {
    struct Entry: Sendable {
        var key: CacheKey
        var size: PixelSize
        /// The size of the original, from which other sizes are computed.
        var originalSize: PixelSize
        /// The encode options that the image may have been stored and read back with; nil for an original, which is never
        /// re-encoded.
        var encodeText: String?
    }

    private typealias Families = [CacheKey: [Entry]]

    private struct State {
        var young: Families = [:]
        var old: Families = [:]

        /// The known sizes of `family`, of both generations.
        mutating func take(_ family: CacheKey) -> [Entry]? {
            young.removeValue(forKey: family) ?? (old.isEmpty ? nil : old.removeValue(forKey: family))
        }

        /// Returns what was forgotten, to be freed outside of the lock.
        mutating func put(_ entries: [Entry], _ family: CacheKey, limit: Int) -> Families {
            young[family] = entries
            guard young.count >= limit else { return [:] }
            let forgotten = old
            (old, young) = (young, [:])
            return forgotten
        }
    }

    private let state = Mutex(State())
    /// Families of a generation.
    private let limit: Int
    private let maximumSizes: Int

    /// At most this many images, and sizes of each.
    init(maximumFamilies: Int = 4096, maximumSizes: Int = 8) {
        limit = max(maximumFamilies / 2, 1)
        self.maximumSizes = maximumSizes
    }

    func add(_ entry: Entry, to family: CacheKey) {
        let forgotten = state.withBriefLock { state in
            var known = state.take(family) ?? []
            known.removeAll { $0.key == entry.key }
            if known.count >= maximumSizes { known.removeFirst() }
            known.append(entry)
            return state.put(known, family, limit: limit)
        }
        withExtendedLifetime(forgotten) {}
    }

    /// Smallest first.
    func entries(of family: CacheKey) -> [Entry] {
        let (known, forgotten) = state.withBriefLock { state -> ([Entry], Families) in
            if let known = state.young[family] { return (known, [:]) }
            guard let known = state.take(family) else { return ([], [:]) }
            return (known, state.put(known, family, limit: limit))
        }
        withExtendedLifetime(forgotten) {}
        return known.sorted { $0.size.area < $1.size.area }
    }

    func remove(_ key: CacheKey, from family: CacheKey) {
        state.withBriefLock { state in
            guard var known = state.take(family) else { return }
            known.removeAll { $0.key == key }
            if !known.isEmpty { state.young[family] = known }
        }
    }

    var familyCount: Int { state.withLock { $0.young.count + $0.old.count } }
}

import GannetCore
import GannetPlatform
import Synchronization

/// Which sizes of which images were put into the memory cache lately, so that one size can serve another.
///
/// Only hints: the memory cache decides whether an image is still there and fresh. Of too many images, the least recently used is
/// dropped. O(1).
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

    private let families: Mutex<LRUMap<CacheKey, [Entry]>>
    private let maximumSizes: Int

    /// At most this many images, and sizes of each.
    init(maximumFamilies: Int = 4096, maximumSizes: Int = 8) {
        families = Mutex(LRUMap(maximumCount: maximumFamilies))
        self.maximumSizes = maximumSizes
    }

    func add(_ entry: Entry, to family: CacheKey) {
        let forgotten = families.withBriefLock { families in
            var known = families.remove(family) ?? []
            known.removeAll { $0.key == entry.key }
            if known.count >= maximumSizes { known.removeFirst() }
            known.append(entry)
            return families.put(known, for: family)
        }
        // Freed outside of the lock.
        withExtendedLifetime(forgotten) {}
    }

    /// Smallest first.
    func entries(of family: CacheKey) -> [Entry] {
        let known = families.withBriefLock { $0.find(family) } ?? []
        return known.sorted { $0.size.area < $1.size.area }
    }

    func remove(_ key: CacheKey, from family: CacheKey) {
        families.withBriefLock { families in
            guard var known = families.remove(family) else { return }
            known.removeAll { $0.key == key }
            if !known.isEmpty { families.put(known, for: family) }
        }
    }

    var familyCount: Int { families.withLock { $0.count } }
}

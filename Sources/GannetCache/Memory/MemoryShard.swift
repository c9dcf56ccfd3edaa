import GannetCore

/// One part of a memory cache: the entries of its keys in order of use, and its weak references. Pure: no lock, no clock. The
/// ``MemoryLedger`` has the sums and limits.
struct MemoryShard {
    /// The constant part of an entry: a look-up takes one reference, and copies the image outside the lock.
    final class Contents: Sendable {
        let key: CacheKey
        let cached: CachedImage
        let cost: PixelCost

        init(key: CacheKey, cached: CachedImage, cost: PixelCost) {
            (self.key, self.cached, self.cost) = (key, cached, cost)
        }
    }

    struct Entry {
        var contents: Contents
        var deadline: MemoryDeadline
    }

    /// Separate from the entries, so that reordering touches little memory.
    private struct Link {
        /// Towards the most recently used; -1: the end.
        var newer: Int32
        var older: Int32
        /// Number of the last use, counted over the whole cache.
        var stamp: UInt64
    }

    enum LookUp {
        case hit(Contents)
        case miss
        /// An expired entry or a weak reference: sums will change, so the look-up continues under the ledger's lock.
        case unsettled
    }

    private var index: [CacheKey: Int32] = [:]
    private var links: [Link] = []
    private var contents: [Contents?] = []
    private var deadlines: [MemoryDeadline] = []
    private var free: [Int32] = []
    private var newest: Int32 = -1
    private var oldest: Int32 = -1
    private var weak = WeakImages()
    private(set) var hits = 0
    private(set) var misses = 0
    private(set) var weakHits = 0

    /// Stamp of the least recently used entry; `max` if there is none.
    var oldestStamp: UInt64 { oldest < 0 ? .max : links[Int(oldest)].stamp }

    mutating func get(_ key: CacheKey, at moment: Moment?, stamp: () -> UInt64) -> LookUp {
        guard let position = index[key] else {
            if weak.mayKnow(key) { return .unsettled }
            misses += 1
            return .miss
        }
        let place = Int(position)
        if let moment {
            if deadlines[place].isOver(at: moment) { return .unsettled }
            deadlines[place].use(at: moment)
        }
        guard let found = contents[place] else { return .unsettled }
        hits += 1
        moveToFront(position, stamp())
        return .hit(found)
    }

    /// Nil: not known here. Strong references that the check creates go to the garbage.
    func contains(_ key: CacheKey, at moment: Moment?, garbage: inout [CachedImage]) -> Bool {
        if let position = index[key] { return !deadlines[Int(position)].isOver(at: moment) }
        guard let (cached, deadline) = weak.peek(key) else { return false }
        garbage.append(cached)
        return !deadline.isOver(at: moment)
    }

    /// The key must not be present: ``take(_:)`` comes first.
    mutating func insert(_ entry: Entry, stamp: UInt64) {
        let link = Link(newer: -1, older: newest, stamp: stamp)
        let position: Int32
        if let hole = free.popLast() {
            position = hole
            links[Int(hole)] = link
            contents[Int(hole)] = entry.contents
            deadlines[Int(hole)] = entry.deadline
        } else {
            position = Int32(links.count)
            links.append(link)
            contents.append(entry.contents)
            deadlines.append(entry.deadline)
        }
        if newest >= 0 { links[Int(newest)].newer = position } else { oldest = position }
        newest = position
        index[entry.contents.key] = position
    }

    /// Removes and returns an entry.
    mutating func take(_ key: CacheKey) -> Entry? {
        index[key].flatMap { take(at: $0) }
    }

    mutating func takeOldest() -> Entry? {
        oldest < 0 ? nil : take(at: oldest)
    }

    mutating func take(where matches: (Entry) -> Bool) -> [Entry] {
        let found = index.values.filter { entry(at: $0).map(matches) == true }
        return found.compactMap { take(at: $0) }
    }

    mutating func takeAll() -> [Entry] {
        let all = index.values.compactMap { entry(at: $0) }
        index = [:]
        links = []
        contents = []
        deadlines = []
        free = []
        newest = -1
        oldest = -1
        return all
    }

    // MARK: Weak references

    mutating func remember(_ entry: Entry, garbage: inout [CachedImage]) {
        let contents = entry.contents
        weak.add(contents.cached, cost: contents.cost, deadline: entry.deadline, for: contents.key, garbage: &garbage)
    }

    /// Removes and returns a weakly referenced image.
    mutating func takeWeak(_ key: CacheKey) -> Entry? {
        weak.take(key).map { Entry(contents: Contents(key: key, cached: $0.0, cost: $0.1), deadline: $0.2) }
    }

    mutating func forget(_ key: CacheKey) { weak.remove(key) }

    mutating func forgetAll(where matches: (CacheKey) -> Bool) { weak.removeAll(where: matches) }

    mutating func forgetAll() { weak.removeAll() }

    // MARK: Counts that ``get(_:at:stamp:)`` left open

    mutating func countMiss() { misses += 1 }

    mutating func countWeakHit() {
        hits += 1
        weakHits += 1
    }

    // MARK: Order

    private func entry(at position: Int32) -> Entry? {
        contents[Int(position)].map { Entry(contents: $0, deadline: deadlines[Int(position)]) }
    }

    private mutating func take(at position: Int32) -> Entry? {
        guard let entry = entry(at: position) else { return nil }
        unlink(position)
        free.append(position)
        contents[Int(position)] = nil
        index[entry.contents.key] = nil
        return entry
    }

    private mutating func moveToFront(_ position: Int32, _ stamp: UInt64) {
        if position != newest {
            unlink(position)
            links[Int(position)].newer = -1
            links[Int(position)].older = newest
            links[Int(newest)].newer = position
            newest = position
        }
        links[Int(position)].stamp = stamp
    }

    private mutating func unlink(_ position: Int32) {
        let link = links[Int(position)]
        if link.newer >= 0 { links[Int(link.newer)].older = link.older } else { newest = link.older }
        if link.older >= 0 { links[Int(link.older)].newer = link.newer } else { oldest = link.newer }
    }
}

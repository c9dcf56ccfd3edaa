/// A dictionary in the order of last use (LRU), with a limit. What is looked up by key is O(1), so that it may run under a lock that
/// event loops take. Inlinable: other modules compile it for their own types. Not thread-safe.
package struct LRUMap<Key: Hashable, Value> {
    /// A link of the list: `newer` and `older` are indices of ``links``, -1 at its ends.
    @usableFromInline struct Link {
        @usableFromInline var key: Key
        @usableFromInline var value: Value
        @usableFromInline var newer = -1
        @usableFromInline var older = -1

        @inlinable init(key: Key, value: Value) { (self.key, self.value) = (key, value) }
    }

    @usableFromInline var indices: [Key: Int] = [:]
    /// Nil: free, and its index is in ``free``.
    @usableFromInline var links: [Link?] = []
    @usableFromInline var free: [Int] = []
    @usableFromInline var newest = -1
    @usableFromInline var oldest = -1
    @usableFromInline let maximumCount: Int

    /// At most this many values.
    @inlinable package init(maximumCount: Int = .max) { self.maximumCount = maximumCount }

    @inlinable package var count: Int { indices.count }
    @inlinable package var isEmpty: Bool { indices.isEmpty }

    /// The value, whose place in the order stays.
    @inlinable package subscript(_ key: Key) -> Value? { indices[key].flatMap { links[$0]?.value } }

    /// O(n).
    @inlinable package func contains(where isMeant: (Value) -> Bool) -> Bool {
        links.contains { $0.map { isMeant($0.value) } ?? false }
    }

    /// The value becomes the newest.
    @inlinable package mutating func find(_ key: Key) -> Value? {
        guard let index = indices[key] else { return nil }
        if index != newest {
            unlink(index)
            link(index)
        }
        return links[index]?.value
    }

    /// The value becomes the newest. Returns the one it replaces, or the oldest one if there is no room for both.
    @inlinable @discardableResult package mutating func put(_ value: Value, for key: Key) -> Value? {
        let old = remove(key)
        let index = free.popLast() ?? links.count
        if index == links.count { links.append(nil) }
        links[index] = Link(key: key, value: value)
        indices[key] = index
        link(index)
        return count > maximumCount ? removeOldest() : old
    }

    @inlinable @discardableResult package mutating func remove(_ key: Key) -> Value? {
        guard let index = indices.removeValue(forKey: key) else { return nil }
        unlink(index)
        free.append(index)
        return links[index].take()?.value
    }

    @inlinable package mutating func removeOldest() -> Value? {
        guard oldest >= 0, let key = links[oldest]?.key else { return nil }
        return remove(key)
    }

    /// O(n).
    @inlinable package mutating func removeAll(where isMeant: (Value) -> Bool) {
        for case let link? in links where isMeant(link.value) { remove(link.key) }
    }

    /// As the newest.
    @inlinable mutating func link(_ index: Int) {
        links[index]?.newer = -1
        links[index]?.older = newest
        if newest >= 0 { links[newest]?.newer = index } else { oldest = index }
        newest = index
    }

    @inlinable mutating func unlink(_ index: Int) {
        guard let link = links[index] else { return }
        if link.newer >= 0 { links[link.newer]?.older = link.older } else { newest = link.older }
        if link.older >= 0 { links[link.older]?.newer = link.newer } else { oldest = link.newer }
    }
}

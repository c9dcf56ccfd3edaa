#if Server
    /// A dictionary in the order of last use (LRU). Every operation is O(1), so that it may run under a lock that event loops take. Not
    /// thread-safe.
    struct LRUMap<Key: Hashable, Value> {
        /// A link of the list: `newer` and `older` are indices of ``links``, -1 at its ends.
        private struct Link {
            var key: Key
            var value: Value
            var newer = -1
            var older = -1
        }

        private var indices: [Key: Int] = [:]
        /// Nil: free, and its index is in ``free``.
        private var links: [Link?] = []
        private var free: [Int] = []
        private var newest = -1
        private var oldest = -1

        var count: Int { indices.count }

        /// The value becomes the newest.
        mutating func find(_ key: Key) -> Value? {
            guard let index = indices[key] else { return nil }
            if index != newest {
                unlink(index)
                link(index)
            }
            return links[index]?.value
        }

        /// The value becomes the newest. Returns the one it replaces.
        mutating func put(_ value: Value, for key: Key) -> Value? {
            let old = remove(key)
            let index = free.popLast() ?? links.count
            if index == links.count { links.append(nil) }
            links[index] = Link(key: key, value: value)
            indices[key] = index
            link(index)
            return old
        }

        mutating func remove(_ key: Key) -> Value? {
            guard let index = indices.removeValue(forKey: key) else { return nil }
            return take(index)
        }

        mutating func removeOldest() -> Value? {
            guard oldest >= 0, let key = links[oldest]?.key else { return nil }
            return remove(key)
        }

        private mutating func take(_ index: Int) -> Value? {
            unlink(index)
            defer {
                links[index] = nil
                free.append(index)
            }
            return links[index]?.value
        }

        /// As the newest.
        private mutating func link(_ index: Int) {
            links[index]?.newer = -1
            links[index]?.older = newest
            if newest >= 0 { links[newest]?.newer = index } else { oldest = index }
            newest = index
        }

        private mutating func unlink(_ index: Int) {
            guard let link = links[index] else { return }
            if link.newer >= 0 { links[link.newer]?.older = link.older } else { newest = link.older }
            if link.older >= 0 { links[link.older]?.newer = link.newer } else { oldest = link.newer }
        }
    }
#endif

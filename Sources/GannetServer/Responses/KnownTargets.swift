#if Server
    import GannetCore
    import Synchronization

    /// Targets whose addresses were read and allowed before, so that a stored answer costs no more than its lookup. A signature
    /// stays right; the end of an address is checked each time.
    final class KnownTargets: Sendable {
        /// A target as it was understood.
        struct Known: Sendable {
            var address: ThumbnailAddress
            var choice: FormatChoice
            var key: AnswerKey
        }

        /// A target, and what else of a request its answer depends on.
        struct Wish: Hashable {
            var target: String
            var accept: String
            var hints: ClientHints
        }

        /// When there are more, the least recently used is forgotten: reading one again costs some microseconds.
        static let maximumCount = 8192
        /// Longer ones are not kept, so that strangers cannot fill the memory with them.
        static let maximumLength = 1024

        private let known = Mutex(RecentlyUsed<Wish, Known>())

        func find(_ wish: Wish) -> Known? { known.withLock { $0.find(wish) } }

        func note(_ known: Known, _ wish: Wish) {
            guard wish.target.utf8.count + wish.accept.utf8.count <= Self.maximumLength else { return }
            let removed = self.known.withLock { all in
                let replaced = all.put(known, for: wish)
                return replaced ?? (all.count > Self.maximumCount ? all.removeOldest() : nil)
            }
            // Freed outside the lock.
            withExtendedLifetime(removed) {}
        }
    }
#endif

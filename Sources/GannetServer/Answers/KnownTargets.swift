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

        /// When there are more, all are forgotten: reading one again costs some microseconds.
        static let maximumCount = 8192
        /// Longer ones are not kept, so that strangers cannot fill the memory with them.
        static let maximumLength = 1024

        private let known = Mutex<[Wish: Known]>([:])

        func find(_ wish: Wish) -> Known? { known.withLock { $0[wish] } }

        func note(_ known: Known, _ wish: Wish) {
            guard wish.target.utf8.count + wish.accept.utf8.count <= Self.maximumLength else { return }
            self.known.withLock { all in
                if all.count >= Self.maximumCount { all.removeAll(keepingCapacity: true) }
                all[wish] = known
            }
        }
    }
#endif

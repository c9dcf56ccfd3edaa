#if Server
    import GannetCore
    import GannetImages
    import Synchronization

    /// Remembers parsed and permitted targets, and the places of their files, so that a stored response costs only its lookup. A signature stays right; the
    /// expiry of an address is checked each time.
    final class RouteCache: Sendable {
        /// Where a request leads.
        struct Route: Sendable {
            var address: ThumbnailAddress
            var choice: FormatChoice
            var key: ResponseKey
            /// Nil: its files cannot be read without waiting.
            var file: StoredFilePlace?
        }

        /// A target, and the other fields of a request that its response depends on.
        struct Key: Hashable {
            var target: String
            var accept: String
            var hints: ClientHints
            /// It does not matter where the operator has no quality for it.
            var savesData: Bool
        }

        /// When there are more, the least recently used is removed: reading one again costs some microseconds.
        static let maximumCount = 8192
        /// Longer keys are not stored, so that strangers cannot fill the memory with them.
        static let maximumLength = 1024

        private let routes = Mutex(LRUMap<Key, Route>(maximumCount: maximumCount))

        func find(_ key: Key) -> Route? { routes.withLock { $0.find(key) } }

        func store(_ route: Route, for key: Key) {
            guard key.target.utf8.count + key.accept.utf8.count <= Self.maximumLength else { return }
            let removed = routes.withLock { $0.put(route, for: key) }
            // Freed outside the lock.
            withExtendedLifetime(removed) {}
        }
    }
#endif

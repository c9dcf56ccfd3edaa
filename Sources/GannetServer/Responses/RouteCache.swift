#if Server
    import GannetCore
    import GannetImages
    import Synchronization

    /// Remembers parsed and permitted targets, and where their files stand, so that a stored response costs only its lookup. A
    /// signature stays right; the expiry of an address is checked each time.
    final class RouteCache: Sendable {
        /// Where a request leads. An object, so that the table's free slots are small.
        final class Route: Sendable {
            let address: ThumbnailAddress
            let choice: FormatChoice
            let key: ResponseKey
            /// Nil: its file cannot be read without waiting.
            let file: StoredFilePlace?

            init(_ address: ThumbnailAddress, _ choice: FormatChoice, _ key: ResponseKey, file: StoredFilePlace?) {
                (self.address, self.choice, self.key, self.file) = (address, choice, key, file)
            }
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
        static let counts = 512...8192
        /// Of responses in memory, about: a route whose response is not there any more spares little.
        static let bytesOfResponse = 16 << 10
        /// Longer keys are not stored, so that strangers cannot fill the memory with them.
        static let maximumLength = 1024

        private let routes: Mutex<LRUMap<Key, Route>>

        /// `responseBytes`: of responses in memory.
        init(responseBytes: Int) {
            let count = min(max(responseBytes / Self.bytesOfResponse, Self.counts.lowerBound), Self.counts.upperBound)
            routes = Mutex(LRUMap<Key, Route>(maximumCount: count))
        }

        var count: Int { routes.withLock { $0.count } }

        func find(_ key: Key) -> Route? { routes.withLock { $0.find(key) } }

        func store(_ route: Route, for key: Key) {
            guard key.target.utf8.count + key.accept.utf8.count <= Self.maximumLength else { return }
            let removed = routes.withLock { $0.put(route, for: key) }
            // Freed outside the lock.
            withExtendedLifetime(removed) {}
        }
    }
#endif

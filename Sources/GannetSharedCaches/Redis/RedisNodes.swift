#if Redis
    import Synchronization

    /// The nodes that are known, and which has which slots.
    ///
    /// Until a node says that it is one of a cluster, there are only those of the address.
    final class RedisNodes: Sendable {
        private struct State {
            /// Nil: no cluster, as far as is known.
            var slots: RedisSlots?
            var nodes: [RedisAddress.Endpoint: RedisNode]
            var lastRead: Duration?
        }

        /// As the address names them.
        let starts: [RedisNode]
        private let make: @Sendable (RedisAddress.Endpoint) -> RedisNode
        private let state: Mutex<State>

        init(_ address: RedisAddress, make: @escaping @Sendable (RedisAddress.Endpoint) -> RedisNode) {
            let starts = address.endpoints.map(make)
            (self.starts, self.make) = (starts, make)
            state = Mutex(State(nodes: Dictionary(starts.map { ($0.endpoint, $0) }) { first, _ in first }))
        }

        var isCluster: Bool { state.withLock { $0.slots != nil } }

        /// Those with slots; nil: no cluster, as far as is known.
        var ofSlots: [RedisNode]? {
            state.withLock { state in state.slots?.endpoints.compactMap { state.nodes[$0] } }
        }

        /// The breaker of a needed node is open.
        var isAnyOpen: Bool {
            guard let ofSlots else { return starts.allSatisfy { $0.breaker.isOpen } }
            return ofSlots.contains { $0.breaker.isOpen }
        }

        /// Nil: none is known to have the slot.
        func node(of slot: Int?) -> RedisNode? {
            guard let slot else { return nil }
            return state.withLock { state in state.slots?[slot].flatMap { state.nodes[$0] } }
        }

        /// Another node to read the slots from: the first whose breaker is closed.
        func usable(instead node: RedisNode?) -> RedisNode? {
            let all = (ofSlots ?? []) + starts
            return all.first { $0 !== node && !$0.breaker.isOpen }
        }

        /// Nil: there are too many.
        func node(at endpoint: RedisAddress.Endpoint) -> RedisNode? {
            state.withLock { state in
                if let known = state.nodes[endpoint] { return known }
                guard state.nodes.count < RedisSlots.maximumNodes else { return nil }
                let new = make(endpoint)
                state.nodes[endpoint] = new
                return new
            }
        }

        /// From now on commands for the slot go to this node.
        func move(_ slot: Int, to endpoint: RedisAddress.Endpoint) -> RedisNode? {
            guard let node = node(at: endpoint) else { return nil }
            state.withLock { state in
                if state.slots == nil { state.slots = RedisSlots() }
                state.slots?.set(slot, to: endpoint)
            }
            return node
        }

        /// Forgets nodes that have no slots any more; a command that runs still uses its node.
        func set(_ slots: RedisSlots) {
            let gone = state.withLock { state in
                let old = state.nodes
                state.nodes = Dictionary(starts.map { ($0.endpoint, $0) }) { first, _ in first }
                for endpoint in slots.endpoints {
                    state.nodes[endpoint] = state.nodes[endpoint] ?? old[endpoint] ?? make(endpoint)
                }
                state.slots = slots
                return old
            }
            // Connections are closed outside of the lock.
            withExtendedLifetime(gone) {}
        }

        /// Once a second: all slots are read from one node when one of them has moved.
        func mayRead(at now: Duration) -> Bool {
            state.withLock { state in
                if let last = state.lastRead, now - last < .seconds(1) { return false }
                state.lastRead = now
                return true
            }
        }
    }
#endif

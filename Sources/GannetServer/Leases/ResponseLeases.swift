#if Server
    /// The right to make one answer for all replicas. It ends by itself, so that a replica that dies keeps nobody waiting for
    /// long, and is renewed while the answer is being made.
    struct ResponseLease: Equatable, Sendable {
        /// Higher than that of every earlier lease of the same answer. It goes with the answer into the store, where an answer
        /// with a higher number stays: whoever lost its lease and was late replaces nothing.
        let number: Int
        /// Nobody else's: only its holder renews and frees the lease.
        let token: String
    }

    /// Gives leases to replicas, one at a time for each answer. A server that cannot be asked gives none, and then each replica
    /// works alone.
    protocol ResponseLeases: Sendable {
        func begin(_ key: ResponseKey) async -> LeaseOutcome
        /// False: it was lost, or cannot be renewed.
        func renew(_ lease: ResponseLease, of key: ResponseKey) async -> Bool
        func end(_ lease: ResponseLease, of key: ResponseKey) async
        /// Nil: the server cannot be asked.
        func look(at key: ResponseKey) async -> LeaseState?
    }

    /// The outcome of a request for a lease.
    enum LeaseOutcome: Equatable, Sendable {
        case held(ResponseLease)
        /// Another replica has it.
        case taken
        /// There are no leases now.
        case unavailable
    }

    /// How an answer stands, at one moment.
    struct LeaseState: Equatable, Sendable {
        var isHeld: Bool
        /// Of the answer that is stored; nil: there is none.
        var number: Int?
    }
#endif

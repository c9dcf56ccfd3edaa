#if Server
    /// The right to render one response for all replicas. It expires unless it is renewed, so a replica that dies does not block the
    /// others for long.
    struct ResponseLease: Equatable, Sendable {
        /// A fencing token: higher than that of every earlier lease of the same response. It is stored with the response, and a stored response
        /// with a higher number stays. So a holder that lost its lease replaces nothing.
        let number: Int
        /// Unique: only the holder renews and frees the lease.
        let token: String
    }

    /// Gives leases to replicas, one at a time for each response. Without a reachable server there are none, and each replica works
    /// alone.
    protocol ResponseLeases: Sendable {
        func begin(_ key: ResponseKey) async -> LeaseOutcome
        /// False: the lease was lost, or cannot be renewed.
        func renew(_ lease: ResponseLease, of key: ResponseKey) async -> Bool
        func end(_ lease: ResponseLease, of key: ResponseKey) async
        /// Nil: the server cannot be reached.
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

    /// The state of one response's lease at one moment.
    struct LeaseState: Equatable, Sendable {
        var isHeld: Bool
        /// The number of the stored response; nil: none is stored.
        var number: Int?
    }
#endif

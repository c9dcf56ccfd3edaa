#if Redis
    /// Limits of ``RedisCache``, and of the responses of `gannet serve` in Redis.
    public struct RedisLimits: Sendable {
        /// For a connection. Default 50 ms.
        public var connect = Duration.milliseconds(50)
        /// For one command with its reply. A reply that takes more than half of it is used, and counts as a failure of the
        /// server. Default 50 ms.
        public var command = Duration.milliseconds(50)
        /// Entries with more bytes are not stored, because a large one would keep others waiting. Default 256 KiB.
        public var entryBytes = 256 << 10
        /// Threads, each with a connection to each node of a cluster at most. Default 16.
        public var connections = 16
        /// Commands that wait for one of them; further ones are not sent, as if the breaker were open. Default 64.
        public var waiting = 64
        /// Since the last use, for entries without an expiration; nil: for ever. Default 7 days.
        public var maximumAge: Duration? = .seconds(7 * 86_400)
        /// From one node of a cluster to another, for one command.
        var redirections = 5
        /// In a row, which open the breaker of a node.
        package var failures = 3

        /// All have defaults.
        public init() {}

        /// For each node.
        var breaker: CircuitBreakerState { CircuitBreakerState(threshold: failures, slow: command / 2) }
    }
#endif

#if Redis
    import Synchronization

    /// One server, and the connections to it that are idle.
    final class RedisNode: Sendable {
        let endpoint: RedisAddress.Endpoint
        let breaker: CircuitBreaker
        private let address: RedisAddress
        private let limits: RedisLimits
        private let idle = Mutex<[RedisConnection]>([])

        init(_ endpoint: RedisAddress.Endpoint, _ address: RedisAddress, _ limits: RedisLimits, _ breaker: CircuitBreaker) {
            (self.endpoint, self.address, self.limits, self.breaker) = (endpoint, address, limits, breaker)
        }

        /// Blocks. A restarted server has closed the idle connections, so one closed connection is no failure.
        ///
        /// - Parameter isAsking: the node is about to take the key's slot over, and answers for it all the same.
        func exchange(_ command: [[UInt8]], isAsking: Bool = false) throws(RedisConnection.Failure) -> RedisReply {
            if let kept = idle.withLock({ $0.popLast() }) {
                do throws(RedisConnection.Failure) { return try exchange(command, over: kept, isAsking) } catch {
                    guard case .closed = error else { throw error }
                    // The others are as old.
                    let closed = idle.withLock { all in
                        defer { all = [] }
                        return all
                    }
                    withExtendedLifetime(closed) {}
                }
            }
            let new = try RedisConnection(endpoint, login: address, connect: limits.connect, command: limits.command)
            return try exchange(command, over: new, isAsking)
        }

        private func exchange(
            _ command: [[UInt8]], over connection: RedisConnection, _ isAsking: Bool
        ) throws(RedisConnection.Failure) -> RedisReply {
            if isAsking { _ = try connection.ask([Array("ASKING".utf8)]) }
            let reply = try connection.ask(command)
            idle.withLock { $0.append(connection) }
            return reply
        }
    }
#endif

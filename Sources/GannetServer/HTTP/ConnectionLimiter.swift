#if Server
    import GannetPlatform
    import NIOCore
    import Synchronization

    /// Limits the number of connections. At the limit, the longest idle connection is closed for a new one. So clients that keep
    /// connections without a request, or send their requests byte by byte, exclude no others.
    ///
    /// If all connections have a request in progress, a small reserve is accepted beyond the limit, for health checks and refusals. The
    /// others wait in the system's queue until ``AcceptGate`` accepts them.
    final class ConnectionLimiter: Sendable {
        private struct Table {
            var state: ConnectionLimiterState
            var connections: [UInt64: TrackedConnection] = [:]
        }

        private let table: Mutex<Table>
        private let time: any TimeSource

        init(maximum: Int, time: any TimeSource = SystemTimeSource()) {
            table = Mutex(Table(state: ConnectionLimiterState(maximum: maximum, reserve: max(maximum / 8, 16))))
            self.time = time
        }

        /// A new connection is within the limit, or an idle one would be closed for it.
        var isOpen: Bool {
            let now = time.uptime
            return table.withLock { $0.state.isOpen(at: now) }
        }

        /// The connection counts until its channel closes.
        func enter(_ channel: any Channel) -> TrackedConnection {
            let now = time.uptime
            let (connection, removed, hasTime) = table.withLock { table -> (TrackedConnection, TrackedConnection?, Bool) in
                let entry = table.state.enter(at: now)
                let connection = TrackedConnection(self, channel, entry.id, isReserve: entry.isReserve)
                table.connections[entry.id] = connection
                return (connection, entry.removed.flatMap { table.connections.removeValue(forKey: $0) }, entry.hasTime)
            }
            removed?.makeRoom(hasTime: hasTime)
            channel.closeFuture.whenComplete { _ in self.leave(connection.id) }
            return connection
        }

        private func leave(_ id: UInt64) {
            // Released after the lock.
            let connection = table.withLock { table in
                table.state.leave(id)
                return table.connections.removeValue(forKey: id)
            }
            withExtendedLifetime(connection) {}
        }

        func closeAll() {
            for connection in table.withLock({ Array($0.connections.values) }) { connection.channel.close(promise: nil) }
        }

        func setBusy(_ isBusy: Bool, _ id: UInt64) {
            let now = time.uptime
            table.withLock { $0.state.setBusy(isBusy, id, at: now) }
        }
    }

    /// The open connections, and since when each is idle.
    struct ConnectionLimiterState {
        let maximum: Int
        /// Connections beyond ``maximum``, and as many evicted ones that are not closed yet.
        let reserve: Int
        /// A connection that has just been opened is about to send its request.
        static let patience = Duration.seconds(1)
        /// The same if the reserve is full too, and others wait.
        static let shortPatience = Duration.milliseconds(100)

        /// Nil: a request is in progress.
        private var idleSince: [UInt64: Duration?] = [:]
        /// Evicted, with time for an orderly close.
        private var leaving: Set<UInt64> = []
        private var next: UInt64 = 0

        init(maximum: Int, reserve: Int) { (self.maximum, self.reserve) = (maximum, reserve) }

        var count: Int { idleSince.count }

        /// O(1); O(n) if the limit and the reserve are full.
        func isOpen(at now: Duration) -> Bool {
            idleSince.count < maximum + reserve || oldestIdle(for: Self.shortPatience, at: now) != nil
        }

        /// O(1); O(n) if another connection is evicted. Never refuses, because a server accepts several connections at once.
        mutating func enter(at now: Duration) -> (id: UInt64, isReserve: Bool, removed: UInt64?, hasTime: Bool) {
            var removed: UInt64?
            if idleSince.count >= maximum {
                let patience = idleSince.count >= maximum + reserve ? Self.shortPatience : Self.patience
                removed = oldestIdle(for: patience, at: now)
            }
            let hasTime = leaving.count < reserve
            if let removed {
                idleSince[removed] = nil
                if hasTime { leaving.insert(removed) }
            }
            let isReserve = idleSince.count >= maximum
            next += 1
            idleSince[next] = .some(now)
            return (next, isReserve, removed, hasTime)
        }

        /// Does nothing for an evicted connection.
        mutating func setBusy(_ isBusy: Bool, _ id: UInt64, at now: Duration) {
            guard idleSince[id] != nil else { return }
            idleSince[id] = .some(isBusy ? nil : now)
        }

        mutating func leave(_ id: UInt64) {
            idleSince[id] = nil
            leaving.remove(id)
        }

        private func oldestIdle(for patience: Duration, at now: Duration) -> UInt64? {
            var oldest: (id: UInt64, since: Duration)?
            for (id, since) in idleSince {
                guard let since else { continue }
                if oldest.map({ since < $0.since }) ?? true { oldest = (id, since) }
            }
            return oldest.flatMap { now - $0.since >= patience ? $0.id : nil }
        }
    }
#endif

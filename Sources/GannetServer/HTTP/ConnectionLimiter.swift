#if Server
    import GannetPlatform
    import NIOCore
    import Synchronization

    /// Room for a number of connections. When it is full, the one that has been idle longest makes room: clients that keep
    /// connections without asking anything, or send their requests byte by byte, exclude no others.
    ///
    /// If all are answered just now, a few more are let in beyond the room. They learn how the service is, and that it has too
    /// much to do. The others wait in the system's queue, which ``AcceptGate`` leaves alone meanwhile.
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

        /// Another connection would have a place, or one that is idle would make room for it.
        var isOpen: Bool {
            let now = time.uptime
            return table.withLock { $0.state.isOpen(at: now) }
        }

        /// The place is free again when the channel closes.
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

    /// Which connections there are, and since when they are idle.
    struct ConnectionLimiterState {
        let maximum: Int
        /// Places beyond ``maximum``, and as many for connections that have to go, and are not closed yet.
        let reserve: Int
        /// A connection that has just been opened is about to send its request.
        static let patience = Duration.seconds(1)
        /// The same where there is no place at all: others wait.
        static let shortPatience = Duration.milliseconds(100)

        /// Nil: a request is answered just now.
        private var idleSince: [UInt64: Duration?] = [:]
        /// Had to go, and have time to do so in order.
        private var leaving: Set<UInt64> = []
        private var next: UInt64 = 0

        init(maximum: Int, reserve: Int) { (self.maximum, self.reserve) = (maximum, reserve) }

        var count: Int { idleSince.count }

        /// O(1), and O(n) where there is no place.
        func isOpen(at now: Duration) -> Bool {
            idleSince.count < maximum + reserve || oldestIdle(for: Self.shortPatience, at: now) != nil
        }

        /// O(1), and O(n) where another one has to go. Not refused where the room is not open: a server accepts several at once.
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

        /// Does nothing for a connection that had to go.
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

#if Server
    import GannetPlatform
    import NIOCore
    import Synchronization

    /// Room for a number of connections. When it is full, the one that has been idle longest makes room: clients that keep
    /// connections without asking anything, or send their requests byte by byte, exclude no others.
    ///
    /// If all are answered just now, a few more are let in beyond the room. They learn how the service is, and that it has too
    /// much to do.
    final class ConnectionRoom: Sendable {
        /// A connection's place.
        struct Place: Sendable {
            let id: UInt64
            /// Beyond the room.
            let isReserve: Bool
        }

        private struct Table {
            var state: ConnectionRoomState
            var channels: [UInt64: any Channel] = [:]
        }

        private let table: Mutex<Table>
        private let time: any TimeSource

        init(maximum: Int, time: any TimeSource = SystemTimeSource()) {
            table = Mutex(Table(state: ConnectionRoomState(maximum: maximum, reserve: max(maximum / 8, 16))))
            self.time = time
        }

        /// Nil: no place at all. The place is free again when the channel closes.
        func enter(_ channel: any Channel) -> Place? {
            let now = time.uptime
            let (place, removed) = table.withLock { table -> (Place?, (any Channel)?) in
                let entry = table.state.enter(at: now)
                let removed = entry.removed.flatMap { table.channels.removeValue(forKey: $0) }
                guard let place = entry.place else { return (nil, removed) }
                table.channels[place.id] = channel
                return (place, removed)
            }
            removed?.close(promise: nil)
            if let place { channel.closeFuture.whenComplete { _ in self.leave(place) } }
            return place
        }

        private func leave(_ place: Place) {
            table.withLock { table in
                table.state.leave(place.id)
                table.channels[place.id] = nil
            }
        }

        func closeAll() {
            for channel in table.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
        }

        func setBusy(_ isBusy: Bool, _ place: Place) {
            let now = time.uptime
            table.withLock { $0.state.setBusy(isBusy, place.id, at: now) }
        }
    }

    /// Which connections there are, and since when they are idle.
    struct ConnectionRoomState {
        let maximum: Int
        /// Places beyond ``maximum``.
        let reserve: Int
        /// A connection that has just been opened is about to send its request.
        static let patience = Duration.seconds(1)

        /// Nil: a request is answered just now.
        private var idleSince: [UInt64: Duration?] = [:]
        private var next: UInt64 = 0

        init(maximum: Int, reserve: Int) { (self.maximum, self.reserve) = (maximum, reserve) }

        var count: Int { idleSince.count }

        /// O(1), and O(n) where another one has to go.
        mutating func enter(at now: Duration) -> (place: ConnectionRoom.Place?, removed: UInt64?) {
            var removed: UInt64?
            // When there is no place at all, the patience ends too: who opens connections faster than that would exclude all others.
            if idleSince.count >= maximum, let oldest = oldestIdle(),
                now - oldest.since >= Self.patience || idleSince.count >= maximum + reserve
            {
                idleSince[oldest.id] = nil
                removed = oldest.id
            }
            let isReserve = idleSince.count >= maximum
            guard idleSince.count < maximum + reserve else { return (nil, removed) }
            next += 1
            idleSince[next] = .some(now)
            return (ConnectionRoom.Place(id: next, isReserve: isReserve), removed)
        }

        /// Does nothing for a connection that had to go.
        mutating func setBusy(_ isBusy: Bool, _ id: UInt64, at now: Duration) {
            guard idleSince[id] != nil else { return }
            idleSince[id] = .some(isBusy ? nil : now)
        }

        mutating func leave(_ id: UInt64) { idleSince[id] = nil }

        private func oldestIdle() -> (id: UInt64, since: Duration)? {
            var oldest: (id: UInt64, since: Duration)?
            for (id, since) in idleSince {
                guard let since else { continue }
                if oldest.map({ since < $0.since }) ?? true { oldest = (id, since) }
            }
            return oldest
        }
    }
#endif

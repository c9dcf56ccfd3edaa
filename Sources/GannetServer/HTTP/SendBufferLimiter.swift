#if Server
    import GannetPlatform
    import NIOCore
    import Synchronization

    /// Bounds the memory of responses that clients have not read yet, over all connections of a server.
    ///
    /// A body counts once, however many responses send it. Each response counts for the piece of it that waits in its connection.
    /// When the room is full, the slowest readers are closed for a new response. When all read fast enough, the new one is refused.
    final class SendBufferLimiter: Sendable {
        private struct Table {
            var state: SendBufferLimiterState
            var channels: [UInt64: any Channel] = [:]
        }

        private let table: Mutex<Table>
        private let time: any TimeSource

        /// `maximum`: bytes.
        init(maximum: Int, time: any TimeSource = SystemTimeSource()) {
            table = Mutex(Table(state: SendBufferLimiterState(maximum: maximum)))
            self.time = time
        }

        /// The place of a response; nil: there is none. The caller keeps `body` until ``leave(_:)``. `channel` is closed if the response has
        /// to go.
        func enter(_ body: [UInt8], _ channel: any Channel) -> UInt64? {
            let now = time.uptime
            let (ticket, removed) = table.withLock { table -> (UInt64?, [any Channel]) in
                let entry = table.state.enter(SendBufferLimiterState.Body(body), at: now)
                if let ticket = entry.ticket { table.channels[ticket] = channel }
                return (entry.ticket, entry.removed.compactMap { table.channels.removeValue(forKey: $0) })
            }
            for channel in removed { channel.close(promise: nil) }
            return ticket
        }

        /// The client's side has taken so many bytes of the body.
        func note(_ ticket: UInt64, taken: Int) { table.withLock { $0.state.note(ticket, taken: taken) } }

        /// Does nothing for a response that had to go.
        func leave(_ ticket: UInt64) {
            // Released after the lock.
            let channel = table.withLock { table in
                table.state.leave(ticket)
                return table.channels.removeValue(forKey: ticket)
            }
            withExtendedLifetime(channel) {}
        }

        /// Bytes that count now.
        var used: Int { table.withLock { $0.state.used } }
    }

    /// Which responses there are, what they take, and how fast their clients read.
    struct SendBufferLimiterState {
        /// A body, told from others by where its bytes are: responses that share them share the memory.
        struct Body {
            /// A name, never followed. It is unique while a response keeps the bytes.
            let name: UInt
            let count: Int

            init(_ bytes: [UInt8]) {
                name = bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
                count = bytes.count
            }
        }

        private struct Response {
            let body: Body
            let began: Duration
            var taken = 0

            /// Bytes a second since the beginning.
            func rate(at now: Duration) -> Double { Double(taken) / max((now - began) / .seconds(1), 0.001) }
        }

        /// Of one response: a piece of its body in the connection, the same encrypted, and the stream with its handlers.
        static let share = 2 * ResponseWriter.piece
        /// Bytes a second. Slower readers go when others need room.
        static let lowestRate = 32.0 * 1024
        /// Before that a reader's rate says nothing.
        static let patience = Duration.seconds(1)

        let maximum: Int
        private(set) var used = 0
        private var responses: [UInt64: Response] = [:]
        private var users: [UInt: Int] = [:]
        private var next: UInt64 = 0

        init(maximum: Int) { self.maximum = maximum }

        /// O(1), and O(n) for each response that has to go. A body that is larger than the whole room may be sent when nothing else is.
        mutating func enter(_ body: Body, at now: Duration) -> (ticket: UInt64?, removed: [UInt64]) {
            var removed: [UInt64] = []
            while used > 0, used + cost(body) > maximum {
                guard let slowest = slowest(at: now) else { return (nil, removed) }
                leave(slowest)
                removed.append(slowest)
            }
            used += cost(body)
            users[body.name, default: 0] += 1
            next += 1
            responses[next] = Response(body: body, began: now)
            return (next, removed)
        }

        mutating func note(_ id: UInt64, taken: Int) { responses[id]?.taken = taken }

        mutating func leave(_ id: UInt64) {
            guard let body = responses.removeValue(forKey: id)?.body else { return }
            let rest = users[body.name, default: 1] - 1
            users[body.name] = rest == 0 ? nil : rest
            used -= cost(body)
        }

        /// What the response takes beside those that are there.
        private func cost(_ body: Body) -> Int { Self.share + (users[body.name] == nil ? body.count : 0) }

        private func slowest(at now: Duration) -> UInt64? {
            responses.filter { now - $0.value.began >= Self.patience && $0.value.rate(at: now) < Self.lowestRate }
                .min { $0.value.rate(at: now) < $1.value.rate(at: now) }?.key
        }
    }
#endif

#if Server
    import GannetPlatform
    import NIOCore
    import Synchronization

    /// Bounds the memory of responses that clients have not read yet, over all connections of a server.
    ///
    /// A body counts once, however many responses send it. Each response counts for the piece that waits in its connection. At the limit,
    /// the slowest readers are closed for a new response. If all read fast enough, the new one is refused.
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

        /// The ticket of a response; nil: it is refused. The caller keeps `body` until ``leave(_:)``. `channel` is closed if the response is
        /// evicted.
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

        /// Does nothing for an evicted response.
        func leave(_ ticket: UInt64) {
            // Released after the lock.
            let channel = table.withLock { table in
                table.state.leave(ticket)
                return table.channels.removeValue(forKey: ticket)
            }
            withExtendedLifetime(channel) {}
        }

        /// The bytes in use.
        var used: Int { table.withLock { $0.state.used } }
    }

    /// The responses that are being sent, their memory, and the speed of their readers.
    struct SendBufferLimiterState {
        /// A body, identified by the address of its bytes: responses that share them share the memory.
        struct Body {
            /// The address, never dereferenced. It is unique while a response keeps the bytes.
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
        /// Bytes a second. Slower readers are evicted at the limit.
        static let lowestRate = 32.0 * 1024
        /// A reader's rate is judged only after this time.
        static let patience = Duration.seconds(1)

        let maximum: Int
        private(set) var used = 0
        private var responses: [UInt64: Response] = [:]
        private var users: [UInt: Int] = [:]
        private var next: UInt64 = 0

        init(maximum: Int) { self.maximum = maximum }

        /// O(1), and O(n) for each evicted response. A body larger than the limit may be sent while nothing else is.
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

        /// The memory that the response needs beside the others.
        private func cost(_ body: Body) -> Int { Self.share + (users[body.name] == nil ? body.count : 0) }

        private func slowest(at now: Duration) -> UInt64? {
            responses.filter { now - $0.value.began >= Self.patience && $0.value.rate(at: now) < Self.lowestRate }
                .min { $0.value.rate(at: now) < $1.value.rate(at: now) }?.key
        }
    }
#endif

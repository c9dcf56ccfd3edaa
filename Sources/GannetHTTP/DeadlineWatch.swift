#if HTTP
    import NIOCore
    import Synchronization

    /// One timer for the deadlines of all exchanges of a transport, so that a request costs no timer. The timer fires at the
    /// earliest possible deadline and then checks every exchange.
    ///
    /// The `Mutex` guards the table and the timer and is held for a few lines. Exchanges are checked after it is released.
    final class DeadlineWatch: Sendable {
        private struct State {
            var watched: [ObjectIdentifier: WireExchange] = [:]
            var timer: Scheduled<Void>?
            /// When the timer fires; the distant future while there is none.
            var next = NIODeadline.distantFuture
        }

        private let loop: any EventLoop
        private let state = Mutex(State())

        init(loop: any EventLoop) { self.loop = loop }

        func add(_ exchange: WireExchange, until deadline: NIODeadline) {
            let isEarlier = state.withLock { state in
                state.watched[ObjectIdentifier(exchange)] = exchange
                guard deadline < state.next else { return false }
                state.next = deadline
                return true
            }
            if isEarlier { arm(deadline) }
        }

        func remove(_ exchange: WireExchange) { state.withLock { state in state.watched[ObjectIdentifier(exchange)] = nil } }

        private func arm(_ deadline: NIODeadline) {
            let timer = loop.scheduleTask(deadline: deadline) { [weak self] in
                guard let self else { return }
                self.look(deadline)
            }
            let old = state.withLock { state -> Scheduled<Void>? in
                // Another thread has set an earlier timer meanwhile.
                guard state.next == deadline else { return timer }
                defer { state.timer = timer }
                return state.timer
            }
            old?.cancel()
        }

        private func look(_ deadline: NIODeadline) {
            let watched = state.withLock { state -> [WireExchange] in
                guard state.next == deadline else { return [] }
                state.next = .distantFuture
                state.timer = nil
                return Array(state.watched.values)
            }
            let now = NIODeadline.now()
            var earliest = NIODeadline.distantFuture
            for exchange in watched { if let next = exchange.look(now) { earliest = min(earliest, next) } }
            guard earliest < .distantFuture else { return }
            let isEarlier = state.withLock { state in
                guard earliest < state.next else { return false }
                state.next = earliest
                return true
            }
            if isEarlier { arm(earliest) }
        }
    }
#endif

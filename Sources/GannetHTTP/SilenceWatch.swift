#if HTTP
    import NIOCore

    /// Detects a dead HTTP/2 connection: the machine slept, or a router dropped it. Without a check, each later request to the
    /// host would use the connection and time out.
    ///
    /// While requests wait and nothing arrives, the watch sends the server a PING and allows a grace period: a busy server or a
    /// long send queue is not dead. A slow server gets a PING for each request, and answers it. An unanswered PING counts even
    /// after its requests have given up.
    ///
    /// Confined to its event loop.
    final class SilenceWatch {
        private let loop: NIOIsolatedEventLoop
        private let patience: TimeAmount
        private let grace: TimeAmount
        private let ask: () -> Void
        private let hangUp: () -> Void

        private var waiting = 0
        private var hasHeard = false
        private var hasAsked = false
        private var next: Scheduled<Void>?

        init(
            _ loop: any EventLoop, patience: TimeAmount, grace: TimeAmount, ask: @escaping () -> Void,
            hangUp: @escaping () -> Void
        ) {
            self.loop = loop.assumeIsolated()
            self.patience = patience
            self.grace = grace
            self.ask = ask
            self.hangUp = hangUp
        }

        /// A request starts to wait.
        func begin() {
            waiting += 1
            if next == nil { look() }
        }

        /// A request has its response, or has given up.
        func leave() { waiting -= 1 }

        /// Something arrived.
        func end() { hasHeard = true }

        func stop() {
            next?.cancel()
            next = nil
        }

        private func look() {
            hasHeard = false
            hasAsked = false
            wait(patience)
        }

        private func wait(_ time: TimeAmount) { next = loop.scheduleTask(in: time) { [weak self] in self?.judge() } }

        private func judge() {
            next = nil
            if hasHeard {
                if waiting > 0 { look() }
            } else if hasAsked {
                hangUp()
            } else {
                hasAsked = true
                wait(grace)
                ask()
            }
        }
    }
#endif

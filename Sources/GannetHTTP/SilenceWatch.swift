#if HTTP
    import NIOCore

    /// Notices that nobody is at the other end of a connection with HTTP/2 any more: the machine slept, or a router forgot it. Nothing says
    /// so, and all later requests to its host would be put on it, to time out one after the other.
    ///
    /// While somebody waits for an answer and nothing comes, the server is asked for a sign of life (PING), and is given a grace for it: a busy
    /// one, and one behind a long queue of bytes, is not a dead one.
    /// A server that is slow to answer a request is asked each time, and says that it is there. What has asked and given up counts until
    /// something has come.
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

        /// Somebody begins to wait.
        func begin() {
            waiting += 1
            if next == nil { look() }
        }

        /// Somebody has what he waited for, or has given up.
        func leave() { waiting -= 1 }

        /// Something has come.
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

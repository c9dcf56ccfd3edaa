#if HTTP
    import FoundationEssentials
    import GannetCore
    import NIOCore
    import NIOPosix
    import Synchronization

    /// Finds the addresses of hosts that the policy lets the transport connect to.
    ///
    /// Concurrent look-ups of one host share a question. Answers are used for a few seconds, so that requests use the same kept
    /// connections; they are checked at each use. Failed look-ups and refusals are not remembered.
    ///
    /// The `Mutex` guards both tables and is held for a few lines. The resolver is asked, and continuations resume, outside of it.
    final class AddressBook: Sendable {
        private typealias Answer = Result<[HostAddress], ImageError>

        private struct Known {
            var addresses: [HostAddress]
            var until: NIODeadline
        }

        private struct State {
            var known: [String: Known] = [:]
            /// The waiters of each running question.
            var asking: [String: [Int: CheckedContinuation<Answer, Never>]] = [:]
            var lastWaiter = 0
        }

        /// Above this number, answers are dropped.
        private static let maximumCount = 1024
        /// A question may block its thread for many seconds, so they have threads of their own.
        private static let threads = {
            let threads = NIOThreadPool(numberOfThreads: 16)
            threads.start()
            return threads
        }()

        private let policy: AddressPolicy
        private let resolver: HostResolver
        private let lifetime: TimeAmount
        private let loop: any EventLoop
        private let state = Mutex(State())

        init(_ policy: AddressPolicy, resolver: HostResolver, lifetime: Duration, loop: any EventLoop) {
            self.policy = policy
            self.resolver = resolver
            self.lifetime = WireExchange.amount(lifetime)
            self.loop = loop
        }

        /// The addresses to try, in this order. Nil: a proxy resolves the name.
        ///
        /// Throws `blocked` if none is allowed or the port is not, `hostNotFound`, `timedOut` and `cancelled`.
        func addresses(
            for url: URL, isProxied: Bool, began: NIODeadline, within limit: Duration
        ) async throws(ImageError) -> [HostAddress]? {
            guard let host = url.host, HostName.isWritable(host), !host.contains("%") else {
                throw ImageError(.hostNotFound, stage: .load, "No host has the name that the URL gives.")
            }
            try policy.check(port: url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80), of: host)
            if let address = HostResolver.literal(host) {
                let allowed = try policy.allowed([address], of: host)
                return isProxied ? nil : allowed
            }
            if isProxied { return nil }
            return try policy.allowed(try await lookUp(host.lowercased(), began, within: limit), of: host)
        }

        /// The address answered: other requests try it first.
        func prefer(_ address: HostAddress, for url: URL) {
            guard let host = url.host?.lowercased() else { return }
            state.withLock { state in
                guard let index = state.known[host]?.addresses.firstIndex(of: address) else { return }
                state.known[host]?.addresses.remove(at: index)
                state.known[host]?.addresses.insert(address, at: 0)
            }
        }

        private func lookUp(
            _ host: String, _ began: NIODeadline, within limit: Duration
        ) async throws(ImageError) -> [HostAddress] {
            let now = NIODeadline.now()
            let (known, waiter) = state.withLock { state -> ([HostAddress]?, Int) in
                if let known = state.known[host], now < known.until { return (known.addresses, 0) }
                state.lastWaiter += 1
                return (nil, state.lastWaiter)
            }
            if let known { return known }
            let deadline = began + WireExchange.amount(limit)
            let late = ImageError(.timedOut, stage: .load, "No connection within \(limit.seconds) s.")
            let timer: Scheduled<Void> = loop.scheduleTask(deadline: deadline) { self.leave(host, waiter, late) }
            defer { timer.cancel() }
            let answer: Answer = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let (isFirst, known) = state.withLock { state -> (Bool, [HostAddress]?) in
                        // The answer may have come since the look above.
                        if let known = state.known[host], now < known.until { return (false, known.addresses) }
                        defer { state.asking[host, default: [:]][waiter] = continuation }
                        return (state.asking[host] == nil, nil)
                    }
                    if let known { return continuation.resume(returning: .success(known)) }
                    if isFirst { ask(host) }
                    // The timer or the cancellation may have come before the waiter was in the table.
                    if Task.isCancelled { leave(host, waiter, .cancelled(stage: .load)) }
                    if deadline <= .now() { leave(host, waiter, late) }
                }
            } onCancel: {
                leave(host, waiter, .cancelled(stage: .load))
            }
            return try answer.get()
        }

        /// The question runs on for the other waiters, and for the next.
        private func leave(_ host: String, _ waiter: Int, _ error: ImageError) {
            let continuation = state.withLock { $0.asking[host]?.removeValue(forKey: waiter) }
            continuation?.resume(returning: .failure(error))
        }

        private func ask(_ host: String) {
            Self.threads.submit { [self] _ in
                end(host, resolver.addresses(host))
            }
        }

        private func end(_ host: String, _ answer: Answer) {
            let now = NIODeadline.now()
            let waiters = state.withLock { state in
                if case .success(let addresses) = answer, lifetime > .zero {
                    if state.known.count >= Self.maximumCount { state.known = state.known.filter { now < $0.value.until } }
                    if state.known.count >= Self.maximumCount { state.known = [:] }
                    state.known[host] = Known(addresses: addresses, until: now + lifetime)
                }
                return state.asking.removeValue(forKey: host)
            }
            for continuation in (waiters ?? [:]).values { continuation.resume(returning: answer) }
        }
    }
#endif

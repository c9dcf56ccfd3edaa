#if CommandLine
    import Glibc
    import Synchronization

    /// SIGINT and SIGTERM as a request to stop: the first one runs the actions that are registered, so that running loads are
    /// cancelled and clean up; a second one ends the process at once.
    enum Interrupt {
        private struct State {
            var actions: [Int: @Sendable () -> Void] = [:]
            var next = 0
            var wasRequested = false
        }

        private static let state = Mutex(State())

        /// Blocks both signals in this thread, and so in all that it starts, and takes them in a thread of their own. Call it first.
        static func install() {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGINT)
            sigaddset(&signals, SIGTERM)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            var thread = pthread_t()
            let failure = pthread_create(
                &thread, nil,
                { _ in
                    var signals = sigset_t()
                    sigemptyset(&signals)
                    sigaddset(&signals, SIGINT)
                    sigaddset(&signals, SIGTERM)
                    var number: Int32 = 0
                    while sigwait(&signals, &number) == 0 { Interrupt.request(number) }
                    return nil
                }, nil)
            precondition(failure == 0, "no thread could be started: \(failure)")
            pthread_detach(thread)
        }

        /// Runs `work` in a task that the first signal cancels, and `consume` beside it in the caller's task, which is not
        /// cancelled: it still reports what the work ended with.
        static func cancelling<R: Sendable>(
            _ work: @escaping @Sendable () async -> R, whileRunning consume: () async -> Void
        ) async -> R {
            // Unstructured on purpose: cancelled by the signal and awaited below.
            let task = Task { await work() }
            let number = state.withLock { state in
                state.next += 1
                state.actions[state.next] = { task.cancel() }
                return state.next
            }
            if state.withLock({ $0.wasRequested }) { task.cancel() }
            await consume()
            let result = await task.value
            state.withLock { _ = $0.actions.removeValue(forKey: number) }
            return result
        }

        static var wasRequested: Bool { state.withLock { $0.wasRequested } }

        private static func request(_ number: Int32) {
            let (isFirst, actions) = state.withLock { state in
                let isFirst = !state.wasRequested
                state.wasRequested = true
                return (isFirst, Array(state.actions.values))
            }
            // Nothing to clean up, or asked twice.
            guard isFirst, !actions.isEmpty else { _exit(128 + number) }
            for action in actions { action() }
        }
    }
#endif

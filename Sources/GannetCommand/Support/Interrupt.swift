#if CommandLine
    import GannetCore
    import Glibc
    import Synchronization

    /// Handles SIGINT, SIGTERM and SIGHUP as requests to stop; SIGHUP means a reload where ``hangups()`` is used. The first signal runs the
    /// registered actions, so that running loads are cancelled and clean up. A second signal ends the process at once, and so does a timeout: blocking system calls,
    /// such as a write to a full pipe, cannot be cancelled.
    enum Interrupt {
        private struct State {
            var actions: [Int: @Sendable () -> Void] = [:]
            var next = 0
            /// The first signal.
            var number: Int32?
            /// Gets an element for each SIGHUP, which then stops nothing.
            var hangups: AsyncStream<Void>.Continuation?
            /// The longest time from the first signal to the end of the process, finished or not.
            var patience = Duration.seconds(5)
        }

        private static let state = Mutex(State())

        /// Carries signals out of signal context: one byte for each.
        private static let wire: (reader: Int32, writer: Int32) = {
            var ends: [Int32] = [-1, -1]
            let failure = pipe(&ends)
            precondition(failure == 0, "no pipe could be made: \(errno)")
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (ends[0], ends[1])
        }()

        /// Forwards the three signals to a dedicated thread. Signal masks would not do: libdispatch unblocks them in the main
        /// thread.
        static func install() {
            _ = wire
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                // Only async-signal-safe calls (POSIX). If the pipe is full, enough signals are queued already.
                let saved = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(Interrupt.wire.writer, &byte, 1)
                errno = saved
            }
            action.sa_flags = SA_RESTART
            for number in [SIGINT, SIGTERM, SIGHUP] {
                // Unless the process was started with the signal ignored: by nohup, or by a shell that runs it in the background.
                var old = sigaction()
                sigaction(number, nil, &old)
                if unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
                    continue
                }
                sigaction(number, &action, nil)
            }
            // A write to a closed pipe then fails with EPIPE, and the writer can clean up.
            signal(SIGPIPE, SIG_IGN)
            var thread = pthread_t()
            let failure = pthread_create(
                &thread, nil,
                { _ in
                    var byte: UInt8 = 0
                    while true {
                        var ready = pollfd(fd: Interrupt.wire.reader, events: Int16(POLLIN), revents: 0)
                        if poll(&ready, 1, Interrupt.timeout) == 0 { Interrupt.end(Int32(byte)) }
                        let count = read(Interrupt.wire.reader, &byte, 1)
                        if count == 1 { Interrupt.request(Int32(byte)) } else if count == 0 || errno != EINTR { return nil }
                    }
                }, nil)
            precondition(failure == 0, "no thread could be started: \(failure)")
            pthread_detach(thread)
        }

        /// Runs `work` in a task that the first signal cancels, and `consume` beside it in the caller's task, which is not
        /// cancelled: it still reports how the work ended.
        static func cancelling<R: Sendable>(
            _ work: @escaping @Sendable () async -> R, whileRunning consume: () async -> Void
        ) async -> R {
            // Unstructured on purpose: cancelled by the signal and awaited below.
            let task = Task { await work() }
            let stop: @Sendable () -> Void = { task.cancel() }
            return await asking(to: stop) {
                await consume()
                return await task.value
            }
        }

        /// Runs `work` while the first signal calls `stop`, which should make it end soon; the process ends `patience` after the signal,
        /// whether it has or not.
        static func asking<R>(
            to stop: @escaping @Sendable () -> Void, patience: Duration = .seconds(5), _ work: () async -> R
        ) async -> R {
            let (number, isLate) = state.withLock { state in
                state.patience = patience
                state.next += 1
                state.actions[state.next] = stop
                return (state.next, state.number != nil)
            }
            if isLate { stop() }
            let result = await work()
            state.withLock { _ = $0.actions.removeValue(forKey: number) }
            return result
        }

        /// An element for each SIGHUP from now on: services read their configuration again. Several that come at once are one.
        static func hangups() -> AsyncStream<Void> {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            state.withLock { $0.hangups = continuation }
            return stream
        }

        static var wasRequested: Bool { number != nil }

        /// The first signal; nil: none came.
        static var number: Int32? { state.withLock { $0.number } }

        /// The exit status of a process that ended by a signal, as in shells: 130 after SIGINT.
        static func status(_ number: Int32) -> Int32 { 128 + number }

        private static func request(_ number: Int32) {
            if number == SIGHUP, let hangups = state.withLock({ $0.hangups }) {
                hangups.yield()
                return
            }
            let (isFirst, actions) = state.withLock { state in
                let isFirst = state.number == nil
                if isFirst { state.number = number }
                return (isFirst, Array(state.actions.values))
            }
            // Nothing to clean up, or the second request.
            guard isFirst, !actions.isEmpty else { end(number) }
            for action in actions { action() }
        }

        /// In milliseconds; none before the first signal.
        private static var timeout: Int32 {
            state.withLock { $0.number == nil ? -1 : Int32(clamping: $0.patience.wholeMilliseconds) }
        }

        private static func end(_ number: Int32) -> Never {
            Ending.now(status(number))
        }
    }
#endif

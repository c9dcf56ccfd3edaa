#if HTTP
    import CCurl
    import CGannetCURL
    import GannetCore
    import Glibc
    import Synchronization

    /// The way into a thread that drives all transfers of one transport through a multi handle of libcurl.
    ///
    /// The thread ends, and closes its connections, when the transport is gone and no transfer runs. The `Mutex` guards the line
    /// of commands and is held for a few lines.
    final class CURLLoop: Sendable {
        enum Command {
            case start(CURLTransfer)
            case resume(CURLTransfer)
            case stop(CURLTransfer)
        }

        private struct Line {
            var commands: [Command] = []
            /// The thread waits for sockets, and has to be woken.
            var isWaiting = false
            var isOver = false
        }

        let options: CURLTransport.Options
        let roots: CURLRoots
        private let line = Mutex(Line())
        /// Touched by the thread; others only call `curl_multi_wakeup`, which is meant for them, under the lock: once the thread has
        /// seen the end there, the handle may be gone.
        nonisolated(unsafe) private let multi: UnsafeMutableRawPointer

        /// Throws `io` if the system has no memory or thread left.
        init(_ options: CURLTransport.Options, roots: CURLRoots) throws(ImageError) {
            self.options = options
            self.roots = roots
            guard CURLHandle.hasStarted, let multi = gannet_curl_multi(max(options.maximumConnectionsPerHost, 1), 256) else {
                throw ImageError(.io, stage: .load, "libcurl could not be started: no memory.")
            }
            self.multi = multi
            var thread = pthread_t()
            let context = Unmanaged.passRetained(self)
            let failure = pthread_create(
                &thread, nil,
                { context in
                    guard let context else { return nil }
                    let loop = Unmanaged<CURLLoop>.fromOpaque(context).takeRetainedValue()
                    let runner = CURLThread(loop, loop.multi)
                    // libcurl's callbacks get it unretained.
                    withExtendedLifetime(runner) { runner.run() }
                    return nil
                }, context.toOpaque())
            guard failure == 0 else {
                context.release()
                curl_multi_cleanup(multi)
                throw ImageError(
                    .io, stage: .load, "A thread for transfers could not be started: \(String(cString: strerror(failure))).")
            }
            pthread_detach(thread)
        }

        func start(_ transfer: CURLTransfer) { add(.start(transfer)) }
        func resume(_ transfer: CURLTransfer) { add(.resume(transfer)) }
        func stop(_ transfer: CURLTransfer) { add(.stop(transfer)) }

        /// Accepts no further transfers; running ones continue.
        func end() {
            line.withLock { line in
                line.isOver = true
                curl_multi_wakeup(multi)
            }
        }

        private func add(_ command: Command) {
            line.withLock { line in
                line.commands.append(command)
                if line.isWaiting { curl_multi_wakeup(multi) }
                line.isWaiting = false
            }
        }

        // MARK: The thread's side

        /// Moves the commands into an array without any.
        func takeCommands(into commands: inout [Command]) {
            line.withLock { line in
                line.isWaiting = false
                swap(&commands, &line.commands)
            }
        }

        enum Next { case turn, wait, end }

        /// The next step after a turn. After `wait`, commands wake the thread.
        func next(isIdle: Bool) -> Next {
            line.withLock { line in
                if !line.commands.isEmpty { return .turn }
                if line.isOver, isIdle { return .end }
                line.isWaiting = true
                return .wait
            }
        }
    }

    /// A moment of the monotonic clock, which stands still while the machine sleeps.
    struct Instant: Comparable {
        var nanoseconds: Int64

        static var now: Instant {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
        }

        static let never = Instant(nanoseconds: .max)

        static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

        /// Durations beyond 30 years count as so long.
        static func + (instant: Instant, duration: Duration) -> Instant {
            Instant(nanoseconds: instant.nanoseconds + min(max(duration.wholeMilliseconds, 0), 1 << 40) * 1_000_000)
        }

        /// Whole milliseconds until `later`, rounded up; 0 if it has passed.
        func milliseconds(until later: Instant) -> Int64 {
            later <= self ? 0 : (later.nanoseconds - nanoseconds - 1) / 1_000_000 + 1
        }
    }
#endif

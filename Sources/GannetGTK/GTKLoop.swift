#if GTK
    import CGTK
    import Glibc
    import Synchronization

    /// A main loop for programs without a GtkApplication.
    public enum GTKLoop {
        private enum State { case idle, running, quitting }
        private static let state = Mutex(State.idle)

        /// Runs `start`, then GTK, on the calling thread until ``quit()``. For a synchronous `main`. False if there is no
        /// display.
        public static func run(_ start: @GTKActor () -> Void) -> Bool {
            let context = g_main_context_default()
            precondition(g_main_context_acquire(context) != 0, "GTK runs on another thread already")
            defer { g_main_context_release(context) }
            begin()
            defer { state.withLock { $0 = .idle } }
            // Assistive technologies call a program without this name "Unnamed"; a GtkApplication sets it too.
            if g_get_prgname() == nil, let path = CommandLine.arguments.first {
                g_set_prgname(String(path.split(separator: "/").last ?? Substring(path)))
            }
            guard gtk_init_check() != 0 else { return false }
            GTKActor.assumeIsolated { start() }
            while state.withLock({ $0 == .running }) { g_main_context_iteration(context, 1) }
            return true
        }

        /// Like ``run(_:)``, on a new thread, for an asynchronous `main`. Returns after ``quit()``. Only once in a process: GTK
        /// stays with its first thread.
        public static func runOnOwnThread(_ start: @escaping @Sendable @GTKActor () -> Void) async -> Bool {
            begin()
            return await withCheckedContinuation { continuation in
                let work = Work { continuation.resume(returning: run(start)) }
                var thread = pthread_t()
                let failure = pthread_create(
                    &thread, nil,
                    { data in
                        if let data { Unmanaged<Work>.fromOpaque(data).takeRetainedValue().body() }
                        return nil
                    }, Unmanaged.passRetained(work).toOpaque())
                precondition(failure == 0, "no thread could be started: \(failure)")
                pthread_detach(thread)
            }
        }

        /// Called once. A ``quit()`` during the start remains in effect.
        private static func begin() { state.withLock { if $0 == .idle { $0 = .running } } }

        /// Ends the loop after its current work, or after `start` if it is still starting. Does nothing without a loop. Any
        /// thread.
        public static func quit() {
            state.withLock { if $0 == .running { $0 = .quitting } }
            g_main_context_wakeup(g_main_context_default())
        }

        private final class Work: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
    }
#endif

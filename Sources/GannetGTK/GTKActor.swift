#if GTK
    import CGTK
    import CGannetShims
    import Dispatch
    import Synchronization

    /// The thread that runs GTK's main loop (the default main context of GLib).
    ///
    /// Jobs run below GTK's redraws in slices of 4 ms, so that they cost no frames. If redraws leave no time, one slice runs
    /// between them every 32 ms. The actor's thread is whichever thread iterates the default main context; no job runs before
    /// it does.
    @globalActor public actor GTKActor {
        /// Needs no start: runs wherever GTK's main loop runs.
        public static let shared = GTKActor()

        public nonisolated var unownedExecutor: UnownedSerialExecutor { GTKExecutor.shared.asUnownedSerialExecutor() }

        /// Runs `body` at once; traps on any thread but GTK's. For callbacks from C.
        public static func assumeIsolated<T: Sendable>(
            _ body: @GTKActor () throws -> T, file: StaticString = #fileID, line: UInt = #line
        ) rethrows -> T {
            typealias Plain = () throws -> T
            precondition(isCurrent, "not on the thread of GTK", file: file, line: line)
            // The cast removes the isolation from the type; the check above has proved it.
            return try withoutActuallyEscaping(body) { try unsafeBitCast($0, to: Plain.self)() }
        }

        /// True on the thread that iterates the default main context.
        public static var isCurrent: Bool { g_main_context_is_owner(g_main_context_default()) != 0 }

        /// Lets jobs of Swift's main actor run under GTK's main loop, which does not run them otherwise. Call it once, on the
        /// main thread, from a synchronous `main`. False if the system does not support it.
        @discardableResult public static func bridgeMainActor() -> Bool {
            // Names the main queue, so that libdispatch is linked and the queue exists.
            _ = DispatchQueue.main
            return bridged.withLock { bridged in
                if !bridged { bridged = gannet_gtk_bridge_main_queue() }
                return bridged
            }
        }
        private static let bridged = Mutex(false)
    }

    /// Hands jobs to GLib's default main context through one source.
    final class GTKExecutor: SerialExecutor {
        static let shared = GTKExecutor()

        /// GDK redraws at 120: jobs come after all of it.
        static let priority: Int32 = 125
        /// Microseconds of work before the loop gets its turn.
        static let slice = 4000
        /// Microseconds after which one slice of jobs runs before redraws. Otherwise, when every frame takes longer than the
        /// display's interval, jobs would starve, and a spinner would hide an image that is ready.
        static let patience: gint64 = 32_000

        private struct Queue {
            var jobs: [UnownedJob] = []
            var next = 0
            var isScheduled = false
            /// When the oldest wait without a run began.
            var since: gint64 = 0
            var isWatched = false

            mutating func take() -> UnownedJob? {
                guard next < jobs.count else {
                    jobs.removeAll(keepingCapacity: true)
                    next = 0
                    isScheduled = false
                    return nil
                }
                defer { next += 1 }
                return jobs[next]
            }
        }
        private let queue = Mutex(Queue())

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let (starts, watches) = queue.withLock { queue in
                queue.jobs.append(job)
                if !queue.isScheduled { queue.since = g_get_monotonic_time() }
                defer { (queue.isScheduled, queue.isWatched) = (true, true) }
                return (!queue.isScheduled, !queue.isWatched)
            }
            if watches { watch() }
            guard starts else { return }
            let source = g_idle_source_new()
            g_source_set_priority(source, Self.priority)
            g_source_set_callback(source, { _ in GTKExecutor.shared.runSlice() ? 1 : 0 }, nil, nil)
            g_source_attach(source, g_main_context_default())
            g_source_unref(source)
        }

        /// True if jobs are left.
        private func runSlice() -> Bool {
            let end = g_get_monotonic_time() + Self.slice
            while let job = queue.withLock({ $0.take() }) {
                job.runSynchronously(on: asUnownedSerialExecutor())
                let now = g_get_monotonic_time()
                if now >= end {
                    queue.withLock { $0.since = now }
                    return true
                }
            }
            return false
        }

        private var isOverdue: Bool {
            queue.withLock { $0.isScheduled && g_get_monotonic_time() - $0.since > Self.patience }
        }

        /// Adds a source above the redraws, checked in each turn of the loop; never wakes the loop itself.
        private func watch() {
            guard let source = g_source_new(Self.watching, UInt32(MemoryLayout<GSource>.size)) else { return }
            g_source_set_priority(source, G_PRIORITY_DEFAULT)
            g_source_attach(source, g_main_context_default())
            g_source_unref(source)
        }

        /// GLib keeps the address.
        private nonisolated(unsafe) static let watching: UnsafeMutablePointer<GSourceFuncs> = {
            let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
            functions.initialize(to: GSourceFuncs())
            functions.pointee.prepare = { _, _ in GTKExecutor.shared.isOverdue ? 1 : 0 }
            functions.pointee.check = { _ in GTKExecutor.shared.isOverdue ? 1 : 0 }
            functions.pointee.dispatch = { _, _, _ in
                _ = GTKExecutor.shared.runSlice()
                return 1
            }
            return functions
        }()

        func checkIsolated() { precondition(GTKActor.isCurrent, "not on the thread of GTK") }

        func isIsolatingCurrentContext() -> Bool? { GTKActor.isCurrent }
    }
#endif

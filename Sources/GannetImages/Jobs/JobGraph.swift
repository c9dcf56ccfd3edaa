import GannetCore
import GannetPlatform
import Synchronization

#if SANITIZE_THREAD
    import Glibc
#endif

/// All running jobs of a manager, whatever they make: one lock.
///
/// A job is one piece of work that several callers may wait for. It has a separate task, or it is a *step*: the task of another
/// job, its owner, carries it out. A step is listed in its table like any job, so that other callers can join it. Owner and steps
/// form a chain that one task works on; the task continues while a caller waits for any job of its chain.
package final class JobGraph: Sendable {
    #if SANITIZE_THREAD
        /// The thread sanitizer sees pthread's locks, and not `Mutex`: with this one it checks that all that is said to be guarded is.
        private nonisolated(unsafe) let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    #else
        private let lock = Mutex<Void>(())
    #endif

    package init() {
        #if SANITIZE_THREAD
            pthread_mutex_init(lock, nil)
        #endif
    }

    /// Guards every property of jobs, waiters and tables that changes. Held for a few dictionary operations; continuations resume,
    /// tasks are cancelled, and priorities are passed on after it. A task starts (is enqueued) under it.
    func withLock<R>(_ body: () -> R) -> R {
        #if SANITIZE_THREAD
            pthread_mutex_lock(lock)
            defer { pthread_mutex_unlock(lock) }
            return body()
        #else
            return lock.withBriefLock { _ in body() }
        #endif
    }

    #if SANITIZE_THREAD
        deinit {
            pthread_mutex_destroy(lock)
            lock.deallocate()
        }
    #endif
}

/// The effects of a change of the graph, carried out without its lock.
struct JobEffects {
    /// A task without waiters, to be cancelled.
    var cancelled: Task<Void, Never>?
    /// The priority of this job and of its steps may have changed.
    var reordered: AnyJob?

    func carryOut() {
        cancelled?.cancel()
        reordered?.passPriorityOn()
    }
}

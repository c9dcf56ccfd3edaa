import Glibc
import Synchronization

extension Mutex where Value: ~Copyable {
    /// The same as `withLock`, for bodies of some dozen instructions that many threads run all the time.
    ///
    /// Where a thread loses its processor inside such a body, the others would queue up in the kernel, and the lock would then
    /// be handed from thread to thread by it, a switch for every look-up. Here they step back for a moment, so that the one
    /// inside goes on; only what lasts longer waits in the kernel.
    func withBriefLock<Result: ~Copyable>(_ body: (inout sending Value) -> sending Result) -> sending Result {
        for attempt in 0..<80 {
            if let result = withLockIfAvailable(body) { return result }
            if attempt >= 16 { sched_yield() }
        }
        return withLock(body)
    }
}

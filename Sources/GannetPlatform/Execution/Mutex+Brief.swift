public import Glibc
public import Synchronization

extension Mutex where Value: ~Copyable {
    /// `withLock` for bodies of a few dozen instructions that many threads run all the time.
    ///
    /// If a thread is preempted inside the body, the others would queue in the kernel, which would then hand over the lock with
    /// a switch for every look-up. Here they yield briefly, so that the holder can continue; only longer waits go to the
    /// kernel.
    @inlinable package func withBriefLock<Result: ~Copyable>(_ body: (inout sending Value) -> sending Result) -> sending Result {
        for attempt in 0..<80 {
            if let result = withLockIfAvailable(body) { return result }
            if attempt >= 16 { sched_yield() }
        }
        return withLock(body)
    }
}

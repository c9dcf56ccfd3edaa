import GannetCore
import GannetFetch

/// A running job as its work sees it.
package class Job<Progress: Sendable>: AnyJob, @unchecked Sendable {
    /// Modifies the progress that is reported; set by ``publishing(with:)``.
    final var change: (@Sendable (inout Progress) -> Void)?

    /// Whether a waiter listens to progress; if not, the work need not put it together.
    package final var isWatched: Bool { graph.withLock { hasListeners } }

    /// Reports progress to all listeners. A slow listener gets only the newest.
    package func publish(_ progress: Progress) { preconditionFailure("each table's jobs know their waiters") }

    /// Modifies all progress reported from now on by `change`, which runs under the graph's lock.
    final func publishing(with change: @escaping @Sendable (inout Progress) -> Void) {
        graph.withLock { self.change = change }
    }
}

/// A job with its waiters.
final class RunningJob<Progress: Sendable, Value: Sendable>: Job<Progress>, @unchecked Sendable {
    private let table: JobTable<Progress, Value>
    /// In no order.
    private var waiters: [JobWaiter<Progress, Value>] = []
    /// The newest progress that was reported, for waiters that join later.
    private var newest: Progress?
    private let tellOwner: (@Sendable (Progress) -> Void)?

    init(
        _ table: JobTable<Progress, Value>, _ key: CacheKey, _ priority: LoadPriority, owner: AnyJob? = nil,
        tellOwner: (@Sendable (Progress) -> Void)? = nil
    ) {
        (self.table, self.tellOwner) = (table, tellOwner)
        super.init(table.graph, table.list, key, priority, owner: owner, tellsOwner: tellOwner != nil)
    }

    /// Under the lock.
    func add(_ waiter: JobWaiter<Progress, Value>) {
        count(waiter.level, listens: waiter.listens)
        waiter.position = waiters.count
        if waiter.listens { waiter.newest = newest }
        waiters.append(waiter)
    }

    /// Under the lock.
    func remove(_ waiter: JobWaiter<Progress, Value>) {
        discount(waiter.level, listens: waiter.listens)
        waiters.swapAt(waiter.position, waiters.count - 1)
        waiters[waiter.position].position = waiter.position
        waiters.removeLast()
    }

    /// Under the lock. Ends all waiters with `outcome`; the caller resumes their continuations after releasing the lock.
    func endWaiters(with outcome: Result<Value, ImageError>) -> [JobWaiter<Progress, Value>.Wake] {
        var wakes: [JobWaiter<Progress, Value>.Wake] = []
        for waiter in waiters { if let wake = waiter.end(with: outcome) { wakes.append(wake) } }
        waiters = []
        discountAll()
        return wakes
    }

    override func publish(_ progress: Progress) {
        let (progress, wakes) = graph.withLock { () -> (Progress, [JobWaiter<Progress, Value>.Wake]) in
            var progress = progress
            change?(&progress)
            newest = progress
            var wakes: [JobWaiter<Progress, Value>.Wake] = []
            if hasListeners {
                for waiter in waiters where waiter.listens { if let wake = waiter.tell(progress) { wakes.append(wake) } }
            }
            return (progress, wakes)
        }
        for wake in wakes { wake.resume(returning: .progress(progress)) }
        tellOwner?(progress)
    }
}

extension Job: FetchFollower where Progress == FetchProgress {}

import GannetCore
import Synchronization

/// Requests that no caller waits for (`stale-while-revalidate`): one for each response, and at most `maximum` at once. Others are dropped:
/// the next use of the response starts another.
final class BackgroundRevalidations: Sendable {
    private let maximum: Int
    private let running = Mutex<[CacheKey: Task<Void, Never>]>([:])

    init(maximum: Int) { self.maximum = maximum }

    /// Nothing cancels `work`: it ends as a request with deadlines does.
    func start(_ key: CacheKey, _ work: @escaping @Sendable () async -> Void) {
        running.withLock { running in
            guard running[key] == nil, running.count < maximum else { return }
            // Only enqueued here. Ends with its work.
            running[key] = Task(priority: LoadPriority.low.taskPriority) {
                await work()
                self.running.withLock { _ = $0.removeValue(forKey: key) }
            }
        }
    }

    /// Returns when none runs any more.
    func wait() async {
        while let task = running.withLock({ $0.values.first }) { await task.value }
    }
}

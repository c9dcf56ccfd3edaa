import Synchronization

/// Reports memory pressure to a closure while it lives. Watchers of equal monitors share one task that polls.
package final class MemoryPressureWatcher: Sendable {
    private let ending: @Sendable () -> Void

    /// `onPressure` is called from any thread.
    package init(
        _ monitor: MemoryPressureMonitor = MemoryPressureMonitor(), onPressure: @escaping @Sendable (MemoryPressure) -> Void
    ) {
        if let poll = monitor.poll {
            ending = MemoryPressurePolls.shared.add(onPressure, to: poll, of: monitor)
        } else {
            // Ends with the watcher, which the task does not hold.
            let task = Task { await monitor.run(onPressure) }
            ending = { task.cancel() }
        }
    }

    deinit { ending() }
}

/// The files that one task polls, and the interval.
struct MemoryPressurePoll: Hashable {
    var interval: Duration
    var proc: String
    var controlGroups: String
}

/// The running polls of the process: one task for each, however many caches and budgets it reports to.
final class MemoryPressurePolls: Sendable {
    static let shared = MemoryPressurePolls()

    private struct Running {
        var task: Task<Void, Never>
        var listeners: [UInt64: @Sendable (MemoryPressure) -> Void] = [:]
    }

    private struct State {
        var polls: [MemoryPressurePoll: Running] = [:]
        var next: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Whether a task polls this.
    func isRunning(_ poll: MemoryPressurePoll) -> Bool { state.withLock { $0.polls[poll] != nil } }
    /// Closures that its task reports to.
    func listenerCount(_ poll: MemoryPressurePoll) -> Int { state.withLock { $0.polls[poll]?.listeners.count ?? 0 } }

    /// The first listener starts the task. Returns what removes this one; the last one's ends the task.
    func add(
        _ onPressure: @escaping @Sendable (MemoryPressure) -> Void, to poll: MemoryPressurePoll, of monitor: MemoryPressureMonitor
    ) -> @Sendable () -> Void {
        let number = state.withLock { state -> UInt64 in
            state.next += 1
            var running =
                state.polls.removeValue(forKey: poll)
                ?? Running(task: Task { await monitor.run { self.report($0, of: poll) } })
            running.listeners[state.next] = onPressure
            state.polls[poll] = running
            return state.next
        }
        return { [self] in remove(number, from: poll) }
    }

    private func remove(_ number: UInt64, from poll: MemoryPressurePoll) {
        let last = state.withLock { state -> Running? in
            state.polls[poll]?.listeners[number] = nil
            return state.polls[poll]?.listeners.isEmpty == true ? state.polls.removeValue(forKey: poll) : nil
        }
        last?.task.cancel()
    }

    /// A poll that ended and began again meanwhile reports to its new listeners, which is as true for them.
    private func report(_ pressure: MemoryPressure, of poll: MemoryPressurePoll) {
        let listeners = state.withLock { $0.polls[poll].map { Array($0.listeners.values) } ?? [] }
        for listener in listeners { listener(pressure) }
    }
}

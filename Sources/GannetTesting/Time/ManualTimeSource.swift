public import GannetCore
public import GannetPlatform
import Synchronization

/// A clock that only a test advances. ``advance(by:)`` wakes sleepers in the order of their deadlines.
public final class ManualTimeSource: TimeSource {
    private struct Sleeper {
        var deadline: Duration
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now: Timestamp
        var uptime = Duration.zero
        var next: UInt64 = 0
        var sleepers: [UInt64: Sleeper] = [:]
        var watchers = CountWaiters()
    }

    private let state: Mutex<State>

    /// 2026-01-01 00:00 UTC by default.
    public init(now: Timestamp = Timestamp(milliseconds: 1_767_225_600_000)) { state = Mutex(State(now: now)) }

    public var now: Timestamp { state.withLock { $0.now } }
    public var uptime: Duration { state.withLock { $0.uptime } }

    /// The number of sleeping tasks.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Advances both clocks and wakes sleepers whose time has come.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now + duration
            state.uptime += duration
            let due = state.sleepers.filter { $0.value.deadline <= state.uptime }
            for id in due.keys { state.sleepers[id] = nil }
            return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    /// Sets the calendar, forwards or backwards; wakes no sleeper.
    public func setCalendar(_ now: Timestamp) { state.withLock { $0.now = now } }

    /// Returns when at least `count` tasks sleep, or at once if the task is cancelled.
    public func waitForSleepers(_ count: Int = 1) async {
        let ticket = state.withLock { $0.watchers.ticket() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { $0.watchers.enter(ticket, for: count, reached: $0.sleepers.count, continuation) }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.watchers.cancel(ticket) }?.resume()
        }
    }

    public func sleep(for duration: Duration) async throws(ImageError) {
        if duration <= .zero { return try ImageError.checkCancellation() }
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let (wake, watchers) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
                    if Task.isCancelled { return (true, []) }
                    state.sleepers[id] = Sleeper(deadline: state.uptime + duration, continuation: continuation)
                    return (false, state.watchers.reached(state.sleepers.count))
                }
                if wake { continuation.resume() }
                for watcher in watchers { watcher.resume() }
            }
        } onCancel: {
            // The task's flag is set before this runs: a sleeper that enters later sees it.
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume()
        }
        try ImageError.checkCancellation()
    }
}

public import GannetCore
import Synchronization

/// Records all observer calls.
public final class RecordingObserver: LoadObserver {
    private struct State {
        var started: [LoadStage: Int] = [:]
        var ended: [LoadStage: Int] = [:]
        var events: [LoadEvent] = []
        var loadsStarted = 0
        var loadsEnded = 0
        var waiting = CountWaiters()
    }

    private let state = Mutex(State())

    /// Starts without records.
    public init() {}

    /// Started loads, of all managers with this observer.
    public var loadsStarted: Int { state.withLock { $0.loadsStarted } }
    /// Ended loads, successful or not.
    public var loadsEnded: Int { state.withLock { $0.loadsEnded } }
    /// All events in order of arrival.
    public var events: [LoadEvent] { state.withLock { $0.events } }
    /// Starts of the stage in all loads.
    public func started(_ stage: LoadStage) -> Int { state.withLock { $0.started[stage] ?? 0 } }
    /// Ends of the stage, with and without an error.
    public func ended(_ stage: LoadStage) -> Int { state.withLock { $0.ended[stage] ?? 0 } }

    /// Whether every started stage and load has ended.
    public var isBalanced: Bool {
        state.withLock { $0.started == $0.ended && $0.loadsStarted == $0.loadsEnded }
    }

    /// The number of events that `matches` accepts. O(n), n = events.
    public func count(_ matches: (LoadEvent) -> Bool) -> Int { events.count(where: matches) }

    /// Waits until `matches` accepts `count` events, or the task is cancelled. `matches` is called for every event again after
    /// each new one; it may use this observer.
    public func wait(for count: Int, _ matches: @escaping @Sendable (LoadEvent) -> Bool) async {
        while !Task.isCancelled {
            let events = events
            if events.count(where: matches) >= count { return }
            await waitForEvents(events.count + 1)
        }
    }

    private func waitForEvents(_ count: Int) async {
        let ticket = state.withLock { $0.waiting.ticket() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { $0.waiting.enter(ticket, for: count, reached: $0.events.count, continuation) }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.cancel(ticket) }?.resume()
        }
    }

    public func loadDidStart(_ id: LoadID, request: ResolvedRequest) { state.withLock { $0.loadsStarted += 1 } }
    public func loadDidEnd(_ id: LoadID, _ result: Result<LoadedImage, ImageError>) { state.withLock { $0.loadsEnded += 1 } }
    public func stageDidStart(_ id: LoadID, _ stage: LoadStage) { state.withLock { $0.started[stage, default: 0] += 1 } }
    public func stageDidEnd(_ id: LoadID, _ stage: LoadStage, error: ImageError?) {
        state.withLock { $0.ended[stage, default: 0] += 1 }
    }

    public func note(_ id: LoadID?, _ event: LoadEvent) {
        let ready = state.withLock { state in
            state.events.append(event)
            return state.waiting.reached(state.events.count)
        }
        for continuation in ready { continuation.resume() }
    }
}

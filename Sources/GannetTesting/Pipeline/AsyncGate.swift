import Synchronization

/// A gate that tests keep closed instead of sleeping: waiters continue when it opens.
public final class AsyncGate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        /// Arrivals up to this number may pass, even if the gate was closed again before they waited.
        var openedThrough: UInt64 = 0
        var arrivals = CountWaiters()
        var cancelled: Set<UInt64> = []
        var arrived = 0
        var next: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Closed by default.
    public init(isOpen: Bool = false) { if isOpen { open() } }

    /// Arrivals so far, whether the gate was open or not.
    public var arrivedCount: Int { state.withLock { $0.arrived } }

    /// Waits until the gate is open; returns at once if the task is cancelled.
    public func wait() async {
        let (id, reached) = state.withLock { state in
            state.arrived += 1
            state.next += 1
            return (state.next, state.arrivals.reached(state.arrived))
        }
        for arrival in reached { arrival.resume() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    if state.cancelled.remove(id) != nil || state.isOpen || id <= state.openedThrough { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
                if let continuation = state.waiting.removeValue(forKey: id) { return continuation }
                state.cancelled.insert(id)
                return nil
            }
            continuation?.resume()
        }
    }

    /// Waits for `count` arrivals; returns at once if the task is cancelled.
    public func waitForArrivals(_ count: Int) async {
        let ticket = state.withLock { $0.arrivals.ticket() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { $0.arrivals.enter(ticket, for: count, reached: $0.arrived, continuation) }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.arrivals.cancel(ticket) }?.resume()
        }
    }

    /// Lets all waiters pass, and later ones until the gate is closed again.
    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            state.openedThrough = state.next
            let waiting = state.waiting.values.map { $0 }
            state.waiting = [:]
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Lets the present waiters pass; later ones wait.
    package func pass() {
        let waiting = state.withLock { state in
            state.openedThrough = state.next
            let waiting = state.waiting.values.map { $0 }
            state.waiting = [:]
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Closes the gate; arrivals from while it was open still pass.
    public func close() {
        state.withLock { state in
            if state.isOpen { state.openedThrough = state.next }
            state.isOpen = false
        }
    }
}

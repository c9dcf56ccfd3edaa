import Synchronization

/// A door that tests hold shut: whoever waits goes on when it is opened. Instead of sleeping.
public final class AsyncGate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var arrivals: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var cancelled: Set<UInt64> = []
        var arrived = 0
        var next: UInt64 = 0
    }

    private let state = Mutex(State())

    public init(isOpen: Bool = false) { if isOpen { open() } }

    /// How many came to the gate so far, open or not.
    public var arrivedCount: Int { state.withLock { $0.arrived } }

    /// Waits until it is open; returns at once if the task is cancelled.
    public func wait() async {
        let (id, reached) = state.withLock { state in
            state.arrived += 1
            state.next += 1
            let reached = state.arrivals.filter { $0.count <= state.arrived }
            state.arrivals.removeAll { $0.count <= state.arrived }
            return (state.next, reached)
        }
        for arrival in reached { arrival.continuation.resume() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    if state.isOpen || state.cancelled.remove(id) != nil { return true }
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

    /// Waits until `count` have come to the gate.
    public func waitForArrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.arrived >= count { return true }
                state.arrivals.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Lets everybody through, now and later.
    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            let waiting = state.waiting.values.map { $0 }
            state.waiting = [:]
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    public func close() { state.withLock { $0.isOpen = false } }
}

package import GannetCore
import GannetPlatform
import Synchronization

/// Slots for downloads and decodes, and a rate at which work may begin. Waiting work is ordered by live priority; a slot is held
/// only while working.
package final class PriorityGate: Sendable {
    private struct State {
        var machine: PriorityGateState
        var continuations: [PriorityGateState.Ticket: CheckedContinuation<Bool, Never>] = [:]
        /// Tickets whose task was cancelled before they entered the queue.
        var cancelled: Set<PriorityGateState.Ticket> = []
        var next: UInt64 = 0
        /// When the sleeping task wakes up, because the rate admits no work before; nil: none sleeps.
        var nextTurn: Duration?
    }

    private let state: Mutex<State>
    private let time: any TimeSource
    /// Called without the lock after changes that leave callers waiting for a slot.
    private let whenCrowded: (@Sendable (PriorityGate) -> Void)?

    /// `limit` slots in total, at least 1; no limit per origin.
    package convenience init(limit: Int, order: QueueOrder = .firstInFirstOut) {
        self.init(PriorityGateState(limit: limit, order: order), time: SystemTimeSource())
    }

    init(_ machine: PriorityGateState, time: any TimeSource, whenCrowded: (@Sendable (PriorityGate) -> Void)? = nil) {
        state = Mutex(State(machine: machine))
        self.time = time
        self.whenCrowded = whenCrowded
    }

    /// Can be changed while work runs; never stops running work.
    package var limit: Int {
        get { state.withLock { $0.machine.limit } }
        set { change { $0.limit = max(newValue, 1) } }
    }

    /// Changes several limits at once, so that no work is admitted by a mixture of old and new ones.
    func configure(_ body: (inout PriorityGateState) -> Void) { change(body) }

    /// The order among equal priorities; a change also applies to work that is already waiting.
    package var order: QueueOrder {
        get { state.withLock { $0.machine.order } }
        set { change { $0.order = newValue } }
    }

    /// While true, no work is admitted; running work continues.
    package var isSuspended: Bool {
        get { state.withLock { $0.machine.isSuspended } }
        set { change { $0.isSuspended = newValue } }
    }

    /// The number of slots in use.
    package var runningCount: Int { state.withLock { $0.machine.running } }
    /// The number of waiters for a slot, of all priorities.
    package var waitingCount: Int { state.withLock { $0.machine.waitingCount } }

    /// Whether work that came now would wait for a slot.
    package var isFull: Bool { state.withLock { $0.machine.running >= $0.machine.limit || $0.machine.waitingCount > 0 } }

    /// Runs `body` in a slot, after waiting for one. Throws `cancelled` if the task is cancelled while waiting.
    package func withSlot<R>(
        of origin: HTTPOrigin? = nil, priority: LivePriority, _ body: () async throws(ImageError) -> R
    ) async throws(ImageError) -> R {
        try await enter(priority, origin)
        defer { leave(origin) }
        return try await body()
    }

    /// Runs `body` only if a slot is free and no waiter could take it, else returns nil. For work that is not worth waiting for.
    package func withSlotAtOnce<R>(_ body: () async throws(ImageError) -> R) async throws(ImageError) -> R? {
        guard state.withLock({ $0.machine.enterAtOnce(now: $0.machine.rate == nil ? .zero : time.uptime) }) else { return nil }
        defer { leave(nil) }
        return try await body()
    }

    /// Runs `body` in a slot, with a priority that does not change.
    package func withSlot<R>(
        priority: LoadPriority, _ body: () async throws(ImageError) -> R
    ) async throws(ImageError) -> R {
        try await withSlot(priority: LivePriority(priority), body)
    }

    func enter(_ priority: LivePriority, _ origin: HTTPOrigin?) async throws(ImageError) {
        try ImageError.checkCancellation()
        let (ticket, admitted) = state.withLock { state in
            state.next += 1
            let isEntered = state.machine.enterAtOnce(origin: origin, now: state.machine.rate == nil ? .zero : time.uptime)
            return (PriorityGateState.Ticket(value: state.next), isEntered)
        }
        if admitted { return }
        let token = priority.observe { [weak self] in
            self?.state.withLock { $0.machine.setPriority(priority.current, of: ticket) }
        }
        defer { priority.stopObserving(token) }
        let entered = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(ticket) != nil { return true }
                    // The priority is read here: a change before this was not observed yet, a later one finds the ticket.
                    state.machine.enqueue(ticket, priority: priority.current, origin: origin)
                    state.continuations[ticket] = continuation
                    return false
                }
                // A slot may have become free since the first attempt.
                if isCancelled { continuation.resume(returning: false) } else { admit() }
            }
        } onCancel: {
            withdraw(ticket)
        }
        // If the task was cancelled after it was admitted, it keeps the slot, and the work itself will notice.
        state.withLock { _ = $0.cancelled.remove(ticket) }
        if !entered { throw .cancelled() }
    }

    private func withdraw(_ ticket: PriorityGateState.Ticket) {
        let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            if state.machine.withdraw(ticket) { return state.continuations.removeValue(forKey: ticket) }
            state.cancelled.insert(ticket)
            return nil
        }
        continuation?.resume(returning: false)
    }

    func leave(_ origin: HTTPOrigin?, fromAside: Bool = false) { change { $0.leave(origin: origin, fromAside: fromAside) } }

    /// Whether callers wait for a slot, and not for their turn alone.
    var isCrowded: Bool { state.withLock { $0.machine.isCrowded } }

    /// Whether work waits for a slot, and more may continue without one.
    var allowsAside: Bool { state.withLock { $0.machine.allowsAside } }

    /// Work in a slot leaves it to others and continues; it ends with `leave(_:fromAside:)`.
    func stepAside() { change { $0.stepAside() } }

    private func admit() { change { _ in } }

    /// Applies a change, and admits all waiters that may then begin, under one lock: no other call sees them in the queue.
    private func change(_ body: (inout PriorityGateState) -> Void) {
        let (admitted, delay, isCrowded) = state.withLock { state -> ([CheckedContinuation<Bool, Never>], Duration?, Bool) in
            body(&state.machine)
            let now = state.machine.rate == nil ? .zero : time.uptime
            let (tickets, again) = state.machine.admit(now: now)
            let continuations = tickets.compactMap { state.continuations.removeValue(forKey: $0) }
            // The rate may have been raised since the task went to sleep.
            let isCrowded = state.machine.isCrowded
            guard let again, state.nextTurn.map({ now + again < $0 }) ?? true else { return (continuations, nil, isCrowded) }
            state.nextTurn = now + again
            return (continuations, again, isCrowded)
        }
        for continuation in admitted { continuation.resume(returning: true) }
        if let delay { admit(after: delay) }
        if isCrowded { whenCrowded?(self) }
    }

    /// Sleeps on behalf of all waiters, whichever of them is first by then or gives up in the meantime.
    private func admit(after delay: Duration) {
        Task { [weak self, time] in
            try? await time.sleep(for: delay)
            self?.state.withLock { state in
                if let turn = state.nextTurn, turn <= time.uptime { state.nextTurn = nil }
            }
            self?.admit()
        }
    }
}

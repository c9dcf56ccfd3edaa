public import GannetCore
import Synchronization

/// Slots in front of downloads and decodes, and a rate at which work may begin. What waits is ordered by priority, live; a slot is held
/// only while working.
public final class PriorityGate: Sendable {
    private struct State {
        var machine: PriorityGateState
        var continuations: [PriorityGateState.Ticket: CheckedContinuation<Bool, Never>] = [:]
        /// Tickets whose task was cancelled before they stood in the queue.
        var cancelled: Set<PriorityGateState.Ticket> = []
        var next: UInt64 = 0
        /// Until then somebody sleeps, because the rate lets nobody begin before.
        var nextTurn: Duration?
    }

    private let state: Mutex<State>
    private let time: any TimeSource

    /// `limit` slots for everything together, at least 1; none of its own for an origin.
    public convenience init(limit: Int, order: QueueOrder = .firstInFirstOut) {
        self.init(PriorityGateState(limit: limit, order: order), time: SystemTimeSource())
    }

    init(_ machine: PriorityGateState, time: any TimeSource) {
        state = Mutex(State(machine: machine))
        self.time = time
    }

    /// May be changed while running; running work is never stopped by it.
    public var limit: Int {
        get { state.withLock { $0.machine.limit } }
        set { change { $0.limit = max(newValue, 1) } }
    }

    /// Several limits at once, so that nobody is admitted by a mixture.
    func configure(_ body: (inout PriorityGateState) -> Void) { change(body) }

    /// Among equal priorities; counts at once for those who wait, too.
    public var order: QueueOrder {
        get { state.withLock { $0.machine.order } }
        set { change { $0.order = newValue } }
    }

    /// While suspended nobody is admitted; running work goes on.
    public var isSuspended: Bool {
        get { state.withLock { $0.machine.isSuspended } }
        set { change { $0.isSuspended = newValue } }
    }

    /// Slots that are taken.
    public var runningCount: Int { state.withLock { $0.machine.running } }
    /// Those who wait for a slot, of all priorities.
    public var waitingCount: Int { state.withLock { $0.machine.waitingCount } }

    /// Runs `body` in a slot; waits for one first. Throws `cancelled` if the task is cancelled while waiting.
    package func withSlot<R>(
        of origin: HTTPOrigin? = nil, priority: LivePriority, _ body: () async throws(ImageError) -> R
    ) async throws(ImageError) -> R {
        try await enter(priority, origin)
        defer { leave(origin) }
        return try await body()
    }

    /// Runs `body` only if there is a slot that nobody waits for; nil: there is none. For what is not worth waiting for.
    package func withSlotAtOnce<R>(_ body: () async throws(ImageError) -> R) async throws(ImageError) -> R? {
        guard state.withLock({ $0.machine.enterAtOnce(now: $0.machine.rate == nil ? .zero : time.uptime) }) else { return nil }
        defer { leave(nil) }
        return try await body()
    }

    /// The same with a priority that does not change.
    public func withSlot<R>(
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
                    // The priority is read here: a change before was not observed yet, a later one finds the ticket.
                    state.machine.enqueue(ticket, priority: priority.current, origin: origin)
                    state.continuations[ticket] = continuation
                    return false
                }
                // A slot may have become free since it was asked for.
                if isCancelled { continuation.resume(returning: false) } else { admit() }
            }
        } onCancel: {
            withdraw(ticket)
        }
        // Cancelled after it was admitted: the slot is its own, and the work itself will notice.
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

    func leave(_ origin: HTTPOrigin?) { change { $0.leave(origin: origin) } }

    private func admit() { change { _ in } }

    /// Whoever may go then is taken out of the queue before anybody else can look at it.
    private func change(_ body: (inout PriorityGateState) -> Void) {
        let (admitted, delay) = state.withLock { state -> ([CheckedContinuation<Bool, Never>], Duration?) in
            body(&state.machine)
            let now = state.machine.rate == nil ? .zero : time.uptime
            let (tickets, again) = state.machine.admit(now: now)
            let continuations = tickets.compactMap { state.continuations.removeValue(forKey: $0) }
            // The rate may have become a higher one since somebody went to sleep.
            guard let again, state.nextTurn.map({ now + again < $0 }) ?? true else { return (continuations, nil) }
            state.nextTurn = now + again
            return (continuations, again)
        }
        for continuation in admitted { continuation.resume(returning: true) }
        if let delay { admit(after: delay) }
    }

    /// Sleeps for all who wait, whoever of them will be the first then, or gives up in the meantime.
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

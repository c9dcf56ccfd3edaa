public import GannetCore
import Synchronization

/// In which order equal priorities are served. - SDWebImage: SDWebImageDownloaderExecutionOrder
public enum QueueOrder: String, Hashable, Sendable {
    case firstInFirstOut, lastInFirstOut
}

/// Who waits for a slot: a pure machine.
package struct PriorityGateState {
    package struct Ticket: Hashable, Sendable {
        package let value: UInt64
        package init(value: UInt64) { self.value = value }
    }

    package var limit: Int
    package var order: QueueOrder
    package var isSuspended = false
    package private(set) var running = 0
    private var queues: [[Ticket]] = Array(repeating: [], count: LoadPriority.allCases.count)
    private var waiting: [Ticket: LoadPriority] = [:]

    package init(limit: Int, order: QueueOrder = .firstInFirstOut) {
        self.limit = max(limit, 1)
        self.order = order
    }

    package var waitingCount: Int { waiting.count }

    /// True if there is a free slot and nobody waits; it is then taken.
    package mutating func enterAtOnce() -> Bool {
        guard !isSuspended, running < limit, waiting.isEmpty else { return false }
        running += 1
        return true
    }

    package mutating func enqueue(_ ticket: Ticket, priority: LoadPriority) {
        queues[priority.rawValue].append(ticket)
        waiting[ticket] = priority
    }

    /// True if it was still waiting.
    package mutating func withdraw(_ ticket: Ticket) -> Bool {
        guard let priority = waiting.removeValue(forKey: ticket) else { return false }
        queues[priority.rawValue].removeAll { $0 == ticket }
        return true
    }

    package mutating func setPriority(_ priority: LoadPriority, of ticket: Ticket) {
        guard let old = waiting[ticket], old != priority else { return }
        queues[old.rawValue].removeAll { $0 == ticket }
        queues[priority.rawValue].append(ticket)
        waiting[ticket] = priority
    }

    package mutating func leave() { running -= 1 }

    /// Those who may go now.
    package mutating func admit() -> [Ticket] {
        var admitted: [Ticket] = []
        while !isSuspended, running < limit, let ticket = next() {
            running += 1
            admitted.append(ticket)
        }
        return admitted
    }

    private mutating func next() -> Ticket? {
        for index in queues.indices.reversed() where !queues[index].isEmpty {
            let ticket = order == .firstInFirstOut ? queues[index].removeFirst() : queues[index].removeLast()
            waiting[ticket] = nil
            return ticket
        }
        return nil
    }
}

/// Slots in front of downloads and decodes. What waits is ordered by priority, live; a slot is held only while working.
public final class PriorityGate: Sendable {
    private struct State {
        var machine: PriorityGateState
        var continuations: [PriorityGateState.Ticket: CheckedContinuation<Bool, Never>] = [:]
        /// Tickets whose task was cancelled before they stood in the queue.
        var cancelled: Set<PriorityGateState.Ticket> = []
        var next: UInt64 = 0
    }

    private let state: Mutex<State>

    public init(limit: Int, order: QueueOrder = .firstInFirstOut) {
        state = Mutex(State(machine: PriorityGateState(limit: limit, order: order)))
    }

    /// May be changed while running; running work is never stopped by it.
    public var limit: Int {
        get { state.withLock { $0.machine.limit } }
        set { change { $0.limit = max(newValue, 1) } }
    }

    public var order: QueueOrder {
        get { state.withLock { $0.machine.order } }
        set { change { $0.order = newValue } }
    }

    /// While suspended nobody is admitted; running work goes on.
    public var isSuspended: Bool {
        get { state.withLock { $0.machine.isSuspended } }
        set { change { $0.isSuspended = newValue } }
    }

    public var runningCount: Int { state.withLock { $0.machine.running } }
    public var waitingCount: Int { state.withLock { $0.machine.waitingCount } }

    /// Runs `body` in a slot; waits for one first. Throws `cancelled` if the task is cancelled while waiting.
    package func withSlot<R>(
        priority: LivePriority, _ body: () async throws(ImageError) -> R
    ) async throws(ImageError) -> R {
        try await enter(priority)
        defer { leave() }
        return try await body()
    }

    /// The same with a priority that does not change.
    public func withSlot<R>(
        priority: LoadPriority, _ body: () async throws(ImageError) -> R
    ) async throws(ImageError) -> R {
        try await withSlot(priority: LivePriority(priority), body)
    }

    private func enter(_ priority: LivePriority) async throws(ImageError) {
        try ImageError.checkCancellation()
        let (ticket, admitted) = state.withLock { state in
            state.next += 1
            return (PriorityGateState.Ticket(value: state.next), state.machine.enterAtOnce())
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
                    state.machine.enqueue(ticket, priority: priority.current)
                    state.continuations[ticket] = continuation
                    return false
                }
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

    private func leave() {
        state.withLock { $0.machine.leave() }
        admit()
    }

    private func change(_ body: (inout PriorityGateState) -> Void) {
        state.withLock { body(&$0.machine) }
        admit()
    }

    private func admit() {
        let admitted = state.withLock { state in
            state.machine.admit().compactMap { state.continuations.removeValue(forKey: $0) }
        }
        for continuation in admitted { continuation.resume(returning: true) }
    }
}

import Synchronization

/// A limit on the bytes that all decodes of a process hold at once. Reserved before allocation, released when the reservation
/// ends.
///
/// ``reserve(_:)`` never waits: it returns yes or no. ``reserveWhenFree(_:)`` suspends until there is room, so that decodes wait
/// instead of piling up and no thread is blocked. Waiters are served by priority, then in the order of their arrival. A waiter that
/// fits may pass one that does not, until as many bytes as the whole budget have passed it: small decodes do not wait for a large
/// one, and the large one does not wait for ever.
///
/// A decode reserves through a part of the budget. When refused, the part records how much the decode needs: it then releases
/// everything, waits for that much, and restarts. Waiting decodes hold nothing, so no two can wait for each other.
package final class ResourceBudget: Sendable {
    /// Bytes.
    package let capacity: Int
    /// Nil: this is the whole budget.
    private let whole: ResourceBudget?
    /// Bytes that a part uses before it reserves in the whole.
    private let grant: Reservation?
    /// The budget of another process, which counts the bytes that this one uses.
    private let elsewhere: (@Sendable (_ bytes: Int, _ isSpare: Bool) -> Bool)?
    private struct State {
        var used = 0 {
            didSet { peak = max(peak, used) }
        }
        var peak = 0
        /// In the order of arrival.
        var queue: [Waiter] = []
        var cancelled: Set<UInt64> = []
        var next: UInt64 = 0
        /// The part of ``used`` that the grant covers.
        var fromGrant = 0
        var shortage: Int?
        /// The bytes that ``elsewhere`` has granted.
        var granted = 0
        var holders: [ObjectIdentifier: WeakHolder] = [:]
    }

    private struct Waiter {
        let id: UInt64
        let bytes: Int
        let priority: @Sendable () -> LoadPriority
        let continuation: CheckedContinuation<Bool, Never>
        /// Bytes of others that were served before it although they came later.
        var passed = 0
    }

    private struct WeakHolder { weak var holder: (any BudgetHolder)? }

    private let state: Mutex<State>

    /// Reserves no memory; several budgets may together exceed the machine's.
    package init(capacity: Int) {
        self.capacity = capacity
        whole = nil
        grant = nil
        elsewhere = nil
        self.state = Mutex(State())
    }

    /// The budget of a worker process: it has no bytes at first, requests those it needs from its parent, and keeps what it was
    /// granted. Used by one thread. `isSpare`: as for ``reserveSpare(_:)``; such bytes are granted until the parent has its answer.
    package init(asking: @escaping @Sendable (_ bytes: Int, _ isSpare: Bool) -> Bool) {
        capacity = .max
        whole = nil
        grant = nil
        elsewhere = asking
        self.state = Mutex(State())
    }

    private init(partOf whole: ResourceBudget, granted: Reservation?) {
        capacity = whole.capacity
        self.whole = whole
        grant = granted
        elsewhere = nil
        self.state = Mutex(State())
    }

    /// The share of one decode: counted separately, and in the whole. `granted` is used first.
    package func part(granted: Reservation? = nil) -> ResourceBudget { ResourceBudget(partOf: root, granted: granted) }

    /// The budget that this one is a part of, or itself.
    package var root: ResourceBudget { whole ?? self }

    /// No limit.
    package static let unlimited = ResourceBudget(capacity: .max)

    /// The number of waiters for room.
    package var waitingCount: Int { state.withLock { $0.queue.count } }
    /// Bytes reserved now by all decodes.
    package var usedBytes: Int { state.withLock { $0.used } }
    /// The most bytes reserved at once so far.
    package var peakBytes: Int { state.withLock { $0.peak } }

    /// The bytes that a part holds of the whole, used or not.
    package var heldBytes: Int { state.withLock { $0.used - $0.fromGrant + (grant?.bytes ?? 0) } }

    /// The total bytes that would have sufficed at a part's last refusal. Nil: never refused.
    package var shortage: Int? { state.withLock { $0.shortage } }

    /// Nil if it does not fit now. Takes precedence over waiters, because a running decode already holds memory that they wait
    /// for. Throws `limitExceeded` if it could never fit.
    package func reserve(_ bytes: Int) throws(ImageError) -> Reservation? { try reserve(bytes, inTurn: nil) }

    /// The same, but also nil if it is the turn of one that waits: for the start of a decode, which holds nothing yet.
    package func reserveInTurn(_ bytes: Int, priority: LoadPriority = .normal) throws(ImageError) -> Reservation? {
        try reserve(bytes, inTurn: priority)
    }

    /// For memory that a decode can do without: nil if it does not fit now, or if anything waits, and that is no shortage. What was
    /// granted stays for what the decode needs.
    package func reserveSpare(_ bytes: Int) -> Reservation? {
        if let whole {
            guard let rest = whole.reserveSpare(bytes) else { return nil }
            state.withLock { $0.used += bytes }
            return Reservation(bytes: bytes, rest: rest, budget: self)
        }
        // The other process alone counts it, until it has its answer: the whole is asked for each time, and nothing of it stays granted.
        if let elsewhere { return elsewhere(bytes, true) ? Reservation(bytes: 0, budget: self) : nil }
        let fits = state.withLock { state in
            guard state.queue.isEmpty, state.used <= capacity - bytes else { return false }
            state.used += bytes
            return true
        }
        return fits ? Reservation(bytes: bytes, budget: self) : nil
    }

    private func reserve(_ bytes: Int, inTurn priority: LoadPriority?) throws(ImageError) -> Reservation? {
        try checkCapacity(bytes)
        if let whole { return try reserve(bytes, of: whole, inTurn: priority) }
        if let elsewhere, !grow(for: bytes, asking: elsewhere) { return nil }
        let fits = state.withLock { state in
            guard state.used <= capacity - bytes, priority.map({ pass(bytes, $0, &state) }) ?? true else { return false }
            state.used += bytes
            return true
        }
        return fits ? Reservation(bytes: bytes, budget: self) : nil
    }

    /// Under the lock: whether bytes that fit may pass those that wait with this priority or a higher one. Counts them if so.
    private func pass(_ bytes: Int, _ priority: LoadPriority, _ state: inout State) -> Bool {
        guard let first = order(of: state.queue).first, state.queue[first].priority() >= priority else { return true }
        return pass(bytes, first, &state)
    }

    private func pass(_ bytes: Int, _ waiter: Int, _ state: inout State) -> Bool {
        guard state.queue[waiter].passed <= capacity - bytes else { return false }
        state.queue[waiter].passed += bytes
        return true
    }

    /// The places in the queue as they are served.
    private func order(of queue: [Waiter]) -> [Int] {
        if queue.count < 2 { return Array(queue.indices) }
        // Each priority is read once: it may change at any time.
        let priorities = queue.map { $0.priority() }
        return queue.indices.sorted { (priorities[$1], $0) < (priorities[$0], $1) }
    }

    private func grow(for bytes: Int, asking: (_ bytes: Int, _ isSpare: Bool) -> Bool) -> Bool {
        let missing = state.withLock { $0.used.addingReportingOverflow(bytes).partialValue - $0.granted }
        guard missing > 0 else { return true }
        // Outside of the lock: it waits for an answer.
        guard asking(missing, false) else { return false }
        state.withLock { $0.granted += missing }
        return true
    }

    private func reserve(_ bytes: Int, of whole: ResourceBudget, inTurn priority: LoadPriority?) throws(ImageError)
        -> Reservation?
    {
        let (total, covered) = state.withLock { state -> (Int, Int) in
            let covered = min(bytes, (grant?.bytes ?? 0) - state.fromGrant)
            let (total, overflow) = state.used.addingReportingOverflow(bytes)
            if overflow || total > capacity { return (overflow ? .max : total, 0) }
            state.fromGrant += covered
            return (total, covered)
        }
        // Waiting would not help; some decoders have a slower way that needs less.
        if total > capacity {
            if priority != nil { try checkCapacity(total) }
            return nil
        }
        let rest = covered < bytes ? try whole.reserve(bytes - covered, inTurn: priority) : nil
        let fits = covered == bytes || rest != nil
        state.withLock { state in
            if fits {
                state.used += bytes
            } else {
                state.fromGrant -= covered
                state.shortage = max(state.shortage ?? 0, total)
            }
        }
        return fits ? Reservation(bytes: bytes, covered: covered, rest: rest, budget: self) : nil
    }

    /// Waits for room. Throws `limitExceeded` if it could never fit, and `cancelled`.
    package func reserveWhenFree(_ bytes: Int) async throws(ImageError) -> Reservation {
        try await reserveWhenFree(bytes) { .normal }
    }

    /// `priority` is read under the lock whenever there is room, and must not call this budget.
    package func reserveWhenFree(
        _ bytes: Int, priority: @escaping @Sendable () -> LoadPriority
    ) async throws(ImageError) -> Reservation {
        if let whole { return try await whole.reserveWhenFree(bytes, priority: priority) }
        if let reservation = try reserveInTurn(bytes, priority: priority()) { return reservation }
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        let granted = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    if state.cancelled.remove(id) != nil { return false }
                    if state.used <= capacity - bytes, pass(bytes, priority(), &state) {
                        state.used += bytes
                        return true
                    }
                    state.queue.append(Waiter(id: id, bytes: bytes, priority: priority, continuation: continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) } else { askHolders() }
            }
        } onCancel: {
            let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                guard let index = state.queue.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.queue.remove(at: index).continuation
            }
            waiting?.resume(returning: false)
            admit()
        }
        state.withLock { _ = $0.cancelled.remove(id) }
        guard granted else { throw .cancelled(stage: .decode) }
        return Reservation(bytes: bytes, budget: self)
    }

    private func checkCapacity(_ bytes: Int) throws(ImageError) {
        guard bytes <= capacity else {
            throw ImageError(
                .limitExceeded, stage: .decode,
                "The image needs \(bytes) bytes at once; all decodes together may use \(capacity). Ask for a smaller target size."
            )
        }
    }

    fileprivate func giveBack(_ bytes: Int, covered: Int) {
        state.withLock { state in
            state.used -= bytes
            state.fromGrant -= covered
        }
        admit()
    }

    private func admit() {
        let admitted = state.withLock { state in
            var admitted: [Int] = []
            var blocked: Int?
            for waiter in order(of: state.queue) {
                let bytes = state.queue[waiter].bytes
                let fits = state.used <= capacity - bytes
                if fits, blocked.map({ pass(bytes, $0, &state) }) ?? true {
                    state.used += bytes
                    admitted.append(waiter)
                } else {
                    blocked = blocked ?? waiter
                }
            }
            defer { for waiter in admitted.sorted(by: >) { state.queue.remove(at: waiter) } }
            return admitted.map { state.queue[$0].continuation }
        }
        for continuation in admitted { continuation.resume(returning: true) }
    }

    // MARK: Holders of unused memory

    /// Registers a holder, which is asked to release its memory when another decode waits for it.
    package func enlist(_ holder: any BudgetHolder) {
        root.state.withLock { $0.holders[ObjectIdentifier(holder)] = WeakHolder(holder: holder) }
    }

    package func delist(_ holder: any BudgetHolder) {
        root.state.withLock { _ = $0.holders.removeValue(forKey: ObjectIdentifier(holder)) }
    }

    /// Asks holders to release as much as the largest waiter needs: running decodes end, but memory held between uses might
    /// never be released. Holders call it after each use, because a busy holder cannot release memory.
    package func askHolders() {
        let (needed, holders) = root.state.withLock { state -> (Int, [any BudgetHolder]) in
            guard let needed = state.queue.map(\.bytes).max() else { return (0, []) }
            return (needed, state.holders.values.compactMap(\.holder))
        }
        var held = holders.map(\.heldBytes)
        for index in holders.indices where held.reduce(0, +) > capacity - needed {
            holders[index].giveWay()
            held[index] = 0
        }
    }

    package typealias Reservation = MemoryReservation
}

/// Memory that one decode holds, counted in the budget of all decodes until the last reference to this object is gone. See
/// ``DecodeEnvironment/reserve(_:)``.
public final class MemoryReservation: Sendable {
    /// The reserved bytes.
    public let bytes: Int
    /// For a part: the bytes covered by its grant, and the reservation of the rest.
    private let covered: Int
    private let rest: MemoryReservation?
    private let budget: ResourceBudget

    fileprivate init(bytes: Int, covered: Int = 0, rest: MemoryReservation? = nil, budget: ResourceBudget) {
        self.bytes = bytes
        self.covered = covered
        self.rest = rest
        self.budget = budget
    }

    deinit { budget.giveBack(bytes, covered: covered) }

    /// Bytes of the whole budget that end with these reservations. A part keeps all of its grant until the last of its reservations ends.
    package static func heldBytes(_ reservations: [MemoryReservation]) -> Int {
        var parts: [ObjectIdentifier: ResourceBudget] = [:]
        var bytes = 0
        for reservation in reservations {
            let budget = reservation.budget
            if budget === budget.root { bytes += reservation.bytes } else { parts[ObjectIdentifier(budget)] = budget }
        }
        return parts.values.reduce(bytes) { $0 + $1.heldBytes }
    }
}

/// A holder of reserved bytes between uses, which it may need again soon but can release.
package protocol BudgetHolder: AnyObject, Sendable {
    var heldBytes: Int { get }
    /// Releases all of it, unless it is in use. Must not block.
    func giveWay()
}

/// Why an animation's frame could not be decoded: other decodes hold the memory. Retry when so many bytes are free.
package struct BudgetShortage: Error {
    package let bytes: Int
    package init(bytes: Int) { self.bytes = bytes }
}

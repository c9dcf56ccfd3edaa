import Synchronization

/// Bytes that all decodes of a process may hold at once. Reserved before allocation, given back when the reservation ends.
///
/// ``reserve(_:)`` never waits: it says yes or no. ``reserveWhenFree(_:)`` suspends until there is room, first come first
/// served, so that decodes wait instead of piling up and no thread is blocked.
public final class ResourceBudget: Sendable {
    public let capacity: Int
    private struct State {
        var used = 0 {
            didSet { peak = max(peak, used) }
        }
        var peak = 0
        var queue: [(id: UInt64, bytes: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var cancelled: Set<UInt64> = []
        var next: UInt64 = 0
    }

    private let state: Mutex<State>

    public init(capacity: Int) {
        self.capacity = capacity
        self.state = Mutex(State())
    }

    /// No bound.
    public static let unlimited = ResourceBudget(capacity: .max)

    public var usedBytes: Int { state.withLock { $0.used } }
    /// The most that was reserved at once so far.
    package var peakBytes: Int { state.withLock { $0.peak } }

    /// Nil if it does not fit now. Throws `limitExceeded` if it could never fit.
    public func reserve(_ bytes: Int) throws(ImageError) -> Reservation? {
        try checkCapacity(bytes)
        let fits = state.withLock { state in
            guard state.queue.isEmpty, state.used <= capacity - bytes else { return false }
            state.used += bytes
            return true
        }
        return fits ? Reservation(bytes: bytes, budget: self) : nil
    }

    /// Waits for room. Throws `limitExceeded` if it could never fit, and `cancelled`.
    public func reserveWhenFree(_ bytes: Int) async throws(ImageError) -> Reservation {
        if let reservation = try reserve(bytes) { return reservation }
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        let granted = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    if state.cancelled.remove(id) != nil { return false }
                    if state.queue.isEmpty, state.used <= capacity - bytes {
                        state.used += bytes
                        return true
                    }
                    state.queue.append((id, bytes, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
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
                "The picture needs \(bytes) bytes at once; all decodes together may use \(capacity). Ask for a smaller target size."
            )
        }
    }

    fileprivate func giveBack(_ bytes: Int) {
        state.withLock { $0.used -= bytes }
        admit()
    }

    private func admit() {
        let admitted = state.withLock { state in
            var admitted: [CheckedContinuation<Bool, Never>] = []
            while let first = state.queue.first, state.used <= capacity - first.bytes {
                state.used += first.bytes
                admitted.append(first.continuation)
                state.queue.removeFirst()
            }
            return admitted
        }
        for continuation in admitted { continuation.resume(returning: true) }
    }

    /// Bytes promised to one decode until this object ends.
    public final class Reservation: Sendable {
        public let bytes: Int
        private let budget: ResourceBudget

        fileprivate init(bytes: Int, budget: ResourceBudget) {
            self.bytes = bytes
            self.budget = budget
        }

        deinit { budget.giveBack(bytes) }
    }
}

/// Tasks that wait for a number to be reached, or to be cancelled. Lives in the state of a fake, under its lock; whoever is handed out is
/// resumed after it.
struct CountWaiters {
    typealias Continuation = CheckedContinuation<Void, Never>

    private var waiting: [UInt64: (count: Int, continuation: Continuation)] = [:]
    private var next: UInt64 = 0

    mutating func ticket() -> UInt64 {
        next += 1
        return next
    }

    /// True: goes on at once. The task's flag is set before its cancelling is told: who is not here yet sees the flag.
    mutating func enter(_ ticket: UInt64, for count: Int, reached: Int, _ continuation: Continuation) -> Bool {
        if reached >= count || Task.isCancelled { return true }
        waiting[ticket] = (count, continuation)
        return false
    }

    mutating func cancel(_ ticket: UInt64) -> Continuation? { waiting.removeValue(forKey: ticket)?.continuation }

    /// Who need not wait any more.
    mutating func reached(_ count: Int) -> [Continuation] {
        let ready = waiting.filter { $0.value.count <= count }
        for ticket in ready.keys { waiting[ticket] = nil }
        return ready.values.map(\.continuation)
    }
}

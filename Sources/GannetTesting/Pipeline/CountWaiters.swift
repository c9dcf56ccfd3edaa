/// Tasks that wait until a number is reached or they are cancelled. Part of a fake's state, under its lock; resume returned
/// waiters after releasing it.
struct CountWaiters {
    typealias Continuation = CheckedContinuation<Void, Never>

    private var waiting: [UInt64: (count: Int, continuation: Continuation)] = [:]
    private var next: UInt64 = 0

    mutating func ticket() -> UInt64 {
        next += 1
        return next
    }

    /// True: continue at once. The task's flag is set before its cancellation handler runs, so a task that enters later sees
    /// the flag.
    mutating func enter(_ ticket: UInt64, for count: Int, reached: Int, _ continuation: Continuation) -> Bool {
        if reached >= count || Task.isCancelled { return true }
        waiting[ticket] = (count, continuation)
        return false
    }

    mutating func cancel(_ ticket: UInt64) -> Continuation? { waiting.removeValue(forKey: ticket)?.continuation }

    /// The waiters that may continue.
    mutating func reached(_ count: Int) -> [Continuation] {
        let ready = waiting.filter { $0.value.count <= count }
        for ticket in ready.keys { waiting[ticket] = nil }
        return ready.values.map(\.continuation)
    }
}

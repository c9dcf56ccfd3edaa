package import GannetCore

/// The order in which equal priorities are served. - SDWebImage: SDWebImageDownloaderExecutionOrder
package enum QueueOrder: String, Hashable, Sendable {
    /// The oldest waiter is served first (the default of SDWebImage), or the newest.
    case firstInFirstOut, lastInFirstOut
}

/// The waiters for a slot, as a pure state machine.
///
/// There is one queue for all limits, and waiters hold nothing. So a full origin does not block others. A waiter for one of all
/// slots does not keep its origin, or its turn by the rate, from a waiter with a higher priority. Waiters are admitted at once:
/// none ever waits while there is room and a turn for it.
///
/// Work may step aside: it continues without its slot, which others get, and still counts among the work of its origin.
package struct PriorityGateState {
    package struct Ticket: Hashable, Sendable {
        package let value: UInt64
        package init(value: UInt64) { self.value = value }
    }

    private struct Waiter {
        var priority: LoadPriority
        var position: UInt64
        let origin: HTTPOrigin?
    }

    package var limit: Int
    /// Slots for each origin; nil: as many as there are.
    package var limitPerOrigin: Int?
    package var order: QueueOrder
    /// Limits how often work begins; nil: no limit.
    package private(set) var rate: RateLimiter?
    package var isSuspended = false
    /// In slots.
    package private(set) var running = 0
    /// Work that continues without a slot.
    package private(set) var aside = 0
    /// Aside or in slots.
    private var runningByOrigin: [HTTPOrigin: Int] = [:]
    /// The waiters by priority, then by origin.
    private var lines: [[HTTPOrigin?: WaitingLine]] = Array(repeating: [:], count: LoadPriority.allCases.count)
    private var waiting: [Ticket: Waiter] = [:]
    private var positions: UInt64 = 0

    package init(limit: Int, limitPerOrigin: Int? = nil, order: QueueOrder = .firstInFirstOut) {
        self.limit = max(limit, 1)
        self.limitPerOrigin = limitPerOrigin
        self.order = order
    }

    package var waitingCount: Int { waiting.count }

    private func hasRoom(_ origin: HTTPOrigin?) -> Bool {
        guard let origin else { return true }
        return runningByOrigin[origin, default: 0] < max(limitPerOrigin ?? limit, 1)
    }

    /// Setting the same limit again does not reset what was used of it.
    package mutating func setRate(_ limit: RateLimit?) {
        if rate?.limit != limit { rate = limit.map { RateLimiter($0) } }
    }

    /// True if there is a free slot and a turn, and no waiter could take them; both are then taken.
    package mutating func enterAtOnce(origin: HTTPOrigin? = nil, now: Duration = .zero) -> Bool {
        guard !isSuspended, running < limit, hasRoom(origin), waiting.isEmpty || next() == nil, waitForTurn(now) == nil else {
            return false
        }
        begin(origin)
        return true
    }

    /// Nil: work may begin now, and is counted. Else the time until the next turn.
    private mutating func waitForTurn(_ now: Duration) -> Duration? {
        guard let delay = rate?.reserve(now: now), delay > .zero else { return nil }
        return delay
    }

    private mutating func begin(_ origin: HTTPOrigin?) {
        running += 1
        if let origin { runningByOrigin[origin, default: 0] += 1 }
    }

    package mutating func enqueue(_ ticket: Ticket, priority: LoadPriority, origin: HTTPOrigin? = nil) {
        positions += 1
        waiting[ticket] = Waiter(priority: priority, position: positions, origin: origin)
        lines[priority.rawValue][origin, default: WaitingLine()].append(.init(ticket: ticket, position: positions))
    }

    /// True if the ticket was still waiting.
    package mutating func withdraw(_ ticket: Ticket) -> Bool {
        guard let waiter = waiting.removeValue(forKey: ticket) else { return false }
        giveUp(waiter)
        return true
    }

    /// Moves the ticket behind those that already wait with this priority.
    package mutating func setPriority(_ priority: LoadPriority, of ticket: Ticket) {
        guard let waiter = waiting[ticket], waiter.priority != priority else { return }
        giveUp(waiter)
        enqueue(ticket, priority: priority, origin: waiter.origin)
    }

    private mutating func giveUp(_ waiter: Waiter) {
        lines[waiter.priority.rawValue][waiter.origin]?.giveUp(waiter.position)
        dropEmptyLine(waiter.priority.rawValue, waiter.origin)
    }

    private mutating func dropEmptyLine(_ priority: Int, _ origin: HTTPOrigin?) {
        if lines[priority][origin]?.isEmpty == true { lines[priority].removeValue(forKey: origin) }
    }

    /// Others wait for a slot, and few enough work is aside: four pieces for each slot at most.
    package var allowsAside: Bool { isCrowded && aside < 4 * limit }

    /// Work waits for a slot, and not for its turn alone.
    package var isCrowded: Bool { !waiting.isEmpty && running >= limit && !isSuspended }

    package mutating func stepAside() {
        running -= 1
        aside += 1
    }

    package mutating func leave(origin: HTTPOrigin? = nil, fromAside: Bool = false) {
        if fromAside { aside -= 1 } else { running -= 1 }
        guard let origin, let others = runningByOrigin[origin] else { return }
        runningByOrigin[origin] = others > 1 ? others - 1 : nil
    }

    /// The tickets that may begin now, and the delay until the next attempt if only the rate keeps others waiting.
    package mutating func admit(now: Duration = .zero) -> (admitted: [Ticket], again: Duration?) {
        var admitted: [Ticket] = []
        while !isSuspended, running < limit, let next = next() {
            if let delay = waitForTurn(now) { return (admitted, delay) }
            lines[next.priority][next.line]?.removeNext(order)
            dropEmptyLine(next.priority, next.line)
            begin(waiting.removeValue(forKey: next.ticket)?.origin)
            admitted.append(next.ticket)
        }
        return (admitted, nil)
    }

    /// The waiter that is served next; O(n), n = origins with waiters.
    private func next() -> (ticket: Ticket, priority: Int, line: HTTPOrigin?)? {
        for priority in lines.indices.reversed() {
            var best: (line: HTTPOrigin?, place: WaitingLine.Place)?
            for (origin, line) in lines[priority] where hasRoom(origin) {
                let place = line.next(order)
                if let best, (best.place.position < place.position) == (order == .firstInFirstOut) { continue }
                best = (origin, place)
            }
            if let best { return (best.place.ticket, priority, best.line) }
        }
        return nil
    }
}

package import GannetCore

/// The order in which equal priorities are served. - SDWebImage: SDWebImageDownloaderExecutionOrder
public enum QueueOrder: String, Hashable, Sendable {
    /// The oldest waiter is served first (the default of SDWebImage), or the newest.
    case firstInFirstOut, lastInFirstOut
}

/// The waiters for a slot, as a pure state machine.
///
/// There is one queue for all limits, and waiters hold nothing. So a full origin does not block others. A waiter for one of all
/// slots does not keep its origin, or its turn by the rate, from a waiter with a higher priority. Waiters are admitted at once:
/// none ever waits while there is room and a turn for it.
package struct PriorityGateState {
    package struct Ticket: Hashable, Sendable {
        package let value: UInt64
        package init(value: UInt64) { self.value = value }
    }

    private struct Wish {
        var priority: LoadPriority
        var position: UInt64
        let origin: HTTPOrigin?
    }

    package var limit: Int
    /// Slots for each origin; nil: no limit per origin.
    package var limitPerOrigin: Int? {
        didSet { if (limitPerOrigin == nil) != (oldValue == nil) { fileAnew() } }
    }
    package var order: QueueOrder
    /// Limits how often work begins; nil: no limit.
    package private(set) var rate: RateLimiter?
    package var isSuspended = false
    package private(set) var running = 0
    private var runningByOrigin: [HTTPOrigin: Int] = [:]
    /// The waiters by priority, then by origin; a single line per priority while origins have no limit.
    private var lines: [[HTTPOrigin?: WaitingLine]] = Array(repeating: [:], count: LoadPriority.allCases.count)
    private var waiting: [Ticket: Wish] = [:]
    private var positions: UInt64 = 0

    package init(limit: Int, limitPerOrigin: Int? = nil, order: QueueOrder = .firstInFirstOut) {
        self.limit = max(limit, 1)
        self.limitPerOrigin = limitPerOrigin
        self.order = order
    }

    package var waitingCount: Int { waiting.count }

    private func hasRoom(_ origin: HTTPOrigin?) -> Bool {
        guard let origin, let limitPerOrigin else { return true }
        return runningByOrigin[origin, default: 0] < max(limitPerOrigin, 1)
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
        waiting[ticket] = Wish(priority: priority, position: positions, origin: origin)
        file(ticket, priority, origin, positions)
    }

    /// True if the ticket was still waiting.
    package mutating func withdraw(_ ticket: Ticket) -> Bool {
        guard let wish = waiting.removeValue(forKey: ticket) else { return false }
        giveUp(wish)
        return true
    }

    /// Moves the ticket behind those that already wait with this priority.
    package mutating func setPriority(_ priority: LoadPriority, of ticket: Ticket) {
        guard let wish = waiting[ticket], wish.priority != priority else { return }
        giveUp(wish)
        enqueue(ticket, priority: priority, origin: wish.origin)
    }

    private mutating func giveUp(_ wish: Wish) {
        let line = line(of: wish.origin)
        lines[wish.priority.rawValue][line]?.giveUp(wish.position)
        dropEmptyLine(wish.priority.rawValue, line)
    }

    private func line(of origin: HTTPOrigin?) -> HTTPOrigin? { limitPerOrigin == nil ? nil : origin }

    private mutating func file(_ ticket: Ticket, _ priority: LoadPriority, _ origin: HTTPOrigin?, _ position: UInt64) {
        lines[priority.rawValue][line(of: origin), default: WaitingLine()].append(.init(ticket: ticket, position: position))
    }

    /// Sorts all waiters into new lines, in the order of arrival.
    private mutating func fileAnew() {
        lines = Array(repeating: [:], count: LoadPriority.allCases.count)
        for (ticket, wish) in waiting.sorted(by: { $0.value.position < $1.value.position }) {
            file(ticket, wish.priority, wish.origin, wish.position)
        }
    }

    private mutating func dropEmptyLine(_ priority: Int, _ origin: HTTPOrigin?) {
        if lines[priority][origin]?.isEmpty == true { lines[priority].removeValue(forKey: origin) }
    }

    package mutating func leave(origin: HTTPOrigin? = nil) {
        running -= 1
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

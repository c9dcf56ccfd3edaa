package import GannetCore

/// In which order equal priorities are served. - SDWebImage: SDWebImageDownloaderExecutionOrder
public enum QueueOrder: String, Hashable, Sendable {
    /// Who came first goes first (the default of SDWebImage), or who came last.
    case firstInFirstOut, lastInFirstOut
}

/// Who waits for a slot: a pure machine.
///
/// One queue over all limits: whoever waits holds nothing, so that neither a full origin keeps others waiting, nor somebody who waits
/// for one of all slots keeps his origin, or the turn that a rate gave him, from somebody with a higher priority. Who may go, goes at
/// once: of those who wait there is never one with room and a turn.
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
    /// Of the slots that one origin may have; nil: all.
    package var limitPerOrigin: Int? {
        didSet { if (limitPerOrigin == nil) != (oldValue == nil) { fileAnew() } }
    }
    package var order: QueueOrder
    /// Of beginnings; nil: no limit.
    package private(set) var rate: RateLimiter?
    package var isSuspended = false
    package private(set) var running = 0
    private var runningByOrigin: [HTTPOrigin: Int] = [:]
    /// By priority, then by whose slots they wait for; one line for all while origins have no limit.
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

    /// The same limit again changes nothing: what was used up stays so.
    package mutating func setRate(_ limit: RateLimit?) {
        if rate?.limit != limit { rate = limit.map { RateLimiter($0) } }
    }

    /// True if there is a free slot and a turn that nobody waits for; both are then taken.
    package mutating func enterAtOnce(origin: HTTPOrigin? = nil, now: Duration = .zero) -> Bool {
        guard !isSuspended, running < limit, hasRoom(origin), waiting.isEmpty || next() == nil, waitForTurn(now) == nil else {
            return false
        }
        begin(origin)
        return true
    }

    /// Nil: somebody may begin, and is counted.
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

    /// True if it was still waiting.
    package mutating func withdraw(_ ticket: Ticket) -> Bool {
        guard let wish = waiting.removeValue(forKey: ticket) else { return false }
        giveUp(wish)
        return true
    }

    /// Behind those who wait with this priority already.
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

    /// In the order of arrival.
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

    /// Those who may go now, and when to ask again if the rate alone keeps others waiting.
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

    /// Costs a look at each origin that somebody waits for.
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

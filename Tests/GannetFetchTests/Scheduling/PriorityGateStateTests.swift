import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTesting
import Testing

/// NK-03, NK-04, MG-23, MG-24, DL-01: one queue over the slots of all, those of an origin, and a rate.
@Suite struct PriorityGateStateTests {
    private typealias Ticket = PriorityGateState.Ticket

    private static let origins: [HTTPOrigin?] =
        ["a", "b", "c"].compactMap { URL(string: "https://\($0).example/") }.map { HTTPOrigin($0) } + [nil]

    @Test func `Who waits for a slot of all keeps none of his origin`() {
        var gate = PriorityGateState(limit: 1, limitPerOrigin: 1)
        let (busy, wanted) = (Self.origins[0], Self.origins[1])
        let isIn = gate.enterAtOnce(origin: busy)
        #expect(isIn)
        gate.enqueue(Ticket(value: 1), priority: .low, origin: wanted)
        gate.enqueue(Ticket(value: 2), priority: .high, origin: wanted)
        gate.leave(origin: busy)
        let first = gate.admit().admitted
        #expect(first == [Ticket(value: 2)])
        gate.leave(origin: wanted)
        let second = gate.admit().admitted
        #expect(second == [Ticket(value: 1)])
    }

    @Test func `A full origin keeps nobody else waiting`() {
        var gate = PriorityGateState(limit: 2, limitPerOrigin: 1)
        let isIn = gate.enterAtOnce(origin: Self.origins[0])
        gate.enqueue(Ticket(value: 1), priority: .veryHigh, origin: Self.origins[0])
        let others = gate.admit().admitted
        let isOtherIn = gate.enterAtOnce(origin: Self.origins[1])
        #expect(isIn && others.isEmpty && isOtherIn)
    }

    @Test func `A turn of the rate is used by who begins, not by who waits`() {
        var gate = PriorityGateState(limit: 8)
        gate.setRate(RateLimit(count: 2, interval: .seconds(1)))
        gate.isSuspended = true
        for value: UInt64 in 1...6 { gate.enqueue(Ticket(value: value), priority: value == 6 ? .high : .normal) }
        let none = gate.admit(now: .seconds(100))
        #expect(none.admitted.isEmpty && none.again == nil)
        gate.isSuspended = false
        let (first, again) = gate.admit(now: .seconds(100))
        #expect(first.map(\.value) == [6, 1])
        #expect((again ?? .zero) > .milliseconds(499) && (again ?? .zero) < .milliseconds(501))
        let isWithdrawn = gate.withdraw(Ticket(value: 2))
        let isOvertaking = gate.enterAtOnce(now: .seconds(100))
        #expect(isWithdrawn && !isOvertaking)
        let later = gate.admit(now: .milliseconds(100_501)).admitted
        #expect(later.map(\.value) == [3])
    }

    @Test func `A turn that has come is not for a newcomer`() {
        var gate = PriorityGateState(limit: 8)
        gate.setRate(RateLimit(count: 1, interval: .seconds(1)))
        let first = gate.enterAtOnce(now: .zero)
        gate.enqueue(Ticket(value: 1), priority: .high)
        // The timer has not run yet.
        let isOvertaking = gate.enterAtOnce(now: .seconds(2))
        let admitted = gate.admit(now: .seconds(2)).admitted
        #expect(first && !isOvertaking && admitted == [Ticket(value: 1)])
    }

    /// A model of the state machine that examines all waiters each time.
    private struct Model {
        struct Waiter {
            var ticket: Ticket
            var priority: LoadPriority
            var position: Int
            var origin: HTTPOrigin?
        }

        var limit = 3
        var perOrigin: Int? = 2
        var order = QueueOrder.firstInFirstOut
        var isSuspended = false
        var running: [HTTPOrigin?] = []
        var waiting: [Waiter] = []
        var arrivals = 0

        func hasRoom(_ origin: HTTPOrigin?) -> Bool {
            guard let origin, let perOrigin else { return true }
            return running.filter { $0 == origin }.count < perOrigin
        }

        mutating func arrive(_ ticket: Ticket, _ priority: LoadPriority, _ origin: HTTPOrigin?) {
            arrivals += 1
            waiting.append(Waiter(ticket: ticket, priority: priority, position: arrivals, origin: origin))
        }

        mutating func admit() -> [Ticket] {
            var admitted: [Ticket] = []
            while !isSuspended, running.count < limit {
                let able = waiting.filter { hasRoom($0.origin) }
                guard let highest = able.map(\.priority.rawValue).max() else { break }
                let equal = able.filter { $0.priority.rawValue == highest }.sorted { $0.position < $1.position }
                guard let next = order == .firstInFirstOut ? equal.first : equal.last else { break }
                waiting.removeAll { $0.ticket == next.ticket }
                running.append(next.origin)
                admitted.append(next.ticket)
            }
            return admitted
        }
    }

    @Test(arguments: 0..<40) func `Whoever comes, goes and changes, the next is the same as by looking at all`(_ seed: UInt64)
        throws
    {
        var random = SeededGenerator(seed: seed)
        var (model, gate) = (Model(), PriorityGateState(limit: 3, limitPerOrigin: 2))
        for step in 0..<1500 {
            let ticket = Ticket(value: UInt64(step))
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<8:
                let origin = try #require(Self.origins.randomElement(using: &random))
                let priority = try #require(LoadPriority.allCases.randomElement(using: &random))
                if gate.enterAtOnce(origin: origin) {
                    #expect(!model.isSuspended && model.running.count < model.limit && model.hasRoom(origin))
                    model.running.append(origin)
                } else {
                    gate.enqueue(ticket, priority: priority, origin: origin)
                    model.arrive(ticket, priority, origin)
                }
            case 8..<13:
                guard let index = model.running.indices.randomElement(using: &random) else { continue }
                gate.leave(origin: model.running.remove(at: index))
            case 13..<15:
                guard let index = model.waiting.indices.randomElement(using: &random) else { continue }
                let withdrawn = gate.withdraw(model.waiting.remove(at: index).ticket)
                #expect(withdrawn)
            case 15..<17:
                guard let index = model.waiting.indices.randomElement(using: &random) else { continue }
                let priority = try #require(LoadPriority.allCases.randomElement(using: &random))
                gate.setPriority(priority, of: model.waiting[index].ticket)
                if model.waiting[index].priority != priority {
                    let waiter = model.waiting.remove(at: index)
                    model.arrive(waiter.ticket, priority, waiter.origin)
                }
            case 17:
                model.order = Bool.random(using: &random) ? .firstInFirstOut : .lastInFirstOut
                gate.order = model.order
            case 18:
                model.limit = Int.random(in: 1...5, using: &random)
                model.perOrigin = [nil, 1, 2].randomElement(using: &random) ?? nil
                (gate.limit, gate.limitPerOrigin) = (model.limit, model.perOrigin)
            default:
                model.isSuspended = Int.random(in: 0..<4, using: &random) == 0
                gate.isSuspended = model.isSuspended
            }
            let (admitted, expected) = (gate.admit().admitted, model.admit())
            try #require(admitted == expected, "step \(step)")
            try #require(gate.waitingCount == model.waiting.count && gate.running == model.running.count)
        }
    }

    @Test(.timeLimit(.minutes(10))) func `Tens of thousands may give up`() {
        var gate = PriorityGateState(limit: 1)
        let isIn = gate.enterAtOnce()
        var withdrawn = 0
        for value: UInt64 in 0..<50_000 { gate.enqueue(Ticket(value: value), priority: .normal) }
        for value: UInt64 in 1..<50_000 where gate.withdraw(Ticket(value: value)) { withdrawn += 1 }
        gate.leave()
        let last = gate.admit().admitted
        #expect(isIn && withdrawn == 49_999 && last == [Ticket(value: 0)] && gate.waitingCount == 0)
    }
}

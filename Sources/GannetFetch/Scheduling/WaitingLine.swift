/// A queue from which both ends and any place between can be removed in constant time (amortised).
///
/// A cancelled place in the middle is removed when an end reaches it, or when most places are cancelled. Both ends are always
/// valid places.
struct WaitingLine {
    struct Place {
        let ticket: PriorityGateState.Ticket
        /// Increases with every arrival, in whatever line.
        let position: UInt64
    }

    private var places: [Place] = []
    /// The index of the first valid place; those before it have been served.
    private var head = 0
    private var givenUp: Set<UInt64> = []

    private static let slack = 32

    var isEmpty: Bool { head == places.count }
    private var count: Int { places.count - head - givenUp.count }

    mutating func append(_ place: Place) { places.append(place) }

    /// The place that is served next. The line must not be empty.
    func next(_ order: QueueOrder) -> Place { order == .firstInFirstOut ? places[head] : places[places.count - 1] }

    mutating func removeNext(_ order: QueueOrder) {
        if order == .firstInFirstOut { head += 1 } else { places.removeLast() }
        tidy()
    }

    mutating func giveUp(_ position: UInt64) {
        givenUp.insert(position)
        tidy()
    }

    private mutating func tidy() {
        while head < places.count, givenUp.remove(places[head].position) != nil { head += 1 }
        while head < places.count, givenUp.remove(places[places.count - 1].position) != nil { places.removeLast() }
        if givenUp.count > count + Self.slack {
            places = places[head...].filter { !givenUp.contains($0.position) }
            givenUp = []
            head = 0
        } else if head > places.count - head + Self.slack {
            places.removeFirst(head)
            head = 0
        }
    }
}

import GannetCore

/// The shortage of memory, as the kernel or the application sees it.
package enum MemoryPressure: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// No task waits for memory: nothing needs to be released.
    case none
    /// Some tasks wait for memory: release what can be recreated.
    case some
    /// Everything waits, or the kernel is about to kill processes: release everything that is not shown.
    case critical

    package static func < (left: MemoryPressure, right: MemoryPressure) -> Bool { left.rawValue < right.rawValue }
}

/// The kernel's counters at one moment. Pure.
struct MemoryPressureSample: Equatable {
    /// Microseconds in which some task, or every task, waited for memory: of the machine and of this group.
    var some: [Int64] = []
    var full: [Int64] = []
    /// How often this group reached its limits.
    var limitEvents: Int64?
    /// How often only killing a process helped.
    var emergencies: Int64?

    var isEmpty: Bool { some.isEmpty && limitEvents == nil }

    /// Parses `some avg10=0.00 avg60=0.00 avg300=0.00 total=1234`, and the same for `full`; the line `full` may be missing.
    mutating func add(pressure text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard let kind = words.first, let total = words.last(where: { $0.hasPrefix("total=") }),
                let number = Int64(total.dropFirst("total=".count))
            else { continue }
            if kind == "some" { some.append(number) } else if kind == "full" { full.append(number) }
        }
    }

    /// Parses `high 0`, `max 3`, `oom 0`, … of `memory.events`.
    mutating func add(events text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let number = Int64(words[1]) else { continue }
            switch words[0] {
            case "high", "max": limitEvents = (limitEvents ?? 0) + number
            case "oom", "oom_kill": emergencies = (emergencies ?? 0) + number
            default: break
            }
        }
    }

    /// The pressure between an earlier sample and this one.
    ///
    /// Reaching the group's limit alone is no pressure if the kernel reports waiting times: page cache does so all the time.
    func pressure(since earlier: MemoryPressureSample, after time: Duration) -> MemoryPressure {
        let microseconds = Double(max(time.wholeMilliseconds, 1)) * 1000
        func share(_ new: [Int64], _ old: [Int64]) -> Double {
            zip(new, old).map { Double($0 - $1) / microseconds }.max() ?? 0
        }
        if let now = emergencies, let then = earlier.emergencies, now > then { return .critical }
        if share(full, earlier.full) >= Self.criticalShare { return .critical }
        if share(some, earlier.some) >= Self.someShare { return .some }
        if some.isEmpty, let now = limitEvents, let then = earlier.limitEvents, now > then { return .some }
        return .none
    }

    /// Shares of the time between two samples.
    static let someShare = 0.10
    static let criticalShare = 0.10
}

/// The cost of one request.
struct Cost {
    /// Microseconds.
    var wall = 0.0
    /// Microseconds, of all threads.
    var processor = 0.0
    /// Calls of the allocator; nil where they are not counted.
    var allocations: Double?
}

/// Makes everything that a round needs, and returns the part that is measured. `count`: requests of that part.
typealias Round = (_ count: Int) async throws -> Work
typealias Work = () async throws -> Void

/// One row of the table: the same work done by the library and by the baseline.
struct Case {
    var name: String
    /// Requests of one round.
    var count: Int
    var gannet: Round
    /// Nil: nothing to compare with.
    var baseline: Round?
    /// Its name in `guard.json`; nil: its allocations are not guarded.
    var guarded: String?
}

/// Costs of the rounds of one program.
struct Costs {
    private(set) var rounds: [Cost] = []

    /// Wall time ends with the work. Processor time and allocations include what goes on behind it: a load that was cancelled answers
    /// first and cleans up afterwards.
    mutating func measure(_ round: Round, count: Int) async throws {
        let work = try await round(count)
        try await settle()
        let (allocations, processor, wall) = (allocationCount(), processorMicroseconds(), wallMicroseconds())
        try await work()
        let requests = Double(count)
        var cost = Cost(wall: (wallMicroseconds() - wall) / requests)
        try await settle()
        cost.processor = (processorMicroseconds() - processor) / requests
        if let before = allocations, let after = allocationCount() { cost.allocations = Double(after - before) / requests }
        rounds.append(cost)
    }

    /// Each value's own median.
    var median: Cost {
        Cost(
            wall: Self.median(rounds.map(\.wall)) ?? 0, processor: Self.median(rounds.map(\.processor)) ?? 0,
            allocations: Self.median(rounds.compactMap(\.allocations)))
    }

    var leastProcessorTime: Double { rounds.map(\.processor).min() ?? 0 }

    private static func median(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.sorted()[values.count / 2]
    }
}

/// What both programs needed for one case.
struct Row {
    var name: String
    var gannet: Costs?
    var baseline: Costs?
}

/// Suspends until the process has nothing more to do.
private func settle() async throws {
    var before = processorMicroseconds()
    while true {
        try await Task.sleep(for: .milliseconds(10))
        let now = processorMicroseconds()
        if now - before < 300 { return }
        before = now
    }
}

extension Case {
    /// One round of each to warm up, then the measured ones. The programs take turns, so that a machine that is busy for a while is busy
    /// for both.
    func measured(rounds: Int, count: Int? = nil, by programs: Set<String>) async throws -> Row {
        let count = count ?? self.count
        var row = Row(name: name)
        let ours = programs.contains("gannet") ? gannet : nil
        let theirs = programs.contains("baseline") ? baseline : nil
        for round in 0...rounds {
            if let ours {
                var costs = row.gannet ?? Costs()
                try await costs.measure(ours, count: count)
                row.gannet = round == 0 ? nil : costs
            }
            if let theirs {
                var costs = row.baseline ?? Costs()
                try await costs.measure(theirs, count: count)
                row.baseline = round == 0 ? nil : costs
            }
        }
        return row
    }
}

import BenchmarkSupport
import Foundation

// The table for people, and lines of JSON for programs.

enum Table {
    static let header =
        line("", ["Gannet", "", "", "baseline", "", "", ""]) + "\n"
        + line("", ["wall µs", "cpu µs", "allocations", "wall µs", "cpu µs", "allocations", "ratio of cpu"])

    static func line(_ row: Row) -> String {
        let (ours, theirs) = (row.gannet?.median, row.baseline?.median)
        var ratio = "-"
        if let ours, let theirs, theirs.processor > 0 { ratio = String(format: "%.2f", ours.processor / theirs.processor) }
        return line(row.name, columns(ours) + columns(theirs) + [ratio])
    }

    private static func columns(_ cost: Cost?) -> [String] {
        guard let cost else { return ["-", "-", "-"] }
        return [number(cost.wall), number(cost.processor), cost.allocations.map { String(format: "%.1f", $0) } ?? "-"]
    }

    private static func number(_ value: Double) -> String { String(format: value < 10 ? "%.3f" : "%.1f", value) }

    private static func line(_ name: String, _ columns: [String]) -> String {
        name.padding(toLength: 32, withPad: " ", startingAt: 0)
            + columns.map { String(repeating: " ", count: max(1, 13 - $0.count)) + $0 }.joined()
    }
}

extension Row {
    /// One line for each program, as `Benchmarks/report.py` reads it.
    var json: String {
        [("gannet", gannet), ("baseline", baseline)].compactMap { program, costs in
            guard let costs else { return nil }
            let cost = costs.median
            var line = Measurement(
                group: "requests", name: name, median: cost.processor / 1000, best: costs.leastProcessorTime / 1000,
                wall: cost.wall / 1000)
            line.program = program
            line.allocations = cost.allocations
            return line.json
        }.joined(separator: "\n")
    }
}

/// Allocations of the guarded cases as one JSON object, for `scripts/guard.sh`: only counts, with few requests.
func guardedCounts(of cases: [Case]) async throws -> String {
    var counts: [String] = []
    for entry in cases {
        guard let name = entry.guarded else { continue }
        let row = try await entry.measured(rounds: 5, count: 200, by: ["gannet"])
        guard let count = row.gannet?.median.allocations else {
            throw CountingError(description: "Nothing counts allocations: load peers/count_allocations.c before the program.")
        }
        counts.append("\"\(name)\": \(Int(count.rounded()))")
    }
    return "{" + counts.joined(separator: ", ") + "}"
}

struct CountingError: Error, CustomStringConvertible { var description: String }

import FoundationEssentials
import GannetCore
import GannetFetch

/// A table of Documentation/LoadPlan.md, read as the rules that it is.
struct PlanTable {
    struct Row {
        /// For each column the names of its cell; zero matches everything.
        var cells: [UInt64]
        var step: String
    }

    private(set) var rows: [Row] = []
    /// A bit for each name that occurs in a cell.
    private var bits: [String: UInt64] = [:]
    /// Names of these columns are true together, and a cell wants all of its names. In others it wants one.
    private let conditions: Set<Int>

    /// The table below this heading, without its head.
    init(_ heading: String, conditions: Set<Int>) throws {
        self.conditions = conditions
        let path = URL(filePath: #filePath).deletingLastPathComponent().path + "/../../../Documentation/LoadPlan.md"
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let section = lines.drop { $0 != "## \(heading)" }.dropFirst().prefix { !$0.hasPrefix("## ") }
        for line in section.filter({ $0.hasPrefix("|") }).dropFirst(2) {
            let cells = line.dropFirst(2).dropLast(2).split(separator: " | ").map { String($0) }
            rows.append(Row(cells: cells.dropLast().map { bits(of: $0) }, step: cells[cells.count - 1]))
        }
    }

    private mutating func bits(of cell: String) -> UInt64 {
        if cell == "–" { return 0 }
        return cell.split(separator: ", ").reduce(0) { sum, name in
            let bit = bits[String(name)] ?? 1 << UInt64(bits.count)
            bits[String(name)] = bit
            return sum | bit
        }
    }

    /// For ``match(_:)``. Names that no cell has do not matter.
    func mask(_ names: [String]) -> UInt64 { names.reduce(0) { $0 | (bits[$1] ?? 0) } }

    /// The index of the first row that matches; nil if the table says nothing of these facts.
    func match(_ masks: [UInt64]) -> Int? {
        rows.firstIndex { row in
            for (column, cell) in row.cells.enumerated() where cell != 0 {
                let common = cell & masks[column]
                if conditions.contains(column) ? common != cell : common == 0 { return false }
            }
            return true
        }
    }

    static func names(of finding: PlanSamples.Named<LoadFinding>) -> [String] {
        if case .stored = finding.value { return [finding.name, "stored"] }
        return [finding.name]
    }

    static func names(of demands: LoadDemands) -> [String] {
        var names: [String] = []
        if demands.isDisjoint(with: [.limitsAge, .forcesRevalidation]) { names.append("unlimited") }
        if demands.contains(.onlyIfCached) { names.append("only if cached") }
        if demands.contains(.hasOwnConditions) { names.append("own conditions") }
        return names
    }

    static func namesAfterFailure(of demands: LoadDemands) -> [String] {
        guard demands.isDisjoint(with: [.forcesRevalidation, .changesSource]) else { return [] }
        return demands.isDisjoint(with: [.limitsAge, .limitsFallbacks]) ? ["lasting", "unlimited"] : ["lasting"]
    }

    static func names(of arrival: LoadArrival) -> [String] {
        var names: [String] = []
        if arrival.contains(.isOfOtherSource) { names.append("other source") }
        if arrival.contains(.forbidsStoring) { names.append("no-store") }
        if arrival.contains(.isPartial) { names.append("partial") }
        if arrival.contains(.matches) { names.append("matches") }
        return names
    }

    static func text(_ step: LoadStep) -> String {
        switch step {
        case .read(let tier): "read \(text(tier))"
        case .discard(let tier): "discard \(text(tier))"
        case .deliver(let tier, let revalidating): "deliver \(text(tier))" + (revalidating ? " and revalidate" : "")
        case .ask(let validating, let tier):
            "ask" + (validating ? " with validators" : "") + (tier.map { ", showing \(text($0))" } ?? "")
        case .renew(let tier, let keeping): "renew \(text(tier)), \(text(keeping))"
        case .make(let keeping): "make, \(text(keeping))"
        case .fallback(let tier): "fall back to \(text(tier))"
        case .fail(.cacheMiss): "fail: cache miss"
        case .fail(.failure): "fail: failure"
        }
    }

    private static func text(_ tier: LoadTier) -> String { tier == .alternative ? "other" : "\(tier)" }

    private static func text(_ keeping: LoadKeeping) -> String { keeping == .keepApart ? "keep apart" : "\(keeping)" }
}

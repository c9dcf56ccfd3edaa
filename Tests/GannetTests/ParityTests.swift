import FoundationEssentials
import Testing

/// Documentation/Parity.md names tests; they must exist.
@Suite struct ParityTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    struct Row {
        var id: String
        var state: String
        /// `Suite.test`
        var tests: [String]
        /// Something stands in the last column.
        var isShown: Bool
    }

    static func rows() throws -> [Row] {
        let page = try String(contentsOf: root.appending(path: "Documentation/Parity.md"), encoding: .utf8)
        return page.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingPrefix { $0 == " " } }
            guard cells.count >= 3, let id = cells.first?.prefix(while: { $0 != " " }), id.contains("-"),
                id.first?.isUppercase == true
            else { return nil }
            let tests = cells.count > 3 ? cells[3].split(separator: "`").filter { $0.contains(".") } : []
            return Row(
                id: String(id), state: String(cells[2].prefix { $0.isLetter || $0 == "/" }),
                tests: tests.map(String.init).filter { !$0.contains("/") },
                isShown: cells.count > 3 && cells[3].contains { $0 != " " })
        }
    }

    /// `Suite.test` for every type and every function that stand in one file.
    static func existing() throws -> Set<String> {
        let folder = root.appending(path: "Tests").path
        var result: Set<String> = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) where path.hasSuffix(".swift") {
            let text = try String(contentsOf: URL(filePath: folder + "/" + path), encoding: .utf8)
            var suites: [Substring] = []
            var functions: [Substring] = []
            for line in text.split(separator: "\n") {
                for word in ["struct ", "class ", "extension "] {
                    if let name = name(after: word, in: line), name.hasSuffix("Tests") { suites.append(name) }
                }
                if let name = name(after: "func ", in: line) { functions.append(name) }
                // A long name stands on a line of its own.
                let text = line.drop { $0 == " " }
                if text.first == "`" { functions.append(text.dropFirst().prefix { $0 != "`" }) }
            }
            for suite in suites { for function in functions { result.insert("\(suite).\(function)") } }
        }
        return result
    }

    private static func name(after word: String, in line: Substring) -> Substring? {
        guard let range = line.firstRange(of: word) else { return nil }
        let rest = line[range.upperBound...]
        return rest.first == "`" ? rest.dropFirst().prefix { $0 != "`" } : rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    @Test func `Every test that the table names exists`() throws {
        let existing = try Self.existing()
        #expect(existing.contains("ParityTests.Every test that the table names exists"))
        for row in try Self.rows() { for test in row.tests { #expect(existing.contains(test), "\(row.id): \(test)") } }
    }

    @Test func `Every row stands there once, with a state`() throws {
        let rows = try Self.rows()
        #expect(rows.count > 400)
        #expect(Set(rows.map(\.id)).count == rows.count)
        for row in rows { #expect(["done", "deviates", "missing", "n/a"].contains(row.state), "\(row.id): \(row.state)") }
    }

    @Test func `The sums are right, and nothing is done that nothing shows`() throws {
        let page = try String(contentsOf: Self.root.appending(path: "Documentation/Parity.md"), encoding: .utf8)
        let rows = try Self.rows()
        let sums = ["done", "deviates", "n/a", "missing"].map { state in "\(rows.count { $0.state == state }) \(state)" }
        #expect(page.contains(sums.joined(separator: ", ") + ", of \(rows.count)."))
        for row in rows where row.state == "done" || row.state == "deviates" { #expect(row.isShown, "\(row.id)") }
    }
}

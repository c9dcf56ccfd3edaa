// What the pipeline itself costs for each request, with as little as possible behind it: an origin that answers at once, a decoder
// that decodes nothing. Beside it the baseline of Baseline.swift, on the same fakes.
//
//     RequestBenchmark [--json] [--all] [--rounds N] [--program gannet|baseline] [WORD…]      only cases whose name contains a WORD
//     RequestBenchmark --count                                                                allocations of the guarded cases
//
// Allocations are shown where peers/count_allocations.c was loaded before the program: see scripts/requests.sh.

import Foundation

var arguments = CommandLine.arguments.dropFirst()
var flags: Set<String> = []
var words: [String] = []
var rounds = 7
var programs: Set<String> = ["gannet", "baseline"]
while let argument = arguments.popFirst() {
    switch argument {
    case "--json", "--all", "--count": flags.insert(argument)
    case "--rounds": rounds = max(arguments.popFirst().flatMap { Int($0) } ?? rounds, 1)
    case "--program": programs = [arguments.popFirst() ?? "gannet"]
    default: words.append(argument)
    }
}

/// On the shared pool, as most loads are: the main actor would add a hop to each.
@concurrent func run(flags: Set<String>, words: [String], rounds: Int, programs: Set<String>) async throws {
    if flags.contains("--count") {
        print(try await guardedCounts(of: hitCases() + loadCases() + manyCases()))
        return
    }
    let folder = NSTemporaryDirectory() + "gannet-request-benchmark-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var cases = hitCases() + loadCases() + manyCases()
    if flags.contains("--all") { cases += growthCases() + [try await diskCase(in: folder)] }
    if !words.isEmpty { cases = cases.filter { entry in words.contains { entry.name.contains($0) } } }
    if !flags.contains("--json") { print(Table.header) }
    for entry in cases {
        let row = try await entry.measured(rounds: rounds, by: programs)
        print(flags.contains("--json") ? row.json : Table.line(row))
        fflush(nil)
    }
}

do { try await run(flags: flags, words: words, rounds: rounds, programs: programs) } catch {
    FileHandle.standardError.write(Data("RequestBenchmark: \(error)\n".utf8))
    exit(1)
}

import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTesting
import Glibc
import Testing

/// The public HTTP cache tests (cache-tests.fyi), each with a separate clock, server and cache.
@Suite struct CacheConformanceTests {
    /// Tests that fail on purpose; Documentation/HTTPCaching.md gives the reasons.
    static let knownFailures: Set<String> = [
        "partial-store-partial-reuse-partial", "partial-store-partial-reuse-partial-absent",
    ]
    /// The same for tests of shared caches, with the shared mode on: targeted fields are those of delivery networks, and
    /// interim responses have no place in the loader's contract.
    static let knownSharedFailures: Set<String> = ["interim-102", "interim-103"]

    static let corpus = Corpora.root.map { $0 + "/httpcache/cache-tests-public.json" }

    static func problem(_ test: ConformanceSuite.Test, isShared: Bool = false) async throws -> String? {
        let time = ManualTimeSource()
        let server = ConformanceServer(test, time: time)
        let bridge = HTTPBridge(transport: server, cache: DictionaryCache(), isShared: isShared, time: time)
        return try await ConformanceChecker(test).run(bridge, server, time: time) { time.advance(by: $0) }
    }

    // DL-14, CG-09, U-13, S3-03
    @Test(.enabled(if: corpus != nil, "GANNET_CORPORA is not set"))
    func `All but the documented failures pass, those of shared caches in shared mode`() async throws {
        var lines: [String] = []
        var passed: [String: Int] = [:]
        var total: [String: Int] = [:]
        for suite in try ConformanceSuite.read(try #require(Self.corpus)) {
            for test in suite.tests {
                let kind = (test.kind ?? "required") + (test.appliesToPrivateCaches ? "" : ", others")
                total[kind, default: 0] += 1
                let problem = try await Self.problem(test, isShared: !test.appliesToPrivateCaches)
                if problem == nil { passed[kind, default: 0] += 1 }
                if let problem { lines.append("\(kind) \(suite.id) \(test.id): \(problem)") }
                guard test.isRequired || test.isOptimal, test.cdnOnly != true else { continue }
                let isKnown = Self.knownFailures.contains(test.id) || Self.knownSharedFailures.contains(test.id)
                #expect((problem == nil) == !isKnown, "\(test.id): \(problem ?? "passes now")")
            }
        }
        if getenv("GANNET_PRINT_CONFORMANCE") != nil {
            for line in lines { print(line) }
            for (kind, count) in total.sorted(by: { $0.key < $1.key }) { print("\(kind): \(passed[kind] ?? 0) of \(count)") }
        }
    }
}

import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTesting
import Glibc
import Testing

/// The public HTTP cache tests against ``HTTPCache`` on a bare transport.
@Suite struct HTTPCacheConformanceTests {
    static func problem(_ test: ConformanceSuite.Test, isShared: Bool) async throws -> String? {
        let time = ManualTimeSource()
        let server = ConformanceServer(test, time: time)
        let cache = HTTPCache(
            server, store: DictionaryCache(),
            configuration: HTTPCacheConfiguration(policy: HTTPCachePolicy(isShared: isShared), resumesTransfers: false),
            time: time)
        let bridge = HTTPCacheBridge(cache)
        return try await ConformanceChecker(test).run(time: time) {
            await bridge.answer($0)
        } pause: {
            time.advance(by: $0)
        } seen: {
            server.requests
        }
    }

    // DL-14
    @Test(.enabled(if: CacheConformanceTests.corpus != nil, "GANNET_CORPORA is not set"), arguments: [false, true])
    func `What passes through the downloader passes through the cache alone`(isShared: Bool) async throws {
        var passed: [String: Int] = [:]
        var total: [String: Int] = [:]
        for test in try ConformanceSuite.read(try #require(CacheConformanceTests.corpus)).flatMap(\.tests) {
            let kind = (test.kind ?? "required") + (test.appliesToPrivateCaches ? "" : ", others")
            total[kind, default: 0] += 1
            let problem = try await Self.problem(test, isShared: isShared)
            if problem == nil { passed[kind, default: 0] += 1 }
            let isRequired = try await CacheConformanceTests.problem(test, isShared: isShared) == nil
            #expect(problem == nil || !isRequired, "\(test.id): \(problem ?? "")")
            if !isRequired, problem == nil, getenv("GANNET_PRINT_CONFORMANCE") != nil { print("passes more: \(test.id)") }
        }
        if getenv("GANNET_PRINT_CONFORMANCE") != nil {
            for (kind, count) in total.sorted(by: { $0.key < $1.key }) {
                print("\(isShared ? "shared" : "private") cache, \(kind): \(passed[kind] ?? 0) of \(count)")
            }
        }
    }
}

#if CommandLine && HTTP
    import Foundation
    import GannetCore
    import GannetHTTP
    import GannetPlatform
    import GannetTesting
    import Glibc
    import Synchronization
    import Testing

    /// The public HTTP cache tests (cache-tests.fyi) as others run them: against `gannet-lab http-bridge` over real sockets, all at
    /// once, with one cache. Their pauses are real ones, of three seconds.
    @Suite struct HTTPBridgeTests {
        /// As in `CacheConformanceTests`, where the same tests run without sockets.
        static let knownFailures = Set(
            [
                "partial-store-partial-reuse-partial", "partial-store-partial-reuse-partial-absent", "interim-102", "interim-103",
            ] + (CURLTransport.refusesInventedTransferCodings ? ["headers-store-Transfer-Encoding"] : []))

        static let corpus = Corpora.root.map { $0 + "/httpcache/cache-tests-public.json" }

        /// The body to PUT for each test, exactly as in the file.
        static func definitions(_ path: String) throws -> [String: String] {
            let suites = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path))) as? [[String: Any]]
            var result: [String: String] = [:]
            for test in (suites ?? []).flatMap({ $0["tests"] as? [[String: Any]] ?? [] }) {
                guard let id = test["id"] as? String, let requests = test["requests"] else { continue }
                result[id] = String(decoding: try JSONSerialization.data(withJSONObject: requests), as: UTF8.self)
            }
            return result
        }

        static func problem(
            _ test: ConformanceSuite.Test, _ definition: String, _ bridge: BridgeProcess, _ site: ConformanceSite
        ) async throws -> String? {
            let identifier = UUID().uuidString.lowercased()
            let config = try await bridge.ask(.init("PUT", "\(site.origin)/config/\(identifier)", body: definition))
            guard config.status == 201 else { return "PUT was answered with \(config.status ?? 0) \(config.error ?? "")" }
            return try await ConformanceChecker(test, identifier: identifier, origin: site.origin).run(time: SystemTimeSource()) {
                try await bridge.ask($0)
            } pause: {
                try await Task.sleep(for: $0)
            } seen: {
                let state = try await bridge.ask(.init("GET", "\(site.origin)/state/\(identifier)"))
                return try JSONDecoder().decode([ConformanceServer.Seen].self, from: state.bytes)
            }
        }

        @Test(.enabled(if: corpus != nil, "GANNET_CORPORA is not set"), arguments: [false, true])
        func `What passes without sockets passes through the command, all at once`(shared: Bool) async throws {
            let path = try #require(Self.corpus)
            let definitions = try Self.definitions(path)
            let tests = try ConformanceSuite.read(path).flatMap(\.tests).filter { $0.appliesToPrivateCaches != shared }
            let (bridge, site) = (try BridgeProcess(isShared: shared), ConformanceSite())
            let problems = try await withThrowingTaskGroup(of: (ConformanceSuite.Test, String?).self) { group in
                for test in tests {
                    let definition = try #require(definitions[test.id])
                    group.addTask { (test, try await Self.problem(test, definition, bridge, site)) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(try await bridge.finish() == 0)
            #expect(problems.count == tests.count)
            for (test, problem) in problems where test.isRequired || test.isOptimal {
                guard test.cdnOnly != true else { continue }
                #expect((problem == nil) != Self.knownFailures.contains(test.id), "\(test.id): \(problem ?? "passes now")")
            }
            if getenv("GANNET_PRINT_CONFORMANCE") != nil {
                for (test, problem) in problems { if let problem { print("\(test.kind ?? "required") \(test.id): \(problem)") } }
            }
        }
    }
#endif

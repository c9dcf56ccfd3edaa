#if CommandLine && Server && PNG
    import Foundation
    import GannetCommandTestSupport
    import GannetCore
    import GannetFetch
    import GannetHTTP
    import GannetTesting
    import Glibc
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// The end of a service that balancers are told of first.
    struct DrainTests {
        private func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

        /// A drain takes its time, also where it is longer than other commands have for their end.
        @Test(.timeLimit(.minutes(10))) func aDrainIsNotCutShort() async throws {
            let tool = try Tool()
            let service = try tool.start(
                ["serve", "--no-cache", "--allow", "a.example.org", "--port", "0", "--drain-time", "6s"])
            #expect(await eventually { text(service.output).hasSuffix("\n") })
            let address = try #require(text(service.output).split(whereSeparator: \.isWhitespace).last.map { String($0) })
            let url = try #require(URL(string: address + "/ready"))
            let begin = ContinuousClock.now
            service.signal(SIGTERM)
            let transport = try CURLTransport()
            var status = 200
            while status == 200 { status = try await transport.send(HTTPRequest(url: url)).head.status }
            #expect(status == 503)
            let outcome = try await service.wait()
            #expect(outcome.status == 0 && ContinuousClock.now - begin >= .seconds(6))
        }
    }
#endif

#if CommandLine && Server
    import ArgumentParser
    import Foundation
    import GannetCommandTestSupport
    import GannetSupport
    import GannetTesting
    import Glibc
    import Testing

    @testable import gannet

    /// What `gannet serve` prints, as whoever collects logs reads it.
    struct ServeOutputTests {
        private func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

        private func areObjects(_ text: String) -> Bool {
            let lines = text.split(separator: "\n")
            return !lines.isEmpty
                && lines.allSatisfy { (try? JSONSerialization.jsonObject(with: Data($0.utf8))) is [String: Any] }
        }

        /// From the first line to the last, on both streams; also with the variables of a service of Kubernetes.
        @Test(.timeLimit(.minutes(10))) func everyLineIsAnObject() async throws {
            let tool = try Tool()
            let key = try tool.write(Array("0123456789abcdef".utf8), "key")
            let service = try tool.start(
                ["serve", "--no-cache", "--key-file", key, "--port", "0", "--access-log", "json"],
                variables: ["GANNET_SERVE_PORT": "tcp://10.0.0.1:80", "GANNET_SERVE_SERVICE_HOST": "10.0.0.1"])
            #expect(await eventually { text(service.output).hasSuffix("\n") })
            #expect(text(service.errors).contains("GANNET_SERVE_PORT, GANNET_SERVE_SERVICE_HOST"))
            _ = try tool.write(Array("short".utf8), "key")
            service.signal(SIGHUP)
            #expect(await eventually { text(service.errors).contains("stays as it was") })
            service.signal(SIGTERM)
            let outcome = try await service.wait()
            #expect(outcome.status == 0)
            #expect(areObjects(outcome.text), "\(outcome.text)")
            #expect(areObjects(outcome.errors), "\(outcome.errors)")
        }

        @Test func anErrorIsAnObjectToo() async throws {
            let tool = try Tool()
            let outcome = try await tool.run(
                "serve", "--allow", "a.example.org", "--access-log", "json", "--unix-socket", tool.path("none/socket"))
            #expect(outcome.status == 1 && areObjects(outcome.text) && areObjects(outcome.errors), "\(outcome.errors)")
        }

        /// Text that is printed loses what looks like the user of an address.
        @Test func helpIsPrintedAsItIsWritten() {
            for command in GannetCommand.configuration.subcommands + CacheCommand.configuration.subcommands {
                for columns in [80, 400] {
                    let help = GannetCommand.helpMessage(for: command, columns: columns)
                    #expect(TextRedaction.text(help) == help, "\(command)")
                }
            }
        }

        @Test(arguments: [
            ["--trusted-proxy", "proxy.example.org"], ["--unix-socket-mode", "0999"], ["--unix-socket-mode", "1777"],
            ["--unix-socket-group", "no such group"],
        ])
        func wrongValuesAreExplained(options: [String]) async throws {
            let tool = try Tool()
            let outcome = try await tool.start(["serve", "--allow", "a.example.org"] + options).wait()
            #expect(outcome.status == 64 && outcome.errors.contains(options[0]), "\(outcome.errors)")
        }
    }
#endif

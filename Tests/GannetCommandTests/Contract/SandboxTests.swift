#if CommandLine && HTTP && PNG
    import ArgumentParser
    import Foundation
    import GannetCommandTestSupport
    import GannetCore
    import GannetTesting
    import Glibc
    import Testing

    @testable import gannet

    /// `--sandbox`, with the real program.
    struct SandboxTests {
        let tool: Tool

        init() throws { tool = try Tool() }

        @Test func theSamePixelsComeOutOfTheSandbox() async throws {
            let file = try tool.write(try Samples.clearPNG(), "a.png")
            let here = try await tool.run("decode", "--json", "--sandbox", "no", file)
            let there = try await tool.run("decode", "--json", "--sandbox", "require", file)
            #expect(there.status == 0)
            let hashes = [here, there].map { $0.objects.first?["sha256Frame0"] as? String }
            #expect(hashes[0] != nil)
            #expect(hashes[0] == hashes[1])
        }

        @Test func theSandboxIsTheDefault() throws {
            let places = try LimitOptions.parse([]).places()
            #expect(places.sandbox != nil)
            #expect(places.isolation == .automatic)
            // The sandbox is there for coders that work in nothing else.
            #expect(try LimitOptions.parse(["--sandbox", "no"]).places().isolation == .inProcess)
        }

        @Test func headersAreReadInTheSandboxToo() async throws {
            let file = try tool.write(try Samples.png(), "a.png")
            let outcome = try await tool.run("info", "--json", "--sandbox=require", file)
            #expect(outcome.status == 0 && outcome.objects.count == 1)
        }

        /// No process is left when the program is killed, whatever its workers do.
        @Test(.timeLimit(.minutes(10))) func workersEndWithTheProgram() async throws {
            let (held, continuation) = AsyncStream.makeStream(of: Void.self)
            let server = PictureServer { _ in
                continuation.yield()
                return []
            }
            let running = try tool.start(["convert", "--sandbox", "require", server.url("/held.png"), tool.path("out.png")])
            for await _ in held { break }
            let zygote = try #require(Self.children(of: running.process).first)
            let workers = Self.children(of: zygote)
            #expect(workers.count > 0)
            running.signal(SIGKILL)
            _ = try await running.wait()
            let areGone = await eventually { ([zygote] + workers).allSatisfy { !Self.isAlive($0) } }
            #expect(areGone)
        }

        private static func children(of process: pid_t) -> [pid_t] {
            let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
            return tasks.flatMap { task in
                ((try? String(contentsOfFile: "/proc/\(process)/task/\(task)/children", encoding: .utf8)) ?? "")
                    .split(separator: " ").compactMap { pid_t($0) }
            }
        }

        /// A process that has ended and was not waited for counts as gone.
        private static func isAlive(_ process: pid_t) -> Bool {
            guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
            return status.split(separator: ")").last?.split(separator: " ").first != "Z"
        }
    }
#endif

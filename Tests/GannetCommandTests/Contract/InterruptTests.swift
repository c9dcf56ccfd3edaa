#if CommandLine && HTTP && PNG
    import GannetCommandTestSupport
    import GannetCore
    import Glibc
    import Testing

    @testable import gannet

    /// SIGINT and SIGTERM while a list is worked through.
    struct InterruptTests {
        let tool: Tool
        let server: PictureServer
        /// One value for each request that is never answered.
        let held: AsyncStream<Void>

        init() throws {
            tool = try Tool()
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            held = stream
            let picture = PictureServer.picture(try Samples.png())
            server = PictureServer { head in
                guard head.contains("/held") else { return picture(head) }
                continuation.yield()
                return []
            }
        }

        /// Three that are answered, one that is not, and as many behind it.
        private func sources(_ rest: Int) -> [String] {
            ["/1", "/2", "/3", "/held"].map(server.url) + (0..<rest).map { server.url("/behind\($0)") }
        }

        private func interrupted(_ arguments: [String], by number: Int32 = SIGINT) async throws -> Tool.Outcome {
            let running = try tool.start(arguments)
            for await _ in held { break }
            running.signal(number)
            return try await running.wait()
        }

        @Test(.timeLimit(.minutes(10)), arguments: ["fetch", "prefetch"])
        func sourcesThatWereNotBegunAreOneLine(command: String) async throws {
            let list = try tool.write(Array(sources(1200).joined(separator: "\n").utf8), "list")
            let outcome = try await interrupted([command, "--concurrency", "1", "--list", list])
            #expect(outcome.status == 130)
            let lines = outcome.errors.split(separator: "\n")
            try #require(lines.count == 2, "\(lines.count) lines: \(outcome.errors.prefix(2000))")
            #expect(lines[0].hasPrefix("gannet: \(server.url("/held")): cancelled: "))
            #expect(lines[1] == "gannet: Stopped: 3 done, 1 failed, 1,200 not begun.")
            #expect(server.requests.count == 4)
        }

        /// Objects are of sources that were begun.
        @Test(.timeLimit(.minutes(10))) func sourcesThatWereNotBegunHaveNoObject() async throws {
            let list = try tool.write(Array(sources(50).joined(separator: "\n").utf8), "list")
            let outcome = try await interrupted(["fetch", "--json", "--concurrency", "1", "--list", list], by: SIGTERM)
            #expect(outcome.status == 143 && outcome.objects.count == 4)
            #expect(outcome.errors.hasSuffix("gannet: Stopped: 3 done, 1 failed, 50 not begun.\n"), "\(outcome.errors)")
        }

        /// Four at a time, in order; of these the first three are shown.
        @Test(.timeLimit(.minutes(10)), arguments: [["info"], ["show", "--json"]])
        func soAreThoseOfTheCommandLine(command: [String]) async throws {
            let outcome = try await interrupted(command + sources(500))
            #expect(outcome.status == 130)
            let lines = outcome.errors.split(separator: "\n")
            // The ones behind the first held one were begun with it, at most.
            #expect(lines.count <= 5, "\(lines.count) lines")
            let last = try #require(lines.last)
            #expect(last.hasPrefix("gannet: Stopped: ") && last.hasSuffix(" not begun."), "\(last)")
        }

        /// Nothing is left out: the exit status alone says that it was stopped.
        @Test(.timeLimit(.minutes(10))) func aSingleSourceHasItsOwnLine() async throws {
            let outcome = try await interrupted(["convert", server.url("/held"), tool.path("a.png")])
            #expect(outcome.status == 130)
            #expect(outcome.errors.split(separator: "\n").count == 1 && outcome.errors.contains(": cancelled: "))
            #expect(!tool.names("").contains { $0.hasPrefix("a.png") })
        }
    }
#endif

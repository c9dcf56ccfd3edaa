#if CommandLine && PNG
    import GannetCommandTestSupport
    import Testing

    /// Exit code 64, and what help says.
    struct UsageTests {
        @Test(arguments: [
            ["nonsense"], ["--nonsense"], ["fetch"], ["fetch", "--nonsense", "x"], ["info"], ["decode"], ["decode", "a", "b"],
            ["convert", "a"], ["convert", "a", "b"], ["convert", "a", "b.png", "--quality", "101"],
            ["convert", "a", "b.png", "--max-file-size", "0"], ["convert", "a", "-", "--format", "png", "--json"],
            ["fetch", "a", "--thumbnail", "40x30x20"], ["fetch", "a", "--thumbnail", "0x1"], ["fetch", "a", "--mode", "around"],
            ["fetch", "a", "--transform", "explode"], ["fetch", "a", "--transform", "crop:1,2"],
            ["fetch", "a", "--format", "word"], ["fetch", "a", "--quality", "-1"], ["fetch", "a", "--from", "moon"],
            ["fetch", "a", "--refresh", "--from", "cache"], ["fetch", "a", "--concurrency", "0"],
            ["fetch", "a", "--priority", "urgent"], ["fetch", "a", "--header", "none"], ["fetch", "a", "--user", "me"],
            ["show", "a", "--user", "me"], ["prefetch", "a", "--header", "none"],
            ["fetch", "a", "b", "-o", "c"], ["fetch", "a", "-o", "b", "-O", "c"], ["fetch", "a", "-o", "-", "--json"],
            ["fetch", "a", "-o", "/dev/stdout", "--json"],
            ["fetch", "a", "--format", "webp"], ["fetch", "a", "--quality", "50"], ["fetch", "a", "--mode", "fill"],
            ["convert", "a", "b.png", "--mode", "fill"], ["prefetch", "a", "--mode", "fit"],
            ["fetch", "a", "--max-pixels", "0"], ["fetch", "a", "--max-memory", "-1"], ["fetch", "a", "--max-bytes", "many"],
            ["fetch", "a", "--max-frames", "0"], ["fetch", "a", "--timeout", "0"], ["fetch", "a", "--decode-time", "0"],
            ["fetch", "a", "--progress", "maybe"],
            ["fetch", "a", "--log-level", "loud"], ["decode", "a", "--frame", "-1"],
            ["decode", "a", "--frame", "0", "--all-frames"], ["decode", "a", "-o", "-", "--json"], ["show"],
            ["show", "a", "--graphics", "oil"], ["show", "a", "--columns", "0"], ["prefetch"],
            ["prefetch", "a", "--no-cache"], ["prefetch", "a", "--concurrency", "0"], ["cache", "burn"], ["cache", "info"],
            ["cache", "trim", "--to-size", "much"], ["cache", "clear", "--older-than", "old"], ["debug"],
            ["debug", "cache-worker"], ["help", "nonsense"], ["help", "cache", "burn"],
        ])
        func wrongUsage(arguments: [String]) async throws {
            let tool = try Tool()
            let outcome = try await tool.start(arguments).wait()
            #expect(outcome.status == 64)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("--help"))
            #expect(tool.names(".cache").isEmpty)
        }

        /// Commands for tests and scripts are in another program, `gannet-lab`.
        @Test func thereIsNoCommandForTests() async throws {
            let outcome = try await Tool().run("debug")
            #expect(
                outcome.status == 64 && outcome.errors.hasPrefix("Error: gannet has no command debug.\n"), "\(outcome.errors)")
        }

        @Test func helpForAWordThatIsNoCommandNamesTheNearOne() async throws {
            let outcome = try await Tool().run("help", "convrt")
            #expect(outcome.errors.hasPrefix("Error: gannet has no command convrt. Did you mean convert?\n"), "\(outcome.errors)")
            #expect(try await Tool().run("help", "cache", "list").text == Tool().run("cache", "list", "--help").text)
        }

        @Test func helpNamesEveryCommand() async throws {
            let tool = try Tool()
            let help = try await tool.run("--help")
            #expect(help.status == 0 && help.errors.isEmpty)
            for command in ["fetch", "show", "info", "convert", "decode", "prefetch", "work", "cache"] {
                #expect(help.text.contains("  \(command) "), "\(command)")
            }
            #expect(!help.text.contains("debug"))
            #expect(help.text.contains("64 wrong usage"))
            #expect(try await tool.run().text == help.text)
        }

        @Test func version() async throws {
            let tool = try Tool()
            let outcome = try await tool.run("--version")
            #expect(outcome.status == 0)
            #expect(outcome.text.hasPrefix("gannet ") && outcome.text.contains("."))
        }

        /// After a command too, as `--version` alone.
        @Test(arguments: [["--version", "--json"], ["--json", "--version"], ["info", "--version", "--json"]])
        func versionsOfTheLibraries(arguments: [String]) async throws {
            let tool = try Tool()
            let outcome = try await tool.start(arguments).wait()
            #expect(outcome.status == 0 && outcome.errors.isEmpty)
            let report = try #require(outcome.objects.first)
            #expect(outcome.objects.count == 1)
            #expect((report["gannet"] as? String).map { "gannet " + $0 + "\n" } == (try await tool.run("--version").text))
            #expect((report["swift"] as? String)?.first?.isNumber == true)
            #expect((report["system"] as? String)?.isEmpty == false)
            let libraries = try #require(report["libraries"] as? [String: String])
            #expect(libraries["libdeflate"] != nil && libraries["openssl"] != nil)
            for (name, version) in libraries {
                let numbers = version.split(separator: ".", omittingEmptySubsequences: false)
                #expect(numbers.count >= 2 && numbers[0].allSatisfy(\.isNumber), "\(name) \(version)")
            }
        }

        @Test(arguments: ["fetch", "show", "info", "convert", "decode", "prefetch"])
        func helpShowsTheLimitsAndTheirDefaults(command: String) async throws {
            let tool = try Tool()
            let help = try await tool.run(command, "--help").text.split { $0.isWhitespace }.joined(separator: " ")
            for (option, value) in [
                ("--max-pixels", "100000000"), ("--max-memory", "536870912"), ("--max-bytes", "67108864"),
                ("--max-frames", "10000"), ("--timeout", "60"),
            ] {
                #expect(help.contains(option) && help.contains("default: \(value)"), "\(option)")
            }
            for option in ["--json", "--progress"] { #expect(help.contains(option), "\(option)") }
        }

        /// What is most used stands first.
        @Test(arguments: ["fetch", "show", "info", "convert", "decode", "prefetch", "work"])
        func aCommandsOwnOptionsStandFirst(command: String) async throws {
            let help = try await Tool().run(command, "--help").text
            let own = try #require(help.firstRange(of: "\nOPTIONS:\n"))
            #expect(help.firstRange(of: "\n\n\n") == nil)
            for title in ["SERVERS", "CACHE", "LIMITS"] {
                if let shared = help.firstRange(of: "\n\(title):\n") { #expect(own.lowerBound < shared.lowerBound, "\(title)") }
            }
        }

        @Test func theMostUsedCommandsStandFirst() async throws {
            let help = try await Tool().run("--help").text
            let places = ["show", "info", "convert", "fetch", "prefetch", "cache", "work", "decode"].compactMap {
                help.firstRange(of: "\n  \($0) ")?.lowerBound
            }
            #expect(places.count == 8 && places == places.sorted())
        }

        @Test func prioritiesAreCompleted() async throws {
            let tool = try Tool()
            let script = try await tool.run("--generate-completion-script", "bash").text
            #expect(script.contains("very-low") && script.contains("very-high"))
        }

        @Test(arguments: ["bash", "zsh", "fish"])
        func completions(shell: String) async throws {
            let tool = try Tool()
            let script = try await tool.run("--generate-completion-script", shell)
            #expect(script.status == 0)
            #expect(script.text.contains("prefetch") && script.text.contains("thumbnail"))
        }
    }
#endif

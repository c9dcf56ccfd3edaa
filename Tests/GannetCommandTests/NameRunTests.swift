#if CommandLine
    import ArgumentParser
    import GannetCommandTestSupport
    import Testing

    @testable import gannet

    /// The parser copies all values for each further one, so it must not get every name as one.
    struct NameRunTests {
        private let names = (0..<20_000).map { "picture \($0).png" }

        private func joined(_ arguments: [String]) -> [String] { NameRun.joined(arguments, in: GannetCommand.subcommands) }

        /// However many names there are and wherever options stand, the parser sees three words for each option.
        @Test func theParserSeesFewWords() throws {
            #expect(joined(["info"] + names).count == 2)
            #expect(joined(["convert", "--format", "png"] + names + ["-O", "out"]).count == 6)
            #expect(joined(["convert", "-O", "out", "--"] + names).count == 5)
            let options = (0..<10).flatMap { part -> [String] in
                ["--recursive"] + Array(names[part * 2000..<(part + 1) * 2000])
            }
            #expect(joined(["info"] + options).count <= 1 + 3 * 10)
        }

        @Test func everyNameArrivesInOrder() async throws {
            let between = ["info"] + Array(names[..<7]) + ["--max-pixels", "300M", "-r"] + Array(names[7...])
            let all: [[String]] = [["info"] + names, ["info", "--json"] + names, ["info", "--json", "--"] + names, between]
            for arguments in all {
                let command = try await GannetCommand.asyncParseAsRoot(joined(arguments)) as? InfoCommand
                #expect(command?.runs.names == names)
            }
        }

        @Test func oddNamesArrive() async throws {
            let odd = ["-", "", "a\nb", "=", "é", "x"]
            let command = try await GannetCommand.asyncParseAsRoot(joined(["info"] + odd)) as? InfoCommand
            #expect(command?.runs.names == odd)
            let last = ["--json", "-x.png", "--", ""]
            let after = try await GannetCommand.asyncParseAsRoot(joined(["info", "a", "--"] + last)) as? InfoCommand
            #expect(after?.runs.names == ["a"] + last)
        }

        /// Commands with other words than names get them as they are.
        @Test(arguments: [["cache", "info", "a", "b"], ["decode", "a", "b", "c"], ["help", "info", "a"], []])
        func otherCommandsStayAsTheyAre(arguments: [String]) { #expect(joined(arguments) == arguments) }

        @Test(.timeLimit(.minutes(10))) func theProgramTakesThemAll() async throws {
            let outcome = try await Tool().start(["info", "--json"] + names).wait()
            #expect(outcome.status == 1 && outcome.objects.count == names.count)
        }
    }
#endif

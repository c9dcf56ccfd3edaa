#if CommandLine
    import ArgumentParser
    import GannetCommandTestSupport
    import Testing

    @testable import gannet

    /// Commands of traits that a build lacks.
    struct MissingCommandTests {
        @Test(arguments: [[], ["a.png"], ["a.png", "b.png", "--list", "c"], ["--help"], ["--", "-x"]])
        func theyNameTheTraitWhateverTheyAreGiven(arguments: [String]) throws {
            let command = try MissingCommand<MissingView>.parse(arguments)
            let error = #expect(throws: ValidationError.self) { try command.run() }
            #expect(error?.message.contains("needs the package trait GTK") == true)
            #expect(MissingCommand<MissingView>.exitCode(for: try #require(error)).rawValue == 64)
        }

        @Test func everyBuildKnowsTheNames() {
            let names = GannetCommand.subcommands.compactMap { $0.configuration.commandName }
            #expect(Set(["view", "serve", "demo"]).isSubset(of: names), "\(names)")
        }

        #if !GTK
            @Test func aWindowNeedsATrait() async throws {
                let outcome = try await Tool().run("view", "a.png", "b.png")
                #expect(outcome.status == 64 && outcome.output.isEmpty)
                #expect(outcome.errors.contains("needs the package trait GTK"), "\(outcome.errors)")
            }
        #endif
    }
#endif

#if CommandLine && Server
    import ArgumentParser
    import GannetCore
    import GannetServer
    import Testing

    @testable import gannet

    /// The options of `gannet serve` about memory.
    struct ServeMemoryTests {
        @Test(arguments: ["95MiB", "0", "much", "-1", "1e9999"])
        func `A limit that none can keep is a wrong option`(value: String) {
            #expect(throws: (any Error).self) { try ServeCommand.parse(["--allow", "example.org", "--memory-limit", value]) }
        }

        @Test func `The options fix parts of the plan`() throws {
            let command = try ServeCommand.parse([
                "--allow", "example.org", "--memory-limit", "300MiB", "--answer-memory", "20MiB", "--unread-memory", "10MiB",
                "--max-bytes", "5000000",
            ])
            let plan = try #require(try command.memoryPlan())
            #expect(plan.limit == 300 << 20 && plan.responses == 20 << 20 && plan.unread == 10 << 20 && plan.file == 5_000_000)
            let limits = command.limits(under: plan)
            #expect(limits.maxBytes == 5_000_000 && limits.maxMemory == plan.decodes)
            #expect(command.limits(under: nil).maxMemory == DecodeLimits.standard.maximumDecodedBytes)
        }
    }
#endif

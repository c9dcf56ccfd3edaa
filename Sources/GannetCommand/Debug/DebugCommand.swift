#if CommandLine
    import ArgumentParser

    /// Tools for tests and fault injection.
    struct DebugCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "debug", abstract: "For tests and fault injection.", shouldDisplay: false, subcommands: subcommands)

        static var subcommands: [any ParsableCommand.Type] { [CacheWorkerCommand.self] }
    }
#endif

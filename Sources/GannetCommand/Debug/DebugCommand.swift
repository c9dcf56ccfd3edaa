#if CommandLine
    import ArgumentParser

    /// For tests and fault injection: hidden from `--help`, and without any promise of stability.
    struct DebugCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "debug", abstract: "For tests and fault injection.", shouldDisplay: false, subcommands: subcommands)

        private static var subcommands: [any ParsableCommand.Type] {
            var commands: [any ParsableCommand.Type] = [
                CacheWorkerCommand.self, ManualCommand.self, MemoryCommand.self, TryFilesCommand.self,
            ]
            #if HTTP
                commands.append(HTTPBridgeCommand.self)
            #endif
            return commands
        }
    }
#endif

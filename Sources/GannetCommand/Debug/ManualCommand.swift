#if CommandLine
    import ArgumentParser

    /// Prints the manual page, generated from the texts of `--help`. Installers call it.
    struct ManualCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "manual", abstract: "Prints the manual page gannet(1).", shouldDisplay: false)

        func run() throws {
            Console.print(try ManualPage(help: GannetCommand._dumpHelp(), version: GannetCommand.version).text)
        }
    }
#endif

#if CommandLine
    import ArgumentParser

    /// Prints the manual page, made of the texts of `--help`. Installers call it.
    struct ManualCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "manual", abstract: "Prints the manual page gannet(1).",
            discussion: "Standard input is what `gannet --experimental-dump-help` prints.")

        @Option(help: "The version that the page names.")
        var version: String

        func run() throws {
            var help = ""
            while let line = readLine(strippingNewline: false) { help += line }
            Lines.print(try ManualPage(help: help, version: version).text)
        }
    }
#endif

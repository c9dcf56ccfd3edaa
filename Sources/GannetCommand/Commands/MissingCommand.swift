#if CommandLine
    import ArgumentParser

    /// A command that is missing in this build: reports which package trait enables it, whatever its arguments are. Exit code 64.
    struct MissingCommand<Part: MissingPart>: ParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(commandName: Part.name, abstract: message, shouldDisplay: false)
        }

        @Argument(parsing: .captureForPassthrough, help: .hidden) var rest: [String] = []

        func run() throws { throw ValidationError(Self.message) }

        static var message: String {
            "This build of gannet has no `\(Part.name)`, which needs the package trait \(Part.trait). "
                + "Build it with scripts/install.sh --traits default,\(Part.trait)."
        }
    }

    protocol MissingPart {
        static var name: String { get }
        static var trait: String { get }
    }

    enum MissingView: MissingPart {
        static let name = "view"
        static let trait = "GTK"
    }

    enum MissingServe: MissingPart {
        static let name = "serve"
        static let trait = "Server"
    }

    enum MissingDemo: MissingPart {
        static let name = "demo"
        static let trait = "HTTP"
    }
#endif

#if CommandLine
    import ArgumentParser
    import FoundationEssentials
    import GannetCore
    import GannetPlatform
    import GannetSupport
    import Glibc

    /// The entry point: runs before anything else opens files, and before there are threads.
    @main
    enum Program {
        static func main() async {
            Console.openClosed()
            FreedMemory.keepOneArena(forEachOf: BlockingExecutor.processorCount)
            Interrupt.install()
            await run()
        }

        /// Without the program's name. Swift's own list has U+FFFD for bytes that are no UTF-8: names of other files. The system keeps the
        /// arguments as long as the process lives.
        private static let arguments: [String] = UnsafeBufferPointer(
            start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)
        ).dropFirst().compactMap { $0.map { ByteText.text(ofPath: $0) } }

        /// Like ArgumentParser's own `main`, but does not check whether help could be printed.
        private static func run() async {
            var arguments = Self.arguments
            do {
                try UsageMessage.checkFiles(in: arguments)
                try UsageMessage.checkHelp(in: arguments)
                arguments = try OptionFile.expanded(arguments, environment: ProcessInfo.processInfo.environment)
                var command = try await GannetCommand.asyncParseAsRoot(NameRun.joined(arguments, in: GannetCommand.subcommands))
                guard var asynchronous = command as? any AsyncParsableCommand else { return try command.run() }
                try await asynchronous.run()
            } catch {
                let code = GannetCommand.exitCode(for: error)
                let text = GannetCommand.fullMessage(for: error)
                if code.isSuccess {
                    if text == GannetCommand.configuration.version, arguments.contains("--json") {
                        Console.print(BuildReport.json)
                    } else if !text.isEmpty {
                        Console.print(HelpText.ordered(text))
                    }
                } else if !text.isEmpty {
                    Console.writeError(withoutSecrets(UsageMessage.text(text, for: arguments)) + "\n")
                }
                exit(code.rawValue)
            }
        }

        /// Usage errors quote arguments, which may be addresses with passwords.
        private static func withoutSecrets(_ message: String) -> String {
            arguments.reduce(message) { message, argument in
                let shown = TextRedaction.text(argument)
                return shown == argument ? message : message.replacing(argument, with: shown)
            }
        }
    }

    struct GannetCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "gannet",
            abstract: "Fetches, inspects, converts, caches and shows images.",
            discussion: """
                A SOURCE is an http: or https: URL, a file: URL or path, a data: URL, or - for standard input.

                --version --json prints the versions of Swift, of the system and of the C libraries too.

                Exit status: 0 all done; 1 one or more sources failed, each with a line on standard error
                ("gannet: SOURCE: CODE: message"); 64 wrong usage; 130 or 143 stopped by SIGINT or SIGTERM before all was done.
                """,
            version: "gannet \(version)",
            subcommands: subcommands)

        static let version = "0.1.0"

        /// The most used ones first.
        static var subcommands: [any ParsableCommand.Type] {
            var commands: [any ParsableCommand.Type] = [
                ShowCommand.self, InfoCommand.self, ConvertCommand.self, FetchCommand.self,
            ]
            #if GTK
                commands.append(ViewCommand.self)
            #else
                commands.append(MissingCommand<MissingView>.self)
            #endif
            commands += [PrefetchCommand.self, CacheCommand.self] as [any ParsableCommand.Type]
            #if Server
                commands.append(ServeCommand.self)
            #else
                commands.append(MissingCommand<MissingServe>.self)
            #endif
            commands += [WorkCommand.self, DecodeCommand.self] as [any ParsableCommand.Type]
            #if HTTP
                commands.append(DemoCommand.self)
            #else
                commands.append(MissingCommand<MissingDemo>.self)
            #endif
            return commands
        }
    }
#else
    import Glibc

    @main
    enum Program {
        static func main() {
            print("This gannet was built without its command line: build it with the package trait CommandLine.")
            exit(64)
        }
    }
#endif

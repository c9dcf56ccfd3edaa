#if CommandLine
    import ArgumentParser
    import FoundationEssentials

    /// A command with its options, as the parser describes it.
    struct CommandOptions: Sendable {
        /// `gannet`, then the names of the command: `cache`, `list`.
        private(set) var names: [String]
        /// False: a command that this build does not have.
        let isShown: Bool
        let subcommands: [CommandOptions]
        /// Options with their dashes; true for those that take a value.
        private let options: [String: Bool]

        /// The whole command line of this build. Made of a text, which takes milliseconds: for errors only.
        static let all = CommandOptions(
            (try? JSONDecoder().decode(Tool.self, from: Data(GannetCommand._dumpHelp().utf8)))?.command
                ?? Tool.Command(commandName: "gannet", shouldDisplay: true, subcommands: nil, arguments: nil))

        /// The command that the first arguments name, as far as they name one.
        static func of(_ arguments: [String]) -> CommandOptions {
            var command = all
            for word in arguments {
                guard let next = command.subcommands.first(where: { $0.names.last == word }) else { break }
                command = next
            }
            return command
        }

        private init(_ command: Tool.Command, below names: [String] = []) {
            let names = names + [command.commandName]
            self.names = names
            isShown = command.shouldDisplay ?? true
            subcommands = (command.subcommands ?? []).map { CommandOptions($0, below: names) }
            var options: [String: Bool] = [:]
            for argument in command.arguments ?? [] where argument.kind != "positional" {
                for name in argument.names ?? [] {
                    options[(name.kind == "long" ? "--" : "-") + name.name] = argument.kind == "option"
                }
            }
            self.options = options
        }

        /// `gannet cache list`
        var title: String { names.joined(separator: " ") }

        var optionNames: [String] { options.keys.sorted() }

        /// Whether the command has this option, as it is written: `--quality`, `--quality=80`, `-O`, or several flags, `-r0`.
        func has(_ word: String) -> Bool {
            let name = Self.name(of: word)
            if options[name] != nil { return true }
            return !name.hasPrefix("--") && name.count > 2 && name.dropFirst().allSatisfy { options["-\($0)"] != nil }
        }

        /// Whether the next word is the value of this one.
        func takesValue(_ word: String) -> Bool { !word.contains("=") && options[word] == true }

        /// The option without a value that is joined to it.
        static func name(of word: String) -> String { String(word.prefix { $0 != "=" }) }

        /// The parser's dump of the commands.
        private struct Tool: Decodable {
            var command: Command

            struct Command: Decodable {
                var commandName: String
                var shouldDisplay: Bool?
                var subcommands: [Command]?
                var arguments: [Argument]?
            }

            struct Argument: Decodable {
                var kind: String
                var names: [Name]?
            }

            struct Name: Decodable {
                var kind: String
                var name: String
            }
        }
    }
#endif

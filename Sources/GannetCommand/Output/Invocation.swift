#if CommandLine
    /// The command that runs, and the options it was given: messages name no others.
    struct Invocation: Sendable {
        private let command: CommandOptions
        private let given: Set<String>

        /// Made when the first message needs it.
        static let current = Invocation(Array(CommandLine.arguments.dropFirst()))

        init(_ arguments: [String]) {
            command = CommandOptions.of(arguments)
            given = Set(arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("-") }.map(CommandOptions.name(of:)))
        }

        /// How the user can give the option: as it is, or as a field of a job. Nil: not at all.
        func name(of option: String) -> String? {
            if command.has(option) { return option }
            let field = String(option.drop { $0 == "-" })
            return command.names.last == "work" && WorkFields.names.contains(field) ? "the field \(field)" : nil
        }

        /// The same of one that would change nothing if it was given before.
        func newName(of option: String) -> String? { given.contains(option) ? nil : name(of: option) }
    }
#endif

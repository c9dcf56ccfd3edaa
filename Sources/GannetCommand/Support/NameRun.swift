#if CommandLine
    import ArgumentParser

    /// A command whose plain words, those that are no option and no value of one, are all names: `gannet info a.png b.png`.
    protocol TakesNames: ParsableCommand {}

    /// Names that follow each other on the command line, as one argument of the parser.
    ///
    /// The parser copies what it has read for each further argument, which takes seconds for thousands of files. So it gets at most two
    /// words for each option, however many names stand between them.
    struct NameRun: Sendable {
        var names: [String]

        /// Begins a word that stands for many, and separates them: no argument of a process can contain it.
        private static let mark: Character = "\0"

        /// The value of an argument.
        init(_ word: String) throws {
            let parts = word.unicodeScalars.split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
            names = parts.count > 1 ? Array(parts.dropFirst()) : parts
        }

        /// The same arguments with the names of each run in one word, if their command takes names. Only the first word after an option can
        /// be its value, so it stays as it is. O(n)
        static func joined(_ arguments: [String], in commands: [any ParsableCommand.Type]) -> [String] {
            guard let name = arguments.first,
                commands.contains(where: { $0 is any TakesNames.Type && $0.configuration.commandName == name })
            else { return arguments }
            var result = [name]
            var run: [String] = []
            func endRun() {
                if !run.isEmpty { result.append(String(mark) + run.joined(separator: String(mark))) }
                run = []
            }
            var (mayBeValue, isOver) = (false, false)
            for word in arguments.dropFirst() {
                if !isOver, word.utf8.first == UInt8(ascii: "-"), word != "-" {
                    endRun()
                    result.append(word)
                    isOver = word == "--"
                    mayBeValue = !isOver
                } else if mayBeValue {
                    result.append(word)
                    mayBeValue = false
                } else {
                    run.append(word)
                }
            }
            endRun()
            return result
        }
    }

    extension [NameRun] {
        /// All names, in order.
        var names: [String] { flatMap(\.names) }
    }
#endif

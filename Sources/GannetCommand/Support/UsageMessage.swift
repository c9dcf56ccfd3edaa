#if CommandLine
    import ArgumentParser
    import GannetCore
    import GannetPlatform
    import Glibc

    /// The message for a wrong call.
    enum UsageMessage {
        /// `text` is the parser's own message. It judges the words that it knows first, so a word that it does not know takes the place of
        /// its reason.
        static func text(_ text: String, for arguments: [String]) -> String {
            guard let reason = unknownWord(in: arguments) else { return text }
            let usage = text.firstRange(of: "\nUsage:").map { text[$0.lowerBound...] } ?? ""
            return "Error: \(reason)\(usage)"
        }

        /// Throws if a word is a file's name that the parser would take for options: `-dash.png` has `-h` in it, and would print the help.
        static func checkFiles(in arguments: [String]) throws {
            for word in arguments.prefix(while: { $0 != "--" })
            where isOption(word) && !word.hasPrefix("--") && word.utf8.count > 2 {
                if isThere(word) { throw ValidationError(fileName(word)) }
            }
        }

        /// Throws if help is asked for with a word that is no command: the parser would print that of the program.
        static func checkHelp(in arguments: [String]) throws {
            guard arguments.first == "help" else { return }
            let words = arguments.dropFirst().filter { !isOption($0) }
            let command = CommandOptions.of(words)
            guard !command.subcommands.isEmpty, let word = words.dropFirst(command.names.count - 1).first, word != "help" else {
                return
            }
            throw ValidationError(noCommand(word, in: command))
        }

        private static func fileName(_ word: String) -> String {
            "\(word) looks like an option. For the file of this name write ./\(word)."
        }

        /// Nil: every command and option is known.
        private static func unknownWord(in arguments: [String]) -> String? {
            let command = CommandOptions.of(arguments)
            guard command.isShown else { return nil }
            let words = arguments.dropFirst(command.names.count - 1).prefix { $0 != "--" }
            if !command.subcommands.isEmpty, let word = words.first, !word.isEmpty {
                if !isOption(word) { return word == "help" ? nil : noCommand(word, in: command) }
                if !command.has(word), command.subcommands.contains(where: { $0.has(word) }) {
                    return
                        "Options stand behind the command that has them: \(command.title) COMMAND \(CommandOptions.name(of: word))."
                }
            }
            var isValue = false
            for word in words {
                if isOption(word), !isValue, !command.has(word) { return noOption(word, in: command) }
                isValue = command.takesValue(word)
            }
            return nil
        }

        private static func isOption(_ word: String) -> Bool { word.utf8.first == UInt8(ascii: "-") && word != "-" }

        private static func noCommand(_ word: String, in command: CommandOptions) -> String {
            let shown = command.subcommands.filter(\.isShown).compactMap(\.names.last)
            var text = "\(command.title) has no command \(word)."
            if let near = nearest(to: word, among: shown) {
                text += " Did you mean \(near)?"
            } else if word.contains("://") || isThere(word) {
                text += " Say what to do with it: \(command.title) show, info, convert or fetch, then its name."
            }
            return text
        }

        private static func noOption(_ word: String, in command: CommandOptions) -> String {
            let name = CommandOptions.name(of: word)
            var text = "\(command.title) has no option \(name)."
            if isThere(word) {
                text = fileName(word)
            } else if let near = nearest(to: name, among: command.optionNames) {
                text += " Did you mean \(near)?"
            } else {
                let others = CommandOptions.all.subcommands.filter { $0.isShown && $0.has(name) }.compactMap(\.names.last)
                if !others.isEmpty { text += " These commands have it: \(others.joined(separator: ", "))." }
            }
            return text
        }

        private static func isThere(_ path: String) -> Bool { WorkingFolder.absolute(path).withPath { access($0, F_OK) } == 0 }

        /// The name that was most probably meant; nil: none is near.
        private static func nearest(to word: String, among names: [String]) -> String? {
            let plain = plain(word)
            guard plain.count > 1 else { return nil }
            let scored = names.map { name in
                let other = Self.plain(name)
                // One that was begun is as near as one with a typing error.
                return (name: name, steps: other.count > 1 && other.starts(with: plain) ? 1 : steps(plain, other))
            }
            guard let best = scored.min(by: { $0.steps < $1.steps }), best.steps <= max(1, plain.count / 3) else { return nil }
            return best.name
        }

        /// The name without dashes, which are often forgotten.
        private static func plain(_ name: String) -> [UInt8] { name.lowercased().utf8.filter { $0 != UInt8(ascii: "-") } }

        /// Letters that are wrong, missing, too many, or in each other's place (Damerau–Levenshtein).
        private static func steps(_ left: [UInt8], _ right: [UInt8]) -> Int {
            var rows = [Array(0...right.count)]
            for (i, letter) in left.enumerated() {
                var row = [i + 1]
                for (j, other) in right.enumerated() {
                    var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (letter == other ? 0 : 1))
                    if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other { best = min(best, rows[i - 1][j - 1] + 1) }
                    row.append(best)
                }
                rows.append(row)
            }
            return rows[left.count][right.count]
        }
    }
#endif

#if CommandLine
    /// The parser's help, with a command's own options before those that all commands share.
    enum HelpText {
        /// The parser puts options without a title last. Other texts stay as they are.
        static func ordered(_ text: String) -> String {
            guard text.hasPrefix("OVERVIEW:") else { return text }
            var parts = text.split(separator: "\n\n", omittingEmptySubsequences: false)
            guard let usage = parts.firstIndex(where: { $0.hasPrefix("USAGE:") }),
                let own = parts[usage...].firstIndex(where: { $0.hasPrefix("OPTIONS:") }),
                let shared = parts[usage..<own].dropFirst().firstIndex(where: { !$0.hasPrefix("ARGUMENTS:") })
            else { return text }
            var moved = parts.remove(at: own)
            // The end of the whole text.
            while moved.last == "\n" { moved.removeLast() }
            parts.insert(moved, at: shared)
            return parts.joined(separator: "\n\n")
        }
    }
#endif

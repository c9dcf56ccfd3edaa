#if CommandLine
    import ArgumentParser
    import GannetCore

    /// One of N parts of a list: `I/N`, I from 1 to N.
    ///
    /// A source belongs to the shard that the hash of its text names, so that every process, machine and later run agrees without
    /// talking to each other. The formula is part of the command line's contract (`Documentation/batches`).
    struct Shard: Equatable {
        /// 1 … ``count``.
        var number: Int
        var count: Int

        init(parsing text: String) throws {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            let numbers = parts.compactMap { part in
                part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(part) : nil
            }
            guard parts.count == 2, numbers.count == 2 else {
                throw ValidationError("a shard is I/N, like 1/4, the first of four.")
            }
            (number, count) = (numbers[0], numbers[1])
            guard count > 0 else { throw ValidationError("N is the number of shards, 1 or more.") }
            guard number > 0 else { throw ValidationError("shards count from 1, like 1/\(count), the first of \(count).") }
            guard number <= count else { throw ValidationError("the last of \(count) shards is \(count)/\(count).") }
        }

        /// Whether the source belongs to this shard: XXH3 (64 bits, seed 0) of its text in UTF-8, modulo N, is I − 1.
        func contains(_ source: String) -> Bool {
            Checksum.xxh3(Array(source.utf8)) % UInt64(count) == UInt64(number - 1)
        }
    }

    /// `--shard`, for the commands that work through a list.
    struct ShardOption: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "Only the i-th of n parts of the sources, like 3/8. All parts together are all sources, each in one part: by a hash of its text, so that machines agree.",
                valueName: "i/n"), transform: Shard.init(parsing:))
        var shard: Shard?

        /// The sources of this process, in order.
        func share(of sources: [String]) -> [String] { shard.map { sources.filter($0.contains) } ?? sources }
    }
#endif

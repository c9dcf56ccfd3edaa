#if CommandLine
    import ArgumentParser
    import GannetCore
    import Testing

    @testable import gannet

    struct ShardTests {
        /// Computed with Python's xxhash: `xxh3_64_intdigest(source.encode()) % n + 1`. Changing one line of this table makes
        /// every running batch do work twice.
        @Test(arguments: [
            ("https://example.org/a.jpg", [1, 2, 4, 8, 56, 40]), ("https://example.org/b.jpg", [1, 2, 4, 4, 28, 980]),
            ("photos/1.png", [1, 1, 1, 5, 53, 493]), ("photos/2.png", [1, 1, 3, 3, 51, 475]),
            ("/data/ü.png", [1, 2, 2, 6, 62, 910]), ("-", [1, 1, 3, 7, 55, 751]), (" a b.png", [1, 1, 1, 5, 45, 773]),
            ("", [1, 1, 3, 3, 3, 139]),
        ])
        func aSourceIsAlwaysInTheSameShard(source: String, numbers: [Int]) throws {
            for (count, number) in zip([1, 2, 4, 8, 64, 1000], numbers) {
                #expect(try Shard(parsing: "\(number)/\(count)").contains(source))
            }
        }

        @Test(arguments: [1, 2, 3, 7, 64]) func allShardsTogetherAreAllSources(count: Int) throws {
            let sources = (0..<5000).map { "https://example.org/\($0 % 4900).jpg" }
            let shares = try (1...count).map { number in
                let option = try ShardOption.parse(["--shard", "\(number)/\(count)"])
                return option.share(of: sources)
            }
            #expect(shares.reduce(0) { $0 + $1.count } == sources.count)
            // Sources that are listed twice are in one shard, both times.
            let sets = shares.map(Set.init)
            #expect(sets.reduce(0) { $0 + $1.count } == 4900 && sets.reduce(Set()) { $0.union($1) } == Set(sources))
            // About equally large.
            let mean = Double(sources.count) / Double(count)
            for share in shares { #expect(abs(Double(share.count) - mean) < 6 * mean.squareRoot() + 1, "\(share.count)") }
        }

        @Test func withoutTheOptionAllSourcesStay() throws {
            #expect(try ShardOption.parse([]).share(of: ["b", "a", "b"]) == ["b", "a", "b"])
        }

        @Test(arguments: [
            ("", "1/4"), ("3", "1/4"), ("/4", "1/4"), ("3/", "1/4"), ("1/2/3", "1/4"), ("-1/4", "1/4"), ("+1/4", "1/4"),
            ("1.0/4", "1/4"), (" 1/4", "1/4"), ("99999999999999999999/4", "1/4"), ("0/4", "count from 1"),
            ("5/4", "the last of 4 shards is 4/4"), ("0/0", "1 or more"), ("1/0", "1 or more"),
        ])
        func shardsThatAreNone(text: String, message: String) {
            let error = #expect(throws: ValidationError.self) { try Shard(parsing: text) }
            #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        }

        /// Processes that write into one folder know nothing of each other but the list.
        @Test func shardsDoNotOverwriteEachOther() throws {
            let sources = ["a/p.jpg", "b/p.gif", "c/p.jpg", "d/q", "e/q"]
            // Each source is PNG, whatever its name says.
            let written = try sources.map { source in
                try OutputNames(
                    path: nil, folder: "/tmp", sources: sources.map { SourceItem(text: $0) }, isShared: true, replacing: .noImage
                ).path(for: source, format: .png)
            }
            #expect(Set(written).count == sources.count, "\(written)")
        }
    }
#endif

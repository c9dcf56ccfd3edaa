#if CommandLine && PNG && BMP
    import Foundation
    import GannetCommandTestSupport
    import Testing

    @testable import gannet

    /// `--shard` of the three commands, and the list of `convert`.
    struct ShardCommandTests {
        let tool: Tool
        let paths: [String]
        let list: String

        init() throws {
            let tool = try Tool()
            let png = try Samples.png()
            // Equal names in two folders: shards that know only their own sources would overwrite each other's files.
            for folder in ["one", "two"] { try OutputFile.makeFolder(tool.path(folder)) }
            paths = try ["one", "two"].flatMap { folder in
                try (0..<10).map { try tool.write(png, "\(folder)/\($0).png") }
            }
            list = try tool.write(Array(("# all of them\n" + paths.joined(separator: "\n")).utf8), "list")
            self.tool = tool
        }

        private func whole(_ arguments: [String]) async throws -> [[String: Any]] {
            var objects: [[String: Any]] = []
            for number in 1...3 {
                let outcome = try await tool.start(arguments + ["--json", "--shard", "\(number)/3"]).wait()
                #expect(outcome.status == 0, "\(outcome.errors)")
                var own = outcome.objects
                if let summary = own.last, summary["source"] == nil {
                    own.removeLast()
                    // The summary is of this shard.
                    let shard = try Shard(parsing: "\(number)/3")
                    #expect(summary["total"] as? Int == paths.filter(shard.contains).count)
                    #expect((summary["done"] as? Int ?? 0) + (summary["skipped"] as? Int ?? 0) == summary["total"] as? Int)
                }
                objects += own
            }
            return objects
        }

        @Test(arguments: ["convert", "fetch"]) func threeShardsWriteEveryImageOnce(command: String) async throws {
            let objects = try await whole([command, "--list", list, "-O", tool.path("out"), "--format", "bmp"])
            #expect(objects.compactMap { $0["source"] as? String }.sorted() == paths.sorted())
            #expect(Set(objects.compactMap { $0["output"] as? String }).count == paths.count)
            #expect(tool.names("out").count == paths.count)
            // Under the names that one process gives.
            let plain = try await tool.run(command, "--list", list, "-O", tool.path("plain"), "--format", "bmp")
            #expect(plain.status == 0 && tool.names("plain") == tool.names("out"))
        }

        @Test func prefetchStoresItsShard() async throws {
            _ = try await whole(["prefetch", "--list", list, "--thumbnail", "4x4"])
            let again = try await tool.run("prefetch", "--list", list, "--thumbnail", "4x4", "--json")
            #expect(again.objects.last?["skipped"] as? Int == paths.count, "\(again.text)")
        }

        @Test func sourcesOfTheCommandLineAreDividedToo() async throws {
            let objects = try await whole(["convert"] + paths + ["-O", tool.path("out"), "--format", "bmp", "--skip-existing"])
            #expect(objects.count == paths.count)
        }

        @Test(arguments: [
            ["convert", "a.png", "b.png", "--shard", "1/2"], ["convert", "--list", "l", "b.png"], ["convert", "-O", "out"],
            ["fetch", "a.png", "-o", "b.png", "--shard", "1/2"], ["prefetch", "a.png", "--shard", "3/2"],
            ["convert", "a", "-O", "out", "--shard", "0/2"], ["fetch", "a", "--shard", "1"],
            ["convert", "-", "--list", "-", "-O", "out"], ["work", "--concurrency", "0"], ["work", "--insecure"],
            ["work", "a.png"],
        ]) func wrongUsage(arguments: [String]) async throws {
            let outcome = try await tool.start(arguments).wait()
            #expect(outcome.status == 64 && outcome.output.isEmpty && outcome.errors.contains("--help"), "\(outcome.errors)")
        }

        @Test func aListThatIsMissingIsAFailure() async throws {
            let outcome = try await tool.run("convert", "--list", tool.path("none"), "-O", tool.path("out"), "--json")
            #expect(outcome.status == 1 && outcome.objects.count == 1 && outcome.errors.contains("notFound"))
        }
    }
#endif

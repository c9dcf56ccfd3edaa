#if CommandLine && HTTP && PNG
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetPlatform
    import GannetTesting
    import Testing

    @testable import gannet

    /// `cache` and `prefetch`.
    struct CacheCommandTests {
        let tool: Tool

        init() throws { tool = try Tool() }

        @Test func pathFollowsTheEnvironment() async throws {
            #expect(try await tool.run("cache", "path").text == tool.path(".cache/gannet") + "\n")
            let xdg = try await tool.run("cache", "path", variables: ["XDG_CACHE_HOME": tool.path("x")])
            #expect(xdg.text == tool.path("x/gannet") + "\n")
            #expect(try await tool.run("cache", "path", "--cache-dir", tool.path("a/b")).text == tool.path("a/b") + "\n")
            #expect(tool.names("a").isEmpty && tool.names("x").isEmpty)
            #expect(tool.names(".cache").isEmpty)
        }

        // U-34, S3-26
        @Test func aCacheFromFirstToLast() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let url = server.url("/a.png")
            #expect(try await tool.run("cache", "list", "--json").text.isEmpty)
            try tool.write(Array("\(url)\n\(server.url("/b.png"))\n".utf8), "list")

            let first = try await tool.run("prefetch", "--json", "--list", tool.path("list"))
            #expect(first.status == 0, "\(first.errors)")
            #expect(first.text == #"{"ok":true,"total":2,"done":2,"skipped":0,"failed":0}"# + "\n")
            let second = try await tool.run("prefetch", "--list", tool.path("list"))
            #expect(second.text == "0 done, 2 skipped, 0 failed.\n")
            #expect(server.requests.count == 2)

            let list = try await tool.run("cache", "list", "--json").objects
            #expect(list.count == 2)
            for item in list {
                #expect(item["format"] as? String == "png")
                #expect(item["bytes"] is Int && item["ageSeconds"] is Double && item["unusedSeconds"] is Double)
                #expect(item["fresh"] as? Bool == true && item["etag"] as? String == "\"1\"")
            }
            let info = try await tool.run("cache", "info", url)
            #expect(info.status == 0 && info.text.contains("freshness: fresh") && info.text.contains("last used: "))
            // As `fetch` would judge it, which takes nothing that was unused for a week.
            #expect(info.text.contains("ends: in 6 d") || info.text.contains("ends: in 7 d"), "\(info.text)")
            for command in ["info", "path"] {
                let unknown = try await tool.run("cache", command, "http://example.org/none", "--json")
                #expect(unknown.status == 1 && unknown.errors.hasPrefix("gannet: http://example.org/none: cacheMiss: "))
                #expect(unknown.objects.first?["source"] as? String == "http://example.org/none")
            }

            #expect(try await tool.run("cache", "verify", "--json").objects.first?["intact"] as? Int == 2)
            #expect(try await tool.run("cache", "trim").text.hasPrefix("Removed 0 entries"))
            #expect(try await tool.run("cache", "trim", "--to-size", "1").status == 0)
            #expect(try await tool.run("cache", "list", "--json").objects.isEmpty)
        }

        /// Keys as `list` prints them are on one line, which they are not in the cache.
        @Test func pathsAreThoseOfEntries() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let url = server.url("/a.png")
            for skipped in [0, 1] {
                let outcome = try await tool.run("prefetch", "--json", "--thumbnail", "8x8", url)
                #expect(outcome.status == 0 && outcome.objects.first?["skipped"] as? Int == skipped)
            }
            let keys = try await tool.run("cache", "list", "--json").objects.compactMap { $0["key"] as? String }
            #expect(keys.count == 2 && keys.contains(url))
            var files: Set<String> = []
            for key in keys + keys.map(Console.clean) {
                let outcome = try await tool.run("cache", "path", key)
                #expect(outcome.status == 0, "\(outcome.errors)")
                let file = String(outcome.text.dropLast())
                #expect(try POSIXFileSystem().status(file).kind == .file)
                files.insert(file)
            }
            #expect(files.count == 2)
            let unknown = try await tool.run("cache", "path", "http://example.org/none", "--json")
            #expect(unknown.status == 1 && unknown.errors.contains(": cacheMiss: "))
            #expect(unknown.objects.first?["ok"] as? Bool == false)
        }

        @Test func clearTakesAllOrWhatIsOld() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            #expect(try await tool.run("prefetch", server.url("/a"), server.url("/b")).status == 0)
            #expect(try await tool.run("cache", "clear", "--older-than", "7d", "--json").objects.first?["removed"] as? Int == 0)
            #expect(try await tool.run("cache", "clear", "--json").objects.first?["removed"] as? Int == 2)
        }

        @Test func damageIsFoundAndRemoved() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            #expect(try await tool.run("prefetch", server.url("/a")).status == 0)
            let file = try await tool.run("cache", "path", server.url("/a")).text.dropLast()
            var bytes = try POSIXFileSystem().read(String(file), maximumBytes: 1 << 20, nofollow: false)
            bytes[bytes.count - 5] ^= 0xFF
            try OutputFile.write([bytes], to: String(file))
            let report = try #require(try await tool.run("cache", "verify", "--json").objects.first)
            #expect(report["intact"] as? Int == 0 && report["removed"] as? Int == 1)
        }

        @Test func aFolderThatIsAFileIsNoCache() async throws {
            let file = try tool.write([1], "file")
            for command in ["list", "verify", "trim", "clear"] {
                let outcome = try await tool.run("cache", command, "--json", "--cache-dir", file)
                #expect(outcome.status == 1 && outcome.errors.hasPrefix("gannet: \(file): io: "), "\(command)")
                #expect(outcome.objects.first?["ok"] as? Bool == false)
            }
            #expect(try tool.read("file") == [1])
        }

        @Test func prefetchCountsWhatFails() async throws {
            let png = try Samples.png()
            let server = PictureServer { head in
                head.contains("/bad") ? PictureServer.response("410 Gone") : PictureServer.picture(png)(head)
            }
            let outcome = try await tool.run("prefetch", "--json", server.url("/a"), server.url("/bad"))
            #expect(outcome.status == 1)
            #expect(outcome.objects.last?["failed"] as? Int == 1 && outcome.objects.last?["done"] as? Int == 1)
            #expect(outcome.errors.hasPrefix("gannet: \(server.url("/bad")): httpStatus: "))
        }

        /// Done means that it is in the cache.
        @Test func prefetchSaysWhatIsNotStored() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let file = try tool.write(try Samples.png(), "a.png")
            let nowhere = try await tool.run("prefetch", "--json", server.url("/a"), "--cache-dir", file)
            #expect(nowhere.status == 1 && nowhere.objects.last?["ok"] as? Bool == false, "\(nowhere.text)")
            #expect(nowhere.errors.contains("gannet: \(file): "), "\(nowhere.errors)")
            let local = try await tool.run("prefetch", "--json", file, "data:image/png,xx", server.url("/b"))
            #expect(local.status == 1 && local.errors.contains("gannet: \(file): misuse: "), "\(local.errors)")
            #expect(local.objects.last?["failed"] as? Int == 2 && local.objects.last?["done"] as? Int == 1)
            let small = try await tool.run("prefetch", "--json", "--thumbnail", "8x8", file)
            #expect(small.status == 0 && small.objects.last?["done"] as? Int == 1, "\(small.errors)")
            #expect(try await tool.run("cache", "info", file).status == 0)
        }

        /// As on a full disk, here of files above 4 KiB: the counts, the reason and the exit status say the same.
        @Test(arguments: ["", "--thumbnail 90x90"]) func prefetchCountsWhatTheDiskDoesNotTake(options: String) async throws {
            let noise = try TestImages.still(TestImages.noise(width: 100, height: 100))
            let server = PictureServer(
                PictureServer.picture(try noise.blockingEncoded(EncodeOptions(format: .png)).bytes.contiguous()))
            let sources = (0..<3).map { server.url("/\($0).png") }.joined(separator: " ")
            // The limit is also one of the memory through which workers get a file.
            let line = "trap '' XFSZ; ulimit -f 8; exec \"$0\" prefetch --sandbox no \(options) \(sources)"
            let outcome = try await tool.shell(line)
            #expect(outcome.status == 1 && outcome.text == "0 done, 0 skipped, 3 failed.\n", "\(outcome.text)")
            let start = "gannet: \(tool.path(".cache/gannet")): io: 3 images could not be stored: "
            let errors = outcome.errors.split(separator: "\n").filter { !$0.hasPrefix("gannet: cache: ") }
            #expect(errors.count == 1 && errors[0].hasPrefix(start) && errors[0].count > start.count, "\(outcome.errors)")
            let json = try await tool.shell(line + " --json")
            let end = try #require(json.objects.last)
            #expect(json.status == 1 && end["ok"] as? Bool == false)
            #expect(end["done"] as? Int == 0 && end["failed"] as? Int == 3 && end["total"] as? Int == 3, "\(json.text)")
        }
    }
#endif

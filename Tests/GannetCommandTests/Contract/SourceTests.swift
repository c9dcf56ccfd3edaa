#if CommandLine && PNG && GIF
    import GannetCommandTestSupport
    import GannetCore
    import GannetPlatform
    import GannetSupport
    import Glibc
    import Testing

    @testable import gannet

    /// What SOURCE and --list mean.
    struct SourceTests {
        let tool: Tool

        init() throws { tool = try Tool() }

        /// A camera's name with a colon is no URL.
        @Test func onlyKnownSchemesAreURLs() async throws {
            try tool.write(try Samples.png(), "IMG:1.png")
            for command in ["info", "decode", "fetch --no-cache", "show --json"] {
                let outcome = try await tool.shell("cd '\(tool.folder.path)' && exec \"$0\" \(command) IMG:1.png")
                #expect(outcome.status == 0, "\(command): \(outcome.errors)")
            }
            guard case .url = SourceArgument.meaning("DATA:,x"), case .url = SourceArgument.meaning("HTTPS://a.org/b.png"),
                case .file(let path) = SourceArgument.meaning("file:///a%20b.png")
            else {
                Issue.record("a URL was taken for a path")
                return
            }
            #expect(path == "/a b.png")
        }

        /// Keys are looked up from other folders, and under other names of the same file.
        @Test func relativePathsAreAbsoluteInTheCache() async throws {
            try tool.write(try Samples.png(), "a.png")
            #expect(try await tool.shell("exec \"$0\" fetch a.png --thumbnail 8x8").status == 0)
            let keys = try await tool.run("cache", "list", "--json").objects.compactMap { $0["key"] as? String }
            #expect(keys.count == 1 && keys[0].hasPrefix("file:///"), "\(keys)")
            for name in ["a.png", "file:a.png", tool.path("a.png"), "file://" + tool.path("a.png")] {
                let found = try await tool.shell("exec \"$0\" cache info '\(name)'")
                #expect(found.status == 0, "\(found.errors)")
            }
        }

        @Test func whatCannotBeLoadedIsSaidInWordsOfTheCommandLine() async throws {
            let outcome = try await tool.run("fetch", "--no-cache", "ftp://a.org/b.png", "http://[::1/b.png")
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("gannet: ftp://a.org/b.png: unsupported: URLs that begin with ftp: cannot be loaded"))
            #expect(outcome.errors.contains("gannet: http://[::1/b.png: misuse: This is no valid URL."))
            let empty = try await tool.run("info", "")
            #expect(empty.status == 1 && empty.errors.contains("misuse: The source is empty"), "\(empty.errors)")
        }

        @Test func limitsAreNamedLikeTheOptions() async throws {
            let path = try tool.write(try Samples.gif(), "a.gif")
            for (option, value) in [("--max-pixels", 1), ("--max-memory", 1), ("--max-bytes", 1), ("--max-frames", 1)] {
                let outcome = try await tool.run("decode", "--all-frames", "--json", path, option, "\(value)")
                #expect(outcome.status == 1 && outcome.errors.contains("limitExceeded"), "\(option)")
                #expect(outcome.errors.contains(option) && !outcome.errors.contains("maximum"), "\(outcome.errors)")
                #expect(outcome.text.contains(option) && !outcome.text.contains("maximum"), "\(outcome.text)")
            }
        }

        /// Editors of other systems begin with a mark and end lines with two characters; people end them with spaces.
        @Test func listsOfOtherEditors() async throws {
            try tool.write(try Samples.png(), "a b.png")
            let lines = "\u{FEFF}\(tool.path("a b.png")) \t\r\n\r\n # a comment\r\n\t\(tool.path("a b.png"))"
            let list = try tool.write(Array(lines.utf8), "list")
            let outcome = try await tool.run("fetch", "--no-cache", "--json", "--list", list)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.objects.count == 2)
        }

        @Test func aListThatIsNotThereHasItsJSONToo() async throws {
            for command in ["fetch", "prefetch"] {
                let outcome = try await tool.run(command, "--json", "--list", tool.path("none"))
                #expect(outcome.status == 1)
                #expect(outcome.objects.count == 1 && outcome.objects.first?["ok"] as? Bool == false)
            }
        }

        private static func latin(_ start: String, _ end: String = ".png") -> String {
            ByteText.text(of: Array(start.utf8) + [0xE9] + Array(end.utf8))
        }

        /// Read, and written under exactly that name, whichever way it is given.
        @Test(arguments: [
            "convert caf$e.png out$e.webp", "convert ./caf$e.png -O out --format webp && mv out/caf$e.webp out$e.webp",
            "convert file:caf%E9.png out$e.webp", "fetch --no-cache caf$e.png -o out$e.webp",
            "convert a.png -O out$e && mv out$e/a.png a && rmdir out$e && mv a out$e.webp",
            "convert --list list$e -O out --format webp && mv out/caf$e.webp out$e.webp",
        ])
        func namesThatAreNoUTF8(command: String) async throws {
            try tool.write(try Samples.png(), Self.latin("caf"))
            try tool.write(try Samples.png(), "a.png")
            try tool.write(Array("caf".utf8) + [0xE9] + Array(".png\n".utf8), Self.latin("list", ""))
            let outcome = try await tool.shell("e=$(printf '\\351'); \"$0\" \(command)")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(tool.names("").contains(Self.latin("out", ".webp")), "\(tool.names(""))")
        }

        /// A relative path below it is one too.
        @Test func aWorkingFolderThatIsNoUTF8() async throws {
            try tool.write(try Samples.png(), "a.png")
            let outcome = try await tool.shell(
                "e=$(printf '\\351'); mkdir d$e && cd d$e && \"$0\" convert ../a.png b.png && \"$0\" info --json b.png")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(tool.names(Self.latin("d", "")) == ["b.png"])
        }

        @Test func namesThatAreNoUTF8AreShownWithTheirBytes() async throws {
            let outcome = try await tool.shell("exec \"$0\" info --json \"$(printf '/a\\377.png')\"")
            #expect(outcome.status == 1 && outcome.errors.hasPrefix("gannet: /a\\xFF.png: notFound: "), "\(outcome.errors)")
            #expect(outcome.objects.first?["source"] as? String == "/a\\xFF.png")
        }

        /// A URL that was copied with what stood around it.
        @Test func whiteSpaceAroundAURL() async throws {
            let path = try tool.write(try Samples.png(), "a b.png")
            for source in [" file://\(path)", "file://\(path)\n", "\tfile://\(tool.path("a"))\n b.png "] {
                let outcome = try await tool.run("info", source)
                #expect(outcome.status == 0, "\(outcome.errors)")
            }
        }

        /// Neither asking a cache that is not there, nor a working folder that is gone, makes folders.
        @Test func foldersAreNotMadeByAsking() async throws {
            for command in ["list", "verify", "trim", "clear"] {
                let outcome = try await tool.run("cache", command, "--json", "--cache-dir", tool.path("none"))
                #expect(outcome.status == 0, "\(command): \(outcome.errors)")
                #expect(outcome.objects.allSatisfy { $0["removed"] as? Int == 0 }, "\(command)")
            }
            #expect(try await tool.run("cache", "info", "x", "--cache-dir", tool.path("none")).status == 1)
            #expect(!tool.names("").contains("none"))
            let name = "gannet-of-no-folder-\(getpid())"
            let path = try tool.write(try Samples.png(), "a.png")
            let gone = try await tool.shell(
                "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" fetch '\(path)' --cache-dir \(name)")
            #expect(gone.status == 0 && gone.errors.contains("cache: "), "\(gone.errors)")
            #expect(throws: ImageError.self) { try POSIXFileSystem().status("/" + name) }
        }
    }
#endif

#if CommandLine && PNG && GIF
    import GannetCore
    import Glibc
    import Testing

    @testable import gannet

    /// What happens to the files that `-o`, `-O` and `convert` write, and to those that were there before.
    struct OutputTests {
        let tool: Tool
        let source: String

        init() throws {
            tool = try Tool()
            source = try tool.write(try Samples.png(), "a.png")
        }

        private func mode(_ path: String) -> UInt32 {
            var status = stat()
            return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
        }

        @Test func whatWasPrivateStaysPrivate() async throws {
            let path = try tool.write([1], "secret.png")
            #expect(chmod(path, 0o600) == 0)
            #expect(try await tool.run("convert", source, path).status == 0)
            #expect(mode(path) == 0o600)
            #expect(try tool.read("secret.png").starts(with: [0x89, 0x50]))
            #expect(chmod(path, 0o664) == 0)
            #expect(try await tool.run("convert", path, path).status == 0)
            #expect(mode(path) == 0o664)
        }

        @Test func aFailureLeavesWhatWasThere() async throws {
            let before = try tool.read("a.png")
            let outcome = try await tool.run("convert", source, source, "--max-file-size", "1")
            #expect(outcome.status == 1 && outcome.errors.contains("--max-file-size"))
            #expect(try tool.read("a.png") == before)
        }

        /// A file system takes 255 bytes; what is written first needs a name too.
        @Test func namesMayBeAsLongAsFileSystemsAllow() async throws {
            let name = String(repeating: "x", count: 251) + ".png"
            let outcome = try await tool.run("fetch", "--no-cache", source, "-o", tool.path(name))
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try tool.read(name).isEmpty == false)
            #expect(tool.names("").filter { $0.hasSuffix(".part") } == [])
        }

        @Test func linksAreFollowedAlsoToWhatIsNotThereYet() async throws {
            #expect(symlink("target.png", tool.path("link.png")) == 0)
            #expect(symlink(tool.path("link.png"), tool.path("second.png")) == 0)
            #expect(try await tool.run("fetch", "--no-cache", source, "-o", tool.path("second.png")).status == 0)
            #expect(try POSIXFileSystem().status(tool.path("second.png")).kind == .link)
            #expect(try POSIXFileSystem().status(tool.path("link.png")).kind == .link)
            #expect(try tool.read("target.png") == (try tool.read("a.png")))
            #expect(symlink("circle.png", tool.path("circle.png")) == 0)
            let outcome = try await tool.run("fetch", "--no-cache", source, "-o", tool.path("circle.png"))
            #expect(outcome.status == 1 && outcome.errors.contains(": io: "))
            #expect(try POSIXFileSystem().status(tool.path("circle.png")).kind == .link)
        }

        @Test func emptyPathsAreWrongUsage() async throws {
            for arguments in [
                ["fetch", source, "-o", ""], ["fetch", source, "-O", ""], ["decode", source, "-o", ""],
                ["fetch", source, "--cache-dir", ""], ["cache", "list", "--cache-dir", ""], ["convert", source, ""],
            ] {
                #expect(try await tool.start(arguments).wait().status == 64, "\(arguments)")
            }
        }

        @Test func namesOfTheWebFitIntoAFolder() async throws {
            let names = OutputNames(path: nil, folder: tool.path("out"))
            for letter in ["é", "😀", "👩‍👩‍👧‍👦"] {
                let path = try names.path(for: "https://example.org/" + String(repeating: letter, count: 300), format: .png)
                try OutputFile.write([[1]], to: path)
            }
            #expect(tool.names("out").count == 3)
        }

        @Test func aFullStandardOutputIsTold() async throws {
            let outcome = try await tool.shell("exec \"$0\" info '\(source)' > /dev/full")
            #expect(outcome.status == 1)
            #expect(outcome.errors.hasPrefix("gannet: -: io: Standard output cannot be written: No space"), "\(outcome.errors)")
        }
    }
#endif

#if CommandLine && PNG && GIF
    import GannetCommandTestSupport
    import GannetCore
    import GannetPlatform
    import Glibc
    import Testing

    @testable import gannet

    /// Files written by `-o`, `-O` and `convert`, and the treatment of files that already exist.
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
            #expect(try await tool.run("convert", path, path, "--force").status == 0)
            #expect(mode(path) == 0o664)
        }

        @Test func aFailureLeavesWhatWasThere() async throws {
            let before = try tool.read("a.png")
            let outcome = try await tool.run("convert", source, source, "--force", "--max-file-size", "1")
            #expect(outcome.status == 1 && outcome.errors.contains("--max-file-size"))
            #expect(try tool.read("a.png") == before)
        }

        /// File names are limited to 255 bytes, and the temporary file needs a name too.
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

        /// Also where there is nothing for them to change, so that a script can give them to every call.
        @Test func commonOptionsAreTakenByEveryCommand() async throws {
            let common = ["--cache-dir", tool.path("c"), "--log-level", "error"]
            for arguments in [["decode", source, "--no-cache"], ["info", source, "--no-cache"], ["cache", "list"]] {
                #expect(try await tool.start(arguments + common).wait().status == 0, "\(arguments)")
            }
            #if HTTP
                let demo = try await tool.run(
                    "demo", "--no-cache", "--pictures", tool.path("none"), "--cache-dir", tool.path("c"), "--log-level", "error")
                #expect(demo.status == 1 && demo.errors.hasPrefix("gannet: demo: "), "\(demo.errors)")
            #endif
        }

        @Test func namesOfTheWebFitIntoAFolder() async throws {
            let names = OutputNames(path: nil, folder: tool.path("out"), replacing: .noImage)
            for letter in ["é", "😀", "👩‍👩‍👧‍👦"] {
                let source = "https://example.org/" + String(repeating: letter, count: 300)
                try names.write([[1]], to: try names.path(for: source, format: .png), of: source)
            }
            #expect(tool.names("out").count == 3)
        }

        /// Even under another name, and even if the name is the one that the format implies.
        @Test func whatIsReadIsNotOverwritten() async throws {
            let before = try tool.read("a.png")
            let gif = try tool.write(try Samples.gif(), "a.gif")
            #expect(symlink("a.png", tool.path("b.png")) == 0)
            let outcome = try await tool.shell(
                "exec \"$0\" fetch --no-cache a.png b.png a.gif file://\(gif) --thumbnail 8x8 --format png -O .")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try tool.read("a.png") == before && tool.read("a.gif") == Samples.gif())
            #expect(try POSIXFileSystem().status(tool.path("b.png")).kind == .link)
            let written = tool.names("").filter { $0.hasSuffix(".png") }
            #expect(written == ["a-2.png", "a-3.png", "a-4.png", "a.png", "b-2.png", "b.png"])
            // Files written by an earlier run are replaced, as always.
            let again = try await tool.shell("exec \"$0\" fetch --no-cache a.png --thumbnail 9x9 -O .")
            #expect(again.status == 0 && tool.names("").filter { $0.hasSuffix(".png") } == written)
        }

        /// Servers choose them.
        @Test func namesOfTheWebAreNoOptions() {
            #expect(OutputName.name(for: "https://example.org/-rf.png") == "rf.png")
            #expect(OutputName.name(for: "https://example.org/.-.-") == "image")
            #expect(OutputName.name(for: "https://example.org/a%C2%9B31m.png") == "a_31m.png")
        }

        @Test func framesAreWrittenWhileTheyAreDecoded() throws {
            var options = DecodeOptions()
            options.frames = .all
            options.alpha = .straight
            let job = PixelJob(options: ResolvedDecodeOptions(options), allFrames: true)
            let gif = try Samples.gif()
            var sizes: [Int] = []
            let error = #expect(throws: ImageError.self) {
                try job.run(gif) { pixels throws(ImageError) in
                    sizes.append(pixels.count)
                    if sizes.count == 2 { throw ImageError(.io, stage: .store, "full") }
                }
            }
            #expect(error?.code == .io && sizes == [1536, 1536])
            let path = tool.path("half")
            #expect(throws: ImageError.self) {
                try OutputFile.write(to: path) { put throws(ImageError) in
                    try put([1])
                    throw ImageError(.io, stage: .store, "full")
                }
            }
            #expect(!tool.names("").contains { $0 == "half" || $0.hasSuffix(".part") })
        }

        @Test func explanationsDoNotSpeakToTheTerminal() async throws {
            let name = "a\u{1B}[31m.png"
            try tool.write(try Samples.png(), name)
            let outcome = try await tool.run("fetch", "--no-cache", "--explain", tool.path(name))
            #expect(outcome.status == 0 && outcome.text.contains("image in memory"))
            #expect(!outcome.output.contains(0x1B))
        }

        @Test(arguments: ["info a.png", "--help", "fetch --help", "--version"])
        func aFullStandardOutputIsTold(arguments: String) async throws {
            let outcome = try await tool.shell("exec \"$0\" \(arguments) > /dev/full")
            #expect(outcome.status == 1)
            #expect(outcome.errors.hasPrefix("gannet: -: io: Standard output cannot be written: No space"), "\(outcome.errors)")
        }

        /// The names of open pipes are links that lead to no path.
        @Test(arguments: [
            "fetch --no-cache a.png -o /dev/stdout", "fetch --no-cache a.png -o /dev/fd/3 3>&1 >&2",
            "convert a.png /dev/stdout --format gif",
            "decode a.png -o /dev/fd/4 4>&1 >&2",
        ])
        func pipesHaveNames(arguments: String) async throws {
            let outcome = try await tool.shell("\"$0\" \(arguments) | cat > piped; cat piped")
            #expect(!outcome.errors.contains(": io: "), "\(outcome.errors)")
            let written = try tool.read("piped")
            if arguments.hasPrefix("fetch") {
                #expect(written == (try tool.read("a.png")))
            } else {
                #expect(written.starts(with: Array("GIF8".utf8)) || written.count == 24 * 16 * 4)
            }
        }
    }
#endif

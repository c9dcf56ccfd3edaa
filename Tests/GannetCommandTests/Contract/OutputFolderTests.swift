#if CommandLine && PNG && BMP && GIF
    import Foundation
    import GannetCommandTestSupport
    import GannetCore
    import GannetPlatform
    import GannetSupport
    import Glibc
    import Testing

    @testable import gannet

    /// `-O`: own names, equal names, and whole trees.
    struct OutputFolderTests {
        let tool: Tool

        init() throws { tool = try Tool() }

        /// Whether the folder of temporary files keeps extended attributes: not every file system does.
        private static let keepsAttributes: Bool = {
            guard let folder = try? TemporaryFolder() else { return false }
            defer { folder.remove() }
            ExtendedAttribute.set("user.gannet.test", to: [1], of: folder.path)
            return ExtendedAttribute.value("user.gannet.test", of: folder.path) == [1]
        }()

        @Test func filesKeepTheirNames() async throws {
            let names = [
                "sp ace", "-dash", ".hidden", "tab\tnew\nline", "quote'\"", "back\\slash", "*?:<>|", "\u{E9}", "e\u{301}",
            ]
            for name in names { try tool.write(try Samples.png(), "in/\(name).png") }
            let outcome = try await tool.shell("cd in && exec \"$0\" convert -O ../out --format bmp -- *.png .*.png")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(Set(tool.names("out").map { Array($0.utf8) }) == Set(names.map { Array("\($0).bmp".utf8) }))
        }

        @Test func bytesThatAreNoTextStayToo() async throws {
            let png = try tool.write(try Samples.png(), "a.png")
            let outcome = try await tool.shell(
                "n=$(printf 'caf\\351.png') && cp '\(png)' \"$n\" && \"$0\" convert \"$n\" -O out --format bmp && ls out | od -An -tx1"
            )
            #expect(outcome.status == 0 && outcome.text.contains(" 63 61 66 e9 2e 62 6d 70"), "\(outcome.errors) \(outcome.text)")
        }

        @Test(.enabled(if: keepsAttributes, "the temporary folder keeps no extended attributes"))
        func anEqualNameFromAnotherFolderIsAnotherFile() async throws {
            let one = try tool.write(try Samples.png(), "one/a.png")
            let two = try tool.write(try Samples.clearPNG(), "two/a.png")
            let rest = ["-O", tool.path("out"), "--format", "bmp", "--skip-existing", "--json"]
            func skipped(_ sources: String...) async throws -> [Bool] {
                let outcome = try await tool.start(["convert"] + sources + rest).wait()
                #expect(outcome.status == 0, "\(outcome.errors)")
                return outcome.objects.dropLast().map { $0["skipped"] as? Bool ?? false }
            }
            #expect(try await skipped(one) == [false])
            // Each in its own run, as a loop over folders has it.
            #expect(try await skipped(two) == [false])
            #expect(tool.names("out") == ["a-2.bmp", "a.bmp"])
            let second = try tool.read("out/a-2.bmp")
            #expect(try await skipped(one) == [true])
            #expect(try await skipped(two) == [true])
            #expect(try await skipped(two, one) == [true, true])
            // A source that was moved is the same, and so is one that was changed.
            try FileManager.default.moveItem(atPath: tool.path("two"), toPath: tool.path("three"))
            #expect(try await skipped(tool.path("three/a.png")) == [true])
            try tool.write(try Samples.clearPNG() + [0], "one/a.png")
            #expect(try await tool.run("convert", one, "-O", tool.path("out"), "--format", "bmp").status == 0)
            #expect(try tool.names("out") == ["a-2.bmp", "a.bmp"] && tool.read("out/a.bmp") == second)
        }

        @Test(arguments: ["info", "show", "decode", "fetch --no-cache", "convert -O out"])
        func aFolderIsNoImage(command: String) async throws {
            try tool.write(try Samples.png(), "in/a.png")
            let outcome = try await tool.shell("exec \"$0\" \(command) in")
            #expect(outcome.status == 1 && outcome.errors.hasPrefix("gannet: in: io: This is a folder."), "\(outcome.errors)")
            let isTold = ["info", "fetch", "convert"].contains { command.hasPrefix($0) }
            #expect(outcome.errors.contains("--recursive") == isTold)
        }

        @Test func treesAreKept() async throws {
            for name in ["in/a.png", "in/x/a.png", "in/x/y/b.GIF", "in/x/notes.txt"] {
                try tool.write(name.hasSuffix("GIF") ? try Samples.gif() : try Samples.png(), name)
            }
            #expect(symlink(".", tool.path("in/x/circle")) == 0)
            // The output is inside of what is read.
            for _ in 0..<(Self.keepsAttributes ? 2 : 1) {
                let outcome = try await tool.shell("exec \"$0\" convert in -r -O in/out --format png")
                #expect(outcome.status == 0 && outcome.text.contains("3 done, 0 skipped, 0 failed."), "\(outcome.errors)")
                #expect(tool.names("in/out") == ["a.png", "x"] && tool.names("in/out/x") == ["a.png", "y"])
                #expect(tool.names("in/out/x/y") == ["b.png"])
            }
            let info = try await tool.run("info", "--recursive", tool.path("in/x"), "--json")
            #expect(info.objects.compactMap { $0["source"] as? String } == ["a.png", "y/b.GIF"].map { tool.path("in/x/" + $0) })
        }

        @Test func listsMayEndTheirNamesWithNUL() async throws {
            let names = ["two\nlines.png", " spaces .png", "#1.png"]
            for name in names { try tool.write(try Samples.png(), name) }
            let list = Array(names.joined(separator: "\0").utf8) + [0]
            for words in [["info", "--json", "-0"], ["fetch", "--no-cache", "--json", "--null"]] {
                let running = try tool.start(
                    ["-c", "cd '\(tool.folder.path)' && exec \"$0\" \(words.joined(separator: " ")) --list -", Tool.binary],
                    program: "/bin/sh", input: list)
                let outcome = try await running.wait()
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(Set(outcome.objects.compactMap { $0["source"] as? String }) == Set(names))
            }
            #expect(try await tool.run("info", "-0", "a.png").status == 64)
        }
    }
#endif

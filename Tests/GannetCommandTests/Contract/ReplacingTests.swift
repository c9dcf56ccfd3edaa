#if CommandLine && PNG && GIF && JPEG
    import Foundation
    import GannetCommandTestSupport
    import GannetCore
    import Glibc
    import Testing

    @testable import gannet

    /// What an output may replace, and what needs `--force`.
    struct ReplacingTests {
        let tool: Tool
        let photo: String
        let other: String

        init() throws {
            tool = try Tool()
            photo = try tool.write(try Samples.photo(), "a.jpg")
            other = try tool.write(try Samples.photo() + [0], "b.jpg")
        }

        private func code(_ outcome: Tool.Outcome) -> String? {
            (outcome.objects.first?["error"] as? [String: Any])?["code"] as? String
        }

        /// `gannet convert *.jpg` where two files match.
        @Test func aPatternThatMatchesTwoImagesChangesNone() async throws {
            let before = try tool.read("b.jpg")
            let outcome = try await tool.shell("exec \"$0\" convert *.jpg")
            #expect(outcome.status == 1 && outcome.errors.hasPrefix("gannet: a.jpg: misuse: b.jpg is there"), "\(outcome.errors)")
            #expect(outcome.errors.contains("--force") && outcome.errors.contains("-O"))
            #expect(try tool.read("b.jpg") == before)
            #expect(try await tool.run("convert", photo, other, "--force").status == 0)
            #expect(try tool.read("b.jpg") != before)
        }

        @Test(arguments: ["a.jpg", "./a.jpg", "symbolic.jpg", "hard.jpg", "symbolic.png"])
        func theSourceIsNotReplaced(name: String) async throws {
            #expect(symlink("a.jpg", tool.path("symbolic.jpg")) == 0 && symlink("a.jpg", tool.path("symbolic.png")) == 0)
            #expect(link(photo, tool.path("hard.jpg")) == 0)
            let before = try tool.read("a.jpg")
            for command in [
                "convert a.jpg \(name)", "fetch --no-cache a.jpg --thumbnail 8x8 -o \(name)", "decode a.jpg -o \(name)",
            ] {
                let outcome = try await tool.shell("exec \"$0\" \(command)\(command.hasPrefix("decode") ? "" : " --json")")
                #expect(outcome.status == 1 && outcome.errors.contains(": misuse: "), "\(command): \(outcome.errors)")
                // Of the remedies those that the command has.
                #expect(outcome.errors.contains("--force") == !command.hasPrefix("decode"), "\(outcome.errors)")
                #expect(try tool.read("a.jpg") == before, "\(command)")
            }
            let job = Data(#"{"source":"\#(photo)","output":"\#(tool.path(name))"}"#.utf8)
            #expect(code(try await tool.start(["work"], input: Array(job)).wait()) == "misuse")
            #expect(try tool.read("a.jpg") == before)
            #expect(try await tool.start(["work", "--force"], input: Array(job)).wait().status == 0)
            #expect(try tool.read(name) != before)
        }

        @Test func whatIsNoImageIsReplaced() async throws {
            for (name, bytes) in [("empty.png", []), ("text.png", Array("notes".utf8))] as [(String, [UInt8])] {
                let path = try tool.write(bytes, name)
                #expect(try await tool.run("convert", photo, path).status == 0, "\(name)")
                #expect(try tool.read(name).starts(with: [0x89, 0x50]))
            }
        }

        /// A folder may have files that nothing here has made.
        @Test func imagesOfOthersInAFolderStay() async throws {
            let own = try tool.write(try Samples.png(), "out/a.png")
            let refused = try await tool.run("convert", photo, "-O", tool.path("out"), "--format", "png", "--json")
            #expect(refused.status == 1 && code(refused) == "misuse", "\(refused.errors)")
            #expect(refused.errors.contains("--force") && refused.errors.contains("--skip-existing"))
            #expect(try tool.read("out/a.png") == Samples.png())
            let fetched = try await tool.run("fetch", "--no-cache", photo, "-O", tool.path("out"), "--format", "png")
            #expect(fetched.status == 1 && fetched.errors.contains("--force") && !fetched.errors.contains("--skip-existing"))
            let skipped = try await tool.run("convert", photo, "-O", tool.path("out"), "--format", "png", "--skip-existing")
            #expect(try skipped.status == 0 && tool.read("out/a.png") == Samples.png())
            #expect(try await tool.run("convert", photo, "-O", tool.path("out"), "--format", "png", "--force").status == 0)
            #expect(try tool.read("out/a.png") != Samples.png() && tool.names("out") == ["a.png"], "\(own)")
        }
    }
#endif

#if CommandLine && PNG && GIF && JPEG
    import Foundation
    import GannetCommandTestSupport
    import GannetCore
    import GannetTesting
    import Testing

    /// `convert` of many images into a folder, and what it says of what it leaves out.
    struct ConvertManyTests {
        let tool: Tool

        init() throws { tool = try Tool() }

        @Test func manyFilesGoToAFolderAndThoseThatAreThereStay() async throws {
            let first = try tool.write(try Samples.png(), "a.png")
            let second = try tool.write(try Samples.gif(), "b.gif")
            let folder = tool.path("out")
            let all = try await tool.run("convert", first, second, "-O", folder, "--format", "jpeg", "--thumbnail", "12x")
            #expect(all.status == 0 && tool.names("out") == ["a.jpg", "b.jpg"])
            #expect(all.text.contains("2 done, 0 skipped, 0 failed."))
            #expect(all.errors.contains("4 frames, only the first was written"))
            // A file that is there is not touched, whatever is in it.
            try tool.write(Array("mine".utf8), "out/a.jpg")
            let again = try await tool.run(
                "convert", first, second, "-O", folder, "--format", "jpeg", "--skip-existing", "--json")
            #expect(try again.status == 0 && tool.read("out/a.jpg") == Array("mine".utf8))
            #expect(again.objects.compactMap { $0["skipped"] as? Bool } == [true, true])
            #expect(again.objects.last?["skipped"] as? Int == 2)
            // Without it, it is written anew.
            #expect(try await tool.run("convert", first, "-O", folder, "--format", "jpeg").status == 0)
            #expect(try tool.read("out/a.jpg").starts(with: [0xFF, 0xD8]))
        }

        @Test func oneBadFileLeavesTheOthersUnharmed() async throws {
            let good = try tool.write(try Samples.png(), "a.png")
            let bad = try tool.write(Array("no image".utf8), "b.png")
            let outcome = try await tool.run("convert", good, bad, "-O", tool.path("out"), "--format", "png")
            #expect(outcome.status == 1 && tool.names("out") == ["a.png"])
            #expect(outcome.text.contains("1 done, 0 skipped, 1 failed."))
            #expect(
                !FileManager.default.fileExists(atPath: tool.path(".cache/gannet"))
                    || tool.names(".cache/gannet/entries-1").isEmpty)
        }

        @Test(arguments: [("300", 24, 16), ("12", 12, 8), ("12x", 12, 8), ("x4", 6, 4), ("12x4", 6, 4)])
        func aSizeMayNameOneSide(size: String, width: Int, height: Int) async throws {
            let path = try tool.write(try Samples.png(), "a.png")
            let outcome = try await tool.run("convert", path, tool.path("b.png"), "--thumbnail", size, "--json")
            let object = try #require(outcome.objects.first)
            #expect(object["width"] as? Int == width && object["height"] as? Int == height)
        }

        /// A JPEG whose EXIF names a camera: one entry, `Make`.
        private func photo() async throws -> String {
            let png = try tool.write(try Samples.png(), "p.png")
            #expect(try await tool.run("convert", png, tool.path("p.jpg")).status == 0)
            let tiff: [UInt8] =
                Array("II".utf8) + [42, 0, 8, 0, 0, 0, 1, 0, 0x0F, 1, 2, 0, 12, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0]
                + Array("GannetWorks\0".utf8)
            let body = Array("Exif\0\0".utf8) + tiff
            let length = body.count + 2
            let bytes = try tool.read("p.jpg")
            return try tool.write(
                Array(bytes[..<2]) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + body + Array(bytes[2...]),
                "photo.jpg")
        }

        private func names(_ word: String, in file: String) throws -> Bool {
            Data(try tool.read(file)).range(of: Data(word.utf8)) != nil
        }

        @Test(arguments: ["b.jpg", "b.png"]) func metadataStaysIfAskedFor(output: String) async throws {
            let photo = try await photo()
            #expect(try await tool.run("convert", photo, tool.path(output)).status == 0)
            #expect(try !names("GannetWorks", in: output))
            #expect(try await tool.run("convert", photo, tool.path(output), "--keep-metadata", "--force").status == 0)
            #expect(try names("GannetWorks", in: output))
        }

        @Test func messagesNameOptionsAndFormats() async throws {
            let path = try tool.write(try Samples.png(), "a.png")
            let half = try tool.write(Array(try Samples.png().dropLast(60)), "half.png")
            let unknown = try await tool.run("convert", path, tool.path("b.png"), "--format", "bitmap")
            #expect(unknown.status == 64 && unknown.errors.contains("jpeg, png, gif"))
            let size = try await tool.run("convert", path, tool.path("b.png"), "--thumbnail", "wide")
            #expect(size.status == 64 && size.errors.contains("400x300") && size.errors.contains("x300"))
            let bare = try await tool.run("convert", path, tool.path("b"))
            #expect(bare.status == 64 && bare.errors.contains("--format"))
            let keeping = try await tool.run("convert", path, tool.path("b.gif"), "--keep-metadata")
            #expect(keeping.status == 64 && keeping.errors.contains("gif"))
            let cut = try await tool.run("convert", half, tool.path("b.png"))
            #expect(cut.status == 1 && cut.errors.contains("--allow-partial") && !cut.errors.contains("allowsPartial"))
            // The path stands once in the line.
            let missing = try await tool.run("convert", tool.path("none.png"), tool.path("b.png"))
            #expect(missing.errors.components(separatedBy: "none.png").count == 2)
            let large = try await tool.run("convert", path, tool.path("b.png"), "--max-pixels", "10")
            #expect(large.status == 1 && large.errors.contains("--max-pixels") && !large.errors.contains("maximumPixels"))
        }

        @Test func helpHasExamples() async throws {
            for command in ["convert", "fetch", "info", "prefetch", "work"] {
                let help = try await tool.run(command, "--help")
                #expect(
                    help.status == 0 && help.text.contains("Examples:") && help.text.contains("gannet \(command) "), "\(command)")
            }
        }
    }
#endif

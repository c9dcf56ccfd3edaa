#if CommandLine && PNG && GIF
    import Foundation
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetSupport
    import GannetTesting
    import Testing

    @testable import gannet

    /// `info`, `decode`, `convert` and `show` on files.
    struct FileCommandTests {
        let tool: Tool

        init() throws { tool = try Tool() }

        @Test func infoTellsWhatTheHeaderSays() async throws {
            let path = try tool.write(try Samples.gif(), "a.gif")
            let outcome = try await tool.run("info", "--json", path)
            #expect(outcome.status == 0 && outcome.errors.isEmpty)
            let bytes = try tool.read("a.gif").count
            #expect(
                outcome.text == """
                    {"source":"\(path)","ok":true,"format":"gif","mime":"image/gif","width":24,"height":16,"frames":4,"pages":1,\
                    "loop":3,"delaysMs":[50,60,70,80],"hasAlpha":false,"orientation":1,"progressive":false,"bitDepth":8,"colorSpace":"rgb",\
                    "iccBytes":0,"bytes":\(bytes)}

                    """)
        }

        @Test func loopIsNullWhereTheFileSaysNothing() async throws {
            let path = try tool.write(try Samples.png(), "a.png")
            let object = try #require(try await tool.run("info", "--json", path).objects.first)
            #expect(object["loop"] is NSNull && (object["delaysMs"] as? [Any])?.isEmpty == true)
        }

        @Test func oneBadSourceLeavesTheOthersUnharmed() async throws {
            let good = try tool.write(try Samples.png(), "a.png")
            let empty = try tool.write([], "empty.png")
            let text = try tool.write(Array("This is no picture at all.".utf8), "text.png")
            let half = try tool.write(Array(try Samples.png().prefix(60)), "half.png")
            let missing = tool.path("missing.png")
            let outcome = try await tool.run("info", "--json", good, empty, text, missing, good)
            #expect(outcome.status == 1)
            #expect(outcome.objects.compactMap { $0["ok"] as? Bool } == [true, false, false, false, true])
            let lines = outcome.errors.split(separator: "\n")
            #expect(lines.count == 3)
            for (line, start) in zip(lines, ["\(empty): empty: ", "\(text): notAnImage: ", "\(missing): notFound: "]) {
                #expect(line.hasPrefix("gannet: " + start), "\(line)")
            }
            let decoded = try await tool.run("decode", "--json", half)
            #expect(decoded.status == 1)
            let error = try #require(decoded.objects.first?["error"] as? [String: Any])
            #expect(error["code"] as? String == "truncated" && error["stage"] as? String == "decode")
            #expect((error["message"] as? String)?.isEmpty == false)
        }

        @Test func whatThereIsOfAHalfFileIsShownIfAskedFor() async throws {
            let whole = try Samples.png()
            let half = try tool.write(Array(whole.dropLast(60)), "half.png")
            let out = tool.path("out.png")
            for words in [["fetch", "--no-cache"], ["decode"], ["show"], ["convert"]] {
                let rest = words[0] == "convert" ? [half, out] : [half]
                #expect(try await tool.start(words + rest).wait().errors.contains("truncated"))
                let outcome = try await tool.start(words + ["--json", "--allow-partial"] + rest).wait()
                #expect(outcome.status == 0 && outcome.objects.first?["ok"] as? Bool == true)
                #expect(outcome.objects.first?["partial"] as? Bool == true)
            }
            #expect(try await tool.run("decode", out).status == 0, "what is written is whole")
        }

        #if PNM
            @Test func convertKeepsWhatIsMoreThanEightBits() async throws {
                let deep = try tool.write(Array("P6 1 1 65535\n".utf8) + [1, 2, 3, 4, 5, 6], "deep.ppm")
                let (png, ppm) = (tool.path("deep.png"), tool.path("again.ppm"))
                for (from, to) in [(deep, png), (png, ppm)] {
                    #expect(try await tool.run("convert", from, to).status == 0)
                }
                #expect(try await tool.run("info", "--json", png).objects.first?["bitDepth"] as? Int == 16)
                #expect(try tool.read("again.ppm").suffix(6) == [1, 2, 3, 4, 5, 6])
            }
        #endif

        #if Radiance
            /// Light of 4, 1 and a quarter times white, in standard range and in PQ.
            @Test func lightIsMappedOrKept() async throws {
                let pixels: [UInt8] = [128, 128, 128, 131, 128, 128, 128, 129, 128, 128, 128, 127]
                let path = try tool.write(Array("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 3\n".utf8) + pixels, "light.hdr")
                let object = try #require(try await tool.run("info", "--json", path).objects.first)
                #expect(object["format"] as? String == "radiance" && object["hdr"] as? String == "linear")
                let (standard, high) = (tool.path("standard.png"), tool.path("high.png"))
                #expect(try await tool.run("convert", path, standard).status == 0)
                #expect(try await tool.run("convert", "--hdr", path, high).status == 0)
                #expect(try await tool.run("info", "--json", high).objects.first?["hdr"] as? String == "pq")
                let raw = try await tool.run("decode", "--raw", "-o", tool.path("pixels"), standard)
                let shown = try tool.read("pixels")
                // White by its rounding, and the rest in order below it.
                #expect(raw.status == 0 && shown.count == 12 && shown[0] >= 254)
                #expect(shown[4] > 190 && shown[4] < 254 && shown[8] > 120 && shown[8] < shown[4])
            }
        #endif

        @Test func rawPixelsAreThoseOfTheFile() async throws {
            let path = try tool.write(try Samples.clearPNG(), "a.png")
            let outcome = try await tool.run("decode", "--raw", "--json", "-o", tool.path("a.rgba"), path)
            #expect(outcome.status == 0)
            let pixels = try tool.read("a.rgba")
            #expect(pixels.count == 24 * 16 * 4)
            for index in stride(from: 0, to: pixels.count, by: 4) where pixels[index + 3] == 0 {
                #expect(pixels[index..<index + 3].allSatisfy { $0 == 0 })
            }
            let object = try #require(outcome.objects.first)
            #expect(object["sha256Frame0"] as? String == (try LibcryptoSHA256.hex(pixels)))
            #expect(object["sha256AllFrames"] == nil)
            #expect(object["width"] as? Int == 24 && object["height"] as? Int == 16 && object["frames"] as? Int == 1)
            #expect((object["meanPremultipliedRGBA"] as? [Double])?.count == 4)
        }

        @Test func allFramesFollowOneAnother() async throws {
            let path = try tool.write(try Samples.gif(), "a.gif")
            let all = try await tool.run("decode", "--raw", "--all-frames", "--json", "-o", tool.path("all"), path)
            let third = try await tool.run("decode", "--raw", "--frame", "2", "--json", "-o", tool.path("third"), path)
            let pixels = try tool.read("all")
            let size = 24 * 16 * 4
            #expect(pixels.count == 4 * size)
            #expect(all.objects.first?["sha256AllFrames"] as? String == (try LibcryptoSHA256.hex(pixels)))
            #expect(try tool.read("third") == Array(pixels[2 * size..<3 * size]))
            #expect(third.status == 0)
            let none = try await tool.run("decode", "--frame", "4", path)
            #expect(none.status == 1)
        }

        @Test func standardInputIsASource() async throws {
            let png = try Samples.png()
            for command in [["info", "-"], ["decode", "-"], ["fetch", "-"], ["show", "-"]] {
                let outcome = try await tool.start(command, input: png).wait()
                #expect(outcome.status == 0, "\(command): \(outcome.errors)")
            }
            let converted = try await tool.start(["convert", "-", "-", "--format", "gif"], input: png).wait()
            #expect(converted.status == 0 && converted.output.starts(with: Array("GIF89a".utf8)))
            #expect(try await tool.start(["info", "-"]).wait().errors.hasPrefix("gannet: -: empty: "))
        }

        @Test func convertingKeepsTheColoursOfNearlyClearPixels() async throws {
            var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 32, 4), alpha: .straight))
            for y in 0..<4 {
                var row = buffer.mutableRow(y)
                for x in 0..<32 {
                    for (channel, value) in [200, 90, 30, 1 + x].enumerated() { row[x * 4 + channel] = UInt8(value) }
                }
            }
            let picture = tool.path("a.png")
            _ = try tool.write(
                try TestImages.still(buffer.freeze()).blockingEncoded(EncodeOptions(format: .png)).bytes.contiguous(), "a.png")
            #expect(try await tool.run("convert", picture, tool.path("b.png"), "--quality", "100").status == 0)
            for name in ["a.png", "b.png"] {
                #expect(try await tool.run("decode", "--raw", "-o", tool.path(name + ".rgba"), tool.path(name)).status == 0)
            }
            #expect(try tool.read("a.png.rgba") == tool.read("b.png.rgba"))
            #expect(try tool.read("a.png.rgba").prefix(4) == [200, 90, 30, 1])
        }

        @Test func convertsByExtensionAndKeepsAnimations() async throws {
            let path = try tool.write(try Samples.gif(), "a.gif")
            let outcome = try await tool.run("convert", path, tool.path("b.png"), "--json", "--transform", "flip:h")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let info = try #require(try await tool.run("info", "--json", tool.path("b.png")).objects.first)
            #expect(info["format"] as? String == "png" && info["frames"] as? Int == 4 && info["loop"] as? Int == 3)
            #expect(info["delaysMs"] as? [Int] == [50, 60, 70, 80])
            #expect(outcome.objects.first?["output"] as? String == tool.path("b.png"))
        }

        /// A picture that had to become smaller, and a format that has one frame.
        #if BMP
            @Test func convertReportsWhatItWrote() async throws {
                let path = try tool.write(try Samples.png(), "large.png")
                let gif = try tool.write(try Samples.gif(), "many.gif")
                let bytes = try Samples.png().count * 3 / 4
                for (source, name, options) in [(path, "small.png", ["--max-file-size", "\(bytes)"]), (gif, "one.bmp", [])] {
                    let report = try await tool.start(["convert", source, tool.path(name), "--json"] + options).wait()
                    #expect(report.status == 0, "\(report.errors)")
                    let told = try #require(report.objects.first)
                    let info = try #require(try await tool.run("info", "--json", tool.path(name)).objects.first)
                    for field in ["format", "width", "height", "frames", "bytes"] {
                        #expect("\(told[field] ?? 0)" == "\(info[field] ?? 1)", "\(name): \(field)")
                    }
                    #expect(info["width"] as? Int ?? 99 < 24 || name == "one.bmp")
                }
            }
        #endif

        @Test func whatCannotBeWrittenLeavesNothing() async throws {
            let path = try tool.write(try Samples.png(), "a.png")
            try OutputFile.makeFolder(tool.path("folder.png"))
            let toFolder = try await tool.run("convert", path, tool.path("folder.png"))
            #expect(toFolder.status == 1 && toFolder.errors.contains(": io: "))
            let nowhere = try await tool.run("convert", path, tool.path("no/such/a.png"))
            #expect(nowhere.status == 1)
            #expect(tool.names("folder.png").isEmpty && tool.names("no").isEmpty)
            let broken = try tool.write(Array(try Samples.png().prefix(80)), "broken.png")
            #expect(try await tool.run("convert", broken, tool.path("c.png")).status == 1)
            #expect(!tool.names("").contains { $0.hasSuffix(".part") || $0 == "c.png" })
        }

        @Test func limitsAreObeyed() async throws {
            let png = try tool.write(try Samples.png(), "a.png")
            let gif = try tool.write(try Samples.gif(), "a.gif")
            for arguments in [
                ["decode", png, "--max-pixels", "383"], ["decode", png, "--max-memory", "1000"],
                ["decode", png, "--max-bytes", "20"], ["decode", gif, "--all-frames", "--max-frames", "3"],
                ["decode", png, "--decode-time", "0.000000001"], ["fetch", png, "--max-pixels", "383"],
                ["show", png, "--max-bytes", "20"],
                ["convert", png, tool.path("b.png"), "--max-pixels", "383"],
            ] {
                let outcome = try await tool.start(arguments).wait()
                #expect(outcome.status == 1 && outcome.errors.contains(": limitExceeded: "), "\(arguments): \(outcome.errors)")
            }
            #expect(try await tool.run("decode", png, "--max-pixels", "384").status == 0)
        }

        @Test func showDrawsHalfBlocksWhereThereIsNoTerminal() async throws {
            let path = try tool.write(try Samples.png(), "a.png")
            let outcome = try await tool.run("show", "--columns", "12", "--rows", "4", path)
            #expect(outcome.status == 0)
            #expect(outcome.text.split(separator: "\n").count == 4)
            #expect(outcome.text.count { $0 == "▀" } == 12 * 4)
            let object = try #require(try await tool.run("show", "--json", "--columns", "12", path).objects.first)
            #expect(object["graphics"] as? String == "blocks" && object["lines"] as? Int == 4)
            #expect(try await tool.run("show", "--graphics", "sixel", path).text.contains("\u{1B}P0;1;0q\"1;1;24;16"))
            #expect(try await tool.run("show", "--graphics", "kitty", path).text.contains("\u{1B}_Ga=T,i="))
        }
    }

#endif

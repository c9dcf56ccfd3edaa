#if CommandLine
    import GannetCommandTestSupport
    import GannetCore
    import Testing

    @testable import gannet

    /// What is said of words that no command has, and of failures.
    struct UsageMessageTests {
        private func text(_ arguments: String...) -> String { UsageMessage.text("Error: X\nUsage: U", for: arguments) }

        @Test(
            arguments: [
                (
                    ["convert", "--qualty", "80", "a.jpg", "b.png"],
                    "gannet convert has no option --qualty. Did you mean --quality?"
                ),
                (["convert", "a.jpg", "b.png", "--qualty=80"], "gannet convert has no option --qualty. Did you mean --quality?"),
                (["fetch", "-quality", "8"], "gannet fetch has no option -quality. Did you mean --quality?"),
                (["info", "--thumb", "8x8", "a"], "gannet info has no option --thumb."),
                (["fetch", "--thumb", "8x8", "a"], "gannet fetch has no option --thumb. Did you mean --thumbnail?"),
                (["cache", "list", "--jsn"], "gannet cache list has no option --jsn. Did you mean --json?"),
                (["convrt", "a", "b"], "gannet has no command convrt. Did you mean convert?"),
                (["cache", "lsit"], "gannet cache has no command lsit. Did you mean list?"),
                (["xyzzy", "a"], "gannet has no command xyzzy."),
                (["--json", "info"], "Options stand behind the command that has them: gannet COMMAND --json."),
            ] as [([String], String)]) func unknownWords(arguments: [String], reason: String)
        {
            #expect(UsageMessage.text("Error: X\nUsage: U", for: arguments) == "Error: \(reason)\nUsage: U")
        }

        @Test(arguments: [
            ["help"], ["help", "convert"], ["help", "cache", "list"], ["help", "help"], ["help", "-h"], ["info", "help"],
        ])
        func helpIsAskedForWithACommand(arguments: [String]) throws { try UsageMessage.checkHelp(in: arguments) }

        @Test func otherCommandsThatHaveItAreNamed() {
            let text = text("decode", "a", "--thumbnail", "8x8")
            #expect(text.hasPrefix("Error: gannet decode has no option --thumbnail. These commands have it: "))
            #expect(text.contains("convert") && text.contains("fetch"))
        }

        @Test(arguments: [
            ["convert", "a"], ["convert", "--quality", "-1"], ["fetch", "-O", "x", "-r0"], ["info", "--", "--nonsense"],
            ["help", "x"],
            ["convert", "a", "--quality=3", "-"], [],
        ]) func knownWordsLeaveTheParsersReason(arguments: [String]) {
            #expect(UsageMessage.text("Error: X\nUsage: U", for: arguments) == "Error: X\nUsage: U")
        }

        private func advice(_ message: String, _ arguments: String...) -> String {
            ImageError(.limitExceeded, message).advice(on: "a.png", in: Invocation(arguments))
        }

        /// Only what the command has, and what was not given already.
        @Test func adviceCanBeFollowed() {
            let cut = "The file ends before its image does. Load it again, or set allowsPartial to show what is there."
            #expect(advice(cut, "convert").hasSuffix("Load it again, or see what is there with --allow-partial."))
            #expect(advice(cut, "convert", "--allow-partial").hasSuffix("Load it again."))
            #expect(advice(cut, "info").hasSuffix("Load it again."))
            #expect(advice(cut, "work").hasSuffix("or see what is there with the field allow-partial."))
            let large = "It is too large. Ask for a smaller target size or raise maximumDecodedBytes."
            #expect(advice(large, "fetch").hasSuffix("Make it smaller with --thumbnail, or raise --max-memory."))
            #expect(advice(large, "fetch", "--thumbnail=9000x").hasSuffix("large. Raise --max-memory."))
            #expect(advice(large, "decode").hasSuffix("large. Raise --max-memory."))
            #expect(advice(large, "cache", "list") == "It is too large.")
            let wide = "A WebP cannot be larger; the picture is 9×9. Set maximumPixelSize."
            #expect(advice(wide, "convert").hasSuffix("Make it smaller with --thumbnail."))
            #expect(advice(wide, "convert", "--thumbnail", "20000x").hasSuffix("is 9×9."))
            let slow =
                "Decoding takes more processor time than maximumDecodeTime allows. Raise it or ask for a smaller target size."
            #expect(advice(slow, "info") == "Decoding takes more processor time than --decode-time allows. Raise --decode-time.")
            #expect(advice("Some. Raise maximumPixels to allow it.", "show").hasSuffix("Raise --max-pixels."))
        }
    }

    #if PNG
        /// With the real program.
        struct UsageOfTheProgramTests {
            @Test func unknownOptionsAreNamedBeforeWhatFollowsFromThem() async throws {
                let tool = try Tool()
                let outcome = try await tool.run("convert", "--qualty", "80", "a.png", "b.png")
                #expect(outcome.status == 64)
                #expect(outcome.errors.hasPrefix("Error: gannet convert has no option --qualty. Did you mean --quality?\n"))
                #expect(outcome.errors.contains("gannet convert --help"), "\(outcome.errors)")
            }

            @Test func aFileThatLooksLikeAnOptionIsOne() async throws {
                let tool = try Tool()
                try tool.write(try Samples.png(), "-dash.png")
                let outcome = try await tool.shell("exec \"$0\" info *.png")
                #expect(outcome.status == 64 && outcome.errors.contains("write ./-dash.png"), "\(outcome.errors)")
                #expect(try await tool.shell("exec \"$0\" info ./-dash.png && exec \"$0\" info -- *.png").status == 0)
                let alone = try await tool.shell("exec \"$0\" ./-dash.png")
                #expect(alone.status == 64 && alone.errors.contains("gannet show"), "\(alone.errors)")
            }
        }
    #endif
#endif

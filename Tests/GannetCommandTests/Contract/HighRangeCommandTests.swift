#if CommandLine && PNG && JPEG && WebP
    import GannetCodecs
    import GannetCommandTestSupport
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    /// `gannet convert --hdr`, and what `info` says of HDR. CX-15
    struct HighRangeCommandTests {
        let tool: Tool

        init() throws { tool = try Tool() }

        private func header(_ name: String) throws -> ImageHeader {
            try ImageDecoding(coders: CodersManager(BuiltInCoders.all)).header(of: ByteRope(try tool.read(name)))
        }

        @Test func lightStaysOnRequest() async throws {
            let image = TestImages.still(try TestImages.highRange(width: 60, height: 40))
            let png = try ImageEncoding(coders: CodersManager(BuiltInCoders.all))
                .encode(image, options: EncodeOptions(format: .png)).bytes.contiguous()
            let path = try tool.write(png, "a.png")
            let kept = try await tool.run("convert", path, tool.path("b.png"), "--hdr", "--thumbnail", "30")
            #expect(kept.status == 0 && kept.errors.isEmpty)
            let small = try header("b.png")
            #expect(small.colorSpace.cicp?.transfer == 16 && small.bitDepth == 16 && small.size == PixelSize(clamping: 30, 20))
            let mapped = try await tool.run("convert", path, tool.path("c.png"))
            #expect(try mapped.status == 0 && header("c.png").colorSpace.cicp == nil)
            let text = try await tool.run("info", path).text
            #expect(text.contains("rgb+pq"))
            #expect(try await tool.run("info", "--json", path).objects.first?["hdr"] as? String == "pq")
        }

        @Test func theCurveToStandardRangeIsAChoice() async throws {
            let image = TestImages.still(try TestImages.highRange(width: 60, height: 40))
            let png = try ImageEncoding(coders: CodersManager(BuiltInCoders.all))
                .encode(image, options: EncodeOptions(format: .png)).bytes.contiguous()
            let path = try tool.write(png, "a.png")
            #expect(try await tool.run("convert", path, tool.path("b.png")).status == 0)
            for (name, curve) in [("c.png", "bt2390"), ("d.png", "bt2446a")] {
                #expect(try await tool.run("convert", path, tool.path(name), "--tone-mapping", curve).status == 0)
            }
            #expect(try tool.read("b.png") == tool.read("c.png") && tool.read("b.png") != tool.read("d.png"))
            let unknown = try await tool.run("convert", path, tool.path("e.png"), "--tone-mapping", "hable")
            #expect(unknown.status != 0 && unknown.errors.contains("bt2446a"))
            let both = try await tool.run("convert", path, tool.path("e.png"), "--tone-mapping", "bt2446a", "--hdr")
            #expect(both.status != 0 && both.errors.contains("--hdr keeps all light"))
        }

        @Test func gainMapsAreApplied() async throws {
            let path = try tool.write(try Samples.ultraHDR(), "a.jpg")
            let applied = try await tool.run("convert", path, tool.path("a.png"), "--hdr")
            // Nothing is lost.
            #expect(applied.status == 0 && applied.errors.isEmpty)
            let header = try header("a.png")
            #expect(header.colorSpace.cicp?.transfer == 16 && header.colorSpace.brightest == 812)
        }

        @Test func whatIsWrittenInStandardRangeNonethelessIsSaid() async throws {
            let image = TestImages.still(try TestImages.highRange(width: 60, height: 40))
            let png = try ImageEncoding(coders: CodersManager(BuiltInCoders.all))
                .encode(image, options: EncodeOptions(format: .png)).bytes.contiguous()
            let path = try tool.write(png, "a.png")
            let blurred = try await tool.run("convert", "--json", path, tool.path("b.png"), "--hdr", "--transform", "blur:2")
            let notes = blurred.objects.first?["notes"] as? [String]
            #expect(blurred.status == 0 && notes?.count == 1 && notes?.first?.contains("8 bits") == true)
            #expect(try blurred.errors.contains("8 bits") && header("b.png").colorSpace.cicp == nil)
            let plain = try await tool.run(
                "convert", "--json", try tool.write(try Samples.png(), "p.png"), tool.path("c.png"), "--hdr")
            #expect((plain.objects.first?["notes"] as? [String])?.first?.contains("no light brighter than white") == true)
            let kept = try await tool.run("convert", "--json", path, tool.path("d.png"), "--hdr")
            #expect(kept.status == 0 && kept.objects.first?["notes"] == nil)
        }

        @Test func formatsWithoutItAreRefused() async throws {
            let path = try tool.write(try Samples.ultraHDR(), "a.jpg")
            let refused = [
                try await tool.run("convert", path, tool.path("b.jpg"), "--hdr"),
                try await tool.run("convert", path, "-O", tool.path("out"), "--hdr"),
            ]
            for outcome in refused {
                #expect(outcome.status != 0 && outcome.errors.contains("--hdr writes avif, jxl, png"))
            }
        }
    }
#endif

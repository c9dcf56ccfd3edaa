#if CommandLine && PNG && JPEG && WebP
    import ArgumentParser
    import GannetCommandTestSupport
    import GannetCore
    import Testing

    @testable import gannet

    /// `convert --webp FIELD=NUMBER`.
    struct WebPFieldTests {
        @Test(arguments: [
            ("method=6", WebPOptions.Field.method, 6.0), ("target_PSNR=42.5", .targetPSNR, 42.5),
            ("use_sharp_yuv=1", .sharpYUV, 1),
        ])
        func fields(text: String, field: WebPOptions.Field, value: Double) throws {
            let argument = try WebPFieldArgument(parsing: text)
            #expect(argument.field == field && argument.value == value)
        }

        @Test(arguments: [
            "", "=", "method", "method=", "method=7", "method=x", "method=1.5", "Method=1", "show_compressed=1", "exact=nan",
            "method=1=2",
        ])
        func fieldsThatAreNone(text: String) {
            #expect(throws: ValidationError.self) { try WebPFieldArgument(parsing: text) }
        }

        @Test func theLastValueCounts() throws {
            let fields = try ["method=1", "exact=1", "method=2"].map { try WebPFieldArgument(parsing: $0) }
            #expect(WebPFieldArgument.options(fields).values == [.method: 2, .exact: 1])
            let limits = try ["qmin=9", "qmax=8"].map { try WebPFieldArgument(parsing: $0) }
            #expect(throws: ValidationError.self) { try WebPFieldArgument.check(limits) }
        }

        // FM-05
        @Test func convertCarriesThem() async throws {
            let tool = try Tool()
            let path = try tool.write(try Samples.photo(), "a.jpg")
            let plain = try await tool.run("convert", path, tool.path("a.webp"))
            let changed = try await tool.run(
                "convert", path, tool.path("b.webp"), "--webp", "method=0", "--webp", "segments=1")
            #expect(plain.status == 0 && changed.status == 0)
            #expect(try tool.read("a.webp") != tool.read("b.webp"))
            let wrong = try await tool.run("convert", path, tool.path("c.webp"), "--webp", "method=9")
            #expect(wrong.status == 64 && wrong.errors.contains("method is 9, and may be a whole number from 0 to 6."))
            let other = try await tool.run("convert", path, tool.path("c.png"), "--webp", "method=1")
            #expect(other.status == 64 && other.errors.contains("--webp is for WebP"))
        }
    }
#endif

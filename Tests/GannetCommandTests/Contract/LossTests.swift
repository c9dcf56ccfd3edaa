#if CommandLine && HTTP && PNG && JPEG
    import GannetCommandTestSupport
    import Testing

    /// What is written for the user is made of the source's own bytes.
    struct LossTests {
        let tool: Tool
        let url: String
        private let server: PictureServer

        init() throws {
            tool = try Tool()
            server = PictureServer(PictureServer.picture(try Samples.photo()))
            url = server.url("/a.jpg")
        }

        /// Thumbnails in the cache have gone through a JPEG encoder.
        @Test(arguments: [["-o", "f.png"], ["-O", "out", "--format", "png"]])
        func twoRunsWriteTheSame(options: [String]) async throws {
            let name = options[0] == "-o" ? "f.png" : "out/a.png"
            let place = [options[0], tool.path(options[1])] + options.dropFirst(2)
            let arguments = ["fetch", url, "--thumbnail", "100x100"]
            var written: [[UInt8]] = []
            for _ in 0..<2 {
                #expect(try await tool.start(arguments + place).wait().status == 0)
                written.append(try tool.read(name))
                // Now there is a variant on disk.
                #expect(try await tool.start(arguments).wait().status == 0)
            }
            #expect(written[0] == written[1])
            #expect(server.requests.count == 1)
        }

        @Test func convertingTakesNoVariantEither() async throws {
            let path = try tool.write(try Samples.photo(), "a.jpg")
            #expect(try await tool.run("convert", path, tool.path("1.png"), "--thumbnail", "100x100").status == 0)
            #expect(try await tool.run("fetch", path, "--thumbnail", "100x100").status == 0)
            #expect(try await tool.run("convert", path, tool.path("2.png"), "--thumbnail", "100x100").status == 0)
            #expect(try tool.read("1.png") == tool.read("2.png"))
        }
    }
#endif

#if CommandLine && HTTP && PNG
    import GannetCommandTestSupport
    import GannetCore
    import Testing

    @testable import gannet

    /// How servers are reached: by the environment, and by the options that override it.
    struct ProxyOptionTests {
        let tool: Tool
        let proxy: PictureServer
        let address: String

        init() throws {
            tool = try Tool()
            proxy = PictureServer(PictureServer.picture(try Samples.png()))
            address = String(proxy.url("").dropFirst("http://".count))
        }

        private func lines() -> [String] { proxy.requests.map { $0.prefix { $0 != "\r\n" }.description } }

        @Test func theEnvironmentIsObeyed() async throws {
            let variables = ["http_proxy": address, "no_proxy": "localhost"]
            let outcome = try await tool.run("fetch", "--no-cache", "http://pictures.invalid/a.png?b=1", variables: variables)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let info = try await tool.run("info", "--no-cache", "http://pictures.invalid/i.png", variables: variables)
            #expect(info.status == 0, "\(info.errors)")
            #expect(
                lines() == [
                    "GET http://pictures.invalid/a.png?b=1 HTTP/1.1", "GET http://pictures.invalid/i.png HTTP/1.1",
                ])
        }

        @Test func whatIsListedIsAskedDirectly() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let outcome = try await tool.run(
                "fetch", "--no-cache", server.url("/a.png"), variables: ["http_proxy": address, "NO_PROXY": "127.0.0.0/8"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(server.requests.count == 1 && lines().isEmpty)
        }

        @Test func theOptionsKnowBetter() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let wrong = ["http_proxy": "http://user:secret@nowhere.invalid:1x"]
            let direct = try await tool.run("fetch", "--no-cache", "--no-proxy", server.url("/a.png"), variables: wrong)
            #expect(direct.status == 0, "\(direct.errors)")
            #expect(server.requests.count == 1)
            let through = try await tool.run(
                "fetch", "--no-cache", "--proxy", "http://" + address, "http://pictures.invalid/", variables: wrong)
            #expect(through.status == 0, "\(through.errors)")
            #expect(lines() == ["GET http://pictures.invalid/ HTTP/1.1"])
        }

        @Test func wrongValuesAreToldInPlainWords() async throws {
            let png = try tool.write(try Samples.png(), "a.png")
            let wrong = ["http_proxy": "http://user:secret@nowhere.invalid:1x"]
            let outcome = try await tool.run("fetch", "--no-cache", png, "http://pictures.invalid/", variables: wrong)
            #expect(outcome.status == 1)
            // Files need no proxy.
            #expect(outcome.text.contains("a.png"))
            #expect(outcome.errors.hasPrefix("gannet: http://pictures.invalid/: misuse: The variable http_proxy names no proxy"))
            #expect(!outcome.errors.contains("secret"))
            for arguments in [["--proxy", "ftp://x"], ["--proxy", "localhost:1", "--no-proxy"]] {
                #expect(try await tool.start(["fetch", png] + arguments).wait().status == 64)
            }
        }
    }
#endif

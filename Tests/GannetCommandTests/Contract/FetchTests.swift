#if CommandLine && HTTP && PNG && GIF
    import GannetCommandTestSupport
    import GannetCore
    import Glibc
    import Testing

    @testable import gannet

    struct FetchTests {
        let tool: Tool

        init() throws { tool = try Tool() }

        private func origin(_ outcome: Tool.Outcome) -> String? { outcome.objects.first?["origin"] as? String }

        @Test func networkFirstThenDisk() async throws {
            let png = try Samples.png()
            let server = PictureServer(PictureServer.picture(png))
            let url = server.url("/a.png")
            let first = try await tool.run("fetch", "--json", url, "-o", tool.path("a.png"))
            #expect(first.status == 0, "\(first.errors)")
            let object = try #require(first.objects.first)
            #expect(
                Set(object.keys) == [
                    "source", "ok", "origin", "joined", "format", "width", "height", "frames", "bytes", "milliseconds", "output",
                    "outputBytes",
                ])
            #expect(object["origin"] as? String == "network" && object["bytes"] as? Int == png.count)
            #expect(object["width"] as? Int == 24 && object["frames"] as? Int == 1 && object["format"] as? String == "png")
            #expect(try tool.read("a.png") == png)
            #expect(origin(try await tool.run("fetch", "--json", url)) == "disk")
            #expect(origin(try await tool.run("fetch", "--json", "--from", "cache", url)) == "disk")
            #expect(server.requests.count == 1)
            #expect(origin(try await tool.run("fetch", "--json", "--from", "loader", url)) == "network")
            #expect(origin(try await tool.run("fetch", "--json", "--refresh", url)) == "revalidated")
            #expect(server.requests.count == 3)
            #expect(origin(try await tool.run("fetch", "--json", "--no-cache", url)) == "network")
            #expect(try await tool.run("info", "--json", url).objects.first?["width"] as? Int == 24)
            #expect(server.requests.count == 4)
        }

        @Test func whatIsStaleIsAskedForOnce() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.png(), fresh: false))
            let url = server.url("/a.png")
            #expect(origin(try await tool.run("fetch", "--json", url)) == "network")
            #expect(origin(try await tool.run("fetch", "--json", url)) == "revalidated")
            #expect(server.requests.count == 2)
        }

        @Test func nothingIsStoredWhereNothingMayBe() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let url = server.url("/a.png")
            #expect(try await tool.run("fetch", "--no-store", url).status == 0)
            let miss = try await tool.run("fetch", "--json", "--from", "cache", url)
            #expect(miss.status == 1)
            #expect((miss.objects.first?["error"] as? [String: Any])?["code"] as? String == "cacheMiss")
        }

        @Test(arguments: [
            ["fetch"], ["show", "--json"], ["info"], ["prefetch"], ["prefetch", "--thumbnail", "8x8"], ["convert", "out.png"],
        ])
        func headersAndCredentialsAreSent(_ command: [String]) async throws {
            let png = try Samples.png()
            let server = PictureServer { head in
                head.contains("Authorization: Basic bWU6c2VjcmV0") || head.contains("authorization: Basic bWU6c2VjcmV0")
                    ? PictureServer.response("200 OK", ["Content-Type: image/png"], png)
                    : PictureServer.response("401 Unauthorized", ["WWW-Authenticate: Basic realm=\"x\""])
            }
            var arguments = command
            let output = arguments.last == "out.png" ? [tool.path(arguments.removeLast())] : []
            let asking = ["--user", "me:secret", "--header", "X-Test: 1 2"]
            let outcome = try await tool.start(arguments + asking + [server.url("/a")] + output).wait()
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(!server.requests.isEmpty && server.requests.allSatisfy { $0.lowercased().contains("x-test: 1 2") })
            #expect(try await tool.start(arguments + [server.url("/b")] + output).wait().status == 1)
        }

        @Test func everyFailureHasItsCodeAndTheOthersGoOn() async throws {
            let png = try Samples.png()
            let server = PictureServer { head in
                let path = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                switch path {
                case "/missing": return PictureServer.response("404 Not Found", [], Array("no".utf8))
                case "/text": return PictureServer.response("200 OK", ["Content-Type: text/html"], Array("<html></html>".utf8))
                case "/empty": return PictureServer.response("200 OK", ["Content-Type: image/png"])
                default: return PictureServer.response("200 OK", ["Content-Type: image/png"], png)
                }
            }
            var closed: RawPort? = RawPort()
            let refused = "http://127.0.0.1:\(closed?.number ?? 1)/"
            closed = nil
            let cases = [
                (server.url("/missing"), "httpStatus"), (server.url("/empty"), "empty"),
                (refused, "connectionFailed"), ("http://no-such-host.invalid/", "hostNotFound"),
                ("ftp://127.0.0.1/a", "unsupported"),
            ]
            let sources = cases.map(\.0) + [server.url("/text"), server.url("/good")]
            let outcome = try await tool.start(["fetch", "--json", "-O", tool.path("out")] + sources).wait()
            #expect(outcome.status == 1)
            #expect(outcome.objects.count == sources.count)
            for (source, code) in cases {
                let object = try #require(outcome.objects.first { $0["source"] as? String == source })
                let error = try #require(object["error"] as? [String: Any])
                #expect(error["code"] as? String == code, "\(source): \(error)")
                #expect(error["stage"] as? String == "load")
                #expect(outcome.errors.contains("gannet: \(source): \(code): "))
            }
            let good = outcome.objects.first { $0["source"] as? String == server.url("/good") }
            #expect(good?["ok"] as? Bool == true)
            #expect(tool.names("out") == ["good.png"])
            #expect(outcome.errors.split(separator: "\n").count == 6)
        }

        @Test func silenceEndsWithTheTimeout() async throws {
            let server = PictureServer { _ in [] }
            let outcome = try await tool.run("fetch", "--timeout", "1", server.url("/silent"))
            #expect(outcome.status == 1)
            #expect(outcome.errors.hasPrefix("gannet: \(server.url("/silent")): timedOut: "))
        }

        @Test func thumbnailsTransformsAndFormats() async throws {
            let path = try tool.write(try Samples.png(), "a.png")
            let fit = try await tool.run("fetch", "--json", path, "--thumbnail", "12x12", "-o", tool.path("b.gif"))
            #expect(fit.objects.first?["width"] as? Int == 12 && fit.objects.first?["height"] as? Int == 8)
            #expect(fit.objects.first?["origin"] as? String == "file")
            #expect(try tool.read("b.gif").starts(with: Array("GIF89a".utf8)))
            let fill = try await tool.run("fetch", "--json", path, "--thumbnail", "12x12", "--mode", "fill")
            #expect(fill.objects.first?["width"] as? Int == 12 && fill.objects.first?["height"] as? Int == 12)
            let larger = try await tool.run("fetch", "--json", path, "--thumbnail", "100x100")
            #expect(larger.objects.first?["width"] as? Int == 24)
            let turned = try await tool.run(
                "fetch", "--json", path, "--transform", "crop:0,0,10,6", "--transform", "rotate:90", "--transform",
                "border:1,FF0000FF", "--transform", "gray")
            #expect(turned.status == 0, "\(turned.errors)")
            #expect(turned.objects.first?["width"] as? Int == 6 && turned.objects.first?["height"] as? Int == 10)
        }

        /// Stored thumbnails are in a format that the cache chooses, but the written file is the same as the first time.
        @Test func whatIsWrittenIsTheSameFromTheCache() async throws {
            _ = try tool.write(try Samples.png(), "still.png")
            let runs = [["still.png"], ["still.png", "--transform", "circle"], ["still.png", "--format", "gif"]]
            for (index, words) in runs.enumerated() {
                var outcomes: [[String: String]] = []
                for _ in 0..<2 {
                    let folder = tool.path("out\(index)")
                    let outcome = try await tool.start(
                        ["fetch", "--json", tool.path(words[0]), "--thumbnail", "12x12", "-O", folder] + words.dropFirst()
                    ).wait()
                    #expect(outcome.status == 0, "\(outcome.errors)")
                    let line = try #require(outcome.objects.first)
                    outcomes.append(["format", "output"].reduce(into: [:]) { $0[$1] = line[$1] as? String })
                }
                #expect(outcomes[0] == outcomes[1] && outcomes[0]["format"] == "png")
                #expect(tool.names("out\(index)").count == 1)
            }
        }

        @Test func listsAndFolders() async throws {
            let first = try tool.write(try Samples.png(), "a.png")
            let second = try tool.write(try Samples.gif(), "b.gif")
            try tool.write(Array("# two\n\n\(first)\n  \(second)\n".utf8), "list")
            let outcome = try await tool.run("fetch", "--list", tool.path("list"), "-O", tool.path("out"), "--format", "png")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(tool.names("out") == ["a.png", "b.png"])
            #expect(try await tool.run("fetch", "--list", tool.path("none")).status == 1)
        }

        @Test func explainsBeforeItLoads() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let url = server.url("/a.png")
            let cold = try await tool.run("fetch", "--explain", "--json", url)
            let explain = try #require(cold.objects.first?["explain"] as? [String: Any])
            #expect((explain["steps"] as? [[String: Any]])?.isEmpty == false)
            let warm = try await tool.run("fetch", "--explain", url)
            #expect(warm.status == 0 && warm.text.contains("disk"))
        }

        /// The case it is for.
        @Test func explainsWhatFails() async throws {
            let server = PictureServer { _ in PictureServer.response("404 Not Found") }
            for options in [["--from", "cache"], []] {
                let url = server.url("/none.png")
                let json = try await tool.start(["fetch", "--explain", "--json", url] + options).wait()
                #expect(json.status == 1 && json.errors.hasPrefix("gannet: \(url): "))
                let told = try #require(json.objects.first)
                #expect(told["ok"] as? Bool == false && told["error"] is [String: Any])
                #expect((told["explain"] as? [String: Any])?["verdict"] is String)
                let text = try await tool.start(["fetch", "--explain", url] + options).wait()
                #expect(text.status == 1 && text.text.contains("original on disk: miss"), "\(text.text)")
            }
        }

        @Test func progressAndLogAreOnStandardErrorAlone() async throws {
            let first = try tool.write(try Samples.png(), "a.png")
            let second = try tool.write(try Samples.gif(), "b.gif")
            for choice in ["auto", "never"] {
                #expect(try await tool.run("fetch", "--json", "--progress", choice, first, second).errors.isEmpty)
            }
            let always = try await tool.run("fetch", "--json", "--progress", "always", first, second)
            #expect(always.errors.contains("1/2") && always.objects.count == 2)
            let told = try await tool.run("fetch", "--json", "--log-level", "debug", first)
            #expect(told.errors.contains("gannet: memory miss: ") && told.objects.count == 1)
        }

        @Test func dataURLsAreSources() async throws {
            let outcome = try await tool.run(
                "fetch", "--json", "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==")
            #expect(outcome.objects.first?["origin"] as? String == "data")
        }

        @Test func cacheFolderThatIsAFileIsSaidOnceAndLoadingGoesOn() async throws {
            let server = PictureServer(PictureServer.picture(try Samples.png()))
            let file = try tool.write([1], "file")
            let outcome = try await tool.run(
                "fetch", "--cache-dir", file, server.url("/a"), server.url("/b"), server.url("/c"))
            #expect(outcome.status == 0)
            #expect(
                outcome.errors.split(separator: "\n").filter { $0.hasPrefix("gannet: cache: ") }.count == 1, "\(outcome.errors)")
        }

        /// A load that hangs is cancelled by SIGINT; nothing half-written stays, and the code is that of the signal.
        @Test func interruptStopsCleanly() async throws {
            let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
            let server = PictureServer { _ in
                continuation.yield()
                return []
            }
            let running = try tool.start(["fetch", server.url("/a.png"), "-o", tool.path("a.png")])
            for await _ in arrivals { break }
            running.signal(SIGINT)
            let outcome = try await running.wait()
            #expect(outcome.status == 130)
            #expect(outcome.errors.contains(": cancelled: "))
            #expect(!tool.names("").contains { $0.hasPrefix("a.png") })
        }
    }

    /// A port that refuses connections once this object is gone.
    private final class RawPort {
        let number: UInt16
        private let descriptor: Int32

        init() {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let descriptor = descriptor
            withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    _ = bind(descriptor, $0, length)
                    _ = getsockname(descriptor, $0, &length)
                }
            }
            number = UInt16(bigEndian: address.sin_port)
        }

        deinit { close(descriptor) }
    }
#endif

#if CommandLine && PNG
    import GannetCommandTestSupport
    import GannetCore
    import GannetTesting
    import Testing

    /// `gannet-lab`, which the fault tests, the conformance tests and the installers run.
    struct LabTests {
        let tool: Tool

        init() throws { tool = try Tool() }

        // S3-08
        @Test func workerKeepsWhatItAcknowledged() async throws {
            let folder = tool.path("worker")
            let worker = try await tool.lab(
                "cache-worker", "--dir", folder, "--seed", "7", "--steps", "30", "--keys", "8")
            #expect(worker.status == 0)
            var expected: [Substring: Substring] = [:]
            for line in worker.text.split(separator: "\n") {
                let words = line.split(separator: " ")
                #expect(["TRY", "ACK", "DEL"].contains(words[0]))
                if words[0] == "ACK" { expected[words[1]] = words[2] }
                if words[0] == "DEL" { expected[words[1]] = nil }
            }
            #expect(!expected.isEmpty)
            let check = try await tool.lab("cache-worker", "--dir", folder, "--seed", "7", "--keys", "8", "--check")
            #expect(check.status == 0)
            var found: [Substring: Substring] = [:]
            for line in check.text.split(separator: "\n") where line.hasPrefix("HAVE") {
                let words = line.split(separator: " ")
                found[words[1]] = words[2]
            }
            #expect(found == expected)
        }

        #if HTTP
            @Test func bridgeAnswersFromItsCache() async throws {
                let server = PictureServer { _ in
                    PictureServer.response("200 OK", ["Cache-Control: max-age=60", "X-A: b"], Array("hello".utf8))
                }
                let request =
                    #"{"n":1,"url":"\#(server.url("/a"))","method":"GET","headers":[],"body":null,"cache":null,"redirect":null}"#
                let first = try await tool.lab("http-bridge", input: Array((request + "\n").utf8))
                let object = try #require(first.objects.first)
                #expect(object["n"] as? Int == 1 && object["status"] as? Int == 200 && object["body"] as? String == "aGVsbG8=")
                let bad = #"{"n":2,"url":"http://127.0.0.1:1/","method":"GET","headers":[]}"#
                let second = try await tool.lab("http-bridge", input: Array((bad + "\n").utf8))
                #expect(second.objects.first?["error"] is String && second.objects.first?["n"] as? Int == 2)
            }
        #endif

        #if JPEG && Server
            @Test(arguments: ["cold", "hit", "stale", "service"])
            func `Each load of the map comes from where it should`(kind: String) async throws {
                let run = try await tool.lab("map", kind)
                #expect(run.status == 0, "\(run.errors)")
            }
        #endif

        @Test func everyWayOfDecodingIsMeasured() async throws {
            let path = try tool.write(try Samples.png(), "a.png")
            let half = try tool.write(Array(try Samples.png().prefix(60)), "half.png")
            for way in ["header", "whole", "frames", "thumbnail", "progressive"] {
                let found = try #require(try await tool.lab("memory", way, path).objects.first)
                #expect(found["error"] as? String == "" && found["peak"] is Int && found["cpu_ms"] is Int, "\(way)")
            }
            #expect(try await tool.lab("memory", "whole", half).objects.first?["error"] as? String == "truncated")
            let tried = try await tool.lab("try-files", input: Array("\(path)\n\(half)\n".utf8))
            #expect(tried.status == 0 && tried.errors == "TRY \(path)\nTRY \(half)\n")
            #expect(tried.text.contains("whole: 1 decoded, 1 refused, slowest "), "\(tried.text)")
        }

        // S3-26
        @Test func theManualHasEveryCommandAndOption() async throws {
            let tool = try Tool()
            let help = try await tool.run("--experimental-dump-help").output
            let page = try await tool.lab("manual", "--version", "1.2.3", input: help).text
            #expect(page.hasPrefix(".TH GANNET 1 \"\" \"gannet 1.2.3\""))
            for part in [".SS gannet fetch ", ".SS gannet cache trim", "\\-\\-max\\-pixels", ".SH EXIT STATUS", "\\fB\\-o\\fR"] {
                #expect(page.contains(part), "\(part)")
            }
            #expect(!page.contains("Optional("))
            // A line that begins with a dot is a request, and there are no others than these.
            let requests = Set(page.split(separator: "\n").filter { $0.hasPrefix(".") }.map { $0.prefix { $0 != " " } })
            #expect(requests.isSubset(of: [".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".br", ".nf", ".fi"]))
        }
    }
#endif

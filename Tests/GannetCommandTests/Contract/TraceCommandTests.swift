#if CommandLine && Server && PNG
    import Foundation
    import GannetCommandTestSupport
    import GannetCore
    import GannetFetch
    import GannetHTTP
    import GannetTesting
    import Glibc
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// Traces of the built command.
    struct TraceCommandTests {
        let tool: Tool
        let source: PictureServer
        private let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

        init() throws {
            tool = try Tool()
            source = PictureServer(PictureServer.picture(try Samples.png()))
        }

        private func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

        private func start(_ options: [String], _ variables: [String: String] = [:]) async throws -> (Tool.Running, String) {
            let port = String(source.url("").split(separator: ":").last ?? "")
            let arguments = [
                "serve", "--port", "0", "--no-cache", "--allow", "127.0.0.1", "--allow-network", "127.0.0.0/8", "--allow-port",
                port,
                "--access-log", "json", "--metrics",
            ]
            let service = try tool.start(arguments + options, variables: variables)
            #expect(await eventually { text(service.output).hasSuffix("\n") })
            let line = try #require(text(service.output).split(separator: "\n").first)
            let started = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return (service, try #require(started?["url"] as? String))
        }

        private func get(_ url: String) async throws -> (status: Int, body: String) {
            let request = HTTPRequest(
                url: try #require(URL(string: url)), headers: HTTPHeaders([("traceparent", parent)]))
            let response = try await CURLTransport().send(request)
            var body: [UInt8] = []
            while let piece = try await response.body.next() { body += piece }
            return (response.head.status, String(decoding: body, as: UTF8.self))
        }

        @Test(.timeLimit(.minutes(10))) func `The last spans are sent before the process ends, and sources are told`()
            async throws
        {
            let collector = TraceCollector()
            let (service, address) = try await start(
                ["--traces", collector.url, "--trace-sources"],
                ["OTEL_SERVICE_NAME": "thumbs", "OTEL_EXPORTER_OTLP_HEADERS": "api-key=secret"])
            #expect(try await get("\(address)/_/w:5/f:png/plain/\(source.url("/a.png"))").status == 200)
            #expect(await eventually { text(service.output).contains("trace_id") })
            service.signal(SIGTERM)
            let outcome = try await service.wait()
            #expect(outcome.status == 0 && !outcome.errors.contains("secret") && !outcome.text.contains("secret"))
            let root = try #require(collector.spans.first { $0.kind == 2 })
            #expect(root.parent == "b7ad6b7169203331" && root.attributes["url.scheme"] == "http")
            #expect(outcome.text.contains(#""trace_id":"0af7651916cd43dd8448eb211c80319c","span_id":"\#(root.span)""#))
            let transfer = try #require(collector.spans.first { $0.kind == 3 })
            #expect(source.requests.first?.contains("traceparent: 00-\(root.trace)-\(transfer.span)-01\r\n") == true)
            #expect(collector.state.resource["service.name"] == "thumbs")
            #expect(collector.state.heads.allSatisfy { $0.contains("api-key: secret\r\n") } && !collector.state.heads.isEmpty)
        }

        @Test(.timeLimit(.minutes(10))) func `A collector that is not there, or hangs, is no reason to fail`() async throws {
            let hanging = TraceCollector(.hangs)
            // A port that nobody listens on.
            let gone = RawServer { _ in }.url("")
            for url in [gone, hanging.url] {
                let (service, address) = try await start([], ["OTEL_EXPORTER_OTLP_ENDPOINT": url])
                for width in 1...5 {
                    #expect(try await get("\(address)/_/w:\(width)/f:png/plain/\(source.url("/a.png"))").status == 200)
                }
                // It has failed as often as it takes to be left alone.
                #expect(await eventually { text(service.errors).contains("cannot be used") })
                #expect(text(service.errors).contains("The collector at \(url)/v1/traces cannot be used"))
                let metrics = try await get("\(address)/metrics").body
                #expect(metrics.contains("gannet_trace_open 1\n") && !metrics.contains("gannet_trace_failures_total 0\n"))
                service.signal(SIGTERM)
                #expect(try await service.wait().status == 0)
            }
        }

        @Test func `Wrong options are explained`() async throws {
            for (options, words) in [
                (["--traces", "http://me:secret@a"], "--traces"),
                (["--traces", "http://a", "--trace-ratio", "2"], "--trace-ratio"),
            ] {
                let outcome = try await tool.start(["serve", "--allow", "a.org"] + options).wait()
                #expect(outcome.status == 64 && outcome.errors.contains(words) && !outcome.errors.contains("secret"))
            }
        }
    }
#endif

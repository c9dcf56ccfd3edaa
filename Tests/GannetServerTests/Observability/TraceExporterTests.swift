#if CommandLine && Server && PNG
    import FoundationEssentials
    import GannetCommandTestSupport
    import GannetCore
    import GannetTesting
    import Testing
    import Tracing

    @testable import GannetServer
    @testable import GannetSharedCaches
    @testable import gannet

    /// How spans get to a collector, and what becomes of them when it is not there.
    struct TraceExporterTests {
        private func end(_ count: Int, _ exporter: TraceExporter, name: String = "a") {
            let tracer = exporter.tracer(OTLPTracer.Sampling())
            for _ in 0..<count { tracer.startSpan(name, context: .topLevel).end() }
        }

        @Test func `Batches are bounded, and sent each second`() async throws {
            let (collector, time) = (TraceCollector(), ManualTimeSource())
            var limits = TraceExporter.Limits.patient
            (limits.batch, limits.waiting) = (10, 30)
            let exporter = try TraceExporter.to(collector, limits: limits, time: time)
            let sender = Task { await exporter.run() }
            await time.waitForSleepers()
            end(35, exporter)
            time.advance(by: .milliseconds(900))
            #expect(collector.spans.isEmpty)
            time.advance(by: .milliseconds(100))
            // It sleeps again when it has sent them.
            await time.waitForSleepers()
            #expect(collector.state.batches.map(\.count) == [10, 10, 10])
            #expect(exporter.counts == RemoteCounts(stored: 30, dropped: 5))
            sender.cancel()
            await sender.value
        }

        @Test func `What waits is bounded in bytes too, and texts are cut`() async throws {
            let collector = TraceCollector()
            var limits = TraceExporter.Limits.patient
            limits.waitingBytes = 10_000
            let exporter = try TraceExporter.to(collector, limits: limits)
            end(20, exporter, name: String(repeating: "é", count: 5000))
            await exporter.finish()
            let names = collector.spans.map(\.name)
            #expect(names.count == 7 && names.allSatisfy { $0.utf8.count <= 1024 } && exporter.counts.dropped == 13)
        }

        /// Never tried again: they would be refused forever.
        @Test(arguments: ["400 Bad Request", "401 Unauthorized", "404 Not Found", "500 Internal Server Error", "302 Found"])
        func `Spans that a collector does not want are dropped`(status: String) async throws {
            let (collector, reports) = (TraceCollector(.answers(status)), Reports())
            var limits = TraceExporter.Limits.patient
            limits.breaker = CircuitBreakerState(threshold: 1)
            let exporter = try TraceExporter.to(collector, limits: limits) { reports.add($0) }
            end(3, exporter)
            await exporter.sendWaiting()
            #expect(exporter.counts == RemoteCounts(dropped: 3, failures: 1, isOpen: true))
            #expect(reports.all.count == 1 && reports.all[0].contains("status \(status.prefix(3))"))
            #expect(reports.all[0].hasPrefix("The collector at \(collector.url)/v1/traces cannot be used:"))
        }

        @Test(arguments: ["429 Too Many Requests", "502 Bad Gateway", "503 Service Unavailable", "504 Gateway Timeout"])
        func `Spans that a collector cannot take now wait, and it is left alone`(status: String) async throws {
            let (collector, time, reports) = (TraceCollector(.answers(status)), ManualTimeSource(), Reports())
            var limits = TraceExporter.Limits.patient
            limits.breaker = CircuitBreakerState(threshold: 2)
            let exporter = try TraceExporter.to(collector, limits: limits, time: time) { reports.add($0) }
            end(3, exporter)
            for _ in 0..<10 { await exporter.sendWaiting() }
            #expect(collector.state.heads.count == 2)
            #expect(exporter.counts == RemoteCounts(failures: 2, isOpen: true))
            collector.change(.takes)
            time.advance(by: .seconds(1))
            await exporter.sendWaiting()
            #expect(collector.spans.count == 3 && exporter.counts == RemoteCounts(stored: 3, failures: 2))
            #expect(reports.all.count == 2)
        }

        @Test(.timeLimit(.minutes(10))) func `A collector that hangs costs no request anything, and its spans are counted`()
            async throws
        {
            let (collector, server) = (TraceCollector(.hangs), PictureServer(PictureServer.picture(try Samples.png())))
            var limits = TraceExporter.Limits.patient
            limits.waiting = 20
            let service = try TracedService(collector, limits: limits)
            let exporter = try #require(service.exporter)
            #expect(await service.get("/_/w:11/f:png/plain/\(server.url("/a.png"))").status == 200)
            // Answers come while a batch is on its way, to a collector that never replies.
            let sender = Task { await exporter.sendWaiting() }
            #expect(await eventually { collector.state.heads.count == 1 })
            for width in 1...10 {
                #expect(await service.get("/_/w:\(width)/f:png/plain/\(server.url("/a.png"))").status == 200)
            }
            let text = String(decoding: await service.get("/metrics").body, as: UTF8.self)
            let dropped = exporter.counts.dropped
            #expect(dropped > 0 && text.contains(#"gannet_trace_spans_total{result="dropped"} \#(dropped)"# + "\n"))
            sender.cancel()
            await sender.value
        }

        @Test(.timeLimit(.minutes(10))) func `The end waits for a collector for its limit and no longer`() async throws {
            let (collector, time) = (TraceCollector(.hangs), ManualTimeSource())
            var limits = TraceExporter.Limits.patient
            limits.end = .seconds(2)
            let exporter = try TraceExporter.to(collector, limits: limits, time: time)
            end(5, exporter)
            async let ending: Void = exporter.finish()
            await time.waitForSleepers()
            #expect(await eventually { collector.state.heads.count == 1 })
            time.advance(by: .seconds(2))
            await ending
            #expect(exporter.counts == RemoteCounts(dropped: 5))
        }

        @Test func `A span ends once, and keeps a bounded number of events and links`() async throws {
            let collector = TraceCollector()
            let exporter = try TraceExporter.to(collector)
            let tracer = exporter.tracer(OTLPTracer.Sampling())
            let (span, other) = (tracer.startSpan("a", context: .topLevel), tracer.startSpan("b", context: .topLevel))
            for _ in 0..<40 {
                span.addEvent("event")
                span.addLink(other)
                span.recordError(ImageError(.network, "It broke."))
            }
            span.attributes["number"] = 3
            span.attributes["share"] = 0.5
            span.end()
            span.end()
            span.attributes["late"] = true
            await exporter.finish()
            let sent = try #require(collector.spans.first)
            #expect(collector.spans.count == 1 && sent.attributes == ["number": "3", "share": "0.5"] && sent.links.count == 16)
            #expect(collector.state.bodies[0].components(separatedBy: "timeUnixNano").count == 17)
        }
    }

    private let wrong: [(String, [String: String])] = [
        ("ftp://a", [:]), ("a:4318", [:]), ("http://", [:]), ("http://me:secret@a", [:]), ("http://a?key=secret", [:]),
        ("http://a:99999", [:]), ("http://a", ["OTEL_EXPORTER_OTLP_HEADERS": "secret"]),
        ("http://a", ["OTEL_EXPORTER_OTLP_HEADERS": "a=secret%0d%0ab"]),
        ("http://a", ["OTEL_EXPORTER_OTLP_HEADERS": "a b=secret"]),
        ("http://a", ["OTEL_EXPORTER_OTLP_HEADERS": "a=secret%4"]), ("http://a", ["OTEL_TRACES_SAMPLER_ARG": "2"]),
        ("http://a", ["OTEL_TRACES_SAMPLER_ARG": "many"]), ("http://a", ["OTEL_RESOURCE_ATTRIBUTES": "=secret"]),
    ]

    /// Options and variables of the environment.
    struct TraceSettingsTests {
        private func settings(
            _ endpoint: String? = nil, ratio: Double? = nil, _ variables: [String: String] = [:]
        ) throws -> TraceSettings? {
            try TraceSettings(endpoint: endpoint, ratio: ratio, version: "1") { variables[$0] }
        }

        @Test func `The collector is named by an option or a variable`() throws {
            #expect(try settings() == nil)
            #expect(try settings(nil, ["OTEL_EXPORTER_OTLP_ENDPOINT": ""]) == nil)
            let (all, traces) = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
            let cases: [(String?, [String: String], String)] = [
                ("http://a:4318", [:], "http://a:4318/v1/traces"), ("https://a/", [:], "https://a/v1/traces"),
                ("http://a/otlp", [:], "http://a/otlp"), (nil, [all: "http://a:4318"], "http://a:4318/v1/traces"),
                (nil, [all: "http://a/otlp/"], "http://a/otlp/v1/traces"),
                (nil, [traces: "http://a/x", all: "http://b"], "http://a/x"),
                ("http://c/y", [traces: "http://a/x"], "http://c/y"),
            ]
            for (endpoint, variables, url) in cases { #expect(try settings(endpoint, variables)?.description == url) }
        }

        @Test func `Fields and attributes are read`() throws {
            let read = try #require(
                try settings(
                    "http://a",
                    [
                        "OTEL_EXPORTER_OTLP_HEADERS": "api-key=a%20secret, x = y=z", "OTEL_SERVICE_NAME": "thumbs",
                        "OTEL_RESOURCE_ATTRIBUTES": "service.name=other,deployment.environment.name=test",
                        "OTEL_TRACES_SAMPLER_ARG": "0.25",
                    ]))
            #expect(read.headers.map { "\($0.0): \($0.1)" } == ["api-key: a secret", "x: y=z"] && read.ratio == 0.25)
            #expect(
                read.resource.map { "\($0.0)=\($0.1)" } == [
                    "deployment.environment.name=test", "service.name=thumbs", "service.version=1",
                ])
            #expect(!"\(read)".contains("secret") && !String(reflecting: read).contains("secret"))
        }

        @Test(arguments: wrong)
        func `Wrong values are explained without being repeated`(endpoint: String, variables: [String: String]) {
            #expect {
                _ = try settings(endpoint, variables)
            } throws: { error in
                guard let error = error as? ImageError else { return false }
                return error.code == .misuse && !error.message.contains("secret")
                    && error.message.contains(variables.keys.first ?? "--traces")
            }
        }
    }
#endif

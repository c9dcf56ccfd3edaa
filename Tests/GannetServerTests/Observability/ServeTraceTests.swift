#if CommandLine && Server && PNG
    import Dispatch
    import FoundationEssentials
    import GannetCommandTestSupport
    import GannetCore
    import GannetImages
    import GannetTesting
    import InMemoryTracing
    import Testing
    import Tracing

    @testable import GannetServer
    @testable import GannetSharedCaches
    @testable import gannet

    /// The traces of a service, as a collector gets them.
    struct ServeTraceTests {
        private let collector = TraceCollector()
        private let trace = "0af7651916cd43dd8448eb211c80319c"
        private let key = SigningKeys(keys: [SigningKeys.Key(secret: Array("0123456789abcdef".utf8))])

        private func source() throws -> PictureServer { PictureServer(PictureServer.picture(try Samples.png())) }

        private func target(_ server: PictureServer, width: Int = 12, path: String = "/a.png") -> String {
            "/_/rs:fit:\(width):\(width)/f:png/plain/\(server.url(path))"
        }

        private func parent(_ flags: String) -> (String, String) { ("traceparent", "00-\(trace)-b7ad6b7169203331-\(flags)") }

        /// What the collector has once all is sent.
        private func spans(_ service: TracedService) async -> [TraceCollector.Span] {
            await service.exporter?.finish()
            return collector.spans
        }

        @Test func `A request is a span of the client's trace, and its work is below it`() async throws {
            let server = try source()
            let service = try TracedService(collector)
            let answer = await service.get(
                target(server), [parent("01"), ("tracestate", "a=1"), ("Host", "img.example.org:8443")])
            #expect(answer.status == 200)
            let spans = await spans(service)
            let root = try #require(spans.first { $0.name == "GET thumbnail" })
            #expect(root.parent == "b7ad6b7169203331" && root.kind == 2 && root.flags == 0x301 && root.status == 0)
            #expect(
                root.attributes == [
                    "http.request.method": "GET", "http.route": "/{signature}/{options}/{source}",
                    "http.response.status_code": "200", "http.response.body.size": "\(answer.body.count)",
                    "url.scheme": "https", "url.path": "/_/rs:fit:12:12/f:png/plain/\(server.url("/a.png"))",
                    "server.address": "img.example.org", "server.port": "8443", "gannet.origin": "made",
                ])
            #expect(Set(spans.map(\.trace)) == [trace] && Set(spans.map(\.state)) == ["a=1"])
            #expect(Set(spans.map(\.span)).count == spans.count && spans.allSatisfy { $0.span.count == 16 })
            let load = try #require(spans.first { $0.name == "gannet.load" })
            let transfer = try #require(spans.first { $0.name == "GET" })
            #expect(transfer.kind == 3 && transfer.parent == load.span && transfer.flags == 0x101)
            #expect(
                transfer.attributes == [
                    "http.request.method": "GET", "url.full": server.url("/a.png"), "server.address": "127.0.0.1",
                    "http.response.status_code": "200", "http.response.body.size": "\(try Samples.png().count)",
                ])
            for name in ["gannet.load", "gannet.decode", "gannet.encode", "gannet.keep"] {
                let own = spans.filter { $0.name == name }
                #expect(own.count == 1 && own.first?.parent == root.span && own.first?.kind == 1, "\(name)")
            }
            for span in spans where span.span != root.span {
                #expect(root.start <= span.start && span.start <= span.end && span.end <= root.end, "\(span.name)")
            }
            #expect(answer.trace?.traceText == trace && answer.trace?.spanText == root.span)
            #expect(collector.state.resource == ["service.name": "gannet", "service.version": "1.2.3"])
            let head = try #require(collector.state.heads.first)
            #expect(
                head.hasPrefix("POST /v1/traces HTTP/1.1\r\n") && head.lowercased().contains("content-type: application/json\r\n")
            )
            // The source is told nothing.
            #expect(server.requests.count == 1 && server.requests.allSatisfy { !$0.lowercased().contains("trace") })
        }

        @Test func `Answers in memory are spans too, and states are none`() async throws {
            let server = try source()
            let service = try TracedService(collector)
            await service.get(target(server))
            let first = await spans(service).count
            let answer = await service.get(target(server), [parent("01")])
            #expect(answer.origin == .memory)
            for target in ["/health", "/ready", "/metrics", "http://a.org/health"] { await service.get(target) }
            let spans = await spans(service).dropFirst(first)
            #expect(spans.map(\.name) == ["GET thumbnail"] && spans.first?.attributes["gannet.origin"] == "memory")
            #expect(spans.first?.trace == trace && answer.trace?.spanText == spans.first?.span)
        }

        @Test func `Neither signatures nor what queries say are in a span`() async throws {
            let server = try source()
            let service = try TracedService(collector, keys: key)
            let path = try key.sign("/_/w:5/f:png/plain/\(server.url("/a.png"))%3Ftoken%3Dsecret")
            let query = try key.sign("/5x5/fit?url=\(server.url("/b.png"))%3Ftoken%3Dsecret&format=png")
            #expect(await service.get(path).status == 200)
            #expect(await service.get(query).status == 200)
            #expect(await service.get(path).origin == .memory)
            let signatures = [path.split(separator: "/").first, query.components(separatedBy: "&sig=").last.map { $0[...] }]
            #expect(await service.get(query.replacing("5x5", with: "6x5")).status == 403)
            #expect(await service.get("/none?token=secret").status == 400)
            let spans = await spans(service)
            let text = collector.state.bodies.joined()
            #expect(!text.contains("secret"))
            for signature in signatures { #expect(!text.contains(try #require(signature))) }
            let shown = spans.filter { $0.kind == 2 }.map {
                "\($0.attributes["url.path"] ?? "") \($0.attributes["url.query"] ?? "-")"
            }
            #expect(
                shown == [
                    "/_/w:5/f:png/plain/\(server.url("/a.png"))?… -", "/5x5/fit url=\(server.url("/b.png"))?…",
                    "/_/w:5/f:png/plain/\(server.url("/a.png"))?… -", "/6x5/fit url=\(server.url("/b.png"))?…", "/none -",
                ])
        }

        @Test func `Failures say of which kind they are`() async throws {
            let server = PictureServer { head in
                head.contains("/none")
                    ? PictureServer.response("404 Not Found") : PictureServer.response("200 OK", [], [1, 2, 3])
            }
            let service = try TracedService(collector)
            #expect(await service.get(target(server, path: "/none")).status == 404)
            #expect(await service.get(target(server, path: "/text")).status == 415)
            #expect(await service.get("/x", method: "POST").status == 405)
            let closed = RawServer { _ in }
            #expect(await service.get("/_/w:3/plain/\(closed.url("/a.png"))").status == 502)
            let spans = await spans(service)
            let requests = spans.filter { $0.kind == 2 }
            #expect(requests.map(\.name) == ["GET thumbnail", "GET thumbnail", "HTTP", "GET thumbnail"])
            #expect(requests.map(\.status) == [0, 0, 0, 2])
            #expect(requests.map { $0.attributes["error.type"] } == [nil, nil, nil, "502"])
            #expect(requests[2].attributes["http.request.method"] == "_OTHER")
            let loads = spans.filter { $0.name == "gannet.load" }
            #expect(loads.map(\.status) == [2, 0, 2] || loads.map(\.status) == [2, 2, 2], "\(loads)")
            #expect(loads.first?.attributes["error.type"] == "httpStatus" || loads.first?.attributes["error.type"] == "notFound")
        }

        @Test func `A request that joins another has a link to it, and none of its work`() async throws {
            let (gate, picture) = (DispatchSemaphore(value: 0), try Samples.png())
            let server = PictureServer { _ in
                gate.wait()
                return PictureServer.response("200 OK", ["Cache-Control: max-age=3600"], picture)
            }
            let service = try TracedService(collector)
            async let first = service.get(target(server), [parent("01")])
            #expect(await eventually { service.service.work.waiterCount == 1 })
            async let second = service.get(target(server))
            #expect(await eventually { service.service.work.waiterCount == 2 })
            gate.signal()
            #expect(await first.status == 200)
            #expect(await second.status == 200)
            let spans = await spans(service)
            let maker = try #require(spans.first { $0.kind == 2 && $0.trace == trace })
            let joined = try #require(spans.first { $0.kind == 2 && $0.trace != trace })
            #expect(
                joined.links == ["\(trace)/\(maker.span)"] && joined.attributes["gannet.joined"] == "true" && maker.links.isEmpty)
            #expect(joined.parent == "" && joined.flags == 0x101)
            #expect(spans.filter { $0.trace == joined.trace }.map(\.name) == ["GET thumbnail"])
        }

        @Test func `Sources are told of the transfer where the operator says so`() async throws {
            let server = try source()
            let service = try TracedService(collector, ratio: 0, trustsParents: true, tellsSources: true)
            func sent(_ name: String) -> String? {
                server.requests.last?.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ": ") }
                    .map { String($0.dropFirst(name.count + 2)) }
            }
            await service.get(target(server), [parent("01"), ("tracestate", "a=1")])
            let transfer = try #require(await spans(service).first { $0.name == "GET" })
            #expect(sent("traceparent") == "00-\(trace)-\(transfer.span)-01" && sent("tracestate") == "a=1")
            // An unrecorded trace is passed on unchanged; one that begins here says that it is not recorded.
            await service.get(target(server, width: 6), [parent("00")])
            #expect(sent("traceparent") == "00-\(trace)-b7ad6b7169203331-00" && sent("tracestate") == nil)
            await service.get(target(server, width: 7))
            #expect(sent("traceparent")?.hasSuffix("-00") == true && sent("traceparent")?.contains(trace) == false)
            #expect(server.requests.count == 3)
        }

        /// The flag, the ratio, whether requests are trusted; and whether it is recorded.
        @Test(arguments: [
            ("01", 1.0, false, true), ("01", 0.0, false, false), ("01", 0.0, true, true), ("00", 1.0, false, false),
            ("00", 1.0, true, false),
            ("", 1.0, false, true), ("", 0.0, true, false),
        ])
        func `A stranger's flag can only make less of it`(flag: String, ratio: Double, isTrusted: Bool, isRecorded: Bool)
            async throws
        {
            let server = try source()
            let service = try TracedService(collector, ratio: ratio, trustsParents: isTrusted)
            // Made, and from memory.
            for _ in 0..<2 {
                let answer = await service.get(target(server), flag.isEmpty ? [] : [parent(flag)])
                #expect(answer.status == 200 && (answer.trace != nil) == isRecorded)
            }
            #expect(await spans(service).isEmpty == !isRecorded)
        }

        @Test func `A ratio is that part of all traces`() async throws {
            let exporter = try TraceExporter.to(collector)
            let tracer = exporter.tracer(OTLPTracer.Sampling(ratio: 0.25))
            let count = (0..<4000).filter { _ in
                let span = tracer.startSpan("a", context: .topLevel)
                // Children are as their parents.
                #expect(tracer.startSpan("b", context: span.context).isRecording == span.isRecording)
                return span.isRecording
            }.count
            #expect((700...1300).contains(count))
        }

        @Test func `A program's own span is the parent, whatever the fields say`() async throws {
            let (server, tracer) = (try source(), InMemoryTracer())
            let service = try TracedService(tracer)
            let outer = tracer.startSpan("outer", context: .topLevel)
            await ServiceContext.$current.withValue(outer.context) { _ = await service.get(target(server), [parent("01")]) }
            outer.end()
            let root = try #require(tracer.finishedSpans.first { $0.operationName == "GET thumbnail" })
            #expect(root.parentSpanID == outer.spanID && root.kind == .internal && tracer.activeSpans.isEmpty)
            let own = tracer.finishedSpans.filter { $0.parentSpanID == root.spanID }.map(\.operationName)
            #expect(Set(own).isSuperset(of: ["gannet.load", "gannet.decode", "gannet.encode"]), "\(own)")
            #expect(tracer.performedContextExtractions.isEmpty)
        }

        @Test func `A question to a shared store is a span`() async throws {
            let (bucket, server) = (ObjectServer(), try source())
            let mine = try bucket.cache()
            await (try TracedService(collector, shared: SharedStores(s3: mine))).get(target(server))
            try await mine.flush()
            let service = try TracedService(collector, shared: SharedStores(s3: try bucket.cache()))
            #expect(await service.get(target(server), [parent("01")]).origin == .shared)
            let spans = await spans(service)
            let lookup = try #require(spans.first { $0.name == "gannet.lookup" })
            #expect(lookup.attributes == ["gannet.store": "s3", "gannet.found": "true"] && lookup.trace == trace)
            #expect(spans.map(\.name).sorted() == ["GET thumbnail", "gannet.lookup"])
        }

        @Test func `Lines of the log name the span`() async throws {
            let server = try source()
            let service = try TracedService(collector)
            func line(_ response: ThumbnailService.Response) -> String {
                AccessLog.json.line(
                    AccessLog.Entry(
                        time: Timestamp(milliseconds: 0), client: "-", method: "GET", target: "/", version: "1.1", agent: "-",
                        response: response, duration: .zero), presets: Presets())
            }
            let answer = await service.get(target(server), [parent("01")])
            let root = try #require(await spans(service).first { $0.kind == 2 })
            #expect(line(answer).hasSuffix(#","trace_id":"\#(trace)","span_id":"\#(root.span)"}"#))
            #expect(!line(await service.get(target(server), [parent("00")])).contains("trace_id"))
        }
    }
#endif

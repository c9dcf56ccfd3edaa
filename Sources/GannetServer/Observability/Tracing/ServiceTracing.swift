#if Server
    import FoundationEssentials
    package import GannetCore
    import GannetImages
    package import Tracing

    /// Makes spans with the tracer of the program: one for each request, and below it those of the work for its response.
    ///
    /// Pass it to the service, and to its manager among the observers, which brings the spans of downloads, decodes and
    /// transforms. Requests for `/health`, `/ready` and `/metrics` have none. Signatures and the values of queries of sources are in no
    /// attribute.
    ///
    /// - OpenTelemetry, Semantic Conventions for HTTP Spans: https://opentelemetry.io/docs/specs/semconv/http/http-spans/
    package final class ServiceTracing: LoadObserver {
        private struct RequestFields: Extractor {
            func extract(key: String, from carrier: ThumbnailService.Request) -> String? { carrier.header(key.lowercased()) }
        }

        private struct Fields: Injector {
            func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
        }

        private let tracer: any Tracer

        /// The tracer decides what is recorded.
        package init(tracer: any Tracer) { self.tracer = tracer }

        // MARK: Requests

        /// A span around `body`, which makes the response.
        func responding(
            _ request: ThumbnailService.Request, _ presets: Presets, _ body: () async -> ThumbnailService.Response
        ) async -> ThumbnailService.Response {
            let span = begin(request, at: DefaultTracerClock.now)
            var context = span.context
            let isRecorded = span.isRecording
            context.work = isRecorded ? TracedWork(tracer, span) : nil
            if isRecorded {
                let address = try? ThumbnailAddress(ThumbnailService.originForm(request.target), presets: presets, sources: nil)
                describe(span, request, address)
            }
            var response = await ServiceContext.$current.withValue(context) { await body() }
            end(span, &response)
            return response
        }

        /// The span of a response that was in memory.
        func note(
            _ response: inout ThumbnailService.Response, to request: ThumbnailService.Request, _ address: ThumbnailAddress,
            since start: DefaultTracerClock.Timestamp
        ) {
            let span = begin(request, at: start)
            if span.isRecording { describe(span, request, address) }
            end(span, &response)
        }

        /// Below the program's own span for the request, if it has one, else below the client's.
        private func begin(_ request: ThumbnailService.Request, at start: DefaultTracerClock.Timestamp) -> any Span {
            if let current = ServiceContext.current { return tracer.startSpan(request.method, context: current, at: start) }
            var context = ServiceContext.topLevel
            tracer.extract(request, into: &context, using: RequestFields())
            return tracer.startSpan(request.method, context: context, ofKind: .server, at: start)
        }

        private func describe(_ span: any Span, _ request: ThumbnailService.Request, _ address: ThumbnailAddress?) {
            let isKnown = request.method == "GET" || request.method == "HEAD"
            let method = isKnown ? request.method : "_OTHER"
            span.operationName = (isKnown ? method : "HTTP") + (address.map { $0.isInfo ? " info" : " thumbnail" } ?? "")
            let shown = address?.shown ?? ThumbnailAddress.shown(request.target)
            let host = request.header("host").map(Self.host)
            span.updateAttributes { attributes in
                attributes["http.request.method"] = method
                attributes["url.scheme"] = request.scheme
                attributes["http.route"] = address?.route
                attributes["server.address"] = host?.name
                attributes["server.port"] = host?.port
                // The `?` of a path is that of its source.
                let end = address.map { $0.form == .query } ?? true ? shown.firstIndex(of: "?") : nil
                attributes["url.path"] = String(shown[..<(end ?? shown.endIndex)])
                if let end { attributes["url.query"] = String(shown[shown.index(after: end)...]) }
            }
        }

        private func end(_ span: any Span, _ response: inout ThumbnailService.Response) {
            defer { span.end() }
            guard span.isRecording else { return }
            span.updateAttributes { attributes in
                attributes["http.response.status_code"] = response.status
                attributes["http.response.body.size"] = response.body.count
                attributes["gannet.origin"] = response.origin.rawValue
                if response.status >= 500 { attributes["error.type"] = String(response.status) }
            }
            if response.status >= 500 { span.setStatus(SpanStatus(code: .error, message: response.failure)) }
            var fields: [String: String] = [:]
            tracer.inject(span.context, into: &fields, using: Fields())
            response.trace = fields["traceparent"].flatMap { TraceContext(parent: $0) }
        }

        /// Without the brackets of an IPv6 address.
        private static func host(_ field: String) -> (name: String, port: Int?) {
            guard field.hasPrefix("[") else {
                let parts = field.split(separator: ":", maxSplits: 1)
                return (String(parts.first ?? ""), parts.count > 1 ? Int(parts[1]) : nil)
            }
            let name = field.dropFirst().prefix { $0 != "]" }
            return (String(name), Int(field.dropFirst(name.count + 3)))
        }

        // MARK: The manager's work

        package func stageDidStart(_ id: LoadID, _ stage: LoadStage) {
            _ = TracedWork.current?.begin("gannet.\(stage.rawValue)", as: TracedWork.Key(load: id, stage: stage))
        }

        package func stageDidEnd(_ id: LoadID, _ stage: LoadStage, error: ImageError?) {
            TracedWork.current?.end(TracedWork.Key(load: id, stage: stage), error: error)
        }

        /// A transfer is a span of the kind client, from its start to its last byte.
        package func note(_ id: LoadID?, _ event: LoadEvent) {
            guard let work = TracedWork.current else { return }
            let transfer = TracedWork.Key(load: id, stage: nil)
            switch event {
            case .transferStarted(let source):
                let host = URL(string: source)?.host
                work.begin("GET", as: transfer, kind: .client).updateAttributes { attributes in
                    attributes["http.request.method"] = "GET"
                    attributes["url.full"] = source
                    attributes["server.address"] = host
                }
            case .responseReceived(_, let status): work.change(transfer) { $0["http.response.status_code"] = status }
            case .transferEnded(_, let bytes):
                work.change(transfer) { $0["http.response.body.size"] = bytes }
                work.end(transfer)
            case .transferFailed: work.end(transfer, error: ImageError(.network, "The transfer failed."))
            case .joined: work.change(TracedWork.Key(load: id, stage: .load)) { $0["gannet.joined"] = true }
            default: break
            }
        }
    }
#endif

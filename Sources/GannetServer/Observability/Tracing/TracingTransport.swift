#if Server
    package import GannetCore
    package import Tracing

    /// Propagates the trace to servers: adds the tracer's fields, for example `traceparent`, to each request.
    ///
    /// Only for sources that you trust: the fields say which requests belong together, and `tracestate` what other systems wrote
    /// there. A redirect carries them to the server that it leads to.
    package struct TracingTransport: HTTPTransport {
        private struct Fields: Injector {
            func inject(_ value: String, forKey key: String, into carrier: inout HTTPHeaders) { carrier.set(key, value) }
        }

        private let transport: any HTTPTransport
        private let tracer: any Tracer

        /// Over another transport, which sends the requests.
        package init(_ transport: any HTTPTransport, tracer: any Tracer) { (self.transport, self.tracer) = (transport, tracer) }

        package func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse {
            guard let context = TracedWork.current?.transferContext ?? ServiceContext.current else {
                return try await transport.send(request)
            }
            var request = request
            tracer.inject(context, into: &request.headers, using: Fields())
            return try await transport.send(request)
        }
    }
#endif

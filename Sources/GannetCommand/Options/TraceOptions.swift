#if CommandLine && Server
    import ArgumentParser
    import GannetCore
    import GannetHTTP
    import GannetServer
    import Glibc

    /// Where traces go, and which.
    struct TraceOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "Sends traces to this collector of OpenTelemetry, as http://127.0.0.1:4318. So do OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_SERVICE_NAME in the environment.",
                valueName: "url"))
        var traces: String?

        @Option(
            help: ArgumentHelp(
                "The part of the requests that are recorded, 0 to 1; 1 records all. (default: 1)", valueName: "ratio"))
        var traceRatio: Double?

        @Flag(help: "Records each request whose traceparent says so, whatever --trace-ratio is. Where strangers cannot send one.")
        var trustTraceParent = false

        @Flag(help: "Sends traceparent and tracestate to the servers of sources.")
        var traceSources = false

        /// Here, because the parser would repeat a wrong value with its password.
        func validate() throws {
            do throws(ImageError) { _ = try settings } catch { throw ValidationError(error.message) }
        }

        private var settings: TraceSettings? {
            get throws(ImageError) {
                try TraceSettings(endpoint: traces, ratio: traceRatio, version: GannetCommand.version) { name in
                    getenv(name).map { String(cString: $0) }
                }
            }
        }

        /// A collector, and the tracer whose spans it gets.
        struct Parts {
            var exporter: TraceExporter
            var tracer: OTLPTracer
        }

        /// Connects to nothing yet; nil: there is no collector. `report` gets a line when it goes, and one when it comes back.
        func parts(report: @escaping @Sendable (String) -> Void) throws(ImageError) -> Parts? {
            guard let settings = try settings else { return nil }
            let exporter = TraceExporter(settings, transport: try CURLTransport(), report: report)
            let sampling = OTLPTracer.Sampling(ratio: settings.ratio, trustsParents: trustTraceParent)
            return Parts(exporter: exporter, tracer: exporter.tracer(sampling))
        }
    }
#endif

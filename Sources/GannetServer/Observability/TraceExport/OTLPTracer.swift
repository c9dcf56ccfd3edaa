#if Server
    import GannetPlatform
    package import Tracing

    /// A tracer whose spans go to a collector in OpenTelemetry's protocol.
    package final class OTLPTracer: Tracer {
        /// Which traces are recorded.
        package struct Sampling: Sendable {
            /// The part of the traces that begin here, 0 … 1.
            package var ratio = 1.0
            /// A request whose `traceparent` says that it is sampled is recorded in any case. Without that it is with the ratio above,
            /// so that strangers cannot force more. A request that says that it is not sampled never is.
            package var trustsParents = false

            package init(ratio: Double = 1, trustsParents: Bool = false) {
                (self.ratio, self.trustsParents) = (ratio, trustsParents)
            }
        }

        private let exporter: TraceExporter
        private let sampling: Sampling
        private let random: any RandomSource

        init(_ exporter: TraceExporter, _ sampling: Sampling, random: any RandomSource = SystemRandomSource()) {
            (self.exporter, self.sampling, self.random) = (exporter, sampling, random)
        }

        package func startSpan<Instant: TracerInstant>(
            _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
            at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
        ) -> OTLPSpan {
            var context = context()
            let parent = context.trace
            let isSampled = isSampled(below: parent)
            // A trace that is not recorded is passed on unchanged.
            if isSampled || parent == nil {
                context.trace = TraceContext(
                    trace: parent?.trace ?? UInt128(identifier()) << 64 | UInt128(identifier()), span: identifier(),
                    isSampled: isSampled, state: parent?.state ?? "")
            }
            guard isSampled, let trace = context.trace else { return OTLPSpan(context) }
            let record = SpanRecord(
                trace: trace, parent: parent, name: operationName, kind: kind, start: instant().nanosecondsSinceEpoch)
            return OTLPSpan(context, record, exporter)
        }

        private func isSampled(below parent: TraceContext?) -> Bool {
            guard let parent else { return isChosen }
            guard parent.isSampled else { return false }
            return !parent.isRemote || sampling.trustsParents || isChosen
        }

        /// Not by the trace ID, which a stranger chooses.
        private var isChosen: Bool {
            sampling.ratio >= 1 || Double(random.next() >> 11) * 0x1p-53 < sampling.ratio
        }

        /// Never 0, which means "none".
        private func identifier() -> UInt64 {
            while true {
                let number = random.next()
                if number != 0 { return number }
            }
        }

        package func extract<Carrier, Extract: Extractor>(
            _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
        ) where Extract.Carrier == Carrier {
            guard let parent = extractor.extract(key: "traceparent", from: carrier) else { return }
            context.trace = TraceContext(parent: parent, state: extractor.extract(key: "tracestate", from: carrier))
        }

        package func inject<Carrier, Inject: Injector>(
            _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
        ) where Inject.Carrier == Carrier {
            guard let trace = context.trace else { return }
            injector.inject(trace.parent, forKey: "traceparent", into: &carrier)
            if !trace.state.isEmpty { injector.inject(trace.state, forKey: "tracestate", into: &carrier) }
        }

        /// Does nothing: ``TraceExporter/run()`` sends the spans.
        package func forceFlush() {}
    }
#endif

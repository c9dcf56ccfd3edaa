#if Server
    import GannetSupport
    import Tracing

    /// Spans as the body of a request to a collector: OTLP in JSON, where identifiers are in hexadecimal digits, and numbers of 64 bits
    /// texts.
    ///
    /// - OpenTelemetry Protocol 1.9.0: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
    enum OTLPText {
        /// - Parameter resource: the attributes of this service.
        static func body(_ spans: [SpanRecord], resource: [(String, String)]) -> [UInt8] {
            let service = JSON.object([("attributes", .array(resource.map { field($0.0, .string($0.1)) }))])
            let scope = JSON.object([("name", .string("gannet"))])
            let scoped = JSON.object([("scope", scope), ("spans", .array(spans.map(span)))])
            let all = JSON.object([("resource", service), ("scopeSpans", .array([scoped]))])
            return Array(JSON.object([("resourceSpans", .array([all]))]).redacted.text.utf8)
        }

        private static func span(_ span: SpanRecord) -> JSON {
            var fields = place(span.trace)
            if !span.trace.state.isEmpty { fields.append(("traceState", .string(span.trace.state))) }
            if let parent = span.parent {
                fields.append(("parentSpanId", .string(parent.spanText)))
                // Whether the parent is remote, and that this is known (SpanFlags).
                fields.append(("flags", .integer(0x101 | (parent.isRemote ? 0x200 : 0))))
            } else {
                fields.append(("flags", .integer(0x101)))
            }
            fields += [
                ("name", .string(span.name)), ("kind", .integer(kind(span.kind))), ("startTimeUnixNano", time(span.start)),
                ("endTimeUnixNano", time(span.end)), ("attributes", attributes(span.attributes)),
            ]
            if !span.events.isEmpty { fields.append(("events", .array(span.events.map(event)))) }
            if !span.links.isEmpty {
                let links = span.links.map { JSON.object(place($0.0) + [("attributes", attributes($0.1))]) }
                fields.append(("links", .array(links)))
            }
            if let status = span.status {
                let code = ("code", JSON.integer(status.code == .ok ? 1 : 2))
                fields.append(("status", .object([code] + (status.message.map { [("message", .string($0))] } ?? []))))
            }
            return .object(fields)
        }

        private static func place(_ trace: TraceContext) -> [(String, JSON)] {
            [("traceId", .string(trace.traceText)), ("spanId", .string(trace.spanText))]
        }

        private static func event(_ event: SpanEvent) -> JSON {
            .object([
                ("timeUnixNano", time(event.nanosecondsSinceEpoch)), ("name", .string(event.name)),
                ("attributes", attributes(event.attributes)),
            ])
        }

        /// `SpanKind` of the protocol.
        private static func kind(_ kind: SpanKind) -> Int {
            switch kind {
            case .internal: 1
            case .server: 2
            case .client: 3
            case .producer: 4
            case .consumer: 5
            }
        }

        private static func time(_ nanoseconds: UInt64) -> JSON { .string(String(nanoseconds)) }

        private static func attributes(_ attributes: SpanAttributes) -> JSON {
            .array(attributes.fields.sorted { $0.0 < $1.0 }.map { field($0.0, $0.1) })
        }

        private static func field(_ name: String, _ value: SpanAttribute) -> JSON {
            let (kind, value): (String, JSON) =
                switch value {
                case .bool(let value): ("boolValue", .bool(value))
                case .int32(let value): ("intValue", .string(String(value)))
                case .int64(let value): ("intValue", .string(String(value)))
                case .double(let value): ("doubleValue", .number(value))
                case .string(let value): ("stringValue", .string(value))
                case .stringConvertible(let value): ("stringValue", .string(String(describing: value)))
                // The service has none of these.
                default: ("stringValue", .string(String(describing: value)))
                }
            return .object([("key", .string(name)), ("value", .object([(kind, value)]))])
        }
    }
#endif

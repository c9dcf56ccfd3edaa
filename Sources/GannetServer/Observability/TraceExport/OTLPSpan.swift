#if Server
    import GannetCore
    import Synchronization
    package import Tracing

    /// A span, as it is sent to a collector.
    struct SpanRecord: Sendable {
        var trace: TraceContext
        var parent: TraceContext?
        var name: String
        var kind: SpanKind
        /// In nanoseconds since 1970, as ``end``.
        var start: UInt64
        var end: UInt64 = 0
        var attributes: SpanAttributes = [:]
        var events: [SpanEvent] = []
        var links: [(TraceContext, SpanAttributes)] = []
        var status: SpanStatus?

        /// Events, and links, of a span; more are left out.
        static let maximumCount = 16
        /// Of a text, in bytes; longer ones are cut.
        static let longestText = 1024

        /// About that of its texts, for the limit of what waits.
        var bytes: Int {
            let parts = [attributes] + events.map(\.attributes) + links.map(\.1)
            let texts = parts.reduce(name.utf8.count + (status?.message?.utf8.count ?? 0)) { $0 + Self.bytes($1) }
            return 256 + trace.state.utf8.count + texts
        }

        private static func bytes(_ attributes: SpanAttributes) -> Int {
            var sum = 0
            for (name, value) in attributes.fields {
                sum += name.utf8.count + 32
                if case .string(let text) = value { sum += text.utf8.count }
            }
            return sum
        }

        /// Cuts all texts of requests, which can be 8 KiB long.
        mutating func shorten() {
            for (name, value) in attributes.fields {
                if case .string(let text) = value, text.utf8.count > Self.longestText {
                    attributes.set(name, value: .string(Self.shortened(text)))
                }
            }
            name = Self.shortened(name)
            status = status.map { SpanStatus(code: $0.code, message: $0.message.map(Self.shortened)) }
        }

        private static func shortened(_ text: String) -> String {
            text.utf8.count <= longestText ? text : String(decoding: text.utf8.prefix(longestText), as: UTF8.self)
        }
    }

    extension SpanAttributes {
        /// In no order.
        var fields: [(String, SpanAttribute)] {
            var fields: [(String, SpanAttribute)] = []
            // swift-format-ignore: ReplaceForEachWithForLoop
            forEach { fields.append(($0, $1)) }
            return fields
        }
    }

    /// A span that is being recorded, or one that is not, which keeps nothing but its context.
    package final class OTLPSpan: Span {
        package let context: ServiceContext
        /// Nil: it is not recorded, or has ended.
        private let record: Mutex<SpanRecord?>
        private let exporter: TraceExporter?

        init(_ context: ServiceContext, _ record: SpanRecord? = nil, _ exporter: TraceExporter? = nil) {
            (self.context, self.exporter) = (context, exporter)
            self.record = Mutex(record)
        }

        package var isRecording: Bool { record.withLock { $0 != nil } }

        package var operationName: String {
            get { record.withLock { $0?.name } ?? "" }
            set { record.withLock { $0?.name = newValue } }
        }

        package var attributes: SpanAttributes {
            get { record.withLock { $0?.attributes } ?? [:] }
            set { record.withLock { $0?.attributes = newValue } }
        }

        package func setStatus(_ status: SpanStatus) { record.withLock { $0?.status = status } }

        package func addEvent(_ event: SpanEvent) {
            record.withLock { record in
                if let count = record?.events.count, count < SpanRecord.maximumCount { record?.events.append(event) }
            }
        }

        package func recordError<Instant: TracerInstant>(
            _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
        ) {
            var all = attributes
            all["exception.type"] = (error as? ImageError)?.code.name ?? String(describing: type(of: error))
            all["exception.message"] = (error as? ImageError)?.message
            addEvent(SpanEvent(name: "exception", at: instant(), attributes: all))
        }

        /// To a span of another tracer: nothing.
        package func addLink(_ link: SpanLink) {
            guard let trace = link.context.trace else { return }
            record.withLock { record in
                if let count = record?.links.count, count < SpanRecord.maximumCount {
                    record?.links.append((trace, link.attributes))
                }
            }
        }

        package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
            let record = record.withLock { record in
                defer { record = nil }
                return record
            }
            guard var record else { return }
            record.end = max(instant().nanosecondsSinceEpoch, record.start)
            record.shorten()
            exporter?.add(record)
        }
    }
#endif

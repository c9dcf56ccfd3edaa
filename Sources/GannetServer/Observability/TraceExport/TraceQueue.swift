#if Server
    /// Spans that wait to be sent, the oldest first, bounded in number and bytes.
    struct TraceQueue {
        private var waiting: [SpanRecord] = []
        private var bytes = 0

        var isEmpty: Bool { waiting.isEmpty }

        /// False: the queue is full.
        mutating func add(_ span: SpanRecord, _ limits: TraceExporter.Limits) -> Bool {
            let size = span.bytes
            guard waiting.count < limits.waiting, bytes + size <= limits.waitingBytes else { return false }
            waiting.append(span)
            bytes += size
            return true
        }

        /// The first ones, as many as go into a request.
        mutating func take(_ limits: TraceExporter.Limits) -> [SpanRecord] {
            var (count, size) = (0, 0)
            for span in waiting.prefix(limits.batch) {
                guard count == 0 || size + span.bytes <= limits.batchBytes else { break }
                (count, size) = (count + 1, size + span.bytes)
            }
            defer { waiting.removeFirst(count) }
            bytes -= size
            return Array(waiting.prefix(count))
        }

        /// Puts back spans that could not be sent, before the others. They may exceed the limits until they are sent.
        mutating func putBack(_ spans: [SpanRecord]) {
            waiting.insert(contentsOf: spans, at: 0)
            bytes += spans.reduce(0) { $0 + $1.bytes }
        }

        /// Forgets what waits: how many it was.
        mutating func forget() -> Int {
            defer { (waiting, bytes) = ([], 0) }
            return waiting.count
        }
    }
#endif

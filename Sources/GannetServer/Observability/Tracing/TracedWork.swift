#if Server
    import GannetCore
    import Synchronization
    import Tracing

    /// The span of a request that is recorded, and those of the work for it, which are below it.
    ///
    /// It is in the context of the request's task, and so in those of the jobs that the task starts: work that several requests
    /// share belongs to the one that began it.
    final class TracedWork: Sendable {
        /// A span that begins in one call and ends in another.
        struct Key: Hashable {
            var load: LoadID?
            /// Nil: a transfer.
            var stage: LoadStage?
        }

        private let tracer: any Tracer
        let request: any Span
        private let open = Mutex<[Key: any Span]>([:])

        init(_ tracer: any Tracer, _ request: any Span) { (self.tracer, self.request) = (tracer, request) }

        /// Nil: nothing is recorded here.
        static var current: TracedWork? { ServiceContext.current?.work }

        /// A span around `body`, if there is a trace.
        static func span<R, E: Error>(
            _ name: String, _ body: ((any Span)?) async throws(E) -> R
        ) async throws(E) -> R {
            guard let work = current else { return try await body(nil) }
            let span = work.start(name)
            do throws(E) {
                let result = try await body(span)
                span.end()
                return result
            } catch {
                span.fail(error)
                span.end()
                throw error
            }
        }

        /// A span around a look-up in the store with this name.
        static func lookup<R, E: Error>(
            in store: String, _ body: () async throws(E) -> R?
        ) async throws(E) -> R? {
            try await span("gannet.lookup") { span throws(E) in
                let found = try await body()
                span?.updateAttributes { attributes in
                    attributes["gannet.store"] = store
                    attributes["gannet.found"] = found != nil
                }
                return found
            }
        }

        private func start(_ name: String, kind: SpanKind = .internal, below parent: (any Span)? = nil) -> any Span {
            tracer.startSpan(name, context: (parent ?? request).context, ofKind: kind)
        }

        /// Another request began the work for this one. `maker`: the span of that request, if it is recorded.
        func joined(_ maker: ServiceContext?) {
            request.attributes["gannet.joined"] = true
            if let maker { request.addLink(SpanLink(context: maker, attributes: [:])) }
        }

        // MARK: Spans of the manager's work

        func begin(_ name: String, as key: Key, kind: SpanKind = .internal) -> any Span {
            let stage = open.withLock { $0[Key(load: key.load, stage: .load)] }
            let span = start(name, kind: kind, below: key.stage == nil ? stage : nil)
            // One that never ended is given up.
            open.withLock { $0[key] = span }
            return span
        }

        func change(_ key: Key, _ body: (inout SpanAttributes) -> Void) {
            open.withLock { $0[key] }?.updateAttributes(body)
        }

        func end(_ key: Key, error: ImageError? = nil) {
            guard let span = open.withLock({ $0.removeValue(forKey: key) }) else { return }
            if let error { span.fail(error) }
            span.end()
        }

        /// The context for requests to the source: that of the running transfer, else that of the request.
        var transferContext: ServiceContext {
            open.withLock { $0.first { $0.key.stage == nil }?.value }?.context ?? request.context
        }
    }

    extension Span {
        /// Its work failed.
        func fail(_ error: any Error) {
            let error = error as? ImageError
            attributes["error.type"] = error?.code.name ?? "other"
            setStatus(SpanStatus(code: .error, message: error?.message))
        }
    }

    extension ServiceContext {
        private enum WorkKey: ServiceContextKey {
            typealias Value = TracedWork
        }

        var work: TracedWork? {
            get { self[WorkKey.self] }
            set { self[WorkKey.self] = newValue }
        }
    }
#endif

#if Metrics
    public import GannetCore
    import ServiceContextModule
    import Synchronization
    public import Tracing

    /// A span for each load, and below it one for each stage.
    public final class TracingObserver: LoadObserver {
        private struct Open: Hashable {
            var id: LoadID
            /// Nil: the load itself.
            var stage: LoadStage?

        }

        private let tracer: any Tracer
        private let spans = Mutex<[Open: any Span]>([:])

        /// Without a tracer: the one the program installed.
        public init(tracer: (any Tracer)? = nil) { self.tracer = tracer ?? InstrumentationSystem.tracer }

        public func loadDidStart(_ id: LoadID, request: ResolvedRequest) {
            let span = tracer.startAnySpan("gannet.load", context: ServiceContext.current ?? .topLevel)
            span.attributes["gannet.source"] = request.source.redactedDescription
            spans.withLock { $0[Open(id: id)] = span }
        }

        public func stageDidStart(_ id: LoadID, _ stage: LoadStage) {
            let parent = spans.withLock { $0[Open(id: id)]?.context }
            let span = tracer.startAnySpan("gannet.\(stage.rawValue)", context: parent ?? ServiceContext.current ?? .topLevel)
            spans.withLock { $0[Open(id: id, stage: stage)] = span }
        }

        public func stageDidEnd(_ id: LoadID, _ stage: LoadStage, error: ImageError?) {
            let span = spans.withLock { $0.removeValue(forKey: Open(id: id, stage: stage)) }
            if let error { span?.recordError(error) }
            span?.end()
        }

        public func loadDidEnd(_ id: LoadID, _ result: Result<LoadedImage, ImageError>) {
            let span = spans.withLock { $0.removeValue(forKey: Open(id: id)) }
            switch result {
            case .success(let image): span?.attributes["gannet.origin"] = image.origin.rawValue
            case .failure(let error): span?.recordError(error)
            }
            span?.end()
        }
    }
#endif

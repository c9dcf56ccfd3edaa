#if CommandLine && Server && PNG
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetPlatform
    import GannetTesting
    import Tracing

    @testable import GannetServer
    @testable import gannet

    /// A service whose spans go to a collector, or to a tracer.
    struct TracedService {
        let service: ThumbnailService
        let exporter: TraceExporter?

        init(
            _ collector: TraceCollector, ratio: Double = 1, trustsParents: Bool = false, tellsSources: Bool = false,
            limits: TraceExporter.Limits = .patient, keys: SigningKeys? = nil, shared: SharedStores = SharedStores(),
            time: any TimeSource = SystemTimeSource(), report: @escaping @Sendable (String) -> Void = { _ in }
        ) throws {
            let exporter = try TraceExporter.to(collector, limits: limits, time: time, report: report)
            let tracer = exporter.tracer(OTLPTracer.Sampling(ratio: ratio, trustsParents: trustsParents))
            try self.init(tracer, exporter, tellsSources: tellsSources, keys: keys, shared: shared)
        }

        init(
            _ tracer: any Tracer, _ exporter: TraceExporter? = nil, tellsSources: Bool = false, keys: SigningKeys? = nil,
            shared: SharedStores = SharedStores()
        ) throws {
            self.exporter = exporter
            let (metrics, tracing) = (ServiceMetrics(), ServiceTracing(tracer: tracer))
            var options = StandardOptions()
            options.cacheDirectory = nil
            options.memoryLimits = MemoryCacheLimits(bytes: 0)
            options.observers = [metrics, tracing]
            if tellsSources { options.transport = { TracingTransport($0, tracer: tracer) } }
            let manager = try Assembly.manager(options, policy: ThumbnailService.policy(defaultLifetime: .seconds(1000)))
            var configuration = ThumbnailService.Configuration(
                policy: SourcePolicy(hosts: ["127.0.0.1"], keys: keys, allowsCostly: true))
            configuration.shared = shared
            configuration.traces = exporter
            configuration.showsMetrics = true
            service = ThumbnailService(configuration, manager: manager, metrics: metrics, tracing: tracing)
        }

        /// As a server asks: at once, where that is possible.
        @discardableResult
        func get(_ target: String, _ headers: [(String, String)] = [], method: String = "GET") async -> ThumbnailService.Response
        {
            var request = ThumbnailService.Request(method: method, target: target, headers: headers)
            request.scheme = "https"
            if let answer = service.cachedResponse(to: request) { return answer }
            return await service.respond(to: request)
        }
    }

    extension TraceExporter {
        static func to(
            _ collector: TraceCollector, limits: TraceExporter.Limits = .patient, time: any TimeSource = SystemTimeSource(),
            report: @escaping @Sendable (String) -> Void = { _ in }
        ) throws -> TraceExporter {
            let settings = try TraceSettings(endpoint: collector.url, ratio: nil, version: "1.2.3") { _ in nil }
            guard let settings else { throw ImageError(.misuse, "There is no collector.") }
            return TraceExporter(
                settings, transport: try CURLTransport(), limits: limits, time: time, report: report)
        }
    }

    extension TraceExporter.Limits {
        /// Never in a hurry.
        static var patient: TraceExporter.Limits {
            var limits = TraceExporter.Limits()
            (limits.request, limits.end) = (.seconds(600), .seconds(600))
            return limits
        }
    }
#endif

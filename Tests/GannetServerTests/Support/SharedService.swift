#if CommandLine && Server && PNG
    import Gannet
    import GannetCore
    import GannetTesting

    @testable import GannetServer
    @testable import GannetSharedCaches
    @testable import gannet

    /// One of several services, as on another machine: its own manager, no folder, and nothing in memory unless asked for.
    struct SharedService {
        let service: ThumbnailService
        let metrics = ServiceMetrics()

        init(_ shared: SharedStores, responseBytes: Int = 0) throws {
            var options = StandardOptions()
            options.cacheDirectory = nil
            options.memoryLimits = MemoryCacheLimits(bytes: 0)
            options.observers = [metrics]
            let manager = try Assembly.manager(options, policy: ThumbnailService.policy(defaultLifetime: .seconds(1000)))
            var configuration = ThumbnailService.Configuration(policy: SourcePolicy(hosts: ["127.0.0.1"], allowsCostly: true))
            configuration.responseBytes = responseBytes
            configuration.shared = shared
            configuration.maximumRequests = 1000
            configuration.showsMetrics = true
            service = ThumbnailService(configuration, manager: manager, metrics: metrics)
        }

        func get(_ target: String) async -> (status: Int, headers: [String: String], body: [UInt8]) {
            let answer = await service.respond(to: ThumbnailService.Request(method: "GET", target: target, headers: []))
            return (answer.status, Dictionary(answer.headers) { first, _ in first }, answer.body)
        }

        func count(_ origin: ThumbnailService.Response.Origin) -> Int {
            metrics.counts.responses[ServiceMetrics.Kind(origin: origin, status: 200)] ?? 0
        }

        /// The key of an address, as this service has it.
        func key(_ target: String) throws -> ResponseKey {
            let address = try ThumbnailAddress(target)
            return ResponseKey(
                address,
                FormatChoice(
                    address.options, accept: "*/*", preferred: [.webp], coders: service.manager.configuration.coders),
                of: .plain)
        }
    }
#endif

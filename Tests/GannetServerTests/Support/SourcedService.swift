#if CommandLine && Server && PNG
    import FoundationEssentials
    import Gannet
    import GannetCore
    import GannetTesting

    @testable import GannetServer
    @testable import GannetSharedCaches
    @testable import gannet

    /// A service with places of sources, and nothing in memory but answers. Each has its own manager, as after a restart.
    struct SourcedService {
        static let keys = SigningKeys(keys: [SigningKeys.Key(secret: Array("0123456789abcdef".utf8))])
        let service: ThumbnailService

        /// - Parameter lifetime: of what does not say how long it is fresh; zero: each request asks its source.
        init(
            folder: FolderLoader? = nil, buckets: S3Loader? = nil, base: BaseURL? = nil, hosts: [String] = [],
            lifetime: Duration = .seconds(1000), cache: String? = nil,
            _ change: (inout ThumbnailService.Configuration) -> Void = { _ in }
        ) throws {
            var options = StandardOptions()
            options.cacheDirectory = cache
            let manager = try Assembly.manager(options, policy: ThumbnailService.policy(defaultLifetime: lifetime))
            var configuration = ThumbnailService.Configuration(policy: SourcePolicy(hosts: hosts, keys: Self.keys))
            (configuration.sources.folder, configuration.sources.buckets, configuration.sources.base) = (folder, buckets, base)
            change(&configuration)
            service = ThumbnailService(configuration, manager: manager)
        }

        func get(_ target: String) async -> ThumbnailService.Response {
            await service.respond(to: ThumbnailService.Request(method: "GET", target: target))
        }

        /// Of 6 pixels in PNG.
        func image(_ source: String) async -> ThumbnailService.Response { await get("/_/w:6/f:png/plain/\(source)") }

        func signed(_ target: String) async throws -> ThumbnailService.Response { await get(try Self.keys.sign(target)) }
    }

    extension ThumbnailService.Response {
        var text: String { String(decoding: body, as: UTF8.self) }

        func field(_ name: String) -> String? { headers.first { $0.0 == name }?.1 }
    }
#endif

#if CommandLine && HTTP && Server && PNG
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// A service without a disk, one source, and what it makes of that.
    struct DrawnService {
        let server: PictureServer
        let service: ThumbnailService
        private let name: String

        init(
            _ source: [UInt8], name: String = "a.png", _ change: (inout ThumbnailService.Configuration) -> Void = { _ in }
        ) throws {
            try self.init(name: name, change, responding: PictureServer.picture(source))
        }

        /// `respond`: the server of its sources.
        init(
            name: String = "a.png", _ change: (inout ThumbnailService.Configuration) -> Void = { _ in },
            responding respond: @escaping @Sendable (_ head: String) -> [UInt8]
        ) throws {
            server = PictureServer(respond)
            self.name = name
            var options = StandardOptions()
            options.cacheDirectory = nil
            let metrics = ServiceMetrics()
            options.observers = [metrics]
            var manager = try ManagerConfiguration.standard(options)
            manager.httpPolicy = ThumbnailService.policy(defaultLifetime: .seconds(1000))
            var configuration = ThumbnailService.Configuration(policy: SourcePolicy(hosts: ["127.0.0.1"], allowsCostly: true))
            change(&configuration)
            service = ThumbnailService(configuration, manager: ImageManager(configuration: manager), metrics: metrics)
        }

        /// 40 × 20: red is four times the column of a pixel, green eight times its row.
        static func map() throws -> [UInt8] { try png(map) }

        static func map(x: Int, y: Int) -> UInt32 { 0xFF00_0000 | UInt32(y * 8) << 8 | UInt32(x * 4) }

        /// 40 × 20, if no other size is said; red in the lowest byte.
        static func png(
            width: Int = 40, height: Int = 20, alpha: AlphaMode = .opaque, _ color: (_ x: Int, _ y: Int) -> UInt32
        ) throws -> [UInt8] {
            let bitmap = try TestImages.draw(width: width, height: height, alpha: alpha, color)
            return try TestImages.still(bitmap).blockingEncoded(EncodeOptions(format: .png)).bytes.contiguous()
        }

        func answer(_ options: String) async -> ThumbnailService.Response {
            await service.respond(to: .init(target: "/_/\(options)/plain/\(server.url("/" + name))"))
        }

        func image(_ options: String) async throws -> DecodedImage { try await Self.decoded(await answer(options)) }

        /// As PNG, which changes no pixel.
        func bitmap(_ options: String) async throws -> Bitmap { try await image(options + "/f:png").bitmap }

        static func decoded(_ answer: ThumbnailService.Response) async throws -> DecodedImage {
            try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
            var request = ImageRequest(source: .data(answer.body, identifier: String(answer.body.hashValue)))
            request.decode.frames = .preloaded
            request.decode.keeps16Bit = true
            return try await ImageManager(configuration: .standard()).image(for: request).image
        }
    }

    extension Bitmap {
        /// `#rrggbb`, or `clear`.
        func text(_ x: Int, _ y: Int) -> String {
            guard let color = color(atX: x, y: y) else { return "outside" }
            return color.alpha == 0 ? "clear" : String(color.hex.dropLast(2))
        }
    }
#endif

#if CommandLine && HTTP && JPEG
    import ArgumentParser
    import Gannet
    import GannetCore
    import GannetImages
    import GannetSupport

    /// One load between two marks, for scripts/load-map.py, which lists the functions that run between them.
    struct MapCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "map", abstract: "Carries out one load of a small JPEG over HTTP, between two marks for a tracer.")

        enum Kind: String, ExpressibleByArgument {
            case cold, hit, stale
            #if Server
                case service
            #endif
        }

        @Argument(help: "cold (in no cache), hit (in memory), stale (confirmed by its source) or service (a new thumbnail).")
        var kind: Kind

        func run() async throws {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            var options = StandardOptions()
            options.cacheDirectory = folder.path + "/cache"
            var configuration = try ManagerConfiguration.standard(options)
            #if Server
                if kind == .service { configuration.httpPolicy = MapService.policy }
            #endif
            let source = try MapSource(configuration.coders, isFresh: kind != .stale)
            let manager = ImageManager(configuration: configuration)
            let (first, second) = (ImageRequest(source.url(1)), ImageRequest(source.url(2)))
            switch kind {
            case .cold: try await measureCold([first, second], manager)
            case .hit: try await measureHit(first, manager)
            case .stale: try await measureStale(first, manager)
            #if Server
                case .service: try await measureService([source.url(1), source.url(2)], manager)
            #endif
            }
        }

        private func measureCold(_ requests: [ImageRequest], _ manager: ImageManager) async throws {
            try await measure(requests) { request in
                try await Self.load(request, manager, from: .network)
                try await Self.finish(manager)
            }
        }

        private func measureHit(_ request: ImageRequest, _ manager: ImageManager) async throws {
            try await Self.load(request, manager, from: .network)
            try await Self.finish(manager)
            try await measure([request, request]) { request in try await Self.load(request, manager, from: .memory) }
        }

        private func measureStale(_ request: ImageRequest, _ manager: ImageManager) async throws {
            try await Self.load(request, manager, from: .network)
            try await Self.finish(manager)
            try await measure([request, request]) { request in
                try await Self.load(request, manager, from: .revalidated)
                try await Self.finish(manager)
            }
        }

        #if Server
            private func measureService(_ urls: [String], _ manager: ImageManager) async throws {
                let service = try await MapService(manager)
                try await measure(urls) { url in
                    try await service.requestThumbnail(of: url)
                    try await Self.finish(manager)
                }
            }
        #endif

        /// The first of two equal pieces of work makes what is made once: threads, tables, the connection to the source.
        private func measure<Input>(_ inputs: [Input], _ work: (Input) async throws -> Void) async throws {
            for input in inputs.dropLast() { try await work(input) }
            MapMark.begin()
            for input in inputs.suffix(1) { try await work(input) }
            MapMark.end()
        }

        private static func load(
            _ request: ImageRequest, _ manager: ImageManager, from origin: LoadedImage.Origin
        ) async throws {
            let found = try await manager.image(for: request).origin
            if found != origin { throw ValidationError("The image came from \(found), and not from \(origin).") }
        }

        /// Storing ends behind the result.
        private static func finish(_ manager: ImageManager) async throws {
            await manager.waitForTransfers()
            try await manager.waitForStores()
        }
    }

    /// Functions that the script knows by name.
    enum MapMark {
        @inline(never) static func begin() {}
        @inline(never) static func end() {}
    }
#endif

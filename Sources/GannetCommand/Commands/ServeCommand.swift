#if CommandLine && HTTP
    import ArgumentParser
    import Gannet
    import GannetCore
    import GannetPlatform
    import Glibc
    import NIOCore

    struct ServeCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "serve", abstract: "Serves thumbnails over HTTP, for use behind a CDN or a proxy.",
            discussion: """
                GET /WIDTHxHEIGHT/fit?url=SOURCE (or fill, stretch) answers with a thumbnail of an image on another server, with ETag \
                and Cache-Control, and with 304 to those who have it. More parameters: format, quality, and sig as the last one.

                Sources must be on a host that --allow names, or the address must be signed: sig is the HMAC-SHA-256 of everything \
                before &sig= in hexadecimal, with the key of --key-file. --sign prints a signed address and ends.

                Connections go to public addresses on ports 80 and 443 alone, unless --allow-network and --allow-port say otherwise. \
                What is checked is the address that a name leads to, also for redirects.

                GET /health answers 200. SIGINT and SIGTERM end the service when the answers that are under way are sent, after 4 s at the latest.

                Examples:
                  gannet serve --allow images.example.org --port 8080
                  gannet serve --key-file key.txt
                """)

        @Option(help: "The address to listen on.")
        var host = "127.0.0.1"

        @Option(
            help: ArgumentHelp("The port to listen on; 0 lets the system choose. (default: 8080)", valueName: "n"),
            transform: NumberArgument.whole)
        var port = 8080

        @Option(
            help: ArgumentHelp(
                "A host whose images may be shown; .example.org is all below it; may be repeated.", valueName: "host"))
        var allow: [String] = []

        @Option(
            help: ArgumentHelp("A file with the key of signatures, 16 bytes or more.", valueName: "file"), completion: .file())
        var keyFile: String?

        @Option(help: ArgumentHelp("Prints this address with its signature, and serves nothing.", valueName: "address"))
        var sign: String?

        @Option(
            help: ArgumentHelp("Pixels of a thumbnail's longer side at most. (default: 2048)", valueName: "n"),
            transform: NumberArgument.whole)
        var maxSide = 2048

        @Option(
            help: ArgumentHelp(
                "Makes thumbnails of this box; may be repeated. Without it: any up to --max-side.", valueName: "WxH"),
            transform: Box.init(parsing:))
        var size: [Box] = []

        @Option(
            help: ArgumentHelp("Downloads at once; half of them from one host at most. (default: 12)", valueName: "n"),
            transform: NumberArgument.whole)
        var concurrency = 12

        @Option(
            help: ArgumentHelp(
                "Requests at once; more are refused with 503. Of several hosts one has half at most. (default: 256)",
                valueName: "n"),
            transform: NumberArgument.whole)
        var maxRequests = 256

        @Option(
            help: ArgumentHelp(
                "How long thumbnails are fresh whose source does not say. (default: 3600s)", valueName: "duration"),
            transform: DurationArgument.init(parsing:))
        var maxAge = DurationArgument(.seconds(3600))

        @OptionGroup(title: "Addresses") var addresses: AddressOptions
        @OptionGroup(title: "Cache") var cache: CacheUseOptions
        @OptionGroup(title: "Limits") var limits: LimitOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if sign != nil, keyFile == nil { throw ValidationError("--sign needs a --key-file.") }
            if allow.isEmpty, keyFile == nil {
                throw ValidationError("Name a host with --allow, or a --key-file; without both every request would be refused.")
            }
            for host in allow where SourcePolicy.host(host) == nil {
                throw ValidationError(
                    "--allow wants a host as example.org or .example.org, without scheme, port or path: \(host)")
            }
            guard (0...65_535).contains(port) else { throw ValidationError("--port is 0 to 65535.") }
            for (name, value) in [("--max-side", maxSide), ("--concurrency", concurrency), ("--max-requests", maxRequests)]
            where value < 1 {
                throw ValidationError("\(name) must be 1 or more.")
            }
        }

        func run() async throws {
            do throws(ImageError) {
                let key = try keyFile.map { path throws(ImageError) in try readKey(path) }
                if let sign, let key {
                    let address = try SourcePolicy.sign(sign, key: key)
                    // The signature covers every byte.
                    return Console.printAsIs(
                        output.json ? JSON.object([("ok", .bool(true)), ("address", .string(address))]).text : address)
                }
                try await serve(key)
            } catch {
                if output.json { Console.print(error.json(source: "serve")) }
                Console.report(error, source: "serve")
                throw ExitCode(1)
            }
        }

        /// A line feed at the end, as editors and `echo` add it, is not part of the key.
        private func readKey(_ path: String) throws(ImageError) -> [UInt8] {
            var key = try POSIXFileSystem().read(WorkingFolder.absolute(path), maximumBytes: 4096, nofollow: false)
            if key.last == 10 { key.removeLast() }
            guard key.count >= 16 else { throw ImageError(.misuse, stage: .resolve, "\(path) has fewer than 16 bytes of key.") }
            return key
        }

        /// Explains why the server cannot listen there, and what to change.
        static func reason(_ error: any Error, host: String, port: Int) -> String {
            guard let error = error as? IOError else {
                return "There is no address for \(host). Choose another --host."
            }
            let option = error.errnoCode == EADDRNOTAVAIL ? "--host" : "--port"
            return
                "\(host):\(port) cannot be listened on: \(String(cString: strerror(error.errnoCode))). Choose another \(option)."
        }

        private func serve(_ key: [UInt8]?) async throws(ImageError) {
            var configuration = ThumbnailService.Configuration(
                policy: SourcePolicy(hosts: allow.compactMap(SourcePolicy.host), key: key))
            configuration.maximumSide = maxSide
            configuration.sizes = size
            configuration.maximumRequests = maxRequests
            configuration.limits = limits.decodeLimits
            configuration.deadlines = limits.deadlines
            let manager = try Assembly.manager(
                cache: cache, limits: limits, concurrency: concurrency, perOrigin: max(concurrency / 2, 1),
                policy: ThumbnailService.policy(defaultLifetime: maxAge.duration), sandbox: .auto
            ) { $0.addressPolicy = addresses.policy }
            let service = ThumbnailService(configuration, manager: manager)
            let isTold = cache.logLevel >= .info
            let server: ThumbnailServer
            do {
                server = try await ThumbnailServer.start(service, host: host, port: port) { line in
                    if isTold { Console.warn(line) }
                }
            } catch {
                throw ImageError(error, code: .io, stage: .load, Self.reason(error, host: host, port: port))
            }
            let url = "http://\(host.contains(":") ? "[\(host)]" : host):\(server.port)"
            Console.print(output.json ? JSON.object([("ok", .bool(true)), ("url", .string(url))]).text : "Serving on \(url)")
            await Interrupt.asking(to: server.stop) { try? await server.run() }
            await Assembly.finish(manager)
        }
    }
#endif

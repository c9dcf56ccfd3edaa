#if CommandLine && Server
    import ArgumentParser
    import FoundationEssentials
    import Gannet
    import GannetCore
    import GannetPlatform
    import GannetServer
    import GannetSupport
    import Glibc
    import NIOCore
    import NIOPosix

    /// The forms of ``AccessLog``; their names are the option's values.
    enum AccessLogOption: String, CaseIterable, ExpressibleByArgument {
        case combined, json

        var log: AccessLog { self == .combined ? .combined : .json }
    }

    struct ServeCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "serve", abstract: "Serves thumbnails over HTTP, for use behind a CDN or a proxy.",
            discussion: """
                GET /WIDTHxHEIGHT/fit?url=SOURCE (or fill, stretch) answers with a thumbnail of an image on another server, with ETag \
                and Cache-Control, and with 304 to those who have it. More parameters: format, quality, expires, and sig as the last one.
                GET /SIGNATURE/OPTION/…/plain/SOURCE or …/BASE64URL does the same with imgproxy's options: rs:fill:300:400, g:sm, q:80, \
                f:avif, dpr:2 …; a signature of _ is none. /info before it describes the source as JSON.

                Sources must be on a host that --allow names, below --base-url (a.jpg), in --source-folder (local:///a.jpg) or in a \
                --source-bucket (s3://bucket/a.jpg), or the address must be signed: sig is the HMAC-SHA-256 of everything \
                before &sig= in hexadecimal, SIGNATURE that of everything after it in base64url, with a key of --key-file. --sign \
                prints a signed address and ends. Without a signature, only presets may ask for what costs much.

                Connections go to public addresses on ports 80 and 443 alone, unless --allow-network and --allow-port say otherwise. \
                What is checked is the address that a name leads to, also for redirects.

                A socket that the service manager passes (systemd's socket activation) is used instead of --host, --port and \
                --unix-socket.

                SIGHUP reads the files of keys, presets, watermark, fallback image and certificate again. \
                GET /health answers 200, GET /ready 503 while the service ends or its disk fails. SIGINT and SIGTERM end the service when the answers that are under way are sent, after 4 s at the latest.

                Examples:
                  gannet serve --allow images.example.org --port 8080
                  gannet serve --key-file key.txt --presets presets.txt --prefer avif --prefer webp
                """)

        @Option(
            help: ArgumentHelp(
                "A file with a line for each option, as max-side 1024. So is GANNET_SERVE_MAX_SIDE in the environment.",
                valueName: "file"), completion: .file())
        var config: String?

        @Option(help: "The address to listen on.")
        var host = "127.0.0.1"

        @Option(
            help: ArgumentHelp("The port to listen on; 0 lets the system choose. (default: 8080)", valueName: "n"),
            transform: NumberArgument.whole)
        var port = 8080

        @Option(
            help: ArgumentHelp(
                "The certificate in PEM, with those above it: speaks HTTP/2 and HTTP/1.1 over TLS.", valueName: "file"),
            completion: .file())
        var tlsCertificate: String?

        @Option(help: ArgumentHelp("The private key of --tls-certificate, in PEM.", valueName: "file"), completion: .file())
        var tlsKey: String?

        @Option(
            help: ArgumentHelp(
                "A host whose images may be shown; .example.org is all below it; may be repeated.", valueName: "host"))
        var allow: [String] = []

        @Option(
            help: ArgumentHelp(
                "A file with a key of signatures, 16 bytes or more, or hex: and digits; repeated while keys are exchanged.",
                valueName: "file"), completion: .file())
        var keyFile: [String] = []

        @Option(
            help: ArgumentHelp("A file with the salt of the key in the same place; precedes signed paths.", valueName: "file"),
            completion: .file())
        var saltFile: [String] = []

        @Option(
            help: ArgumentHelp(
                "Bytes of the signatures of paths, 8 to 32, for clients that cut them off. (default: 32)", valueName: "n"),
            transform: NumberArgument.whole)
        var signatureSize = 32

        @Option(help: ArgumentHelp("Prints this address with its signature, and serves nothing.", valueName: "address"))
        var sign: String?

        @Flag(help: "With --sign: encrypts the address's source with the key of --source-key-file.")
        var encryptSource = false

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
            help: ArgumentHelp(
                "A file with a preset a line: NAME=rs:fill:200:200/q:70. The one called default applies to every path.",
                valueName: "file"), completion: .file())
        var presets: String?

        @Flag(help: "Addresses name presets (/SIGNATURE/NAME:NAME/SOURCE), and no options of their own.")
        var onlyPresets = false

        @Flag(help: "Addresses without a signature too may ask for every format and option.")
        var allowCostly = false

        @Option(
            help: ArgumentHelp(
                "A format for clients that accept it, the best first; may be repeated. (default: webp)", valueName: "format"),
            transform: FormatArgument.init(parsing:))
        var prefer: [FormatArgument] = []

        @Option(
            help: ArgumentHelp(
                "Reads only these formats, separated by commas; others are refused before a decoder sees them. (default: all)",
                valueName: "format,…"), transform: FormatList.init(parsing:))
        var formats: FormatList?

        @Option(
            help: ArgumentHelp(
                "Serves the IIIF Image API 3.0 below /iiif, which clients find at this URL: https://images.example.org/iiif",
                valueName: "url"))
        var iiif: String?

        @Flag(help: "Sec-CH-Width and Sec-CH-DPR of clients choose the size where the address leaves it open.")
        var clientHints = false

        @Option(
            help: ArgumentHelp(
                "The quality for clients with Save-Data: on, 1 to 100, where the address has none.", valueName: "n"),
            transform: NumberArgument.whole)
        var saveDataQuality: Int?

        @Flag(help: "Thumbnails average light instead of stored numbers: finer bright detail, for more processor time.")
        var linearLight = false

        @Option(
            help: ArgumentHelp(
                "How light brighter than white becomes standard range: bt2390 (the default), or bt2446a.", valueName: "curve"))
        var toneMapping: ToneMappingChoice?

        @Option(help: ArgumentHelp("The image of the option wm.", valueName: "file"), completion: .file())
        var watermark: String?

        @Option(help: ArgumentHelp("Shown in place of a source that fails.", valueName: "file"), completion: .file())
        var fallbackImage: String?

        @Option(
            help: "Prints a line for each answer on standard output. With json all other lines of the service are objects too.")
        var accessLog: AccessLogOption?

        @Flag(help: "GET /metrics answers with counts in Prometheus' text format, to every client.")
        var metrics = false

        @Option(
            help: ArgumentHelp(
                "How long to go on serving after the first signal, while GET /ready answers 503. (default: 0)",
                valueName: "duration"),
            transform: DurationArgument.init(parsing:))
        var drainTime = DurationArgument(.zero)

        @Option(
            help: ArgumentHelp(
                "Memory for the service and all of its workers: what would exceed it is refused with 503. (default: nearly all of the control group's, else three quarters of the machine's)",
                valueName: "bytes"), transform: NumberArgument.bytes)
        var memoryLimit: Int?

        @Option(
            help: ArgumentHelp(
                "Memory for answers, in addition to that for images. (default: a share of --memory-limit, 64MiB at most)",
                valueName: "bytes"),
            transform: NumberArgument.bytes)
        var answerMemory: Int?

        @Option(
            help: ArgumentHelp(
                "Memory for decoded images, from which the same image is written in another format. (default: a share, 32MiB at most)",
                valueName: "bytes"), transform: NumberArgument.bytes)
        var imageMemory: Int?

        @Option(
            help: ArgumentHelp("The disk cache for sources and answers. (default: 512MiB)", valueName: "bytes"),
            transform: NumberArgument.bytes)
        var cacheLimit = 512 << 20

        @Option(
            help: ArgumentHelp("Downloads at once, and fewer where --memory-limit is small. (default: 64)", valueName: "n"),
            transform: NumberArgument.whole)
        var concurrency = 64

        @Option(
            help: ArgumentHelp(
                "Downloads at once from one host. Of several hosts, one with half of --concurrency leaves room for the others. (default: 32)",
                valueName: "n"), transform: NumberArgument.whole)
        var downloadsPerHost = 32

        @Option(
            help: ArgumentHelp(
                "Memory for downloads that arrive or wait for a decode: from half of it on no further one begins, and beyond it they are refused with 503. (default: a share of --memory-limit)",
                valueName: "bytes"), transform: NumberArgument.bytes)
        var downloadMemory: Int?

        @Option(
            help: ArgumentHelp(
                "Requests at once for new answers; more are refused with 503. One client has half at most, and of several hosts one has half. (default: 512)",
                valueName: "n"),
            transform: NumberArgument.whole)
        var maxRequests = 512

        @Option(
            help: ArgumentHelp(
                "How long thumbnails are fresh whose source does not say. (default: 3600s)", valueName: "duration"),
            transform: DurationArgument.init(parsing:))
        var maxAge = DurationArgument(.seconds(3600))

        @OptionGroup(title: "Connections") var connections: ConnectionOptions
        @OptionGroup(title: "Sources") var sources: SourceOptions
        @OptionGroup(title: "Addresses") var addresses: AddressOptions
        @OptionGroup(title: "Cache") var cache: CacheUseOptions
        @OptionGroup(title: "Several machines") var shared: SharedOptions
        @OptionGroup(title: "Purges") var purging: PurgeOptions
        @OptionGroup(title: "Traces") var tracing: TraceOptions
        @OptionGroup(title: "Limits") var limits: LimitOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if sign != nil, keyFile.isEmpty { throw ValidationError("--sign needs a --key-file.") }
            if sources.sourceKeyFile != nil, keyFile.isEmpty {
                throw ValidationError(
                    "--source-key-file needs a --key-file: encrypted sources are served to signed addresses alone.")
            }
            if encryptSource, sign == nil || sources.sourceKeyFile == nil {
                throw ValidationError("--encrypt-source belongs to --sign and --source-key-file.")
            }
            if allow.isEmpty, keyFile.isEmpty, sources.areNone {
                throw ValidationError(
                    "Name a host with --allow, a place with --base-url, --source-folder or --source-bucket, or a --key-file; without any every request would be refused."
                )
            }
            try sources.validate(with: shared)
            if let memoryLimit, memoryLimit < MemoryPlan.minimum {
                throw ValidationError("--memory-limit must be \(MemoryPlan.minimum >> 20)MiB or more.")
            }
            if saltFile.count > keyFile.count {
                throw ValidationError("Each --salt-file belongs to a --key-file; there are more.")
            }
            guard (1...100).contains(saveDataQuality ?? 1) else { throw ValidationError("--save-data-quality is 1 to 100.") }
            if let iiif {
                let isURL = iiif.hasPrefix("https://") || iiif.hasPrefix("http://")
                guard isURL, iiif.hasSuffix("/iiif"), !iiif.utf8.contains(where: { $0 <= 32 || "\"<>?#".utf8.contains($0) })
                else {
                    throw ValidationError(
                        "--iiif wants the URL at which clients find /iiif, as https://images.example.org/iiif: \(iiif)")
                }
            }
            guard (8...32).contains(signatureSize) else { throw ValidationError("--signature-size is 8 to 32 bytes.") }
            if (tlsCertificate == nil) != (tlsKey == nil) {
                throw ValidationError("--tls-certificate and --tls-key belong together.")
            }
            if shared.shareSources, cache.noCache {
                throw ValidationError("--share-sources needs the disk cache: leave --no-cache out.")
            }
            if onlyPresets, presets == nil { throw ValidationError("--only-presets needs --presets.") }
            for host in allow where SourcePolicy.host(host) == nil {
                throw ValidationError(
                    "--allow wants a host as example.org or .example.org, without scheme, port or path: \(host)")
            }
            guard (0...65_535).contains(port) else { throw ValidationError("--port is 0 to 65535.") }
            for (name, value) in [
                ("--max-side", maxSide), ("--concurrency", concurrency), ("--downloads-per-host", downloadsPerHost),
                ("--max-requests", maxRequests),
            ] where value < 1 {
                throw ValidationError("\(name) must be 1 or more.")
            }
        }

        func run() async throws {
            FreedMemory.returnLargePieces()
            if writesJSON { Console.writeNotesAsJSON() }
            let links = OptionFile.serviceLinks(ProcessInfo.processInfo.environment)
            if !links.isEmpty {
                Console.warn(
                    "serve: these variables describe a service of Kubernetes, and are no options: \(links.joined(separator: ", "))"
                )
            }
            do throws(ImageError) {
                let keys = try signingKeys()
                let presets = try namedPresets()
                if let sign, let keys {
                    var target = sign
                    if encryptSource, let encryption = try sources.encryption() {
                        target = try encryption.encryptingSource(of: sign, presets: presets)
                    }
                    let address = try keys.sign(target, presets: presets)
                    // The signature covers every byte.
                    return Console.printAsIs(
                        output.json ? JSON.object([("ok", .bool(true)), ("address", .string(address))]).text : address)
                }
                try await serve(keys, presets)
            } catch {
                if writesJSON { Console.print(error.json(source: "serve")) }
                Console.report(error, source: "serve")
                throw ExitCode(1)
            }
        }

        /// Whoever reads one kind of lines as JSON reads all of them so.
        var writesJSON: Bool { output.json || accessLog == .json }

        func signingKeys() throws(ImageError) -> SigningKeys? {
            if keyFile.isEmpty { return nil }
            var keys: [SigningKeys.Key] = []
            for (index, path) in keyFile.enumerated() {
                let salt = saltFile.indices.contains(index) ? try SigningKeys.read(saltFile[index], isKey: false) : []
                keys.append(SigningKeys.Key(secret: try SigningKeys.read(path), salt: salt))
            }
            var signing = SigningKeys(keys: keys)
            signing.pathBytes = signatureSize
            return signing
        }

        func namedPresets() throws(ImageError) -> Presets {
            guard let path = presets else { return Presets() }
            var presets = try Presets(path: path)
            presets.areRequired = onlyPresets
            return presets
        }
    }
#endif

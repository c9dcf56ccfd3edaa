// Loads files over HTTP from a server on the loopback: through Gannet's fetcher with all cache rules, and through AsyncHTTPClient
// alone. peers/http.sh starts the server, runs this and the peers, and prints one JSON object a line.
//
//     HTTPBenchmark gannet|gannet-manager|gannet-disk|async-http-client|async-http-client-array COUNT AT_ONCE URL_PREFIX [CA.pem]
#if HTTP
    import AsyncHTTPClient
    import BenchmarkSupport
    import FoundationEssentials
    import Gannet
    import GannetFetch
    import Glibc
    import NIOCore
    import NIOSSL

    struct Job: Sendable {
        var count: Int
        var atOnce: Int
        var prefix: String
        var authority: String?

        /// Each of `count` files once, `atOnce` at a time; the bytes of all bodies.
        func run(_ load: @escaping @Sendable (String) async throws -> Int) async throws -> Int {
            try await withThrowingTaskGroup(of: Int.self) { group in
                var next = 0
                func start() {
                    let url = "\(prefix)\(next)"
                    next += 1
                    group.addTask { try await load(url) }
                }
                while next < min(atOnce, count) { start() }
                var bytes = 0
                while let loaded = try await group.next() {
                    bytes += loaded
                    if next < count { start() }
                }
                return bytes
            }
        }

        func gannet(folder: String?) async throws -> Int {
            var options = CURLTransport.Options()
            options.additionalTrustRoots = authority.map { [$0] } ?? []
            var configuration = DownloaderConfiguration()
            configuration.maximumConcurrentDownloads = atOnce
            let loader = HTTPLoader(transport: try CURLTransport(options: options), configuration: configuration)
            let cache = folder.map { DiskCache(DiskCacheConfiguration(directory: $0, byteLimit: 1 << 30)) }
            let fetcher = ByteFetcher(loaders: LoadersManager([loader]), cache: cache)
            let bytes = try await run { url in
                let fetched = try await fetcher.fetch(FetchRequest(ImageRequest(source: ImageSource(url))))
                return fetched.encoded?.bytes.count ?? 0
            }
            try await cache?.flush()
            return bytes
        }

        /// Through the standard manager, without a disk cache.
        func manager() async throws -> Int {
            var options = StandardOptions()
            options.cacheDirectory = nil
            options.additionalTrustRoots = authority.map { [$0] } ?? []
            options.downloader.maximumConcurrentDownloads = atOnce
            let manager = ImageManager(configuration: try .standard(options))
            return try await run { url in
                let fetched = try await manager.fetchBytes(for: ImageRequest(source: ImageSource(url)))
                return fetched.encoded?.bytes.count ?? 0
            }
        }

        /// So that the compiler leaves no array out.
        @inline(never) private static func kept(_ bytes: [UInt8]) -> Int { bytes.count }

        /// `copies`: each body as an array, which callers without `ByteBuffer` can keep, decode and store.
        func client(copies: Bool = false) async throws -> Int {
            var tls = TLSConfiguration.makeClientConfiguration()
            if let authority { tls.additionalTrustRoots.append(.certificates(try NIOSSLCertificate.fromPEMFile(authority))) }
            var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = atOnce
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            let bytes = try await run { url in
                let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(60))
                let body = try await response.body.collect(upTo: 1 << 26)
                return copies ? body.withUnsafeReadableBytes { Self.kept([UInt8]($0)) } : body.readableBytes
            }
            try await client.shutdown()
            return bytes
        }
    }

    let words = CommandLine.arguments
    guard words.count >= 5, let count = Int(words[2]), let atOnce = Int(words[3]) else {
        print(
            "HTTPBenchmark gannet|gannet-manager|gannet-disk|async-http-client|async-http-client-array "
                + "COUNT AT_ONCE URL_PREFIX [CA.pem]")
        exit(64)
    }
    let job = Job(count: count, atOnce: atOnce, prefix: words[4], authority: words.count > 5 ? words[5] : nil)
    let (cpu, wall) = (processorTime(), wallTime())
    let bytes: Int
    switch words[1] {
    case "async-http-client": bytes = try await job.client()
    case "async-http-client-array": bytes = try await job.client(copies: true)
    case "gannet-manager": bytes = try await job.manager()
    case "gannet-disk":
        let folder = "/tmp/gannet-http-benchmark-\(getpid())"
        bytes = try await job.gannet(folder: folder)
    default: bytes = try await job.gannet(folder: nil)
    }
    let seconds = (wallTime() - wall) / 1000
    print(
        "{\"program\": \"\(words[1])\", \"count\": \(count), \"at_once\": \(atOnce), \"bytes\": \(bytes), "
            + "\"requests_per_s\": \(Int(Double(count) / seconds)), \"cpu_s\": \((processorTime() - cpu) / 1000), "
            + "\"wall_s\": \(seconds), \"peak_mib\": \(Int(peakMemory()))}")
#else
    print("Build it with the trait HTTP: swift build -c release --traits HTTP --product HTTPBenchmark")
#endif

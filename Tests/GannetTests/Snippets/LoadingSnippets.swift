import Gannet

// The code of the articles on HTTP and on performance, compiled; see ArticleSnippets.swift.

struct Tokens: CredentialProvider {
    func credential(for realm: AuthenticationRealm, rejected: Credential?) async throws -> Credential? {
        guard realm.origin == "https://photos.example.org:443", rejected == nil else { return nil }
        return .bearer("a token")
    }
}

func loadingOverHTTP() async throws {
    var options = StandardOptions()
    options.downloader.maximumConcurrentDownloads = 12
    options.downloader.maximumPerOrigin = 4
    options.downloader.deadlines.idle = .seconds(5)
    options.downloader.headers.set("User-Agent", "Birdwatch/2.1")
    options.downloader.credentials = Tokens()
    let manager = ImageManager(configuration: try .standard(options))

    var request = ImageRequest("https://photos.example.org/17.jpg")
    request.download.headers = ["X-Album": "birds"]
    request.download.credentialScope = "user-4711"
    request.download.retry = DelayRetryStrategy(maximumCount: 3, interval: .exponential(first: 0.5, maximum: 8), jitter: 0.3)
    request.download.alternatives = ["https://mirror.example.org/17.jpg"]
    request.cache.keyFilter = .droppingTracking

    request = request.with(
        .requestModifier("signed-1") { request in
            var request = request
            request.headers.set("X-Signature", "…")
            return request
        })

    let answer = try await manager.fetchBytes(for: "https://example.org/feed.json")
    print(answer.encoded?.bytes.count ?? 0, answer.origin)
    _ = request
}

#if HTTP
    func proxies() throws {
        var behindProxy = StandardOptions()
        behindProxy.proxies = .fromEnvironment
        let proxy = try CURLTransport.Proxy("http://name:password@proxy.example.org:3128")
        behindProxy.proxies = CURLTransport.Proxies(proxy, except: "localhost, 10.0.0.0/8, .example.org")
        print(behindProxy)
    }

    func addresses() throws {
        var outside = StandardOptions()
        outside.addressPolicy = try AddressPolicy(allowing: ["10.1.0.0/16"], ports: [80, 443])
        print(outside)
    }
#endif

func performance(_ options: StandardOptions) async throws {
    var configuration = try ManagerConfiguration.standard(options)
    configuration.concurrentDecodes = 2
    configuration.decodeBudget = 256 << 20
    let careful = ImageManager(configuration: configuration)

    let slow = try await careful.image(for: "https://example.org/a.jpg", .fit(400, 300))
    print(slow.timings.cache, slow.timings.load, slow.timings.decode, slow.timings.transform)
}

package import GannetCore
package import GannetPlatform

/// The cache of HTTP as a transport (RFC 9111): one call for each request to a server, below redirects and authentication.
///
/// It looks up, decides, sends conditional requests, continues broken transfers, and stores what arrives whole. Redirects and failures are
/// responses like others. Its answers say what it did in the words of RFC 9211 (``CacheStatus``).
package final class HTTPCache: HTTPTransport {
    /// The server's side; nil: each request brings its own.
    private let upstream: (any HTTPTransport)?
    /// Nil: requests bring their own, or nothing is stored.
    let store: (any ImageCaching)?
    let configuration: HTTPCacheConfiguration
    let time: any TimeSource
    /// Changes to sources and removals by hand, which running requests must not undo. Shared with whoever removes.
    package let generations: Generations
    let line = ForwardLine()
    private let revalidations: BackgroundRevalidations
    private let observers: [any LoadObserver]

    package init(
        _ upstream: (any HTTPTransport)?, store: (any ImageCaching)?,
        configuration: HTTPCacheConfiguration = HTTPCacheConfiguration(),
        time: any TimeSource = SystemTimeSource(), generations: Generations = Generations(), observers: [any LoadObserver] = []
    ) {
        self.upstream = upstream
        self.store = store
        self.configuration = configuration
        self.time = time
        self.generations = generations
        self.observers = observers
        revalidations = BackgroundRevalidations(maximum: configuration.maximumRevalidations)
    }

    /// The cache of one user, for callers that know nothing of caches. A request with `only-if-cached` for which nothing is stored gets the
    /// status 504 (RFC 9111 §5.2.1.7). Throws the errors of the transport behind it.
    package func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse {
        do throws(ImageError) { return try await exchange(request).response } catch {
            guard error.code == .cacheMiss else { throw error }
            let head = HTTPResponseHead(
                status: 504, headers: HTTPHeaders([("Content-Length", "0")]), url: request.url)
            return HTTPResponse(head: head, body: .joined(ByteRope(), nil))
        }
    }

    /// The same for callers that have options, or something to compare with. Throws `cacheMiss` if only stored responses were allowed and
    /// none is usable, and the errors of the transport behind it.
    /// `transport`: the way to the server for this request; nil: the cache's own.
    package func exchange(
        _ request: HTTPRequest, _ use: CacheUse = CacheUse(), over transport: (any HTTPTransport)? = nil
    ) async throws(ImageError) -> CachedResponse {
        guard let transport = transport ?? upstream else {
            throw ImageError(.misuse, stage: .load, "This cache has no transport to a server.")
        }
        return try await CacheExchange(request, use, self, transport).answer()
    }

    /// Returns when no revalidation runs in the background.
    package func waitForRevalidations() async { await revalidations.wait() }

    /// Asks the server in the background, with the fields of the request that was answered meanwhile.
    func revalidate(_ request: HTTPRequest, _ use: CacheUse, _ key: CacheKey, over transport: any HTTPTransport) {
        var (request, use) = (request, use)
        request.headers.remove(anyOf: HTTPCachePolicy.ownConditions)
        use.forcesRevalidation = true
        use.known = nil
        use.countsUses = false
        revalidations.start(key) { [request, use] in
            guard let answer = try? await self.exchange(request, use, over: transport), case .stream(let body) = answer.body
            else { return }
            var bytes: [UInt8] = []
            let limit = self.configuration.maximumBytes
            while bytes.count <= limit, (try? await body.next(into: &bytes, patience: limit + 1 - bytes.count)) == true {}
        }
    }

    /// Creates the event only if there are observers.
    func note(_ id: LoadID?, _ event: @autoclosure () -> LoadEvent) {
        guard !observers.isEmpty else { return }
        let event = event()
        for observer in observers { observer.note(id, event) }
    }
}

package struct HTTPCacheConfiguration: Sendable {
    /// Decides which responses may be stored, and for how long they are fresh.
    package var policy: HTTPCachePolicy
    /// Longer bodies are passed on and not stored. Default 64 MiB.
    package var maximumBytes: Int
    /// Keeps the bytes of broken transfers that can be continued. Default true.
    package var resumesTransfers: Bool
    /// Requests in the background at once. Default 8.
    package var maximumRevalidations: Int
    /// Names the format that is stored beside the bytes; nil: none is.
    package var formatOf: (@Sendable (ByteRope) -> ImageFormat?)?

    package init(
        policy: HTTPCachePolicy = HTTPCachePolicy(), maximumBytes: Int = DecodeLimits.standard.maximumEncodedBytes,
        resumesTransfers: Bool = true, maximumRevalidations: Int = 8, formatOf: (@Sendable (ByteRope) -> ImageFormat?)? = nil
    ) {
        self.policy = policy
        self.maximumBytes = maximumBytes
        self.resumesTransfers = resumesTransfers
        self.maximumRevalidations = maximumRevalidations
        self.formatOf = formatOf
    }
}

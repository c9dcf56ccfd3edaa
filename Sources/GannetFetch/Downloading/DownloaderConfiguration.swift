public import GannetCore
import GannetPlatform

/// Options of downloads. A value: assign a new one to ``HTTPLoader/configuration`` at any time; it applies to transfers that
/// begin later. - SDWebImage: SDWebImageDownloaderConfig
public struct DownloaderConfiguration: Sendable {
    /// Concurrent transfers, default 6. A transfer that brings next to nothing for two seconds while others wait does not count, so
    /// that slow servers do not hold up others. - SDWebImage: maxConcurrentDownloads
    public var maximumConcurrentDownloads = 6
    /// Concurrent transfers from one origin, slow ones included; nil: ``maximumConcurrentDownloads``. Browsers allow 6 over HTTP/1.1.
    public var maximumPerOrigin: Int?
    /// The newest request of a priority is served first, instead of the oldest. Default false. - SDWebImage: executionOrder
    public var servesNewestFirst = false
    package var order: QueueOrder { servesNewestFirst ? .lastInFirstOut : .firstInFirstOut }
    /// Default 10 s to connect, 15 s without a byte, 256 bytes a second over 10 s, 60 s in all. - SDWebImage: downloadTimeout
    public var deadlines = LoadDeadlines()
    /// The least progress to report, as a part of the whole, 0 … 1; the first and last are always reported. Default 0.
    /// - SDWebImage: minimumProgressInterval
    public var minimumProgressInterval = 0.0
    /// Fields of every request, unless the request sets them itself. - SDWebImage: setValue(forHTTPHeaderField:)
    public var headers = HTTPHeaders([("User-Agent", "Gannet")])
    /// Statuses whose body is an image, default 200..<300. - SDWebImage: acceptableStatusCodes
    public var acceptedStatuses: [Range<Int>] = [200..<300]
    /// Accepted media types, without parameters, lower case; `image/*` covers a whole type. Nil: all, since content decides. -
    /// SDWebImage: acceptableContentTypes
    public var acceptedContentTypes: Set<String>?
    /// Credential for servers that ask for it (401 with a challenge of its kind), unless the request or its URL names another.
    /// Afterwards it is sent to that origin at once, which may also ask for it behind redirects. With URLs from strangers, set
    /// credentials on requests instead. - SDWebImage: urlCredential
    public var credential: Credential?
    /// Supplies new credentials after a 401, with one call for all waiting loads. Nil: none.
    public var credentials: (any CredentialProvider)?
    /// By default at most 20, none from `https` to `http`.
    public var redirects = RedirectPolicy()
    /// Stores cookies for requests that enable them; nil: none. - SDWebImage: handleCookies
    public var cookies: (any CookieJar)?
    /// Hosts whose certificates are not checked. Default: none. - Kingfisher: trustedHosts
    public var hostsTrustedBlindly: Set<String> = []
    /// Whether compressed bodies are requested and decompressed; otherwise they are delivered as they come. Default true.
    public var decompressesBodies: Bool {
        get { contentDecoding.isEnabled }
        set { contentDecoding.isEnabled = newValue }
    }
    /// Decompressed bytes for each byte received, checked above 1 MiB. Default 200. Beyond it the error is `limitExceeded`.
    public var maximumDecompressionRatio: Int {
        get { contentDecoding.maximumRatio }
        set { contentDecoding.maximumRatio = newValue }
    }
    package var contentDecoding = ContentDecodingLimits()
    /// The most requests that begin in a second, evenly spread; less than 1 counts as 1. Nil: no limit.
    public var requestsPerSecond: Int? {
        get { rate.map { Int((Double($0.count) / $0.interval.seconds).rounded()) } }
        set { rate = newValue.map { RateLimit(count: $0) } }
    }
    package var rate: RateLimit?
    /// Bytes that may wait for a decode, default 64 MiB. While there are more, a transfer or a read of the cache that has ended
    /// keeps its place among the concurrent ones until its bytes are decoded, so that what is fetched too early takes no memory.
    public var maximumUnusedBytes = 64 << 20
    /// The same with those that arrive. A transfer that would pass it ends with `cancelled`, unless it is the oldest one.
    package var hardMaximumUnusedBytes = Int.max
    /// Stored bytes and local files that are read at once; a new value applies to new managers.
    package var maximumConcurrentReads = BlockingExecutor.processorCount * 4

    /// Options with the defaults that each property documents.
    public init() {}

    func accepts(status: Int) -> Bool { acceptedStatuses.contains { $0.contains(status) } }

    func accepts(contentType: String?) -> Bool {
        guard let acceptedContentTypes, let contentType else { return true }
        let type = contentType.withoutParameters
        return acceptedContentTypes.contains(type)
            || acceptedContentTypes.contains { $0.hasSuffix("/*") && type.hasPrefix($0.dropLast()) }
    }
}

/// Bounds against compressed bodies that explode.
package struct ContentDecodingLimits: Hashable, Sendable {
    /// Output bytes for each input byte, checked above 1 MiB of output. Default 200.
    package var maximumRatio: Int
    /// Nested codings. Default 2.
    package var maximumLayers: Int
    /// False: bodies are delivered unchanged, and compression is not requested.
    package var isEnabled: Bool

    /// By default a ratio of 200 and two nested codings.
    package init(maximumRatio: Int = 200, maximumLayers: Int = 2, isEnabled: Bool = true) {
        self.maximumRatio = maximumRatio
        self.maximumLayers = maximumLayers
        self.isEnabled = isEnabled
    }
}

/// The redirects to follow.
public struct RedirectPolicy: Hashable, Sendable {
    /// Default 20.
    public var maximumCount: Int
    /// Allows redirects from https to http. False: the error is `hookRefused`.
    public var allowsDowngrade: Bool
    /// Fields dropped when the origin changes, in addition to `Authorization`, `Cookie` and `Proxy-Authorization`. Lower case.
    public var fieldsOfOrigin: Set<String>
    /// False: the redirect itself is the response.
    public var follows: Bool

    /// By default 20 redirects, no downgrade to http, and only fields that identify the user are dropped.
    public init(
        maximumCount: Int = 20, allowsDowngrade: Bool = false, fieldsOfOrigin: Set<String> = [], follows: Bool = true
    ) {
        self.maximumCount = maximumCount
        self.allowsDowngrade = allowsDowngrade
        self.fieldsOfOrigin = fieldsOfOrigin
        self.follows = follows
    }
}

/// Supplies a new credential after a 401.
public protocol CredentialProvider: Sendable {
    /// `rejected` is the refused credential, if one was sent. Nil: none, and the 401 is the response.
    func credential(for realm: AuthenticationRealm, rejected: Credential?) async throws -> Credential?
}

/// The origin and challenge that require a credential.
public struct AuthenticationRealm: Hashable, Sendable {
    /// `https://example.org:443`
    public var origin: String
    /// The `WWW-Authenticate` fields, unchanged.
    public var challenge: String

    /// For tests of a ``CredentialProvider``; loads create their own.
    public init(origin: String, challenge: String) {
        self.origin = origin
        self.challenge = challenge
    }
}

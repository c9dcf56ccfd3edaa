public import GannetCore

/// How pictures are downloaded. A value: give ``HTTPLoader/configuration`` a new one at any time; transfers that begin later
/// obey it. - SDWebImage: SDWebImageDownloaderConfig
public struct DownloaderConfiguration: Sendable {
    /// Transfers at once, default 6. - SDWebImage: maxConcurrentDownloads
    public var maximumConcurrentDownloads = 6
    /// Transfers at once from one origin; nil: no bound of its own.
    public var maximumPerOrigin: Int?
    /// Default first in, first out; priorities come before it. - SDWebImage: executionOrder
    public var order = QueueOrder.firstInFirstOut
    /// Default 10 s to connect, 15 s without a byte, 60 s in all. - SDWebImage: downloadTimeout
    public var deadlines = LoadDeadlines()
    /// Progress is told when at least this part of the whole is new, 0 … 1; the first and the last are always told. Default 0.
    /// - SDWebImage: minimumProgressInterval
    public var minimumProgressInterval = 0.0
    /// Sent with every request unless it has the field itself. - SDWebImage: setValue(forHTTPHeaderField:)
    public var headers = HTTPHeaders([("User-Agent", "Gannet")])
    /// Statuses whose body is a picture, default 200..<300. - SDWebImage: acceptableStatusCodes
    public var acceptedStatuses: [Range<Int>] = [200..<300]
    /// Media types that are accepted, without parameters, lower case; `image/*` stands for all of a kind. Nil: all, since
    /// content decides. - SDWebImage: acceptableContentTypes
    public var acceptedContentTypes: Set<String>?
    /// Answers servers that ask for it (401 with a challenge of its kind), unless the request or its URL names another; from then on
    /// that origin is sent it at once, and may ask for it behind redirects too. Where URLs come from strangers, give requests their own. - SDWebImage: urlCredential
    public var credential: Credential?
    /// Answers 401 with a new credential where what was sent is refused, or nothing was; one question for all that wait. Nil: none.
    public var credentials: (any CredentialProvider)?
    /// By default 20 at most, none from `https` to `http`.
    public var redirects = RedirectPolicy()
    /// Keeps cookies for requests that ask for it; nil: none. - SDWebImage: handleCookies
    public var cookies: (any CookieJar)?
    /// Hosts whose certificates are not checked. Empty. - Kingfisher: trustedHosts
    public var hostsTrustedBlindly: Set<String> = []
    /// What a compressed body may grow to.
    public var contentDecoding = ContentDecodingLimits()
    /// At most this many requests in a time; nil: no bound.
    public var rate: RateLimit?

    /// See each property for what it begins with.
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
public struct ContentDecodingLimits: Hashable, Sendable {
    /// Bytes out for each byte in, looked at above 1 MiB of output. Default 200.
    public var maximumRatio: Int
    /// Codings on top of each other. Default 2.
    public var maximumLayers: Int
    /// Off: bodies are delivered as they came, and none is asked to be compressed.
    public var isEnabled: Bool

    /// 200 bytes for one, and two codings on top of each other.
    public init(maximumRatio: Int = 200, maximumLayers: Int = 2, isEnabled: Bool = true) {
        self.maximumRatio = maximumRatio
        self.maximumLayers = maximumLayers
        self.isEnabled = isEnabled
    }
}

/// Which redirects are followed.
public struct RedirectPolicy: Hashable, Sendable {
    /// Default 20.
    public var maximumCount: Int
    /// From https to http. Off: the error is `hookRefused`.
    public var allowsDowngrade: Bool
    /// Fields that are dropped when the origin changes, beside `Authorization`, `Cookie` and `Proxy-Authorization`. Lower case.
    public var fieldsOfOrigin: Set<String>
    /// Off: the redirect is the answer.
    public var follows: Bool

    /// By default 20 redirects, none to a less safe scheme, and no fields dropped but those that identify somebody.
    public init(
        maximumCount: Int = 20, allowsDowngrade: Bool = false, fieldsOfOrigin: Set<String> = [], follows: Bool = true
    ) {
        self.maximumCount = maximumCount
        self.allowsDowngrade = allowsDowngrade
        self.fieldsOfOrigin = fieldsOfOrigin
        self.follows = follows
    }
}

/// Brings a fresh credential after a 401.
public protocol CredentialProvider: Sendable {
    /// `rejected` is the one the server refused, if one was sent. Nil: there is none, and the 401 is the answer.
    func credential(for realm: AuthenticationRealm, rejected: Credential?) async throws -> Credential?
}

/// What asks for a credential.
public struct AuthenticationRealm: Hashable, Sendable {
    /// `https://example.org:443`
    public var origin: String
    /// The `WWW-Authenticate` fields, as they came.
    public var challenge: String

    /// For tests of a ``CredentialProvider``; loads make their own.
    public init(origin: String, challenge: String) {
        self.origin = origin
        self.challenge = challenge
    }
}

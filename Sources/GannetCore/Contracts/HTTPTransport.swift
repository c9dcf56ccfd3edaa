public import FoundationEssentials

/// Sends one HTTP request and returns as soon as the head arrives. No redirects, decompression, cookies, cache or retries:
/// those are the downloader's. The request's deadlines cover connecting, every gap between bytes and the whole transfer,
/// including the body.
public protocol HTTPTransport: Sendable {
    /// Throws `hostNotFound`, `connectionFailed`, `tlsFailed`, `timedOut`, `protocolViolation`, `network`, `blocked` or
    /// `cancelled`.
    func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse
}

/// One request as sent: the transport adds only what it needs itself (`Host`, the length of the body).
public struct HTTPRequest: Sendable {
    /// An HTTP method, case-sensitive (RFC 9110 §9.1). Default GET.
    public var method: String
    /// `http` or `https`, with a host.
    public var url: URL
    /// The fields in the order of sending.
    public var headers: HTTPHeaders
    /// Nil: the request has no body.
    public var body: [UInt8]?
    /// Default: those of ``LoadDeadlines``.
    public var deadlines: LoadDeadlines
    /// Accepts any certificate of this host. Off by default.
    public var trustsAnyCertificate: Bool

    /// By default a GET without fields and body, with the standard deadlines and full certificate checks.
    public init(
        method: String = "GET", url: URL, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8]? = nil,
        deadlines: LoadDeadlines = LoadDeadlines(), trustsAnyCertificate: Bool = false
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.deadlines = deadlines
        self.trustsAnyCertificate = trustsAnyCertificate
    }
}

/// A response whose body is still to be pulled.
public struct HTTPResponse: Sendable {
    /// Status line and fields, available before the body.
    public var head: HTTPResponseHead
    /// Throws if the connection ends before the body is complete: a truncated body is never reported as complete.
    public var body: ByteStream
    /// Zero unless the transport says it.
    package var times = ConnectionTimes()

    /// `body` is for one reader; dropping it cancels the transfer.
    public init(head: HTTPResponseHead, body: ByteStream) {
        self.head = head
        self.body = body
    }
}

/// How long the steps to a new connection took, in microseconds; zero for what was not needed, as on a kept one.
package struct ConnectionTimes: Hashable, Sendable {
    package var (name, connect, tls) = (UInt32(0), UInt32(0), UInt32(0))
    package init() {}
}

/// The head of a response: status, fields, and URL.
public struct HTTPResponseHead: Hashable, Sendable {
    /// Three digits (RFC 9110 §15). Interim responses (1xx) never appear here.
    public var status: Int
    /// The fields in the order of arrival.
    public var headers: HTTPHeaders
    /// The URL after redirects.
    public var url: URL
    /// "1.0", "1.1" or "2".
    public var version: String

    /// `version` is "1.1" by default.
    public init(status: Int, headers: HTTPHeaders, url: URL, version: String = "1.1") {
        self.status = status
        self.headers = headers
        self.url = url
        self.version = version
    }
}

public import FoundationEssentials

/// Sends one HTTP request and answers with the head as soon as it is there. No redirects, no decompression, no cookies, no
/// cache, no retries: those are the downloader's. Deadlines in the request cover connecting, every gap between bytes and
/// the whole transfer, body included.
public protocol HTTPTransport: Sendable {
    /// Throws `hostNotFound`, `connectionFailed`, `tlsFailed`, `timedOut`, `protocolViolation`, `network` or `cancelled`.
    func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse
}

/// One request as it goes over the wire: nothing is added to it but what the transport itself needs (`Host`, the length of the
/// body).
public struct HTTPRequest: Sendable {
    /// A word of HTTP, case counts (RFC 9110 §9.1). Default GET.
    public var method: String
    /// `http` or `https`, with a host.
    public var url: URL
    /// In the order in which they are sent.
    public var headers: HTTPHeaders
    /// Nil: the request has no body.
    public var body: [UInt8]?
    /// Defaults are those of ``LoadDeadlines``.
    public var deadlines: LoadDeadlines
    /// Accepts any certificate of this host. Off unless asked for by name.
    public var trustsAnyCertificate: Bool

    /// Without more than a URL: a GET without fields and body, with the standard deadlines and full trust checks.
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

/// An answer whose body is still to be pulled.
public struct HTTPResponse: Sendable {
    /// Status line and fields, there before the body.
    public var head: HTTPResponseHead
    /// Throws if the connection ends before the body is whole: a truncated body is never reported as a whole one.
    public var body: ByteStream

    /// `body` is one reader's; dropping it cancels the transfer.
    public init(head: HTTPResponseHead, body: ByteStream) {
        self.head = head
        self.body = body
    }
}

/// What an answer says before its body: status, fields, and where it came from.
public struct HTTPResponseHead: Hashable, Sendable {
    /// Three digits (RFC 9110 §15). Interim answers (1xx) are never seen here.
    public var status: Int
    /// In the order in which they came.
    public var headers: HTTPHeaders
    /// After redirects.
    public var url: URL
    /// "1.0", "1.1" or "2".
    public var version: String

    /// `version` is "1.1" unless told.
    public init(status: Int, headers: HTTPHeaders, url: URL, version: String = "1.1") {
        self.status = status
        self.headers = headers
        self.url = url
        self.version = version
    }
}

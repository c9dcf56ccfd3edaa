public import FoundationEssentials

/// Sends one HTTP request and answers with the head as soon as it is there. No redirects, no decompression, no cookies, no
/// cache, no retries: those are the downloader's. Deadlines in the request cover connecting, every gap between bytes and
/// the whole transfer, body included.
public protocol HTTPTransport: Sendable {
    /// Throws `hostNotFound`, `connectionFailed`, `tlsFailed`, `timedOut`, `protocolViolation`, `network` or `cancelled`.
    func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse
}

public struct HTTPRequest: Sendable {
    public var method: String
    public var url: URL
    public var headers: HTTPHeaders
    public var body: [UInt8]?
    public var deadlines: LoadDeadlines
    /// Accepts any certificate of this host. Off unless asked for by name.
    public var trustsAnyCertificate: Bool

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

public struct HTTPResponse: Sendable {
    public var head: HTTPResponseHead
    /// Throws if the connection ends before the body is whole: a truncated body is never reported as a whole one.
    public var body: ByteStream

    public init(head: HTTPResponseHead, body: ByteStream) {
        self.head = head
        self.body = body
    }
}

public struct HTTPResponseHead: Hashable, Sendable {
    public var status: Int
    public var headers: HTTPHeaders
    /// After redirects.
    public var url: URL
    /// "1.0", "1.1" or "2".
    public var version: String

    public init(status: Int, headers: HTTPHeaders, url: URL, version: String = "1.1") {
        self.status = status
        self.headers = headers
        self.url = url
        self.version = version
    }
}

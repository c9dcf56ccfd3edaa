import GannetCore
import GannetPlatform

/// Sends requests for objects of one location to S3, or to a server with its API. Signs all requests, and sends none while the breaker
/// is open.
final class S3Client: Sendable {
    /// The outcome of a request.
    enum Found: Sendable {
        case bytes([UInt8])
        case missing
        /// The request failed, or was not sent.
        case failed
    }

    let location: S3Location
    let limits: S3Limits
    let time: any TimeSource
    let tally = RemoteTally()
    private let breaker: CircuitBreaker
    private let signature: S3Signature
    private let transport: any HTTPTransport

    init(
        _ location: S3Location, _ credentials: S3Credentials, transport: any HTTPTransport, limits: S3Limits,
        time: any TimeSource, report: @escaping @Sendable (String) -> Void
    ) {
        (self.location, self.transport, self.limits, self.time) = (location, transport, limits, time)
        signature = S3Signature(credentials: credentials, region: location.region)
        breaker = CircuitBreaker(tally, server: "S3, \(location)", breaker: limits.breaker, time: time, report: report)
    }

    var counts: RemoteCounts { tally.counts(isOpen: breaker.isOpen) }

    /// An object, or at least its first bytes. One with more bytes than `maximum` is missing.
    func get(_ name: String, maximum: Int, first count: Int? = nil) async -> Found {
        let path = location.path(name)
        let range = count.map { [("Range", "bytes=0-\(max($0, 1) - 1)")] } ?? []
        do throws(ImageError) {
            let found = try await exchange("GET", path, fields: range) { response throws(ImageError) -> Found in
                switch response.head.status {
                case 200, 206:
                    // Not every server knows ranges; what is beyond is not waited for.
                    let enough = response.head.status == 200 ? count : nil
                    return try await Self.bytes(response, maximum: maximum, enough: enough).map { .bytes($0) } ?? .missing
                // 416: an object without bytes.
                case 404, 416: return .missing
                default: throw S3Signature.refusal(response.head.status)
                }
            }
            return found ?? .failed
        } catch {
            return .failed
        }
    }

    /// Nil: they are more than `maximum`.
    private static func bytes(
        _ response: HTTPResponse, maximum: Int, enough: Int? = nil
    ) async throws(ImageError) -> [UInt8]? {
        var bytes: [UInt8] = []
        while let piece = try await response.body.next() {
            bytes += piece
            if let enough, bytes.count >= enough { return bytes }
            if bytes.count > maximum { return nil }
        }
        return bytes
    }

    /// False: the request failed. Nil: it was not sent.
    func put(_ name: String, _ body: [UInt8]) async -> Bool? {
        do throws(ImageError) {
            return try await exchange("PUT", location.path(name), body: body) { response throws(ImageError) in
                try await Self.end(response)
                return true
            }
        } catch {
            return false
        }
    }

    /// A missing object is no error. Throws `network` if the breaker is open, and the error of the exchange.
    func delete(_ name: String) async throws(ImageError) {
        let isAsked = try await exchange("DELETE", location.path(name)) { response throws(ImageError) in
            if response.head.status != 404 { try await Self.end(response) }
            return true
        }
        if isAsked == nil { throw leftAlone }
    }

    private static func end(_ response: HTTPResponse) async throws(ImageError) {
        guard (200..<300).contains(response.head.status) else { throw S3Signature.refusal(response.head.status) }
        while try await response.body.next() != nil {}
    }

    /// Objects whose names begin so, up to a thousand at a time. Throws as ``delete(_:)`` does.
    func eachPage(
        _ prefix: String, _ body: ([S3Listing.Object]) async throws(ImageError) -> Void
    ) async throws(ImageError) {
        var token: String?
        repeat {
            var query = [("list-type", "2"), ("prefix", location.prefix + prefix)]
            if let token { query.append(("continuation-token", token)) }
            let page = try await exchange("GET", location.listPath, query: query) { response throws(ImageError) in
                guard response.head.status == 200 else { throw S3Signature.refusal(response.head.status) }
                guard let bytes = try await Self.bytes(response, maximum: S3Listing.maximumBytes),
                    let listing = S3Listing(String(decoding: bytes, as: UTF8.self), prefix: self.location.prefix)
                else { throw ImageError(.protocolViolation, stage: .cache, "It answers a listing with something else.") }
                return listing
            }
            guard let page else { throw leftAlone }
            try await body(page.objects)
            token = page.next
        } while token != nil
    }

    private var leftAlone: ImageError {
        ImageError(.network, stage: .cache, "S3, \(location), is left alone after failures; try again later.")
    }

    /// Nil: the breaker is open.
    private func exchange<Result: Sendable>(
        _ method: String, _ path: String, query: [(String, String)] = [], fields: [(String, String)] = [],
        body: [UInt8]? = nil, _ read: (HTTPResponse) async throws(ImageError) -> Result
    ) async throws(ImageError) -> Result? {
        guard let attempt = breaker.begin() else { return nil }
        do throws(ImageError) {
            let request = try request(method, path, query: query, fields: fields, body: body)
            let result = try await read(try await transport.send(request))
            breaker.succeeded(attempt)
            return result
        } catch {
            breaker.failed(attempt, error)
            throw error
        }
    }

    private func request(
        _ method: String, _ path: String, query: [(String, String)], fields: [(String, String)], body: [UInt8]?
    ) throws(ImageError) -> HTTPRequest {
        let parts = query.map {
            PercentEncoding.encoded($0.0, keepsSlashes: false) + "=" + PercentEncoding.encoded($0.1, keepsSlashes: false)
        }
        guard let url = location.url(path: path + (parts.isEmpty ? "" : "?" + parts.joined(separator: "&"))) else {
            throw ImageError(.misuse, stage: .resolve, "The name of an object is no URL.")
        }
        let signed = signature.fields(
            method: method, host: location.host, path: path, query: query, body: body ?? [], at: time.now)
        // A server may think about what was sent for as long as the whole may take.
        let idle = body == nil ? limits.head : limits.whole
        return HTTPRequest(
            method: method, url: url, headers: HTTPHeaders(signed + fields), body: body,
            deadlines: LoadDeadlines(connect: limits.head, idle: idle, total: limits.whole))
    }
}

public import GannetCore
import Synchronization

/// A transport that answers from a closure and records the requests. No sockets, no time.
public final class ScriptedTransport: HTTPTransport {
    package typealias Answer = @Sendable (HTTPRequest, Int) async throws(ImageError) -> HTTPResponse

    private let answer: Answer
    private let sent = Mutex<[HTTPRequest]>([])

    /// The closure receives the request and its number in order of sending, from 1. Its errors fail the request.
    public init(_ answer: @escaping @Sendable (HTTPRequest, Int) async throws(ImageError) -> HTTPResponse) {
        self.answer = answer
    }

    /// For a closure that throws any error: an ``ImageError`` fails the request unchanged, another one as `network` with the
    /// underlying error.
    @_disfavoredOverload
    public init(_ answer: @escaping @Sendable (HTTPRequest, Int) async throws -> HTTPResponse) {
        self.answer = { request, number throws(ImageError) in
            do { return try await answer(request, number) } catch {
                throw ImageError(error, code: .network, stage: .load, "The scripted answer failed: \(error)")
            }
        }
    }

    /// The requests in the order of sending, including failed ones.
    public var requests: [HTTPRequest] { sent.withLock { $0 } }

    public func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse {
        let number = sent.withLock { sent in
            sent.append(request)
            return sent.count
        }
        return try await answer(request, number)
    }
}

extension HTTPResponse {
    /// A complete response in one chunk; adds `Content-Length` if missing.
    public static func fixed(
        _ request: HTTPRequest, status: Int = 200, headers: [(String, String)] = [], body: [UInt8] = []
    ) -> HTTPResponse {
        var fields = HTTPHeaders(headers)
        if !fields.contains("Content-Length") { fields.add("Content-Length", String(body.count)) }
        return HTTPResponse(
            head: HTTPResponseHead(status: status, headers: fields, url: request.url), body: .chunks(body.isEmpty ? [] : [body]))
    }
}

extension ByteStream {
    /// These chunks, then the end or the failure.
    public static func chunks(_ chunks: [[UInt8]], failure: ImageError? = nil) -> ByteStream {
        let rest = ChunkQueue(chunks)
        return ByteStream { () async throws(ImageError) in
            if let chunk = rest.next() { return chunk }
            if let failure { throw failure }
            return nil
        }
    }
}

private final class ChunkQueue: Sendable {
    private let chunks: Mutex<[[UInt8]]>

    init(_ chunks: [[UInt8]]) { self.chunks = Mutex(chunks.reversed()) }

    func next() -> [UInt8]? { chunks.withLock { $0.popLast() } }
}

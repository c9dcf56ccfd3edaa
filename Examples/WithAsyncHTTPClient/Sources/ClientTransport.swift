import AsyncHTTPClient
import FoundationEssentials
import GannetCore
import NIOCore
import NIOHTTP1
import Synchronization

/// A client of AsyncHTTPClient as the transport of Gannet. Give it a client that follows no redirects and decompresses nothing.
///
/// The total deadline covers the body; a deadline for silence is the client's (`timeout.read`). Responses that the client takes
/// for impossible are its own to survive.
struct ClientTransport: HTTPTransport {
    let client: HTTPClient

    func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse {
        var message = HTTPClientRequest(url: request.url.absoluteString)
        message.method = HTTPMethod(rawValue: request.method)
        message.headers = NIOHTTP1.HTTPHeaders(request.headers.fields.map { ($0.name, $0.value) })
        message.body = request.body.map { .bytes(ByteBuffer(bytes: $0)) }
        let end = NIODeadline.now() + .nanoseconds(Int64(request.deadlines.total / .nanoseconds(1)))
        do {
            let response = try await client.execute(message, deadline: end)
            let fields = response.headers.map { ($0.name, $0.value) }
            let pieces = Pieces(response.body)
            return HTTPResponse(
                head: HTTPResponseHead(
                    status: Int(response.status.code), headers: GannetCore.HTTPHeaders(fields), url: request.url,
                    version: response.version.major == 2 ? "2" : "1.1"),
                body: ByteStream { () async throws(ImageError) in
                    do { return try await pieces.next() } catch {
                        throw ImageError(error, code: .network, stage: .load, "The transfer failed.")
                    }
                })
        } catch {
            throw ImageError(error, code: .network, stage: .load, "The request failed.")
        }
    }
}

/// The pieces of one body, for one reader.
private actor Pieces {
    private var iterator: HTTPClientResponse.Body.AsyncIterator

    init(_ body: HTTPClientResponse.Body) { iterator = body.makeAsyncIterator() }

    func next() async throws -> [UInt8]? {
        var copy = iterator
        defer { iterator = copy }
        return try await copy.next().map { Array($0.readableBytesView) }
    }
}

import GannetServer
import HTTPTypes
import Hummingbird

/// Answers everything below `prefix` with the service's thumbnails: `PREFIX/300x300/fill?url=…` and `PREFIX/SIGNATURE/…`.
public struct ThumbnailRoutes: Sendable {
    let service: ThumbnailService
    let prefix: String

    /// `prefix` begins with a slash and does not end with one.
    public init(_ service: ThumbnailService, below prefix: String) { (self.service, self.prefix) = (service, prefix) }

    /// Adds the routes for GET and HEAD.
    public func add(to router: Router<some RequestContext>) {
        for method in [HTTPRequest.Method.get, .head] {
            router.on("\(prefix)/**", method: method) { request, _ in await response(to: request) }
        }
    }

    private func response(to request: Request) async -> Response {
        // As received: signatures cover every byte of it.
        let target = String((request.head.path ?? "").dropFirst(prefix.utf8.count))
        let headers = request.headers.map { ($0.name.rawName, $0.value) }
        let answer = await service.respond(
            to: ThumbnailService.Request(method: request.method.rawValue, target: target, headers: headers))
        var fields = HTTPFields()
        for (name, value) in answer.headers { if let name = HTTPField.Name(name) { fields[name] = value } }
        let response = Response(
            status: .init(code: answer.status), headers: fields, body: .init(byteBuffer: ByteBuffer(bytes: answer.body)))
        return request.method == .head ? response.createHeadResponse() : response
    }
}

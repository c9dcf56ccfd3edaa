import FoundationEssentials
import GannetCore
import GannetPlatform

/// Signs requests to the servers of some buckets, and sends none to any other server. Signatures are added below the cache, because
/// the `Authorization` is the service's own and not a client's (RFC 9111 §3.5).
struct S3Transport: HTTPTransport {
    let signature: S3Signature
    let locations: [S3Location]
    let transport: any HTTPTransport
    let time: any TimeSource

    func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse {
        let text = request.url.absoluteString
        guard let location = locations.first(where: { text.hasPrefix($0.origin + "/") }) else {
            throw ImageError(.blocked, stage: .load, "A request to S3 would have gone to another server.")
        }
        let path = String(text.dropFirst(location.origin.count))
        guard !path.contains(where: { "?#".contains($0) }) else {
            throw ImageError(.misuse, stage: .load, "A request for an object has no query.")
        }
        var request = request
        for (name, value) in signature.fields(
            method: request.method, host: location.host, path: path, body: request.body ?? [], at: time.now)
        {
            request.headers.set(name, value)
        }
        return try await transport.send(request)
    }
}

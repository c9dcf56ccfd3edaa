import GannetCore
import Synchronization

/// A configuration shared by all transfers that begin under it: passing it on copies nothing.
final class DownloaderSettings: Sendable {
    let value: DownloaderConfiguration
    /// Fields of requests without their own, except `Accept`.
    private let standard: HTTPHeaders
    /// The same with the most recent `Accept`, which rarely changes.
    private let accepting = Mutex<(accept: String, headers: HTTPHeaders)?>(nil)

    init(_ value: DownloaderConfiguration) {
        self.value = value
        standard = Self.completed(value.headers, value)
    }

    /// The request's own fields, then those of the configuration.
    func headers(for request: LoadRequest) -> HTTPHeaders {
        var headers = request.download.headers
        if headers.isEmpty { return standard(accepting: request.accept) }
        for field in value.headers.fields where !headers.contains(field.name) { headers.add(field.name, field.value) }
        headers = Self.completed(headers, value)
        if !headers.contains("Accept") { headers.add("Accept", request.accept) }
        return headers
    }

    private func standard(accepting accept: String) -> HTTPHeaders {
        if let last = accepting.withLock({ $0?.accept == accept ? $0?.headers : nil }) { return last }
        var headers = standard
        if !headers.contains("Accept") { headers.add("Accept", accept) }
        accepting.withLock { [headers] in $0 = (accept, headers) }
        return headers
    }

    private static func completed(_ headers: HTTPHeaders, _ value: DownloaderConfiguration) -> HTTPHeaders {
        var headers = headers
        if value.contentDecoding.isEnabled, !headers.contains("Accept-Encoding") {
            // A range of compressed bytes is not a range of the image.
            headers.add("Accept-Encoding", headers.contains("Range") ? "identity" : ContentCoding.acceptEncoding)
        }
        return headers
    }
}

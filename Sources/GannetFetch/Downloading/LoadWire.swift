import GannetCore
import GannetPlatform
import Synchronization

/// The way of one load's requests to their servers, below any cache: what passes here is what is stored.
///
/// Keeps cookies, applies the load's hooks to responses, and unpacks bodies. All requests share the time of the load.
final class LoadWire: HTTPTransport {
    private let loader: HTTPLoader
    private let transport: any HTTPTransport
    private let request: LoadRequest
    private let settings: DownloaderSettings
    private var time: any TimeSource { loader.time }
    /// The time of the load, and when its first request was sent.
    private let clock = Mutex<(total: Duration, began: Duration)?>(nil)

    init(_ loader: HTTPLoader, _ transport: any HTTPTransport, _ request: LoadRequest, _ settings: DownloaderSettings) {
        self.loader = loader
        self.transport = transport
        self.request = request
        self.settings = settings
    }

    func send(_ message: HTTPRequest) async throws(ImageError) -> HTTPResponse {
        guard !loader.isInvalidated else {
            throw ImageError(
                .misuse, stage: .load, "The downloader was invalidated and loads nothing any more. Make another HTTPLoader.")
        }
        let response = try await transport.send(inTime(message))
        if !request.isPlain, request.download.cookies, let jar = settings.value.cookies {
            jar.store(response.head.headers.all("Set-Cookie"), from: message.url, now: time.now)
        }
        if leadsOn(response.head) { return response }
        guard !request.isPlain, request.download.responseModifier != nil || request.download.decryptor != nil else {
            return try unpacked(response, message)
        }
        return try await hooked(response, message)
    }

    /// Whether the loader sends another request after this response.
    func leadsOn(_ head: HTTPResponseHead) -> Bool {
        if head.status == 401 { return true }
        return settings.value.redirects.follows && HTTPCachePolicy.redirectStatuses.contains(head.status)
            && head.headers.contains("Location")
    }

    // MARK: Time

    private func inTime(_ message: HTTPRequest) throws(ImageError) -> HTTPRequest {
        let now = time.uptime
        let left = clock.withLock { clock -> Duration in
            let known = clock ?? (message.deadlines.total, now)
            clock = known
            return known.total - (now - known.began)
        }
        guard left > .zero else {
            throw ImageError(
                .timedOut, stage: .load,
                "Redirects and authentication took all the time that the load has (deadlines.total).")
        }
        var message = message
        message.deadlines.total = min(message.deadlines.total, left)
        return message
    }

    /// A wait that is no server's: it does not count.
    func exclude(_ wait: Duration) { clock.withLock { $0?.began += wait } }

    // MARK: Hooks

    @inline(never) private func hooked(_ response: HTTPResponse, _ message: HTTPRequest) async throws(ImageError) -> HTTPResponse
    {
        var response = response
        response.head = try await modified(response.head)
        response = try unpacked(response, message)
        guard let decryptor = request.download.decryptor, message.method != "HEAD",
            settings.value.accepts(status: response.head.status)
        else { return response }
        return try await decrypted(response, decryptor)
    }

    /// The head as the response modifier, if there is one, returns it.
    @inline(never) func modified(_ head: HTTPResponseHead) async throws(ImageError) -> HTTPResponseHead {
        guard !request.isPlain, let modifier = request.download.responseModifier else { return head }
        do {
            guard let modified = try await modifier.modify(head) else {
                throw ImageError(.hookRefused, stage: .load, "The response modifier refused the answer.")
            }
            return modified
        } catch {
            throw ImageError(error, code: .hookRefused, stage: .load, "The response modifier failed.")
        }
    }

    @inline(never) private func decrypted(
        _ response: HTTPResponse, _ decryptor: any DataDecryptor
    ) async throws(ImageError) -> HTTPResponse {
        var rope = ByteRope()
        while let chunk = try await response.body.next() {
            rope.append(chunk)
            try request.check(rope.count)
        }
        var result = response
        do {
            guard let plain = try await decryptor.decrypt(rope.contiguous(), response: response.head) else {
                throw ImageError(.hookRefused, stage: .load, "The decryptor gave no bytes.")
            }
            result.body = .joined(ByteRope(plain), nil)
            result.head.headers.set("Content-Length", String(plain.count))
        } catch {
            throw ImageError(error, code: .hookRefused, stage: .load, "The decryptor failed.")
        }
        return result
    }

    // MARK: Content codings

    /// The response without the content codings that this package reads. A part of packed bytes stays as it is.
    @inline(never) private func unpacked(_ response: HTTPResponse, _ message: HTTPRequest) throws(ImageError) -> HTTPResponse {
        let limits = settings.value.contentDecoding
        let head = response.head
        guard limits.isEnabled, message.method != "HEAD", ![204, 206, 304].contains(head.status),
            let encoding = head.headers.combined("Content-Encoding")
        else { return response }
        // The coding of a body that is not read does not matter.
        let isRead = settings.value.accepts(status: head.status)
        if isRead, let name = ContentCoding.unreadable(in: encoding),
            message.headers.combined("Accept-Encoding")?.lowercased().contains(name) != true
        {
            throw ImageError(
                .unsupported, stage: .load,
                "The server encoded the picture as “\(name.prefix(40))”, although only \(ContentCoding.acceptEncoding) was offered. Ask its operator, or accept it: the body then comes as it is (header Accept-Encoding)."
            )
        }
        guard let codings = ContentCoding.parse(encoding), !codings.isEmpty else { return response }
        guard codings.count <= limits.maximumLayers else {
            if !isRead { return response }
            throw ImageError(.limitExceeded, stage: .load, "The body is compressed \(codings.count) times over.")
        }
        #if HTTP
            var result = response
            result.body = ContentDecoder.stream(
                response.body, codings: codings, limits: limits, maximumBytes: request.maximumBytes)
            result.head.headers.remove("Content-Encoding")
            result.head.headers.remove("Content-Length")
            return result
        #else
            if !isRead { return response }
            throw ImageError(.unsupported, stage: .load, "Compressed bodies need the trait HTTP.")
        #endif
    }
}

import GannetCore
import GannetPlatform

// Processing of the response: hooks, acceptance, content decoding, limits.
extension HTTPLoader {
    /// Processes the response with the hooks before and after it.
    @inline(never) func hooked(_ exchange: Exchange, _ order: Order) async throws(ImageError) -> LoadResponse {
        var exchange = exchange
        if let modifier = order.options.responseModifier {
            exchange.response.head = try await modified(exchange.response.head, modifier)
        }
        let response = try answered(exchange, order)
        guard let decryptor = order.options.decryptor else { return response }
        return try await decrypted(response, decryptor, order)
    }

    @inline(never) func answered(_ exchange: Exchange, _ order: Order) throws(ImageError) -> LoadResponse {
        let head = exchange.response.head
        var result: LoadResponse
        // Without a condition in the request, a 304 is meaningless (RFC 9110 §15.4.5).
        if head.status == 304, order.request.stored != nil, exchange.isConditional {
            result = LoadResponse(body: .notModified, origin: .revalidated, http: head)
        } else {
            result = try checked(HTTPResponse(head: head, body: exchange.response.body), order)
        }
        result.redirects = exchange.trail.redirects.count
        result.times = exchange.response.times
        if result.redirects > 0 || exchange.trail.isAuthorized { result.trail = exchange.trail }
        return result
    }

    @inline(never) private func modified(
        _ head: HTTPResponseHead, _ modifier: any ResponseModifier
    ) async throws(ImageError) -> HTTPResponseHead {
        do {
            guard let modified = try await modifier.modify(head) else {
                throw ImageError(.hookRefused, stage: .load, "The response modifier refused the answer.")
            }
            return modified
        } catch {
            throw ImageError(error, code: .hookRefused, stage: .load, "The response modifier failed.")
        }
    }

    /// The accepted response, decompressed during the transfer.
    @inline(never) private func checked(_ answer: HTTPResponse, _ order: Order) throws(ImageError) -> LoadResponse {
        var (head, body) = (answer.head, answer.body)
        try check(head, order)
        let encoding = head.headers.combined("Content-Encoding")
        let isPart = head.status == 206
        // A part of compressed bytes cannot be decompressed alone.
        let codings = order.settings.value.contentDecoding.isEnabled && !isPart ? ContentCoding.parse(encoding) ?? [] : []
        if isPart, order.request.partOf != nil, ContentCoding.parse(encoding) != [] {
            throw ImageError(
                .protocolViolation, stage: .load, "The server compressed the rest of a picture that was not compressed.",
                httpStatus: 206)
        }
        if order.settings.value.contentDecoding.isEnabled, order.options.method != "HEAD",
            let name = ContentCoding.unreadable(in: encoding),
            order.options.headers.combined("Accept-Encoding")?.lowercased().contains(name) != true
        {
            throw ImageError(
                .unsupported, stage: .load,
                "The server encoded the picture as “\(name.prefix(40))”, although only \(ContentCoding.acceptEncoding) was offered. Ask its operator, or accept it: the body then comes as it is (header Accept-Encoding)."
            )
        }
        var expected = head.headers["Content-Length"].flatMap { Int(digits: $0) }
        if order.options.method == "HEAD" { expected = nil }
        if let expected, expected > order.request.maximumBytes {
            throw ImageError(
                .limitExceeded, stage: .load,
                "The server announces \(expected) bytes; the limit is \(order.request.maximumBytes). Raise maximumEncodedBytes to allow it."
            )
        }
        if !codings.isEmpty, order.options.method != "HEAD" {
            guard codings.count <= order.settings.value.contentDecoding.maximumLayers else {
                throw ImageError(.limitExceeded, stage: .load, "The body is compressed \(codings.count) times over.")
            }
            #if HTTP
                body = ContentDecoder.stream(
                    body, codings: codings, limits: order.settings.value.contentDecoding, maximumBytes: order.request.maximumBytes
                )
                head.headers.remove("Content-Encoding")
                head.headers.remove("Content-Length")
                expected = nil
            #else
                throw ImageError(.unsupported, stage: .load, "Compressed bodies need the trait HTTP.")
            #endif
        }
        let type = head.headers["Content-Type"].map(\.withoutParameters)
        return LoadResponse(body: .stream(body), origin: .network, expectedBytes: expected, mimeType: type, http: head)
    }

    private func check(_ head: HTTPResponseHead, _ order: Order) throws(ImageError) {
        let asksRange = order.options.headers.contains("Range")
        if head.status == 206, !asksRange {
            throw ImageError(
                .protocolViolation, stage: .load, "The server sent a part (206) although nobody asked for one.", httpStatus: 206)
        }
        if head.status == 304, !order.options.headers.contains("If-None-Match"),
            !order.options.headers.contains("If-Modified-Since")
        {
            throw ImageError(
                .protocolViolation, stage: .load, "The server says “not modified” (304), but nothing is stored.", httpStatus: 304)
        }
        guard order.settings.value.accepts(status: head.status) || (asksRange && head.status == 206) else {
            throw .status(of: head, now: time.now)
        }
        guard order.settings.value.accepts(contentType: head.headers["Content-Type"]) else {
            throw ImageError(
                .contentType, stage: .load,
                "The server sent the type \(head.headers["Content-Type"]?.prefix(80) ?? ""), which acceptedContentTypes does not contain."
            )
        }
    }

    @inline(never) private func decrypted(
        _ response: LoadResponse, _ decryptor: any DataDecryptor, _ order: Order
    ) async throws(ImageError) -> LoadResponse {
        guard case .stream(let body) = response.body, let head = response.http else { return response }
        var rope = ByteRope()
        while let chunk = try await body.next() {
            rope.append(chunk)
            try order.request.check(rope.count)
        }
        var result = response
        do {
            guard let plain = try await decryptor.decrypt(rope.contiguous(), response: head) else {
                throw ImageError(.hookRefused, stage: .load, "The decryptor gave no bytes.")
            }
            result.body = .bytes(ByteRope(plain))
            result.expectedBytes = plain.count
        } catch {
            throw ImageError(error, code: .hookRefused, stage: .load, "The decryptor failed.")
        }
        return result
    }
}

extension ImageError {
    /// The error for a response that is not accepted, with its `Retry-After`.
    static func status(of head: HTTPResponseHead, now: Timestamp) -> ImageError {
        var wait: Duration?
        if let text = head.headers["Retry-After"]?.trimmedOWS() {
            wait =
                Int(digits: text).map { .seconds(min($0, 1 << 40)) }
                ?? HTTPDate.parse(text, now: now).map { max($0 - now, .zero) }
        }
        return ImageError(
            .httpStatus, stage: .load, "The server answered with status \(head.status).", httpStatus: head.status,
            retryAfter: wait)
    }
}

extension LoadRequest {
    /// Throws `limitExceeded` if the body exceeds the limit.
    func check(_ count: Int) throws(ImageError) {
        guard count > maximumBytes else { return }
        throw ImageError(
            .limitExceeded, stage: .load,
            "The body has more than \(maximumBytes) bytes. Raise maximumEncodedBytes to allow it.")
    }
}

extension HTTPCachePolicy {
    /// Kept in the stored fields: when the redirects to the response expire, in milliseconds since 1970, and after a space when
    /// those with `must-revalidate` do. Never sent.
    package static let redirectField = "Gannet-Redirects-Fresh-Until"
}

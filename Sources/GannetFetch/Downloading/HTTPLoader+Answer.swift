import GannetCore
import GannetPlatform

// The last response: whether it is accepted.
extension HTTPLoader {
    /// The accepted response; throws for any other.
    @inline(never) func answered(_ exchange: Exchange, _ order: Order) async throws(ImageError) -> LoadResponse {
        var head = exchange.response.head
        // Nobody could know before that this is the last one.
        if order.wire.leadsOn(head) { head = try await order.wire.modified(head) }
        try check(head, order)
        var expected = head.headers["Content-Length"].flatMap { Int(digits: $0) }
        if order.options.method == "HEAD" { expected = nil }
        if let expected, expected > order.request.maximumBytes {
            throw ImageError(
                .limitExceeded, stage: .load,
                "The server announces \(expected) bytes; the limit is \(order.request.maximumBytes). Raise maximumEncodedBytes to allow it."
            )
        }
        let type = head.headers["Content-Type"].map(\.withoutParameters)
        var result = LoadResponse(
            body: .stream(exchange.response.body), origin: .network, expectedBytes: expected, mimeType: type, http: head)
        result.redirects = exchange.redirects
        result.times = exchange.response.times
        return result
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

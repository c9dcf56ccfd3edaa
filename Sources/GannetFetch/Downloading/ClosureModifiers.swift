package import GannetCore

/// A request modifier from a closure. Without an identifier, results are neither shared nor stored.
package struct ClosureRequestModifier: RequestModifier {
    package let identifier: String?
    private let body: @Sendable (HTTPRequest) async throws -> HTTPRequest?

    /// `body` returns nil to refuse the load. Set an identifier only if equal ones change requests in the same way.
    package init(identifier: String? = nil, _ body: @escaping @Sendable (HTTPRequest) async throws -> HTTPRequest?) {
        self.identifier = identifier
        self.body = body
    }

    /// Sets method, fields and body. - SDWebImage: initWithMethod:headers:body:
    package init(method: String? = nil, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8]? = nil) {
        let names = headers.fields.map { "\($0.name):\($0.value)" }.joined(separator: "\n")
        let text = "\(method ?? "")\n\(names)\n\(body.map { String(Checksum.xxh3($0)) } ?? "")"
        self.init(identifier: "set:" + Digest128(text).hex) { request in
            var request = request
            if let method { request.method = method }
            for field in headers.fields { request.headers.set(field.name, field.value) }
            if let body { request.body = body }
            return request
        }
    }

    package func modify(_ request: HTTPRequest) async throws -> HTTPRequest? { try await body(request) }
}

/// A response modifier from a closure. Without an identifier, results are neither shared nor stored.
package struct ClosureResponseModifier: ResponseModifier {
    package let identifier: String?
    private let body: @Sendable (HTTPResponseHead) async throws -> HTTPResponseHead?

    /// `body` returns nil to refuse the load. Set an identifier only if equal ones change responses in the same way.
    package init(identifier: String? = nil, _ body: @escaping @Sendable (HTTPResponseHead) async throws -> HTTPResponseHead?) {
        self.identifier = identifier
        self.body = body
    }

    /// Sets status, version and fields. - SDWebImage: initWithStatusCode:version:headers:
    package init(status: Int? = nil, version: String? = nil, headers: HTTPHeaders = HTTPHeaders()) {
        let names = headers.fields.map { "\($0.name):\($0.value)" }.joined(separator: "\n")
        self.init(identifier: "set:" + Digest128("\(status ?? 0)\n\(version ?? "")\n\(names)").hex) { head in
            var head = head
            if let status { head.status = status }
            if let version { head.version = version }
            for field in headers.fields { head.headers.set(field.name, field.value) }
            return head
        }
    }

    package func modify(_ head: HTTPResponseHead) async throws -> HTTPResponseHead? { try await body(head) }
}

/// A decryptor from a closure. Without an identifier, results are neither shared nor stored.
package struct ClosureDecryptor: DataDecryptor {
    package let identifier: String?
    private let body: @Sendable ([UInt8], HTTPResponseHead?) async throws -> [UInt8]?

    /// `body` receives the whole body, and returns nil to refuse the load. - SDWebImage: decryptorWithBlock:
    package init(identifier: String? = nil, _ body: @escaping @Sendable ([UInt8], HTTPResponseHead?) async throws -> [UInt8]?) {
        self.identifier = identifier
        self.body = body
    }

    package func decrypt(_ data: [UInt8], response: HTTPResponseHead?) async throws -> [UInt8]? { try await body(data, response) }
}

/// A redirect handler from a closure. Without an identifier, results are neither shared nor stored.
struct ClosureRedirectHandler: RedirectHandler {
    let identifier: String?
    let body: @Sendable (HTTPResponseHead, HTTPRequest) async -> HTTPRequest?

    func redirect(from head: HTTPResponseHead, to request: HTTPRequest) async -> HTTPRequest? { await body(head, request) }
}

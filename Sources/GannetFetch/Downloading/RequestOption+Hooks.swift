public import GannetCore

// Hooks from closures. Without an identifier, results are neither shared nor stored; equal identifiers must do the same.

extension RequestOption {
    /// Changes the request before it is sent, in place of the manager's; nil refuses the load with `hookRefused`. Called once for
    /// each attempt, with the first request but not with those of redirects. - Kingfisher: requestModifier
    public static func requestModifier(
        _ identifier: String? = nil, _ body: @escaping @Sendable (HTTPRequest) async throws -> HTTPRequest?
    ) -> RequestOption { .requestModifier(ClosureRequestModifier(identifier: identifier, body)) }

    /// Sets method, fields and body of the request. - SDWebImage: initWithMethod:headers:body:
    public static func requestModifier(
        method: String? = nil, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8]? = nil
    ) -> RequestOption { .requestModifier(ClosureRequestModifier(method: method, headers: headers, body: body)) }

    package static func responseModifier(_ modifier: any ResponseModifier) -> RequestOption {
        RequestOption { $0.download.responseModifier = modifier }
    }

    /// Changes the head of the response before its status is checked, in place of the manager's; nil refuses the load with
    /// `hookRefused`.
    public static func responseModifier(
        _ identifier: String? = nil, _ body: @escaping @Sendable (HTTPResponseHead) async throws -> HTTPResponseHead?
    ) -> RequestOption { .responseModifier(ClosureResponseModifier(identifier: identifier, body)) }

    /// Sets status, version and fields of the response. - SDWebImage: initWithStatusCode:version:headers:
    public static func responseModifier(
        status: Int? = nil, version: String? = nil, headers: HTTPHeaders = HTTPHeaders()
    ) -> RequestOption { .responseModifier(ClosureResponseModifier(status: status, version: version, headers: headers)) }

    package static func decryptor(_ decryptor: any DataDecryptor) -> RequestOption {
        RequestOption { $0.download.decryptor = decryptor }
    }

    /// Makes the bytes of the image from the whole decompressed body, in place of the manager's; nil refuses the load with
    /// `hookRefused`. - SDWebImage: decryptorWithBlock:
    public static func decryptor(
        _ identifier: String? = nil, _ body: @escaping @Sendable ([UInt8], HTTPResponseHead?) async throws -> [UInt8]?
    ) -> RequestOption { .decryptor(ClosureDecryptor(identifier: identifier, body)) }

    /// Decides about each redirect: the closure has its head and the next request, and returns the request to send instead. Nil: the
    /// redirect is not followed, and is itself the response. - Kingfisher: redirectHandler
    public static func redirectHandler(
        _ identifier: String? = nil, _ body: @escaping @Sendable (HTTPResponseHead, HTTPRequest) async -> HTTPRequest?
    ) -> RequestOption {
        RequestOption { $0.download.redirectHandler = ClosureRedirectHandler(identifier: identifier, body: body) }
    }

    /// The body is base64 text; other text is `corrupt`. - SDWebImage: SDWebImageDownloaderDecryptor.base64Decryptor
    public static var base64Decryptor: RequestOption { .decryptor(Base64Decryptor()) }
}

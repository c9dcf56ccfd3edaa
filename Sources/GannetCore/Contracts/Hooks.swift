// User hooks. Those that change bytes or pixels carry an identifier, which becomes part of the keys; without it, the result is
// neither shared nor stored.

/// Chooses the text that identifies a source in the caches. - SDWebImage: cacheKeyFilter
public protocol CacheKeyFilter: Sendable {
    /// Nil: this request neither reads nor writes a cache.
    func key(for source: ImageSource) -> String?
}

/// Chooses the bytes for the disk, and how they become an image again. - SDWebImage: cacheSerializer
///
/// Called for the finished image of each load that stores one on the disk, transformed or not. Its bytes have their own key and
/// the freshness of the source. The response itself is stored beside it as it came, for revalidation and for other requests, unless
/// ``CacheOptions/writeOriginal`` leaves out the disk.
public protocol CacheSerializer: Sendable {
    /// `data`: the source's bytes where the image is all of them; nil for thumbnails, transformed images, and images from memory.
    /// Nil as the result: the coders encode the image, and bytes in `data` stay as they are.
    func data(for image: DecodedImage, data: EncodedImage?) async throws(ImageError) -> [UInt8]?
    /// Reads what ``data(for:data:)`` returned. Nil: decoded by the coders. An error removes the entry, and the image is made again.
    func image(from data: [UInt8]) async throws(ImageError) -> DecodedImage?
}

extension CacheSerializer {
    public func image(from data: [UInt8]) async throws(ImageError) -> DecodedImage? { nil }
}

/// Changes a request before it is sent. Nil refuses the load with `hookRefused`. - SDWebImage: downloadRequestModifier
package protocol RequestModifier: Sendable {
    /// Part of the fetch keys; must change with the hook's behaviour. Nil: the load is neither shared nor stored.
    var identifier: String? { get }
    /// Called once for each attempt, with the first request but not with those of redirects. Errors become `hookRefused` with
    /// the underlying error, unless they are ``ImageError``.
    func modify(_ request: HTTPRequest) async throws -> HTTPRequest?
}

/// Changes the head of a response. Nil refuses the load with `hookRefused`. - SDWebImage: downloadResponseModifier
package protocol ResponseModifier: Sendable {
    /// Part of the fetch keys; must change with the hook's behaviour. Nil: the load is neither shared nor stored.
    var identifier: String? { get }
    /// Called before the status is checked. Errors become `hookRefused` with the underlying error, unless they are
    /// ``ImageError``.
    func modify(_ head: HTTPResponseHead) async throws -> HTTPResponseHead?
}

/// Changes the whole body before it is used or stored. Nil refuses the load with `hookRefused`. - SDWebImage: downloadDecryptor
package protocol DataDecryptor: Sendable {
    /// Part of the fetch keys; must change with the hook's behaviour. Nil: the load is neither shared nor stored.
    var identifier: String? { get }
    /// Receives the whole decompressed body. Errors become `hookRefused` with the underlying error, unless they are
    /// ``ImageError``.
    func decrypt(_ data: [UInt8], response: HTTPResponseHead?) async throws -> [UInt8]?
}

/// Decides about one redirect. Nil: the redirect is not followed, and is itself the response. - Kingfisher: redirectHandler
package protocol RedirectHandler: Sendable {
    /// Part of the fetch keys; must change with the hook's behaviour. Nil: the load is neither shared nor stored.
    var identifier: String? { get }
    /// `head` is the redirect, `request` the next request; the returned request is sent instead, and may be `request` itself.
    func redirect(from head: HTTPResponseHead, to request: HTTPRequest) async -> HTTPRequest?
}

/// Decides about retries. Not called after `network` and `timedOut` for methods that must not be repeated (POST, PATCH): the
/// server may have acted already. - Kingfisher: retryStrategy
public protocol RetryStrategy: Sendable {
    /// Equal for strategies with equal decisions: their requests share a running transfer. Nil (the default): an object equals
    /// only itself, and a value equals nothing.
    var identifier: String? { get }
    /// The delay before attempt `attempt` (2 is the first retry); nil gives up.
    func delay(before attempt: Int, after error: ImageError) async -> Duration?
}

extension RetryStrategy {
    public var identifier: String? { nil }
}

/// Wraps every load, including its memory look-up: observes, replaces, retries or answers it. The first one added is outermost.
/// Its changes to a result are not cached, and are made again for each load. A manager with interceptors has no immediate
/// images (`cachedImage(for:)` is nil): views show their placeholder until the interceptors return.
public protocol LoadInterceptor: Sendable {
    /// The rest of the load: the inner interceptors, then the caches and the source. May be called any number of times.
    typealias Next = @Sendable (ResolvedRequest) async throws(ImageError) -> LoadedImage
    /// Called for every load, before the memory look-up. Its result or error is that of the load.
    func intercept(_ request: ResolvedRequest, next: Next) async throws(ImageError) -> LoadedImage
}

/// Decisions of the manager. - SDWebImage: SDWebImageManagerDelegate
public protocol LoadPolicy: Sendable {
    /// False: nothing is loaded, and the error is `hookRefused`. Called for each source to load, including alternatives, but
    /// not for fresh cache hits.
    func shouldLoad(_ source: ImageSource) -> Bool
    /// Whether a failed source is blocked for a while; nil uses the built-in rule.
    func shouldBlock(_ source: ImageSource, after error: ImageError) -> Bool?
}

extension LoadPolicy {
    public func shouldLoad(_ source: ImageSource) -> Bool { true }
    public func shouldBlock(_ source: ImageSource, after error: ImageError) -> Bool? { nil }
}

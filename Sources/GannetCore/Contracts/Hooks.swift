// Hooks of the user's. Those that change bytes or pixels carry an identifier, which becomes part of the keys; without one
// the result is neither shared nor stored.

/// Chooses the text that identifies a source in the caches. - SDWebImage: cacheKeyFilter
public protocol CacheKeyFilter: Sendable {
    /// Nil: this request neither reads nor writes a cache.
    func key(for source: ImageSource) -> String?
}

/// Chooses the bytes for the disk, and how they become a picture again. - SDWebImage: cacheSerializer
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

/// Sees each request after all defaults are filled in and may change it. - SDWebImage: optionsProcessor
public protocol OptionsProcessor: Sendable {
    /// Called on the caller's thread for each load and each look into the memory cache: must be quick. What it returns decides
    /// the keys.
    func process(_ request: ResolvedRequest) -> ResolvedRequest
}

/// Changes a request before it is sent. Nil refuses the load with `hookRefused`. - SDWebImage: downloadRequestModifier
public protocol RequestModifier: Sendable {
    /// Part of the keys of what is fetched; must change when the hook does something else. Nil: nothing of the load is shared or
    /// stored.
    var identifier: String? { get }
    /// Called once for each attempt, with the first request and not with those of redirects. What it throws becomes `hookRefused`
    /// with the error beneath, unless it is an ``ImageError``.
    func modify(_ request: HTTPRequest) async throws -> HTTPRequest?
}

/// Changes the head of an answer. Nil refuses the load with `hookRefused`. - SDWebImage: downloadResponseModifier
public protocol ResponseModifier: Sendable {
    /// Part of the keys of what is fetched; must change when the hook does something else. Nil: nothing of the load is shared or
    /// stored.
    var identifier: String? { get }
    /// Called before the status is checked. What it throws becomes `hookRefused` with the error beneath, unless it is an
    /// ``ImageError``.
    func modify(_ head: HTTPResponseHead) async throws -> HTTPResponseHead?
}

/// Changes the whole body before it is used or stored. Nil refuses the load with `hookRefused`. - SDWebImage: downloadDecryptor
public protocol DataDecryptor: Sendable {
    /// Part of the keys of what is fetched; must change when the hook does something else. Nil: nothing of the load is shared or
    /// stored.
    var identifier: String? { get }
    /// The whole body at once, decompressed. What it throws becomes `hookRefused` with the error beneath, unless it is an
    /// ``ImageError``.
    func decrypt(_ data: [UInt8], response: HTTPResponseHead?) async throws -> [UInt8]?
}

/// Decides about one redirect. Nil: it is not followed, and the redirect itself is the answer. - Kingfisher: redirectHandler
public protocol RedirectHandler: Sendable {
    /// Part of the keys of what is fetched; must change when the hook does something else. Nil: nothing of the load is shared or
    /// stored.
    var identifier: String? { get }
    /// `head` is the redirect, `request` what would be sent next; the answer is sent in its place, and may be `request` itself.
    func redirect(from head: HTTPResponseHead, to request: HTTPRequest) async -> HTTPRequest?
}

/// Decides about trying again. Not asked after `network` and `timedOut` where the method is one that may not be repeated (POST, PATCH): the
/// server may have done what it was asked for. - Kingfisher: retryStrategy
public protocol RetryStrategy: Sendable {
    /// Equal for strategies that decide alike: requests with such share a running transfer. Nil (the default): an object is like
    /// itself, and a value like no other.
    var identifier: String? { get }
    /// How long to wait before attempt `attempt` (2 is the first retry); nil gives up.
    func delay(before attempt: Int, after error: ImageError) async -> Duration?
}

extension RetryStrategy {
    public var identifier: String? { nil }
}

/// Stands around every load, the memory cache included: observes, replaces, retries or answers by itself. First added is outermost. What
/// it makes of a result is in no cache, and is made again for each load. A manager with interceptors has no picture at once
/// (`cachedImage(for:)` is nil): views show their placeholder until the interceptors have answered.
public protocol LoadInterceptor: Sendable {
    /// The rest of the load: the interceptors further in, then the caches and the source. May be called more than once, or not at
    /// all.
    typealias Next = @Sendable (ResolvedRequest) async throws(ImageError) -> LoadedImage
    /// Called where the memory cache did not answer. What it returns or throws is the result of the load.
    func intercept(_ request: ResolvedRequest, next: Next) async throws(ImageError) -> LoadedImage
}

/// The manager's questions. - SDWebImage: SDWebImageManagerDelegate
public protocol LoadPolicy: Sendable {
    /// False: what no cache can answer is the error `hookRefused`, nothing is loaded. Asked for each source that would be loaded,
    /// alternatives too, and not for what is in a cache and fresh.
    func shouldLoad(_ source: ImageSource) -> Bool
    /// Whether a failed source is not tried again for a while; nil uses the built-in rule.
    func shouldBlock(_ source: ImageSource, after error: ImageError) -> Bool?
}

extension LoadPolicy {
    public func shouldLoad(_ source: ImageSource) -> Bool { true }
    public func shouldBlock(_ source: ImageSource, after error: ImageError) -> Bool? { nil }
}

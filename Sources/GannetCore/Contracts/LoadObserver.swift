/// Observes all events, and changes nothing. Metrics, logs and traces are observers and nothing else.
///
/// Called on the working thread, never under a lock; must return quickly. Every start has exactly one end.
public protocol LoadObserver: Sendable {
    /// Called before the memory cache is read. The request is resolved: defaults are filled in.
    func loadDidStart(_ id: LoadID, request: ResolvedRequest)
    /// Called once for work that loads share, for the load that began it.
    func stageDidStart(_ id: LoadID, _ stage: LoadStage)
    /// `error` is nil if the stage succeeded; `cancelled` is an error, too.
    func stageDidEnd(_ id: LoadID, _ stage: LoadStage, error: ImageError?)
    /// The last call for a load, whether it succeeded, failed or was cancelled.
    func loadDidEnd(_ id: LoadID, _ result: Result<LoadedImage, ImageError>)
    /// Reports why something hit, missed, was stale, was dropped or degraded.
    func note(_ id: LoadID?, _ event: LoadEvent)
}

extension LoadObserver {
    public func loadDidStart(_ id: LoadID, request: ResolvedRequest) {}
    public func stageDidStart(_ id: LoadID, _ stage: LoadStage) {}
    public func stageDidEnd(_ id: LoadID, _ stage: LoadStage, error: ImageError?) {}
    public func loadDidEnd(_ id: LoadID, _ result: Result<LoadedImage, ImageError>) {}
    public func note(_ id: LoadID?, _ event: LoadEvent) {}
}

/// Identifies one load for observers; unique in a process.
public struct LoadID: Hashable, Sendable {
    /// Carries no time or content; larger for later loads.
    public let value: UInt64
    /// For tests of observers; the library numbers its loads itself.
    public init(_ value: UInt64) { self.value = value }
}

/// Events that are not stages.
public enum LoadEvent: Sendable {
    /// Under the key of the finished image.
    case memoryHit(CacheKey)
    /// Under the key of the finished image.
    case memoryMiss(CacheKey)
    /// A stored result or original was used.
    case diskHit(CacheKey)
    /// Not found on disk.
    case diskMiss(CacheKey)
    /// Found, but no longer fresh.
    case stale(CacheKey)
    /// The source confirmed the stored copy.
    case revalidated(CacheKey)
    /// Made from a larger size of the same image in memory.
    case resized(CacheKey, from: CacheKey)
    /// Another load was already doing this work.
    case joined(CacheKey)
    /// A transfer began; ``transferEnded(_:bytes:)`` or ``transferFailed(_:)`` follows, once.
    case transferStarted(String)
    /// The head of the response arrived; the status is nil for sources without HTTP.
    case responseReceived(String, status: Int?)
    /// Bytes received.
    case transferEnded(String, bytes: Int)
    /// The transfer broke or was cancelled; the load or the next attempt reports the reason.
    case transferFailed(String)
    /// Under the decode key: once for each decoded image, however many loads wait for it.
    case decoded(CacheKey)
    /// A damaged entry was removed.
    case corruptEntry(CacheKey, reason: String)
    /// Trimmed or expired. A count and bytes, because the key texts of earlier runs are unknown.
    case cleaned(reason: String, count: Int, bytes: Int)
    /// The cache cannot be written; loading continues without it. Reported once until it recovers.
    case cacheDegraded(String)
    /// The cache of ``cacheDegraded(_:)`` can be written again.
    case cacheRecovered
    /// Both without user, password and query values.
    case redirected(from: String, to: String)
    /// `attempt` is the coming attempt (2 is the first retry), `after` the delay before it.
    case retrying(attempt: Int, after: Duration)
}

/// Sees everything that happens, and changes nothing. Metrics, logs and traces are observers and nothing else.
///
/// Called from whatever thread does the work, never under a lock; must return quickly. Every start has exactly one end.
public protocol LoadObserver: Sendable {
    func loadDidStart(_ id: LoadID, request: ResolvedRequest)
    func stageDidStart(_ id: LoadID, _ stage: LoadStage)
    func stageDidEnd(_ id: LoadID, _ stage: LoadStage, error: ImageError?)
    func loadDidEnd(_ id: LoadID, _ result: Result<LoadedImage, ImageError>)
    /// Why something hit, missed, was stale, was thrown away or degraded.
    func note(_ id: LoadID?, _ event: LoadEvent)
}

extension LoadObserver {
    public func loadDidStart(_ id: LoadID, request: ResolvedRequest) {}
    public func stageDidStart(_ id: LoadID, _ stage: LoadStage) {}
    public func stageDidEnd(_ id: LoadID, _ stage: LoadStage, error: ImageError?) {}
    public func loadDidEnd(_ id: LoadID, _ result: Result<LoadedImage, ImageError>) {}
    public func note(_ id: LoadID?, _ event: LoadEvent) {}
}

/// Names one load for observers; unique in a process.
public struct LoadID: Hashable, Sendable {
    public let value: UInt64
    public init(_ value: UInt64) { self.value = value }
}

/// Things worth telling that are no stage.
public enum LoadEvent: Sendable {
    case memoryHit(CacheKey)
    case memoryMiss(CacheKey)
    case diskHit(CacheKey)
    case diskMiss(CacheKey)
    /// Found, but its source's freshness has ended.
    case stale(CacheKey)
    /// The source says that the stored copy is still good.
    case revalidated(CacheKey)
    /// Made out of a larger size of the same picture in memory.
    case resized(CacheKey, from: CacheKey)
    /// Another load was already doing this work.
    case joined(CacheKey)
    /// A transfer began; ``transferEnded(_:bytes:)`` or ``transferFailed(_:)`` follows, once.
    case transferStarted(String)
    /// The head of the answer came; the status is nil for sources without HTTP.
    case responseReceived(String, status: Int?)
    /// Bytes received.
    case transferEnded(String, bytes: Int)
    /// It broke or was cancelled; of why the load or the next attempt tells.
    case transferFailed(String)
    case decoded(CacheKey)
    /// A damaged entry was removed.
    case corruptEntry(CacheKey, reason: String)
    /// Trimmed or expired: keys' texts are not known for entries from earlier runs, so a count and bytes.
    case cleaned(reason: String, count: Int, bytes: Int)
    /// The cache cannot be written; loading goes on without it. Told once until it recovers.
    case cacheDegraded(String)
    case cacheRecovered
    case redirected(from: String, to: String)
    case retrying(attempt: Int, after: Duration)
}

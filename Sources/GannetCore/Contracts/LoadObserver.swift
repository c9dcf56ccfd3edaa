/// Sees everything that happens, and changes nothing. Metrics, logs and traces are observers and nothing else.
///
/// Called from whatever thread does the work, never under a lock; must return quickly. Every start has exactly one end.
public protocol LoadObserver: Sendable {
    /// Before the memory cache is asked. The request is resolved: defaults are filled in.
    func loadDidStart(_ id: LoadID, request: ResolvedRequest)
    /// Work that loads share is told once, of the load that began it.
    func stageDidStart(_ id: LoadID, _ stage: LoadStage)
    /// `error` is nil where the stage did what it was for; `cancelled` is an error too.
    func stageDidEnd(_ id: LoadID, _ stage: LoadStage, error: ImageError?)
    /// The last that is told of a load, whether it ended, failed or was cancelled.
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
    /// Says nothing of when or what; larger for later loads.
    public let value: UInt64
    /// For observers' own tests; the library counts its loads itself.
    public init(_ value: UInt64) { self.value = value }
}

/// Things worth telling that are no stage.
public enum LoadEvent: Sendable {
    /// Under the key of the finished picture.
    case memoryHit(CacheKey)
    /// Under the key of the finished picture.
    case memoryMiss(CacheKey)
    /// A stored result or original that is used.
    case diskHit(CacheKey)
    /// Looked for on disk and not found.
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
    /// Under the decode key: once for each picture that is decoded, however many loads wait for it.
    case decoded(CacheKey)
    /// A damaged entry was removed.
    case corruptEntry(CacheKey, reason: String)
    /// Trimmed or expired: keys' texts are not known for entries from earlier runs, so a count and bytes.
    case cleaned(reason: String, count: Int, bytes: Int)
    /// The cache cannot be written; loading goes on without it. Told once until it recovers.
    case cacheDegraded(String)
    /// The cache that ``cacheDegraded(_:)`` told of can be written again.
    case cacheRecovered
    /// Both without user, password and query values.
    case redirected(from: String, to: String)
    /// `attempt` is the one to come (2 is the first retry), `after` how long is waited before it.
    case retrying(attempt: Int, after: Duration)
}

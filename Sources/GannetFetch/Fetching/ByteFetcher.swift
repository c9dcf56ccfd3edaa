import FoundationEssentials
public import GannetCore
public import GannetPlatform
import Synchronization

/// Fetches bytes by the rules of caches, without decoding: reads the cache, decides by RFC 9111, loads, checks, stores.
///
/// Each call is a separate fetch; ``ImageManager`` coalesces equal ones by `keys.join`. All properties are constant. Cancelling
/// the caller's task ends the transfer.
public final class ByteFetcher: Sendable {
    /// Load what no cache can answer.
    public let loaders: LoadersManager
    /// Where bytes are looked up and kept; nil: every fetch asks its source.
    public let cache: (any ImageCaching)?
    /// Decides what may be stored, and for how long it is fresh.
    public let policy: HTTPCachePolicy
    /// Sources that failed: for a while they are not loaded, and throw `blocked`.
    public let failedSources: FailedSources
    /// Decides after a failure unless the request has its own strategy; nil: no second attempt.
    public let retry: (any RetryStrategy)?
    /// Keeps the bytes of broken transfers in the cache if the transfers may be continued.
    public let resumesTransfers: Bool
    /// Through which each request to a server goes.
    package let http: HTTPCache
    package let slots: DownloadSlots
    let time: any TimeSource
    package let generations = Generations()
    private let observers: [any LoadObserver]
    private let savesDataFlag = Mutex(false)

    /// The slots are those of the HTTP loader, so that its configuration counts; without one the fetcher has its own, 6 at a time.
    /// `formatOf` names the format that is stored next to the bytes.
    public convenience init(
        loaders: LoadersManager, cache: (any ImageCaching)?, time: any TimeSource = SystemTimeSource(),
        policy: HTTPCachePolicy = HTTPCachePolicy(), failedSources: FailedSources? = nil, retry: (any RetryStrategy)? = nil,
        resumesTransfers: Bool = true, observers: [any LoadObserver] = [],
        formatOf: (@Sendable (ByteRope) -> ImageFormat?)? = nil
    ) {
        self.init(
            loaders: loaders, cache: cache, time: time, slots: nil, policy: policy, failedSources: failedSources, retry: retry,
            resumesTransfers: resumesTransfers, observers: observers, formatOf: formatOf)
    }

    package init(
        loaders: LoadersManager, cache: (any ImageCaching)?, time: any TimeSource = SystemTimeSource(),
        slots: DownloadSlots?, policy: HTTPCachePolicy = HTTPCachePolicy(), failedSources: FailedSources? = nil,
        retry: (any RetryStrategy)? = nil, resumesTransfers: Bool = true, observers: [any LoadObserver] = [],
        formatOf: (@Sendable (ByteRope) -> ImageFormat?)? = nil
    ) {
        self.loaders = loaders
        self.cache = cache
        self.time = time
        self.slots = slots ?? loaders.slots ?? DownloadSlots(time: time)
        self.policy = policy
        self.failedSources = failedSources ?? FailedSources(time: time)
        self.retry = retry
        self.resumesTransfers = resumesTransfers
        self.observers = observers
        // Each request limits its own length.
        let configuration = HTTPCacheConfiguration(
            policy: policy, maximumBytes: .max, resumesTransfers: resumesTransfers, formatOf: formatOf)
        http = HTTPCache(
            nil, store: cache, configuration: configuration, time: time, generations: generations, observers: observers)
    }

    /// The cache of a loader that does not send its requests through ``http``.
    func cached(_ loader: any ImageLoader) -> CachedLoader {
        CachedLoader(
            loader, store: cache, configuration: http.configuration, time: time, generations: generations, observers: observers)
    }

    /// While true, requests with a low-data source load that one, unless their own source is stored and may be used without
    /// asking. - Kingfisher: lowDataMode
    public var savesData: Bool {
        get { savesDataFlag.withLock { $0 } }
        set { savesDataFlag.withLock { $0 = newValue } }
    }

    /// Fetches the source, or the first of its alternatives that can be loaded. `publish` is called each time bytes have arrived;
    /// without it they are collected in one piece at once.
    ///
    /// Throws `cacheMiss` (only the cache was allowed), `blocked` (the source failed a moment ago), `empty`, and the errors of
    /// loaders: that of the last source, with those of all tried sources in ``ImageError/ofAllSources``.
    public func fetch(
        _ request: FetchRequest, publish: (@Sendable (FetchProgress) -> Void)? = nil
    ) async throws(ImageError) -> FetchedBytes {
        let fetched = try await fetchWaiting(request, publish: publish)
        fetched.endWaiting()
        return fetched
    }

    /// The same for who decodes the bytes: they count as waiting until ``FetchedBytes/endWaiting()``.
    package func fetchWaiting(
        _ request: FetchRequest, publish: (@Sendable (FetchProgress) -> Void)? = nil
    ) async throws(ImageError) -> FetchedBytes {
        let savesData = request.download.lowDataSource != nil && self.savesData
        guard savesData || !request.download.alternatives.isEmpty else {
            var attempt = 1
            return try await fetchOne(request, from: &attempt, publish)
        }
        return try await fetchAny(request, savesData: savesData, publish)
    }

    /// Whether the source's bytes would come from the cache, without a request to the source. Reads only the metadata; a hit
    /// counts as a use of the entry.
    package func isStored(_ request: FetchRequest) async -> Bool {
        if let job = remoteJob(for: request), await job.isStored() { return true }
        guard savesData, let low = request.download.lowDataSource else { return false }
        var other = request
        replaceSource(of: &other, with: low)
        guard let job = remoteJob(for: other) else { return false }
        return await job.isStored()
    }

    /// The job that would fetch; nil: the source is not remote.
    package func remoteJob(for request: FetchRequest) -> FetchJob? {
        guard let loader = request.download.loader ?? loaders.loader(for: request.source), loader.isRemote else { return nil }
        return FetchJob(request: request, loader: loader, fetcher: self, publish: nil)
    }

    /// Fetches the source, or the low-data source in its place, then tries each of the alternatives.
    @inline(never) private func fetchAny(
        _ request: FetchRequest, savesData: Bool, _ publish: (@Sendable (FetchProgress) -> Void)?
    ) async throws(ImageError) -> FetchedBytes {
        if savesData, let whole = try await stored(request) { return whole }
        let own = savesData ? request.download.lowDataSource ?? request.source : request.source
        var failures = request.failures
        var attempt = 1
        for source in [own] + request.download.alternatives {
            if failures.contains(where: { $0.source.keyText == source.keyText }) { continue }
            var attempted = request
            if source != request.source { replaceSource(of: &attempted, with: source) }
            do throws(ImageError) {
                var fetched = try await fetchOne(attempted, from: &attempt, publish)
                fetched.failures = failures
                return fetched
            } catch {
                if error.code == .cancelled { throw error }
                failures.append(FailedAttempt(source: source, error: error))
            }
            // The bytes that were published belong to another image.
            attempt += 1
        }
        throw SourcesExhausted.error(failures.map(\.error))
    }

    /// The stored bytes of the request's own source, which cost no data. Nil: none may be used without asking, or the source
    /// failed before.
    private func stored(_ request: FetchRequest) async throws(ImageError) -> FetchedBytes? {
        guard !request.failures.contains(where: { $0.source.keyText == request.source.keyText }),
            let job = remoteJob(for: request),
            await job.usableCopy() != nil
        else { return nil }
        var attempted = request
        // The entry may be removed in the meantime; then the source must not be asked either.
        attempted.lookup = .cacheOnly
        var attempt = 1
        do throws(ImageError) {
            var fetched = try await fetchOne(attempted, from: &attempt, nil)
            fetched.failures = request.failures
            return fetched
        } catch {
            if error.code == .cancelled { throw error }
            return nil
        }
    }

    /// Removes the credential and the fields meant for the first source if the other has another origin, as for redirects.
    private func replaceSource(of request: inout FetchRequest, with other: ImageSource) {
        if case .url(let own) = request.source, own.host != nil, case .url(let url) = other, HTTPOrigin(own) != HTTPOrigin(url) {
            let loader = request.download.loader ?? loaders.loader(for: request.source)
            let redirects = (loader as? HTTPLoader)?.configuration.redirects ?? RedirectPolicy()
            request.download.leaveOrigin(redirects)
        }
        request.replaceSource(with: other)
    }

    @inline(never) private func fetchOne(
        _ request: FetchRequest, from attempt: inout Int, _ publish: (@Sendable (FetchProgress) -> Void)?
    ) async throws(ImageError) -> FetchedBytes {
        do throws(ImageError) {
            guard let loader = request.download.loader ?? loaders.loader(for: request.source) else {
                throw ImageError(
                    .unsupported, stage: .load,
                    "No loader is registered for this kind of source. Add one to the loaders manager; http and https come with the package trait HTTP."
                )
            }
            if loader.isRemote, case .url(let url) = request.source, let port = url.port, !(1...65_535).contains(port) {
                throw ImageError(.misuse, stage: .resolve, "There is no port \(port); ports are 1 to 65535.")
            }
            let job = FetchJob(request: request, loader: loader, fetcher: self, publish: publish)
            job.attempt = attempt
            defer { attempt = job.attempt }
            var fetched = loader.isRemote ? try await job.remote() : try await job.local()
            fetched.source = request.source
            fetched.attempt = job.attempt
            fetched.dependsOnUnkeyedUser = job.dependsOnUnkeyedUser(fetched.metadata?.http)
            return fetched
        } catch {
            throw error.with(stage: .load, source: request.source.redactedDescription)
        }
    }

    /// Creates the event only if there are observers.
    func note(_ id: LoadID?, _ event: @autoclosure () -> LoadEvent) {
        guard !observers.isEmpty else { return }
        tell(id, event())
    }

    @inline(never) private func tell(_ id: LoadID?, _ event: LoadEvent) {
        for observer in observers { observer.note(id, event) }
    }
}

/// Why none of several sources could be loaded, in the order in which they were tried. - Kingfisher: alternativeSourcesExhausted
package struct SourcesExhausted: Error {
    /// At least two: the failure of a single source is thrown directly.
    package var errors: [ImageError]

    /// The last one, with all of them as its cause; each has its own.
    static func error(_ errors: [ImageError]) -> ImageError {
        guard var last = errors.last else { return .nothingStored }
        if errors.count > 1 { last.underlying = SourcesExhausted(errors: errors) }
        return last
    }
}

extension ImageError {
    /// The errors of all sources that were tried, in order, if none of a request's alternatives could be loaded; this error is the
    /// last one. Empty: there was one source. - Kingfisher: alternativeSourcesExhausted
    public var ofAllSources: [ImageError] { (underlying as? SourcesExhausted)?.errors ?? [] }
}

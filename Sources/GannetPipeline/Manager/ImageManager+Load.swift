package import GannetCore
import Synchronization

// A load, read from top to bottom: interceptors → memory → (joined) disk → original → transform → store. Each stage returns a
// value; while it works it publishes snapshots.

extension ImageManager {
    package typealias Report = @Sendable (LoadSnapshot) -> Void

    package func load(
        _ prepared: PreparedRequest, priority: LivePriority, report: @escaping Report
    ) async throws(ImageError) -> LoadedImage {
        observer.each { $0.loadDidStart(prepared.id, request: prepared.request) }
        let start = configuration.time.uptime
        do throws(ImageError) {
            try ImageError.checkCancellation()
            var result = try await intercepted(prepared, priority, report)
            result.timings.total = configuration.time.uptime - start
            result = modified(result, prepared)
            let outcome = result
            observer.each { $0.loadDidEnd(prepared.id, .success(outcome)) }
            return result
        } catch {
            let error = error.with(source: prepared.request.source.redactedDescription)
            observer.each { $0.loadDidEnd(prepared.id, .failure(error)) }
            throw error
        }
    }

    enum MemoryAnswer {
        case fresh(CachedPicture)
        case stale(CachedPicture)
        case miss
    }

    /// Synchronous; what the lookup policy makes of the memory cache.
    func lookUpMemory(_ prepared: PreparedRequest) -> MemoryAnswer {
        let options = prepared.request.cache
        guard options.lookup != .loaderOnly, options.read.contains(.memory), prepared.keys.allowsStoring,
            let memory = configuration.memoryCache
        else { return .miss }
        guard let picture = memory.picture(for: prepared.memoryKey(prepared.keys.variant)) else {
            if prepared.request.hasStandardDownload { return .miss }
            return standInFromMemory(prepared, memory).map { .fresh($0) } ?? .miss
        }
        switch options.lookup {
        case .cacheFirst, .cacheOnly: return .fresh(picture)
        case .revalidate: return .stale(picture)
        case .automatic, .loaderOnly:
            if prepared.keys.hasOwnFields, prepared.request.asksAboutFreshness { return .stale(picture) }
            return picture.freshness.isFresh(at: configuration.time.now) ? .fresh(picture) : .stale(picture)
        }
    }

    private func intercepted(
        _ prepared: PreparedRequest, _ priority: LivePriority, _ report: @escaping Report
    ) async throws(ImageError) -> LoadedImage {
        guard !configuration.interceptors.isEmpty else {
            return try await fromMemoryOrBeyond(prepared, priority) { self.modifying(report, prepared) }
        }
        let innermost: LoadInterceptor.Next = { [self] request throws(ImageError) in
            // An interceptor may have changed the request, so its keys are made again.
            let inner = await self.prepare(try self.begin(resolved: request, id: prepared.id, epoch: prepared.epoch))
            return try await self.fromMemoryOrBeyond(inner, priority) { self.modifying(report, prepared) }
        }
        return try await Self.chain(configuration.interceptors[...], innermost)(prepared.request)
    }

    /// `report` is asked for where memory has nothing.
    private func fromMemoryOrBeyond(
        _ prepared: PreparedRequest, _ priority: LivePriority, _ report: () -> Report
    ) async throws(ImageError) -> LoadedImage {
        let stale: CachedPicture?
        switch lookUpMemory(prepared) {
        case .fresh(let picture):
            observer.note(prepared.id, .memoryHit(prepared.keys.variant))
            return LoadedImage(image: picture.image, origin: .memory, freshness: picture.freshness)
        case .stale(let picture):
            observer.note(prepared.id, .stale(prepared.keys.variant))
            stale = picture
        case .miss:
            observer.note(prepared.id, .memoryMiss(prepared.keys.variant))
            stale = nil
        }
        return try await shared(prepared, stale, priority, report())
    }

    private static func chain(_ interceptors: ArraySlice<any LoadInterceptor>, _ last: @escaping LoadInterceptor.Next)
        -> LoadInterceptor.Next
    {
        guard let first = interceptors.first else { return last }
        let rest = chain(interceptors.dropFirst(), last)
        return { request throws(ImageError) in try await first.intercept(request, next: rest) }
    }

    /// One running job per picture, many waiters.
    private func shared(
        _ prepared: PreparedRequest, _ stale: CachedPicture?, _ priority: LivePriority, _ report: @escaping Report
    ) async throws(ImageError) -> LoadedImage {
        if let stale, prepared.request.cache.lookup == .revalidate {
            var snapshot = LoadSnapshot()
            snapshot.stale = LoadedImage(image: stale.image, origin: .memory, freshness: stale.freshness)
            report(snapshot)
        }
        var (result, wasJoined) = try await variants.join(
            prepared.shareKey, priority: priority,
            isWanted: { !cancellations.happened(to: prepared.request.source, since: prepared.epoch) }, onProgress: { report($0) },
            work: { [self] job throws(ImageError) in try await self.makeVariant(prepared, stale, job) })
        if wasJoined { observer.note(prepared.id, .joined(prepared.keys.variant)) }
        result.wasJoined = wasJoined
        if prepared.request.schedule.waitsForStore { await waitForStore(of: prepared) }
        return result
    }
}

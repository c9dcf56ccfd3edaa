package import GannetCore
package import GannetFetch
import GannetPlatform
import Synchronization

// A load, read from top to bottom: interceptors → memory → (joined) disk → original → transform → store. Each stage returns a
// value; while it works it publishes snapshots.

extension ImageManager {
    package typealias Report = @Sendable (LoadSnapshot) -> Void

    /// `report` receives the progress; nil: no caller listens.
    package func load(
        _ prepared: PreparedRequest, priority: LivePriority, report: Report? = nil
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

    /// The plan's result for memory.
    enum MemoryAnswer {
        case deliver(CachedImage)
        /// The image must be revalidated. `isShown`: it is shown meanwhile.
        case stale(CachedImage, isShown: Bool)
        case miss
    }

    /// Carries out the plan as far as memory goes. Synchronous; a hit allocates nothing.
    func lookUpMemory(_ prepared: PreparedRequest) -> MemoryAnswer {
        guard prepared.request.cache.read.contains(.memory), prepared.keys.allowsStoring, let memory = configuration.memoryCache
        else { return .miss }
        var facts = LoadFacts(prepared, now: configuration.time.now)
        facts.memory = .unread
        guard case .read = LoadPlan.next(facts) else { return .miss }
        guard let picture = memory.image(for: prepared.memoryKey(prepared.keys.variant)) else {
            // Alternatives are download options.
            return prepared.request.hasStandardDownload ? .miss : lookUpAlternative(prepared, memory, facts)
        }
        facts.memory = .stored(StoredFacts(of: picture))
        switch LoadPlan.next(facts) {
        case .deliver: return .deliver(picture)
        case .ask(_, let shown): return .stale(picture, isShown: shown == .memory)
        default: return .miss
        }
    }

    @inline(never) private func lookUpAlternative(
        _ prepared: PreparedRequest, _ memory: any ImageMemoryCaching, _ facts: LoadFacts
    ) -> MemoryAnswer {
        var facts = facts
        (facts.memory, facts.alternative) = (.nothing, .unread)
        guard case .read = LoadPlan.next(facts), let picture = alternative(prepared, in: memory) else { return .miss }
        facts.alternative = .stored(StoredFacts(of: picture))
        guard case .deliver = LoadPlan.next(facts) else { return .miss }
        return .deliver(picture)
    }

    private func intercepted(
        _ prepared: PreparedRequest, _ priority: LivePriority, _ report: Report?
    ) async throws(ImageError) -> LoadedImage {
        guard !configuration.interceptors.isEmpty else {
            return try await fromMemoryOrBeyond(prepared, priority) { self.modifying(report, prepared) }
        }
        let innermost: LoadInterceptor.Next = { [self] request throws(ImageError) in
            // An interceptor may have changed the request, so its keys are made again.
            let inner = await self.prepare(try self.begin(resolved: request, id: prepared.id, at: prepared.begun))
            return try await self.fromMemoryOrBeyond(inner, priority) { self.modifying(report, prepared) }
        }
        return try await Self.chain(configuration.interceptors[...], innermost)(prepared.request)
    }

    /// `report` is called only if memory has no image.
    private func fromMemoryOrBeyond(
        _ prepared: PreparedRequest, _ priority: LivePriority, _ report: () -> Report?
    ) async throws(ImageError) -> LoadedImage {
        let stale: CachedImage?
        var isShown = false
        switch lookUpMemory(prepared) {
        case .deliver(let picture):
            observer.note(prepared.id, .memoryHit(prepared.keys.variant))
            return LoadedImage(picture)
        case .stale(let picture, let shows):
            observer.note(prepared.id, .stale(prepared.keys.variant))
            (stale, isShown) = (picture, shows)
        case .miss:
            observer.note(prepared.id, .memoryMiss(prepared.keys.variant))
            stale = nil
        }
        return try await shared(prepared, stale, isShown: isShown, priority, report())
    }

    private static func chain(_ interceptors: ArraySlice<any LoadInterceptor>, _ last: @escaping LoadInterceptor.Next)
        -> LoadInterceptor.Next
    {
        guard let first = interceptors.first else { return last }
        let rest = chain(interceptors.dropFirst(), last)
        return { request throws(ImageError) in try await first.intercept(request, next: rest) }
    }

    /// One running job per image, many waiters.
    private func shared(
        _ prepared: PreparedRequest, _ stale: CachedImage?, isShown: Bool, _ priority: LivePriority, _ report: Report?
    ) async throws(ImageError) -> LoadedImage {
        if let report, let stale, isShown {
            var snapshot = LoadSnapshot()
            snapshot.stale = LoadedImage(image: stale.image, origin: .memory, freshness: stale.freshness)
            report(snapshot)
        }
        let keys = JobKeys(prepared)
        var (result, wasJoined) = try await variants.join(
            keys.image, priority: priority,
            isWanted: { isWanted(prepared) }, onProgress: report.map { report in { report($0) } },
            work: { [self] job throws(ImageError) in try await self.makeVariant(prepared, keys, stale, job) })
        if wasJoined { observer.note(prepared.id, .joined(prepared.keys.variant)) }
        result.wasJoined = wasJoined
        if prepared.request.schedule.waitsForStore { await waitForStore(of: prepared) }
        return result
    }
}

import GannetCore
import GannetFetch
import GannetPlatform
import Synchronization

// A load on the caller's side: interceptors → memory → the running job of the image, which ``ImageJob`` carries out.

extension ImagePipeline {
    typealias Report = @Sendable (LoadSnapshot) -> Void

    /// `report` receives the progress; nil: no caller listens.
    func load(
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
        guard case .read = LoadPlan.next(facts), let picture = OtherSources(pipeline: self, prepared: prepared).image(in: memory)
        else { return .miss }
        facts.alternative = .stored(StoredFacts(of: picture))
        guard case .deliver = LoadPlan.next(facts) else { return .miss }
        return .deliver(picture)
    }

    /// An image of the same source in memory, where the plan would deliver it. Other images of that source are made of it.
    func relative(at key: CacheKey, _ prepared: PreparedRequest) -> CachedImage? {
        var facts = LoadFacts(prepared, now: configuration.time.now)
        guard facts.deliversStored, let picture = configuration.memoryCache?.image(for: key) else { return nil }
        facts.memory = .stored(StoredFacts(of: picture))
        return LoadPlan.next(facts) == .deliver(.memory, revalidating: false) ? picture : nil
    }

    func memoryImage(_ prepared: PreparedRequest) -> LoadedImage? {
        guard case .deliver(let picture) = lookUpMemory(prepared) else { return nil }
        let result = loaded(picture, prepared)
        if !observer.isEmpty { observer.tellMemoryHit(result, prepared) }
        return result
    }

    func isInMemory(_ prepared: PreparedRequest) -> Bool {
        if case .deliver = lookUpMemory(prepared) { true } else { false }
    }

    func loaded(_ picture: CachedImage, _ prepared: PreparedRequest) -> LoadedImage {
        modified(LoadedImage(picture), prepared)
    }

    func modified(_ result: LoadedImage, _ prepared: PreparedRequest) -> LoadedImage {
        guard let modifier = prepared.request.transform.modifier else { return result }
        var result = result
        result.image = modifier.modify(result.image)
        return result
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
        let keys = ImageJobKeys(prepared)
        let (made, wasJoined) = try await images.join(
            keys.image, priority: priority,
            isWanted: { isWanted(prepared) }, onProgress: report.map { report in { report($0) } },
            work: { [self] job throws(ImageError) in
                try await ImageJob(self, prepared, keys, memory: stale).run(in: job)
            })
        if wasJoined { observer.note(prepared.id, .joined(prepared.keys.variant)) }
        var result = LoadedImage(made, isOriginal: prepared.request.transform.transformers.isEmpty)
        result.wasJoined = wasJoined
        if prepared.request.schedule.waitsForStore { await waitForStore(of: prepared) }
        return result
    }
}

extension ImagePipeline {
    /// Modifies previews and stale images in the same way as the result, each image once.
    func modifying(_ report: Report?, _ prepared: PreparedRequest) -> Report? {
        guard let report, let modifier = prepared.request.transform.modifier else { return report }
        let last = Mutex<(number: Int, preview: DecodedImage?, stale: DecodedImage?)>((0, nil, nil))
        return { snapshot in
            guard snapshot.preview != nil || snapshot.stale != nil else { return report(snapshot) }
            var snapshot = snapshot
            var known = last.withLock { $0 }
            if let preview = snapshot.preview {
                if known.preview == nil || known.number != snapshot.previewNumber { known.preview = modifier.modify(preview) }
                known.number = snapshot.previewNumber
                snapshot.preview = known.preview
            }
            if let stale = snapshot.stale?.image {
                known.stale = known.stale ?? modifier.modify(stale)
                if let image = known.stale { snapshot.stale?.image = image }
            }
            last.withLock { [known] in $0 = known }
            report(snapshot)
        }
    }
}

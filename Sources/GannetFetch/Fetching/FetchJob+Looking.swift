import GannetCore
import GannetPlatform

// Looks at the stored entry of a source, without asking it and without reading bytes.

extension FetchJob {
    /// The facts of the stored response, and what the request demands of it. `copy`: where redirects to it end.
    package func look() async -> (facts: LoadFacts, copy: StoredCopy?) {
        let headers = loader.requestHeaders(for: plainLoad)
        var facts = LoadFacts(lookup: request.lookup, demands: LoadDemands(of: headers), now: time.now)
        if request.download.forcesRevalidation { facts.demands.insert(.forcesRevalidation) }
        if HTTPCachePolicy.hasOwnConditions(request.download.headers) { facts.demands.insert(.hasOwnConditions) }
        guard request.readsCache, request.download.method == "GET", let copy = await stored(headers) else { return (facts, nil) }
        facts.now = time.now
        var found =
            copy.isRedirected
            ? StoredFacts(copy.metadata.freshness) : policy.facts(of: copy.metadata, request: headers, facts)
        if !copy.isRedirected, let failure = listedFailure {
            found.mayFallBack = policy.mayFallBack(on: copy.metadata, request: headers, for: failure, at: time.now)
        }
        facts.original = .stored(found)
        return (facts, copy)
    }

    /// The response at the end of stored redirects, if `Vary` lets the request have it.
    private func stored(_ headers: HTTPHeaders) async -> StoredCopy? {
        guard let cache else { return nil }
        var way = StoredWay(request.getKey)
        while way.leadsSomewhere {
            let responses = ResponseStore(
                cache: cache, policy: policy, key: way.key, generations: fetcher.generations, isOwn: request.cache != nil,
                begun: fetcher.generations.now, degraded: { _ in })
            guard let found = await responses.find(headers).copy else { return nil }
            // A further variant has its own key.
            if var copy = way.end(found.metadata) {
                copy.key = found.key
                return copy
            }
        }
        return nil
    }

    /// The failure that blocks the source now; nil: it may be loaded.
    package var listedFailure: LoadFailure? {
        if request.retriesFailedSources { return nil }
        do throws(ImageError) { try fetcher.failedSources.check(request.source, storedAt: request.storageKey) } catch {
            return LoadFailure(error)
        }
        return nil
    }

    /// The stored response, where it may be used without asking the source, now or in the background.
    func usableCopy() async -> StoredCopy? {
        // The fetch that follows reports a miss.
        guard let cache, request.lookup != .loaderOnly, cache.mightContain(request.storageKey),
            await cache.contains(request.storageKey)
        else { return nil }
        let (facts, copy) = await look()
        return LoadPlan.next(facts) == .deliver(.original, revalidating: false) ? copy : nil
    }

    /// See ``ByteFetcher/isStored(_:)``.
    func isStored() async -> Bool {
        guard let copy = await usableCopy() else { return false }
        fetcher.note(request.id, .diskHit(copy.key))
        if request.countsUses { await cache?.noteUse(of: copy.key) }
        return true
    }
}

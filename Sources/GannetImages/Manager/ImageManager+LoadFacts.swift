import GannetCore
import GannetFetch
import GannetPlatform

// Facts that the plan decides by, of one request and of what the caches have for it.

extension LoadFacts {
    /// Nothing has been read. Fast path: a request without download options sets no conditions.
    init(_ prepared: PreparedRequest, now: Timestamp) {
        self.init(lookup: prepared.request.cache.lookup, now: now)
        if !prepared.request.hasStandardDownload { demands = LoadDemands(prepared) }
    }
}

extension LoadDemands {
    @inline(never) fileprivate init(_ prepared: PreparedRequest) {
        self.init(rawValue: 0)
        let download = prepared.request.download
        if download.forcesRevalidation { insert(.forcesRevalidation) }
        if download.method != "GET" { insert(.changesSource) }
        if prepared.keys.hasOwnFields { formUnion(LoadDemands(of: download.headers)) }
    }
}

extension StoredFacts {
    /// Reads the moments alone: copying all of the freshness would retain its validators.
    init(of picture: CachedImage) {
        self.init(
            freshUntil: picture.freshness.freshUntil, unreachableUntil: picture.freshness.unreachableUntil,
            serverErrorUntil: picture.freshness.staleIfErrorUntil)
    }
}

extension LoadFinding {
    init(_ picture: CachedImage?) {
        self = picture.map { .stored(StoredFacts(of: $0)) } ?? .nothing
    }
}

extension LoadArrival {
    /// `image` nil: the bytes are there, and not decoded yet.
    init(_ freshness: Freshness, _ image: DecodedImage? = nil, isOfOtherSource: Bool) {
        self.init(rawValue: 0)
        if isOfOtherSource { insert(.isOfOtherSource) }
        if freshness.forbidsStoring { insert(.forbidsStoring) }
        if image?.metadata.isPartial == true { insert(.isPartial) }
    }
}

extension ImageManager {
    /// The facts about an image on disk.
    func facts(of stored: CacheEntryMetadata, _ prepared: PreparedRequest, newest: CacheEntryMetadata?) -> StoredFacts {
        var facts = StoredFacts(stored.freshness)
        facts.storedAt = stored.storedAt
        // A response for other request fields says nothing about this image.
        if let newest, !newest.isPartial, freshness(of: newest, for: prepared) != nil {
            facts.newest = .stored(at: newest.storedAt, resemblance: stored.freshness.resemblance(to: newest.freshness))
        }
        return facts
    }

    /// The finding about the stored bytes, as the fetcher would judge them. A response for other request fields counts as
    /// nothing.
    func originalFinding(_ stored: CacheEntryMetadata, _ prepared: PreparedRequest, _ facts: LoadFacts) -> LoadFinding {
        guard !stored.isPartial, freshness(of: stored, for: prepared) != nil,
            let loader = prepared.request.download.loader ?? configuration.loaders.loader(for: prepared.request.source)
        else { return .nothing }
        let headers = loader.requestHeaders(for: loadRequest(prepared))
        return .stored(fetcher.policy.facts(of: stored, request: headers, facts))
    }

    /// An image of the same source in memory, where the plan would deliver it. Other images of that source are made of it.
    func relative(at key: CacheKey, _ prepared: PreparedRequest) -> CachedImage? {
        var facts = LoadFacts(prepared, now: configuration.time.now)
        guard facts.deliversStored, let picture = configuration.memoryCache?.image(for: key) else { return nil }
        facts.memory = .stored(StoredFacts(of: picture))
        return LoadPlan.next(facts) == .deliver(.memory, revalidating: false) ? picture : nil
    }
}

import GannetCore
import GannetFetch
import GannetPlatform

// Facts that the plan decides by, of one request and of what memory has for it.

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

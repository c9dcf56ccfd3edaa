import GannetCore

/// The cache's part in one attempt, in the facts that a fetch reports. It does not hold bodies that still arrive: they refer to the
/// route that adds to this.
struct CacheOutcome: Sendable {
    private struct Hop {
        var status: CacheStatus
        /// The body, if it was stored.
        var stored: ByteRope?
        /// Nil: the loader says it.
        var origin: LoadedImage.Origin?
        var isStale: Bool
        var needsRevalidation: Bool
        var copy: StoredCopy?
        var earlier: CachedResponse.Earlier
        var receipt: BodyReceipt
        var isRedirect: Bool

        /// See ``CacheOutcome/replaces``.
        var replaces: Bool? {
            switch earlier {
            case .stays: return nil
            case .isRemoved: return true
            case .isReplaced(let identity):
                guard let copy = receipt.copy else { return nil }
                return identity == nil || identity != copy.metadata.identity ? false : nil
            }
        }
    }

    /// The response that is the result, so far.
    private var last: Hop?
    /// Redirects to it.
    private var redirects: [Hop] = []

    init() {}

    /// Of a loader without HTTP.
    init(_ load: CachedLoad) {
        var hop = Hop(
            status: load.status, isStale: load.isStale, needsRevalidation: load.needsRevalidation, copy: load.copy,
            earlier: load.earlier, receipt: load.receipt, isRedirect: false)
        if load.isStored, case .bytes(let rope) = load.response.body { (hop.stored, hop.origin) = (rope, load.response.origin) }
        last = hop
    }

    /// The answer of an HTTP cache to the next request. It takes the place of one that was no redirect, as a 401.
    mutating func add(_ answer: CachedResponse) {
        var hop = Hop(
            status: answer.status, isStale: answer.isStale, needsRevalidation: answer.needsRevalidation, copy: answer.copy,
            earlier: answer.earlier, receipt: answer.receipt,
            isRedirect: HTTPCachePolicy.redirectStatuses.contains(answer.head.status))
        if case .stored(let rope) = answer.body {
            hop.stored = rope
            hop.origin = answer.status.forwardStatus == 304 ? .revalidated : .disk
        }
        if let last, last.isRedirect { redirects.append(last) }
        last = hop
    }

    /// Of the last hop.
    var status: CacheStatus { last?.status ?? CacheStatus(forward: .bypass) }
    /// The body, if it was stored.
    var stored: ByteRope? { last?.stored }
    /// Nil: the loader says it.
    var origin: LoadedImage.Origin? { last?.origin }
    var isStale: Bool { last?.isStale == true || redirects.contains { $0.isStale } }
    var needsRevalidation: Bool { last?.needsRevalidation == true || redirects.contains { $0.needsRevalidation } }

    /// The entry of the body, stored or not, no fresher than the redirects to it. Final when the body was read.
    var copy: StoredCopy? {
        guard let last, var copy = last.receipt.copy ?? last.copy else { return nil }
        for redirect in redirects {
            if let metadata = (redirect.receipt.copy ?? redirect.copy)?.metadata { copy.metadata.freshness.limit(over: metadata) }
        }
        return copy
    }

    /// Whether earlier responses gave way to these; true: and none may be stored any more. Nil: they stay.
    var replaces: Bool? {
        redirects.reduce(last?.replaces) { known, hop in hop.replaces.map { $0 || known == true } ?? known }
    }
}

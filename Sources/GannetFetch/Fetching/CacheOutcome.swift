import GannetCore

/// What the cache did for one attempt, in the facts that a fetch reports.
struct CacheOutcome: Sendable {
    /// Of the last hop.
    var status = CacheStatus(forward: .bypass)
    /// The body, if it was stored.
    var stored: ByteRope?
    /// Nil: the loader says it.
    var origin: LoadedImage.Origin?
    var isStale = false
    var needsRevalidation = false
    /// Of each hop; the last one is that of the result.
    private var parts: [(copy: StoredCopy?, earlier: CachedResponse.Earlier, receipt: BodyReceipt)] = []

    /// Of the answers of an HTTP cache, hop by hop. Only the last and the redirects to it count.
    init(_ answers: [CachedResponse]) {
        guard let last = answers.last else { return }
        status = last.status
        if case .stored(let rope) = last.body {
            stored = rope
            origin = status.forwardStatus == 304 ? .revalidated : .disk
        }
        for (index, answer) in answers.enumerated()
        where index == answers.count - 1 || HTTPCachePolicy.redirectStatuses.contains(answer.head.status) {
            if answer.isStale { isStale = true }
            if answer.needsRevalidation { needsRevalidation = true }
            parts.append((answer.copy, answer.earlier, answer.receipt))
        }
    }

    /// Of a loader without HTTP.
    init(_ load: CachedLoad) {
        status = load.status
        if load.isStored, case .bytes(let rope) = load.response.body { (stored, origin) = (rope, load.response.origin) }
        (isStale, needsRevalidation) = (load.isStale, load.needsRevalidation)
        parts = [(load.copy, load.earlier, load.receipt)]
    }

    /// What is stored with the body, or would be, no fresher than the redirects to it. Final when the body was read.
    var copy: StoredCopy? {
        guard let last = parts.last, var copy = last.receipt.copy ?? last.copy else { return nil }
        for redirect in parts.dropLast() {
            if let metadata = (redirect.receipt.copy ?? redirect.copy)?.metadata { copy.metadata.freshness.limit(over: metadata) }
        }
        return copy
    }

    /// Whether earlier responses gave way to these; true: and none may be stored any more. Nil: they stay.
    var replaces: Bool? {
        var result: Bool?
        for part in parts {
            switch part.earlier {
            case .stays: break
            case .isRemoved: return true
            case .isReplaced(let identity):
                guard let copy = part.receipt.copy, identity == nil || identity != copy.metadata.identity else { break }
                result = false
            }
        }
        return result
    }
}

package import GannetCore

/// How one request uses a cache.
package struct CacheUse: Sendable {
    /// Whether stored responses are used, revalidated, or ignored.
    package var lookup = LookupPolicy.automatic
    /// Where the response is stored. It begins with the text of the source, which unsafe methods invalidate. Nil: the request's URL,
    /// for callers that are one user.
    package var key: CacheKey?
    /// False: stored responses are neither used nor revalidated.
    package var reads = true
    /// False: nothing is stored, and stored responses are not updated. Unsafe methods invalidate all the same.
    package var writes = true
    /// Reading counts as a use of the entry.
    package var countsUses = true
    /// The server is asked however fresh the stored response is.
    package var forcesRevalidation = false
    /// The request's own cache; nil: that of the transport.
    package var store: (any ImageCaching)?
    /// When the stored entry expires, whatever its freshness.
    package var expiration = CacheExpiration.standard
    /// A response that the caller has already: the answer is then ``CachedResponse/Body/same`` where nothing has changed.
    package var known: KnownResponse?
    /// A success without a body is stored.
    package var storesEmpty = true
    /// Bytes of a broken transfer are kept, and continued.
    package var resumes = true
    /// A stored failure is no answer.
    package var retriesFailures = false
    /// The server was asked, and failed like this: only what may stand in for that is an answer. Without it, `cacheMiss` is thrown.
    package var failure: LoadFailure?
    /// The caller, where it is more than a request alone; nil: the cache joins equal requests, replaces failures, and revalidates in the
    /// background.
    package var caller: (any CacheCaller)?
    /// Names the load for observers.
    package var id: LoadID?

    /// Everything as RFC 9111 has it, under the request's own URL.
    package init() {}
}

/// An engine above a cache. It joins equal loads, repeats what fails, asks for fallbacks, and revalidates in its own jobs.
package protocol CacheCaller: Sendable {
    /// Called before the server is asked; throws if it must not be.
    func willAsk() async throws(ImageError)
    /// The body of a server's answer, of which the caller counts the bytes as they come.
    func metered(_ body: ByteStream) -> ByteStream
    /// Reads stored bytes in the caller's turn.
    func read(_ body: () async -> CacheEntry?) async throws(ImageError) -> CacheEntry?
    /// An unsafe method made void what is stored of this source, with whose text keys begin.
    func invalidated(_ sourceText: String) async
}

/// A response that the caller has, or has made something of.
package struct KnownResponse: Hashable, Sendable {
    /// As ``CachedResponse/identity`` named it.
    package var identity: Digest128
    /// Its validators are sent if the response itself is no longer stored.
    package var freshness: Freshness

    package init(identity: Digest128, freshness: Freshness) {
        self.identity = identity
        self.freshness = freshness
    }
}

/// The answer of a cache.
package struct CachedResponse: Sendable {
    /// The body of the answer.
    package enum Body: Sendable {
        /// From the server, still to be pulled. It is stored when it has been read to its end.
        ///
        /// A reader that begins with `next(into:)` continues with it, and only appends to the array: the cache then needs no copy of
        /// the bytes. If the reader changes to `next()`, the response is not stored.
        case stream(ByteStream)
        /// Whole, from the store.
        case stored(ByteRope)
        /// The caller has it: see ``CacheUse/known``.
        case same
    }

    /// As the rules of HTTP make it of the stored and the received fields.
    package var head: HTTPResponseHead
    package var body: Body
    package var status: CacheStatus
    /// For what is made of the response; it forbids storing that where the response must not be stored.
    package var freshness: Freshness
    /// The server was not asked, or did not answer usefully, although the response is no longer fresh.
    package var isStale = false
    /// Of the last request to the server.
    package var times = ConnectionTimes()
    /// Where the response is stored, and what with it; for one of the server: what would be.
    var copy: StoredCopy
    /// The caller is to ask the server in the background (`stale-while-revalidate`).
    var needsRevalidation = false
    /// The fate of the response that was stored before.
    var earlier = Earlier.stays
    let receipt: BodyReceipt

    enum Earlier: Sendable {
        case stays
        /// Another one takes its place when its body has arrived. `identity`: of the earlier bytes, as far as it is known.
        case isReplaced(identity: Digest128?)
        /// It is gone, because the server allows no more that one is stored.
        case isRemoved
    }

    /// Names the bytes. Nil before a body has been read to its end, and if it is not stored.
    package var identity: Digest128? { receipt.identity }

    /// For callers that know nothing of caches: with the field `Cache-Status`, which follows those of caches before this one.
    package var response: HTTPResponse {
        var head = head
        head.headers.add(CacheStatus.field, "\(CacheStatus.name); \(status)")
        let stream: ByteStream =
            switch body {
            case .stream(let stream): stream
            case .stored(let rope): .joined(rope, nil)
            case .same: .joined(ByteRope(), nil)
            }
        var response = HTTPResponse(head: head, body: stream)
        response.times = times
        return response
    }
}

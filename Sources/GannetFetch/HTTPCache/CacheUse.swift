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
    /// Names the load for observers.
    package var id: LoadID?

    /// Everything as RFC 9111 has it, under the request's own URL.
    package init() {}
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
    let receipt: BodyReceipt

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

/// Until when a stored image may be used without contacting its source (RFC 9111 §4.2), and how to revalidate it.
public struct Freshness: Hashable, Sendable {
    /// Nil: for ever (unchanged files, data sources, sources other than HTTP).
    public var freshUntil: Timestamp?
    /// The entity tag as sent, with its quotes and with `W/` if it is weak.
    public var etag: String?
    /// The date as sent, an HTTP date.
    public var lastModified: String?
    /// `no-store`: nothing of the response may be written to disk.
    public var forbidsStoring: Bool
    /// Until when the image may be used stale while its source cannot be reached (RFC 9111 §4.2.4); nil: not at all.
    public var unreachableUntil: Timestamp?
    /// Until when it may be used stale if the source answers with an error (`stale-if-error`, RFC 5861 §4); nil: not at all.
    public var staleIfErrorUntil: Timestamp?

    /// Without arguments this is ``unknown``, which is fresh for ever.
    public init(
        freshUntil: Timestamp? = nil, etag: String? = nil, lastModified: String? = nil, forbidsStoring: Bool = false,
        unreachableUntil: Timestamp? = nil, staleIfErrorUntil: Timestamp? = nil
    ) {
        self.freshUntil = freshUntil
        self.etag = etag
        self.lastModified = lastModified
        self.forbidsStoring = forbidsStoring
        self.unreachableUntil = unreachableUntil
        self.staleIfErrorUntil = staleIfErrorUntil
    }

    /// For sources other than HTTP, or if nothing is known.
    public static let unknown = Freshness()

    /// True before ``freshUntil``, and always if that is nil.
    public func isFresh(at now: Timestamp) -> Bool { freshUntil.map { now < $0 } ?? true }

    /// The statuses that `stale-if-error` covers (RFC 5861 §4).
    package static let errorStatuses = [500, 502, 503, 504]
}

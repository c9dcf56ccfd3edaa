/// Until when a stored picture may be used without asking its source (RFC 9111 §4.2), and how to ask.
public struct Freshness: Hashable, Sendable {
    /// Nil: for ever (files that did not change, data sources, sources without HTTP).
    public var freshUntil: Timestamp?
    /// As sent, with its quotes and a `W/` where it has one.
    public var etag: String?
    /// As sent; an HTTP date.
    public var lastModified: String?
    /// `no-store`: nothing of it may be written to disk.
    public var forbidsStoring: Bool
    /// Until when the picture may stand in for a source that cannot be reached (RFC 9111 §4.2.4); nil: not at all.
    public var unreachableUntil: Timestamp?
    /// Until when it may stand in for a source that answers with an error of its own (`stale-if-error`, RFC 5861 §4); nil: not at all.
    public var staleIfErrorUntil: Timestamp?

    /// Without anything it is ``unknown``, which is good for ever.
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

    /// No HTTP source, or nothing known.
    public static let unknown = Freshness()

    /// True for what is good for ever.
    public func isFresh(at now: Timestamp) -> Bool { freshUntil.map { now < $0 } ?? true }

    /// The statuses that `stale-if-error` speaks of (RFC 5861 §4).
    package static let errorStatuses = [500, 502, 503, 504]
}

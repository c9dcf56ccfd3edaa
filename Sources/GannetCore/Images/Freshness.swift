/// Until when a stored image may be used without contacting its source (RFC 9111 §4.2), and how to revalidate it.
public struct Freshness: Hashable, Sendable {
    /// On the heap, because it is a part of images, responses and entries, which pass through many stack frames.
    private struct Parts: Hashable, Sendable {
        var freshUntil: Timestamp?
        var etag: String?
        var lastModified: String?
        var forbidsStoring = false
        var unreachableUntil: Timestamp?
        var staleIfErrorUntil: Timestamp?
        var requestedAt: Timestamp?
        var tags: [String] = []
    }

    private var parts: Boxed<Parts>
    private static let nothing = Boxed(wrappedValue: Parts())

    /// Nil: for ever (unchanged files, data sources, sources other than HTTP).
    public var freshUntil: Timestamp? {
        get { parts.wrappedValue.freshUntil }
        set { parts.wrappedValue.freshUntil = newValue }
    }
    /// The entity tag as sent, with its quotes and with `W/` if it is weak.
    public var etag: String? {
        get { parts.wrappedValue.etag }
        set { parts.wrappedValue.etag = newValue }
    }
    /// The date as sent, an HTTP date.
    public var lastModified: String? {
        get { parts.wrappedValue.lastModified }
        set { parts.wrappedValue.lastModified = newValue }
    }
    /// `no-store`: nothing of the response may be written to disk.
    public var forbidsStoring: Bool {
        get { parts.wrappedValue.forbidsStoring }
        set { if newValue != forbidsStoring { parts.wrappedValue.forbidsStoring = newValue } }
    }
    /// Until when the image may be used stale while its source cannot be reached (RFC 9111 §4.2.4); nil: not at all.
    public var unreachableUntil: Timestamp? {
        get { parts.wrappedValue.unreachableUntil }
        set { parts.wrappedValue.unreachableUntil = newValue }
    }
    /// Until when it may be used stale if the source answers with an error (`stale-if-error`, RFC 5861 §4); nil: not at all.
    public var staleIfErrorUntil: Timestamp? {
        get { parts.wrappedValue.staleIfErrorUntil }
        set { parts.wrappedValue.staleIfErrorUntil = newValue }
    }

    /// When the source was asked that sent or confirmed this, as this machine's calendar has it; nil: not noted. See
    /// `HTTPCachePolicy.keepsTags`.
    package var requestedAt: Timestamp? {
        get { parts.wrappedValue.requestedAt }
        set { if newValue != requestedAt { parts.wrappedValue.requestedAt = newValue } }
    }
    /// By which the source lets this be purged; empty if they are not noted.
    package var tags: [String] {
        get { parts.wrappedValue.tags }
        set { if newValue != tags { parts.wrappedValue.tags = newValue } }
    }

    /// Without arguments this is ``unknown``, which is fresh for ever.
    public init(
        freshUntil: Timestamp? = nil, etag: String? = nil, lastModified: String? = nil, forbidsStoring: Bool = false,
        unreachableUntil: Timestamp? = nil, staleIfErrorUntil: Timestamp? = nil
    ) {
        let parts = Parts(
            freshUntil: freshUntil, etag: etag, lastModified: lastModified, forbidsStoring: forbidsStoring,
            unreachableUntil: unreachableUntil, staleIfErrorUntil: staleIfErrorUntil)
        self.parts = parts == Self.nothing.wrappedValue ? Self.nothing : Boxed(wrappedValue: parts)
    }

    /// For sources other than HTTP, or if nothing is known.
    public static let unknown = Freshness()

    /// True before ``freshUntil``, and always if that is nil.
    public func isFresh(at now: Timestamp) -> Bool { freshUntil.map { now < $0 } ?? true }

    /// The statuses that `stale-if-error` covers (RFC 5861 §4).
    package static let errorStatuses = [500, 502, 503, 504]
}

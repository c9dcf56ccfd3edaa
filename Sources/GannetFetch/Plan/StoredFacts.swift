package import GannetCore

/// Facts of one stored image or response.
package struct StoredFacts: Hashable, Sendable {
    /// Fresh before this moment; without an end: the distant future.
    package var freshUntil: Timestamp
    /// A fallback for an unreachable source before this moment.
    package var unreachableUntil: Timestamp
    /// A fallback for a server error before this moment.
    package var serverErrorUntil: Timestamp
    /// When it was stored. Unknown for images in memory, which are compared only right after they were kept.
    package var storedAt = Timestamp.distantPast
    /// The verdict of RFC 9111 on a stored response. Nil: not HTTP, or made of a response; the moments above count then.
    package var verdict: HTTPVerdict?
    /// The verdict of RFC 9111 on a stored response as a fallback for the failure of the facts. Nil: the moments above count.
    package var mayFallBack: Bool?
    /// The stored response that an image should be made of.
    package var newest = NewestOriginal.unknown

    /// The moments of a ``Freshness``, as it has them: nil for ever, and never a fallback.
    package init(freshUntil: Timestamp?, unreachableUntil: Timestamp?, serverErrorUntil: Timestamp?) {
        self.freshUntil = freshUntil ?? .distantFuture
        self.unreachableUntil = unreachableUntil ?? .distantPast
        self.serverErrorUntil = serverErrorUntil ?? .distantPast
    }

    /// The moments of `freshness`.
    package init(_ freshness: Freshness) {
        self.init(
            freshUntil: freshness.freshUntil, unreachableUntil: freshness.unreachableUntil,
            serverErrorUntil: freshness.staleIfErrorUntil)
    }
}

/// The verdict of RFC 9111 on a stored response, for one request at one moment.
package enum HTTPVerdict: Hashable, Sendable {
    /// It may be used without asking.
    case use
    /// It may be used while the source is asked in the background (`stale-while-revalidate`).
    case useAndRevalidate
    /// The source must be asked.
    case ask
}

/// The stored response of an image's source, as far as it is known.
package enum NewestOriginal: Hashable, Sendable {
    /// None is stored, or it was not looked up. An image is then never void.
    case unknown
    /// Its source no longer allows any to be stored.
    case gone
    /// Stored at this moment; `resemblance` compares it with the response that the image was made of.
    case stored(at: Timestamp, resemblance: Resemblance)
}

/// How two responses of one source compare.
package struct Resemblance: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Equal strong validators: the same bytes (RFC 9110 §8.8.1).
    package static let sameBytes = Resemblance(rawValue: 1)
    /// Equal in all that is known of them: validators and the end of freshness.
    package static let identical = Resemblance(rawValue: 2)
}

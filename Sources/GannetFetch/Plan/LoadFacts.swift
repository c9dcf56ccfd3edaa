package import GannetCore

/// Everything that decides the next step of a load. Plain values: no references, no clock, nothing that waits.
package struct LoadFacts: Hashable, Sendable {
    /// How the request uses stored images.
    package var lookup: LookupPolicy
    /// Conditions that the request sets on whatever is stored.
    package var demands: LoadDemands
    /// The present, by the calendar.
    package var now: Timestamp
    /// The request's image in memory.
    package var memory = LoadFinding.nothing
    /// The image, in memory, of another source that the load would turn to now.
    package var alternative = LoadFinding.nothing
    /// The request's image on disk.
    package var disk = LoadFinding.nothing
    /// The stored bytes of the source.
    package var original = LoadFinding.nothing
    /// The result of asking the source.
    package var answer = LoadAnswer.pending

    /// Nothing is stored and the source has not been asked, until the caller says otherwise.
    package init(lookup: LookupPolicy, demands: LoadDemands = [], now: Timestamp) {
        self.lookup = lookup
        self.demands = demands
        self.now = now
    }
}

/// A place that an image can be delivered from without its source.
package enum LoadTier: Hashable, Sendable, CaseIterable {
    /// The image in memory.
    case memory
    /// An image of another source of the request, in memory.
    case alternative
    /// The image on disk.
    case disk
    /// The stored bytes of the source.
    case original
}

/// The contents of a tier.
package enum LoadFinding: Hashable, Sendable {
    /// The tier may hold something; it has not been read.
    case unread
    /// The tier was read and has nothing whole, or this load does not read it.
    case nothing
    case stored(StoredFacts)
}

/// Conditions of a request, and of the time since it began.
package struct LoadDemands: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The request's own fields limit age or freshness (RFC 9111 §5.2.1). Only a stored response can answer that.
    package static let limitsAge = LoadDemands(rawValue: 1)
    /// The request's own fields limit the age of fallbacks (RFC 5861 §4). Only a stored response can answer that.
    package static let limitsFallbacks = LoadDemands(rawValue: 2)
    /// The request accepts only what is stored (`only-if-cached`).
    package static let onlyIfCached = LoadDemands(rawValue: 4)
    /// The source is asked however fresh the stored response is.
    package static let forcesRevalidation = LoadDemands(rawValue: 8)
    /// The request carries a condition or a range, which the validators of a stored response must not replace.
    package static let hasOwnConditions = LoadDemands(rawValue: 16)
    /// The method is not GET, or the source was changed since the load began: a stored image says nothing of it now.
    package static let changesSource = LoadDemands(rawValue: 32)
}

/// The result of asking the source.
package enum LoadAnswer: Hashable, Sendable {
    /// The source has not been asked, or has not answered yet.
    case pending
    case failed(LoadFailure)
    case arrived(LoadArrival)
}

/// Failures, by what they say of the source.
package enum LoadFailure: Hashable, Sendable {
    /// The source cannot be reached.
    case unreachable
    /// The source answered with this HTTP status.
    case status(Int)
    /// Any other failure. It would not pass with a fallback.
    case final
}

/// Properties of what the source sent.
package struct LoadArrival: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The same representation as the stored image: confirmed, or sent once more with an equal strong validator.
    package static let matches = LoadArrival(rawValue: 1)
    /// Another source of the request answered.
    package static let isOfOtherSource = LoadArrival(rawValue: 2)
    /// The source forbids storing it (`no-store`).
    package static let forbidsStoring = LoadArrival(rawValue: 4)
    /// Only a part could be decoded.
    package static let isPartial = LoadArrival(rawValue: 8)
}

/// The next step of a load, as ``LoadPlan`` decides it.
package enum LoadStep: Hashable, Sendable {
    /// Read the tier, then ask the plan again.
    case read(LoadTier)
    /// Remove the tier's entry, which is older than its source's stored response, then ask the plan again.
    case discard(LoadTier)
    /// Deliver what the tier has. `revalidating`: and ask the source in the background.
    case deliver(LoadTier, revalidating: Bool)
    /// Ask the source. `validating`: with the validators of the stored original; `showing`: the tier whose image is shown meanwhile.
    case ask(validating: Bool, showing: LoadTier?)
    /// Deliver what the tier has, whose source has just confirmed it.
    case renew(LoadTier, LoadKeeping)
    /// Make the image of the bytes that arrived.
    case make(LoadKeeping)
    /// Deliver what the tier has in place of the failure.
    case fallback(LoadTier)
    case fail(LoadEnd)
}

/// How the caches treat an image.
package enum LoadKeeping: Hashable, Sendable {
    /// It is stored under the request's keys.
    case keep
    /// It is stored under the keys of the source that it is of.
    case keepApart
    /// It is not stored, and an earlier image leaves the caches.
    case forget
    /// It is not stored. Earlier images stay.
    case drop
}

/// Why a load ends without an image.
package enum LoadEnd: Hashable, Sendable {
    /// Only the caches were allowed.
    case cacheMiss
    /// The failure of the source.
    case failure
}

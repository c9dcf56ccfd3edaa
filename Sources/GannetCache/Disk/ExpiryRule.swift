package import GannetCore

/// The start of an entry's age. - SDWebImage: SDImageCacheConfigExpireType
public enum CacheAgeRule: String, Hashable, Sendable, CaseIterable {
    /// Counts from the last use (default). - SDWebImage: accessDate
    case lastUse
    /// Counts from the first store. - SDWebImage: creationDate
    case stored
    /// Counts from the last write of the file, by a store or new metadata. - SDWebImage: modificationDate, changeDate
    case written
}

/// Computes when an entry on disk expires. Pure.
package struct ExpiryRule: Sendable {
    var ageRule: CacheAgeRule
    /// Nil: never.
    var maximumAge: Duration?
    var accessExtension: AccessExtension

    package init(ageRule: CacheAgeRule, maximumAge: Duration?, accessExtension: AccessExtension) {
        self.ageRule = ageRule
        self.maximumAge = maximumAge
        self.accessExtension = accessExtension
    }

    /// `distantFuture`: never. Future times (the clock was or is wrong) count as now.
    package func deadline(
        storedAt: Timestamp, writtenAt: Timestamp, lastUsed: Timestamp, expiration: CacheExpiration, now: Timestamp
    ) -> Timestamp {
        let stored = min(storedAt, now)
        let used = max(min(lastUsed, now), stored)
        switch expiration {
        case .never: return .distantFuture
        case .at(let date): return date
        case .expired: return .distantPast
        case .standard:
            guard let maximumAge else { return .distantFuture }
            let base =
                switch ageRule {
                case .lastUse: used
                case .stored: stored
                case .written: min(writtenAt, now)
                }
            return base + maximumAge
        case .after(let duration):
            switch accessExtension {
            case .none: return stored + duration
            case .cacheTime: return used + duration
            case .after(let renewal): return used > stored ? used + renewal : stored + duration
            }
        }
    }
}

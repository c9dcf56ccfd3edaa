package import GannetCore

/// From when an entry's age counts. - SDWebImage: SDImageCacheConfigExpireType
public enum CacheAgeRule: String, Hashable, Sendable, CaseIterable {
    /// From the last use (default). - SDWebImage: accessDate
    case lastUse
    /// From when it was first stored. - SDWebImage: creationDate
    case stored
    /// From when its file was last written, by storing or by new metadata. - SDWebImage: modificationDate, changeDate
    case written
}

/// When an entry on disk ends by itself. Pure.
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

    /// `distantFuture`: never. Times that lie in the future (the clock was wrong when they were written, or is wrong now)
    /// count as now.
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

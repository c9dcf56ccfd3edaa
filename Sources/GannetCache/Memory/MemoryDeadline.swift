import GannetCore

/// Both clocks at one moment, in milliseconds: the monotonic one for lifetimes, the calendar for dates.
struct Moment {
    var uptime: Int64
    var now: Timestamp
}

/// The time at which an entry expires.
struct MemoryDeadline {
    /// Uptime in milliseconds, and the calendar; `max` means never.
    var uptime = Int64.max
    var calendar = Timestamp.distantFuture
    /// The lifetime that a use restarts; nil: uses change nothing.
    var renewal: Int64?

    init(_ expiration: CacheExpiration, age: Duration?, extending: AccessExtension, at moment: Moment?) {
        guard let moment else { return }
        var lifetime: Int64?
        switch expiration {
        case .standard: lifetime = age?.wholeMilliseconds
        case .after(let duration): lifetime = duration.wholeMilliseconds
        case .at(let date): calendar = date
        case .never: break
        case .expired: uptime = .min
        }
        guard let lifetime else { return }
        uptime = Self.sum(moment.uptime, lifetime)
        switch extending {
        case .none: break
        case .cacheTime: renewal = lifetime
        case .after(let duration): renewal = duration.wholeMilliseconds
        }
    }

    func isOver(at moment: Moment?) -> Bool {
        guard let moment else { return false }
        return moment.uptime >= uptime || moment.now >= calendar
    }

    mutating func use(at moment: Moment?) {
        if let renewal, let moment { uptime = Self.sum(moment.uptime, renewal) }
    }

    private static func sum(_ left: Int64, _ right: Int64) -> Int64 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }
}

import GannetCore

/// Sums and limits of a whole memory cache. Held while an entry of any part is added or removed, so limits are exact; hits do
/// not need it. Pure.
struct MemoryLedger {
    var limits: MemoryCacheLimits
    private(set) var count = 0
    private(set) var evictions = 0
    private var costs = SharedCosts()
    /// Uptime in milliseconds.
    private var lastCleaning: Int64?
    /// For each part, a lower bound of the last use of its least recently used entry. Look-ups move the real value later
    /// without an update; eviction corrects it.
    private var tails: [UInt64]

    init(limits: MemoryCacheLimits, parts: Int) {
        self.limits = limits
        tails = [UInt64](repeating: .max, count: parts)
    }

    var bytes: Int { costs.bytes }

    func accepts(_ cost: PixelCost) -> Bool {
        let total = cost.total
        return total <= limits.entryBytes && total <= limits.bytes && limits.count > 0
    }

    mutating func add(_ cost: PixelCost, part: Int, stamp: UInt64) {
        costs.add(cost)
        count += 1
        tails[part] = min(tails[part], stamp)
    }

    mutating func subtract(_ cost: PixelCost, isEviction: Bool = false) {
        costs.subtract(cost)
        count -= 1
        if isEviction { evictions += 1 }
    }

    /// True now and then: expired entries without look-ups should be removed.
    mutating func isCleaningDue(at moment: Moment) -> Bool {
        let last = lastCleaning ?? moment.uptime
        let isDue = moment.uptime - last >= Self.cleaningInterval
        lastCleaning = isDue ? moment.uptime : last
        return isDue
    }

    /// Milliseconds.
    static let cleaningInterval: Int64 = 120_000

    func exceeds(bytes: Int, count: Int) -> Bool { costs.bytes > bytes || self.count > count }

    /// The part that seems to hold the least recently used entry, and its last use. Nil if all are empty.
    var oldestPart: (part: Int, stamp: UInt64)? {
        var found: (part: Int, stamp: UInt64)?
        for (part, stamp) in tails.enumerated() where stamp < found?.stamp ?? .max { found = (part, stamp) }
        return found
    }

    mutating func correct(part: Int, stamp: UInt64) { tails[part] = stamp }
}

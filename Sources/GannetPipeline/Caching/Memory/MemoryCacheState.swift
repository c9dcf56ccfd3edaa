import GannetCore

/// Both clocks at one moment, in milliseconds: lifetimes run on the one that never jumps, dates on the calendar.
struct Moment {
    var uptime: Int64
    var now: Timestamp
}

/// When an entry ends by itself.
struct MemoryDeadline {
    /// Uptime in milliseconds, and the calendar; `max` means never.
    var uptime = Int64.max
    var calendar = Timestamp.distantFuture
    /// What a use starts anew; nil: uses change nothing.
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

/// Least-recently-used list and index of a memory cache. Pure: no lock, no clock. What it lets go of is collected in
/// `garbage`, so that the owner can release it after the lock.
struct MemoryCacheState {
    private struct Node {
        var key: CacheKey
        var picture: CachedPicture?
        var cost: PixelCost
        var deadline: MemoryDeadline
        /// Towards the most recently used; -1 ends.
        var newer: Int
        var older: Int
    }

    var limits: MemoryCacheLimits
    private let accessExtension: AccessExtension
    private let keepsWeakReferences: Bool
    private var index: [CacheKey: Int] = [:]
    private var nodes: [Node] = []
    private var free: [Int] = []
    private var newest = -1
    private var oldest = -1
    private var costs = SharedCosts()
    private var weak = WeakPictures()
    private var garbage: [CachedPicture] = []
    private(set) var statistics = MemoryCacheStatistics()

    init(limits: MemoryCacheLimits, accessExtension: AccessExtension, keepsWeakReferences: Bool) {
        self.limits = limits
        self.accessExtension = accessExtension
        self.keepsWeakReferences = keepsWeakReferences
    }

    var count: Int { index.count }
    var bytes: Int { costs.bytes }

    mutating func takeGarbage() -> [CachedPicture] {
        if garbage.isEmpty { return [] }
        defer { garbage = [] }
        return garbage
    }

    mutating func get(_ key: CacheKey, at moment: Moment?) -> CachedPicture? {
        if let position = index[key] {
            if nodes[position].deadline.isOver(at: moment) {
                drop(position, remember: false)
            } else {
                statistics.hits += 1
                nodes[position].deadline.use(at: moment)
                moveToFront(position)
                return nodes[position].picture
            }
        } else if let (picture, cost, deadline) = weak.take(key) {
            if deadline.isOver(at: moment) {
                garbage.append(picture)
            } else {
                statistics.hits += 1
                statistics.weakHits += 1
                insert(picture, cost: cost, deadline: deadline, for: key)
                return picture
            }
        }
        statistics.misses += 1
        return nil
    }

    mutating func contains(_ key: CacheKey, at moment: Moment?) -> Bool {
        if let position = index[key] { return !nodes[position].deadline.isOver(at: moment) }
        guard let (picture, deadline) = weak.peek(key) else { return false }
        garbage.append(picture)
        return !deadline.isOver(at: moment)
    }

    mutating func put(_ picture: CachedPicture, cost: PixelCost, for key: CacheKey, at moment: Moment?) {
        remove(key)
        let deadline = MemoryDeadline(picture.expiration, age: limits.age, extending: accessExtension, at: moment)
        insert(picture, cost: cost, deadline: deadline, for: key)
    }

    mutating func remove(_ key: CacheKey) {
        if let position = index[key] { drop(position, remember: false) }
        weak.remove(key)
    }

    mutating func removeAll() {
        for node in nodes { if let picture = node.picture { garbage.append(picture) } }
        index = [:]
        nodes = []
        free = []
        newest = -1
        oldest = -1
        costs.removeAll()
        weak.removeAll()
    }

    mutating func removeAll(where matches: (CacheKey) -> Bool) {
        for (key, position) in index where matches(key) { drop(position, remember: false) }
        weak.removeAll(where: matches)
    }

    mutating func removeExpired(at moment: Moment?) {
        for (_, position) in index where nodes[position].deadline.isOver(at: moment) { drop(position, remember: false) }
    }

    mutating func trim(bytes: Int, count: Int) {
        while oldest >= 0, costs.bytes > bytes || index.count > count {
            statistics.evictions += 1
            drop(oldest, remember: true)
        }
    }

    private mutating func insert(_ picture: CachedPicture, cost: PixelCost, deadline: MemoryDeadline, for key: CacheKey) {
        guard cost.total <= limits.entryBytes, cost.total <= limits.bytes, limits.count > 0 else {
            remember(picture, cost: cost, deadline: deadline, for: key)
            return
        }
        costs.add(cost)
        let node = Node(key: key, picture: picture, cost: cost, deadline: deadline, newer: -1, older: newest)
        let position: Int
        if let hole = free.popLast() {
            position = hole
            nodes[position] = node
        } else {
            position = nodes.count
            nodes.append(node)
        }
        if newest >= 0 { nodes[newest].newer = position } else { oldest = position }
        newest = position
        index[key] = position
        trim(bytes: limits.bytes, count: limits.count)
    }

    private mutating func moveToFront(_ position: Int) {
        guard position != newest else { return }
        unlink(position)
        nodes[position].newer = -1
        nodes[position].older = newest
        nodes[newest].newer = position
        newest = position
    }

    private mutating func unlink(_ position: Int) {
        let (newer, older) = (nodes[position].newer, nodes[position].older)
        if newer >= 0 { nodes[newer].older = older } else { newest = older }
        if older >= 0 { nodes[older].newer = newer } else { oldest = newer }
    }

    private mutating func drop(_ position: Int, remember: Bool) {
        unlink(position)
        let node = nodes[position]
        nodes[position].picture = nil
        free.append(position)
        index[node.key] = nil
        costs.subtract(node.cost)
        guard let picture = node.picture else { return }
        if remember {
            self.remember(picture, cost: node.cost, deadline: node.deadline, for: node.key)
        } else {
            garbage.append(picture)
        }
    }

    private mutating func remember(_ picture: CachedPicture, cost: PixelCost, deadline: MemoryDeadline, for key: CacheKey) {
        garbage.append(picture)
        if keepsWeakReferences {
            weak.add(picture, cost: cost, deadline: deadline, for: key, garbage: &garbage)
        }
    }
}

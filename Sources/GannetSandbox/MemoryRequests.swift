/// What the decoders of a worker have asked for, for one file. Each granted request costs the program an object, so they are counted, and
/// all together get no more than the worker can have.
struct MemoryRequests {
    /// Requests for what a file needs, and those within one step for what is spare.
    static let most = 10_000

    /// Bytes.
    private let limit: Int
    private var needed = (count: 0, bytes: 0)
    private var spare = (count: 0, bytes: 0)

    init(limit: Int) { self.limit = limit }

    /// What was spare has been given back.
    mutating func beginStep() { spare = (0, 0) }

    /// Whether it is granted, for which `reserve` has to find room. Nil: no decoder asks that often.
    mutating func answer(_ bytes: Int, isSpare: Bool, _ reserve: () -> Bool) -> Bool? {
        if isSpare { spare.count += 1 } else { needed.count += 1 }
        guard max(spare.count, needed.count) <= Self.most else { return nil }
        guard bytes <= limit - needed.bytes - spare.bytes, reserve() else { return false }
        if isSpare { spare.bytes += bytes } else { needed.bytes += bytes }
        return true
    }
}

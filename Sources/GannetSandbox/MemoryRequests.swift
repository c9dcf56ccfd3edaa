/// What the decoders of a worker have asked for, for one file. Each granted request costs the program an object, so they are counted, and
/// all together get no more than the worker can have.
struct MemoryRequests {
    /// Grants of what a file needs, grants of what is spare in one step, and refusals in one step, which cost time alone.
    static let most = 10_000

    /// Bytes.
    private let limit: Int
    private var needed = (count: 0, bytes: 0)
    private var spare = (count: 0, bytes: 0)
    private var refusals = 0

    init(limit: Int) { self.limit = limit }

    /// Spare room has been given back.
    mutating func beginStep() { (spare, refusals) = ((0, 0), 0) }

    /// Whether it is granted, for which `reserve` has to find room. Nil: no decoder asks that often.
    mutating func answer(_ bytes: Int, isSpare: Bool, _ reserve: () -> Bool) -> Bool? {
        // Spare room is over once the decoder asks for room that it needs.
        if !isSpare { spare.bytes = 0 }
        guard max(spare.count, needed.count) < Self.most else { return nil }
        guard bytes <= limit - needed.bytes - spare.bytes, reserve() else {
            refusals += 1
            return refusals <= Self.most ? false : nil
        }
        if isSpare { spare = (spare.count + 1, spare.bytes + bytes) } else { needed = (needed.count + 1, needed.bytes + bytes) }
        return true
    }
}

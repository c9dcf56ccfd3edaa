import GannetCore

/// What a ``MemoryCache`` may hold.
public struct MemoryCacheLimits: Hashable, Sendable {
    /// Bytes of memory held by pictures, shared pixels counted once.
    public var bytes: Int
    /// Entries; no limit by default.
    public var count: Int
    /// A larger picture is not kept (only remembered weakly).
    public var entryBytes: Int
    /// How long entries with the expiration `standard` stay; nil: until they are evicted.
    public var age: Duration?

    /// `entryBytes` nil: the same as `bytes`.
    public init(bytes: Int, count: Int = .max, entryBytes: Int? = nil, age: Duration? = nil) {
        self.bytes = max(bytes, 0)
        self.count = max(count, 0)
        self.entryBytes = max(entryBytes ?? bytes, 0)
        self.age = age
    }

    /// The smaller of 15 % of the memory this process may use and 512 MiB.
    public static let standard = MemoryCacheLimits(bytes: defaultBytes(of: SystemMemory()))

    static func defaultBytes(of memory: SystemMemory) -> Int {
        memory.availableBytes.map { min($0 / 100 * 15, 512 << 20) } ?? 128 << 20
    }
}

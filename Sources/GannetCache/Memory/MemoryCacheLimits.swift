import GannetCore
import GannetPlatform

/// Limits of a ``MemoryCache``.
public struct MemoryCacheLimits: Hashable, Sendable {
    /// Bytes of memory held by images, shared pixels counted once.
    public var bytes: Int
    /// Entries; no limit by default.
    public var count: Int
    /// A larger image is only referenced weakly.
    public var entryBytes: Int
    /// Lifetime of entries with the expiration `standard`; nil: until they are evicted.
    public var age: Duration?

    /// - Parameter entryBytes: nil: the same as `bytes`.
    public init(bytes: Int, count: Int = .max, entryBytes: Int? = nil, age: Duration? = nil) {
        self.bytes = max(bytes, 0)
        self.count = max(count, 0)
        self.entryBytes = max(entryBytes ?? bytes, 0)
        self.age = age
    }

    /// The smaller of 15 % of the memory available to this process and 512 MiB.
    public static let standard = MemoryCacheLimits(bytes: defaultBytes(of: SystemMemory()))

    static func defaultBytes(of memory: SystemMemory) -> Int {
        memory.availableBytes.map { min($0 / 100 * 15, 512 << 20) } ?? 128 << 20
    }
}

public import GannetCore
import Synchronization

/// A cache of bytes in a dictionary: no files, no limits, no expiration.
public final class DictionaryCache: ImageCaching {
    private let entries = Mutex<[CacheKey: CacheEntry]>([:])

    /// Starts empty.
    public init() {}

    public var identifier: String { "dictionary" }

    /// Every key's text, sorted.
    public var keys: [String] { entries.withLock { $0.keys.map(\.text).sorted() } }

    public func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry? { entries.withLock { $0[key] } }
    public func blockingEntry(for key: CacheKey, touch: Bool) throws(ImageError) -> CacheEntry? { entries.withLock { $0[key] } }
    public func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata? {
        entries.withLock { $0[key]?.metadata }
    }
    public func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) { entries.withLock { $0[key] = entry } }
    public func update(_ metadata: CacheEntryMetadata, for key: CacheKey) async throws(ImageError) {
        entries.withLock { $0[key]?.metadata = metadata }
    }
    public func remove(_ key: CacheKey) async throws(ImageError) { entries.withLock { $0[key] = nil } }
    public func removeAll(prefix: String) async throws(ImageError) {
        entries.withLock { entries in entries = entries.filter { !$0.key.text.hasPrefix(prefix) } }
    }
    public func removeAll() async throws(ImageError) { entries.withLock { $0 = [:] } }
    public func contains(_ key: CacheKey) async -> Bool { entries.withLock { $0[key] != nil } }
    public func usage() async throws(ImageError) -> CacheUsage {
        entries.withLock { CacheUsage(count: $0.count, bytes: $0.values.reduce(0) { $0 + $1.bytes.count }) }
    }
    public func flush() async throws(ImageError) {}
}

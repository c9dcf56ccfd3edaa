package import GannetCore
import Synchronization

/// A cache of bytes in a dictionary: no files, no limits, no expiration.
package final class DictionaryCache: ImageCaching {
    private let entries = Mutex<[CacheKey: CacheEntry]>([:])

    /// Starts empty.
    package init() {}

    package var identifier: String { "dictionary" }

    /// Every key's text, sorted.
    package var keys: [String] { entries.withLock { $0.keys.map(\.text).sorted() } }

    package func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry? { entries.withLock { $0[key] } }
    package func blockingEntry(for key: CacheKey, touch: Bool) throws(ImageError) -> CacheEntry? { entries.withLock { $0[key] } }
    package func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata? {
        entries.withLock { $0[key]?.metadata }
    }
    package func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) { entries.withLock { $0[key] = entry } }
    package func update(_ metadata: CacheEntryMetadata, for key: CacheKey) async throws(ImageError) {
        entries.withLock { $0[key]?.metadata = metadata }
    }
    package func remove(_ key: CacheKey) async throws(ImageError) { entries.withLock { $0[key] = nil } }
    package func removeAll(prefix: String) async throws(ImageError) {
        entries.withLock { entries in entries = entries.filter { !$0.key.text.hasPrefix(prefix) } }
    }
    package func removeAll() async throws(ImageError) { entries.withLock { $0 = [:] } }
    package func contains(_ key: CacheKey) async -> Bool { entries.withLock { $0[key] != nil } }
    package func usage() async throws(ImageError) -> CacheUsage {
        entries.withLock { CacheUsage(count: $0.count, bytes: $0.values.reduce(0) { $0 + $1.bytes.count }) }
    }
    package func flush() async throws(ImageError) {}
}

import GannetCore
import GannetTesting

/// A cache whose reads wait at a gate, and that may claim entries it cannot give.
final class WrappedCache: ImageCaching {
    let inner = InMemoryImageCache()
    /// Passed before each read of bytes.
    let readGate: AsyncGate
    private let isLying: Bool

    init(readGate: AsyncGate = AsyncGate(isOpen: true), isLying: Bool = false) {
        self.readGate = readGate
        self.isLying = isLying
    }

    var identifier: String { "wrapped" }

    func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry? {
        await readGate.wait()
        return isLying ? nil : try await inner.entry(for: key, touch: touch)
    }

    func blockingEntry(for key: CacheKey, touch: Bool) throws(ImageError) -> CacheEntry? {
        isLying ? nil : try inner.blockingEntry(for: key, touch: touch)
    }

    func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata? {
        isLying ? CacheEntryMetadata(storedAt: Timestamp(milliseconds: 0)) : try await inner.metadata(for: key)
    }

    func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) { try await inner.store(entry, for: key) }
    func update(_ metadata: CacheEntryMetadata, for key: CacheKey) async throws(ImageError) {
        try await inner.update(metadata, for: key)
    }
    func remove(_ key: CacheKey) async throws(ImageError) { try await inner.remove(key) }
    func removeAll(prefix: String) async throws(ImageError) { try await inner.removeAll(prefix: prefix) }
    func removeAll() async throws(ImageError) { try await inner.removeAll() }
    func contains(_ key: CacheKey) async -> Bool { await inner.contains(key) || isLying }
    func usage() async throws(ImageError) -> CacheUsage { try await inner.usage() }
    func flush() async throws(ImageError) {}
}

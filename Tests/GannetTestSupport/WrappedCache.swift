package import GannetCore
package import GannetTesting
package import Synchronization

/// A cache whose reads wait at a gate, that may claim entries it cannot give, and in which something may happen between two calls.
package final class WrappedCache: ImageCaching {
    package let inner = InMemoryImageCache(time: ManualTimeSource())
    /// Called once, after the next read of bytes, and after the next metadata that was found.
    package let afterRead = Mutex<(@Sendable () async -> Void)?>(nil)
    package let afterMetadata = Mutex<(@Sendable () async -> Void)?>(nil)
    /// Of each read of bytes, whether it counted as a use.
    package let touches = Mutex<[Bool]>([])
    /// Uses without a read.
    package let uses = Mutex<[String]>([])
    /// Passed before each read of bytes.
    package let readGate: AsyncGate
    private let isLying: Bool

    package init(readGate: AsyncGate = AsyncGate(isOpen: true), isLying: Bool = false) {
        self.readGate = readGate
        self.isLying = isLying
    }

    package var identifier: String { "wrapped" }

    package func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry? {
        await readGate.wait()
        touches.withLock { $0.append(touch) }
        let entry = isLying ? nil : try await inner.entry(for: key, touch: touch)
        if entry != nil, let next = afterRead.withLock({ $0.take() }) { await next() }
        return entry
    }

    package func blockingEntry(for key: CacheKey, touch: Bool) throws(ImageError) -> CacheEntry? {
        touches.withLock { $0.append(touch) }
        return isLying ? nil : try inner.blockingEntry(for: key, touch: touch)
    }

    package func noteUse(of key: CacheKey) async { uses.withLock { $0.append(key.text) } }

    package func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata? {
        if isLying { return CacheEntryMetadata(storedAt: Timestamp(milliseconds: 0)) }
        let metadata = try await inner.metadata(for: key)
        if metadata != nil, let next = afterMetadata.withLock({ $0.take() }) { await next() }
        return metadata
    }

    package func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) { try await inner.store(entry, for: key) }
    package func update(_ metadata: CacheEntryMetadata, for key: CacheKey) async throws(ImageError) {
        try await inner.update(metadata, for: key)
    }
    package func remove(_ key: CacheKey) async throws(ImageError) { try await inner.remove(key) }
    package func removeAll(prefix: String) async throws(ImageError) { try await inner.removeAll(prefix: prefix) }
    package func removeAll() async throws(ImageError) { try await inner.removeAll() }
    package func contains(_ key: CacheKey) async -> Bool { await inner.contains(key) || isLying }
    package func usage() async throws(ImageError) -> CacheUsage { try await inner.usage() }
    package func flush() async throws(ImageError) {}
}

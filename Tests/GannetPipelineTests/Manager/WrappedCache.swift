import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTesting
import GannetViews
import Synchronization

/// A cache whose reads wait at a gate, that may claim entries it cannot give, and in which something may happen between two calls.
final class WrappedCache: ImageCaching {
    let inner = InMemoryImageCache(time: ManualTimeSource())
    /// Called once, after the next read of bytes, and after the next metadata that was found.
    let afterRead = Mutex<(@Sendable () async -> Void)?>(nil)
    let afterMetadata = Mutex<(@Sendable () async -> Void)?>(nil)
    /// Of each read of bytes, whether it counted as a use.
    let touches = Mutex<[Bool]>([])
    /// Uses without a read.
    let uses = Mutex<[String]>([])
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
        touches.withLock { $0.append(touch) }
        let entry = isLying ? nil : try await inner.entry(for: key, touch: touch)
        if entry != nil, let next = afterRead.withLock({ $0.take() }) { await next() }
        return entry
    }

    func blockingEntry(for key: CacheKey, touch: Bool) throws(ImageError) -> CacheEntry? {
        touches.withLock { $0.append(touch) }
        return isLying ? nil : try inner.blockingEntry(for: key, touch: touch)
    }

    func noteUse(of key: CacheKey) async { uses.withLock { $0.append(key.text) } }

    func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata? {
        if isLying { return CacheEntryMetadata(storedAt: Timestamp(milliseconds: 0)) }
        let metadata = try await inner.metadata(for: key)
        if metadata != nil, let next = afterMetadata.withLock({ $0.take() }) { await next() }
        return metadata
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

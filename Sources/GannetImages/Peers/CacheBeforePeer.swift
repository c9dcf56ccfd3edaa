import GannetCore
import GannetFetch
import GannetPlatform

/// A cache, and behind it the folder of another library, which is only read.
///
/// What is read there is not copied: the folder's own rules say until when it is used. What was stored or removed since is hidden
/// there, so that nothing older comes back when the cache evicts the newer.
final class CacheBeforePeer: ImageCaching, LookupAtOnce {
    /// Nil: nothing is stored.
    private let inner: (any ImageCaching)?
    private let folder: String
    private let layout: PeerLayout
    private let coders: CodersManager
    private let time: any TimeSource
    private let files = POSIXFileSystem()
    private let hidden = HiddenKeys()

    init(_ inner: (any ImageCaching)?, _ peer: PeerCache, _ coders: CodersManager, _ time: any TimeSource) {
        (self.inner, self.coders, self.time) = (inner, coders, time)
        (folder, layout) = (WorkingFolder.absolute(peer.folder), peer.layout)
    }

    var identifier: String { inner?.identifier ?? "peer:" + folder }
    var scopeKey: ScopeKey { inner?.scopeKey ?? .process }

    // MARK: The folder

    /// The folder has originals of no user: not what a key with more than a source's text stands for.
    private func mayHave(_ key: CacheKey) -> Bool {
        !key.text.contains(RequestKeys.separatorCharacter) && !hidden.contains(key)
    }

    private func candidates(_ key: CacheKey) -> [PeerFile] {
        layout.names(of: key.text).compactMap { PeerFile(folder + "/" + $0) }
    }

    private static let maximumBytes = DecodeLimits.standard.maximumEncodedBytes

    /// As many bytes as coders look at.
    private static let headBytes = 4096

    /// The first file of the key that may be used and is an image, by its first bytes.
    private func found(_ key: CacheKey) -> (PeerFile, CacheEntryMetadata)? {
        guard mayHave(key) else { return nil }
        let now = time.now
        for file in candidates(key) where file.size <= Self.maximumBytes {
            let expiry = layout.expiry(used: file.used, modified: file.modified)
            guard expiry.map({ now < $0 }) ?? true,
                let head = try? files.readHead(file.path, count: Self.headBytes, nofollow: true),
                let format = coders.format(of: ByteRope(head))
            else { continue }
            let metadata = CacheEntryMetadata(
                format: format.identifier, storedAt: min(file.modified, now), lastUsed: min(file.used, now),
                freshness: Freshness(freshUntil: expiry), expiration: expiry.map { .at($0) } ?? .never)
            return (file, metadata)
        }
        return nil
    }

    private func entry(_ key: CacheKey) -> CacheEntry? {
        guard let (file, metadata) = found(key),
            let bytes = try? files.read(file.path, maximumBytes: Self.maximumBytes, nofollow: true)
        else { return nil }
        return CacheEntry(bytes: ByteRope(bytes), metadata: metadata)
    }

    private func onThread<Value: Sendable>(_ body: @Sendable @escaping () -> Value) async throws(ImageError) -> Value {
        try await FileLanes.shared.executor(for: folder).run { () throws(ImageError) in body() }
    }

    // MARK: Reads

    func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry? {
        if let entry = try await inner?.entry(for: key, touch: touch) { return entry }
        return mayHave(key) ? try await onThread { self.entry(key) } : nil
    }

    func blockingEntry(for key: CacheKey, touch: Bool) throws(ImageError) -> CacheEntry? {
        try inner?.blockingEntry(for: key, touch: touch) ?? entry(key)
    }

    func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata? {
        if let metadata = try await inner?.metadata(for: key) { return metadata }
        return mayHave(key) ? try await onThread { self.found(key)?.1 } : nil
    }

    func blockingMetadata(for key: CacheKey) throws(ImageError) -> CacheEntryMetadata? {
        try inner?.blockingMetadata(for: key) ?? found(key)?.1
    }

    func contains(_ key: CacheKey) async -> Bool {
        if await inner?.contains(key) == true { return true }
        return (try? await metadata(for: key)) != nil
    }

    func mightContain(_ key: CacheKey) -> Bool { inner?.mightContain(key) == true || mayHave(key) }

    // MARK: Changes

    /// Only what is in the folder needs to be hidden.
    private func hide(_ key: CacheKey) async throws(ImageError) {
        guard mayHave(key) else { return }
        if try await onThread({ !self.candidates(key).isEmpty }) { hidden.insert(key) }
    }

    /// Hidden first: between the two calls a read finds nothing, rather than something that is old.
    func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) {
        try await hide(key)
        try await inner?.store(entry, for: key)
    }

    func remove(_ key: CacheKey) async throws(ImageError) {
        try await hide(key)
        try await inner?.remove(key)
    }

    func removeAll(prefix: String) async throws(ImageError) {
        if !prefix.contains(RequestKeys.separatorCharacter) { hidden.insert(prefix: prefix) }
        try await inner?.removeAll(prefix: prefix)
    }

    func removeAll() async throws(ImageError) {
        hidden.insert(prefix: "")
        try await inner?.removeAll()
    }

    // MARK: What concerns the cache alone

    func update(_ metadata: CacheEntryMetadata, for key: CacheKey) async throws(ImageError) {
        try await inner?.update(metadata, for: key)
    }

    func noteUse(of key: CacheKey) async { await inner?.noteUse(of: key) }
    func usage() async throws(ImageError) -> CacheUsage { try await inner?.usage() ?? CacheUsage(count: 0, bytes: 0) }
    func flush() async throws(ImageError) { try await inner?.flush() }
    func removeExpired() async throws(ImageError) { try await inner?.removeExpired() }

    func wasStored(_ key: CacheKey, by date: Timestamp) -> Bool {
        (inner as? any LookupAtOnce)?.wasStored(key, by: date) ?? false
    }

    func dateAtOnce(of key: CacheKey) -> Timestamp? { (inner as? any LookupAtOnce)?.dateAtOnce(of: key) }

    func entryAtOnce(for key: CacheKey) -> CacheEntry? { (inner as? any LookupAtOnce)?.entryAtOnce(for: key) }
}

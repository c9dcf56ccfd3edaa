import GannetCache
public import GannetCore
package import GannetPlatform
import Synchronization

/// A cache of bytes in a bucket of S3, or of a server with its API, which several machines share: behind a ``DiskCache`` in a
/// ``CachesManager``.
///
/// Reads cost a request ``S3Limits`` at most. Stores and new metadata return before they are written, from a queue of limited
/// length; reads of this cache find them there. A server that is down or hangs makes reads misses and loses stores, and after
/// three failures in a row costs nothing for a while. Removals throw then, because the entry may still be there.
///
/// How long objects stay is for the bucket to say (a rule of its life cycle); an entry's own expiration makes it a miss, counted
/// from its storing. Uses are not noted. Readers of the bucket see keys, with the URLs in them, their secrets sealed, and
/// images. Writers decide what programs show.
public final class S3Cache: ImageCaching {
    let client: S3Client
    public let scopeKey: ScopeKey
    private let queue = Mutex(UploadQueue())
    /// Objects that are looked at or deleted at once.
    private static let deletions = 16
    /// Of everything beside the bytes of an entry, at most: generous for fields that a source sent.
    private static let overhead = 1 << 20
    private static let rule = ExpiryRule(ageRule: .stored, maximumAge: nil, accessExtension: .none)

    /// Connects to nothing yet. Throws `misuse` for names that cannot be.
    ///
    /// - Parameters:
    ///   - bucket: its name, or `BUCKET/PREFIX`.
    ///   - endpoint: `https://host[:port]` of another server, which has the bucket in the path of its URLs; nil: AWS.
    ///   - region: of the bucket.
    ///   - credentials: need `s3:GetObject`, `s3:PutObject`, `s3:DeleteObject` and `s3:ListBucket`.
    ///   - transport: for example a `CURLTransport`; no retries, no redirects.
    ///   - scopeKey: seals credentials in keys; with the same one, machines share entries of requests with credentials. Default:
    ///     they do not.
    ///   - report: gets a line when the server fails, and one when it is back.
    public convenience init(
        bucket: String, endpoint: String? = nil, region: String = "us-east-1", credentials: S3Credentials,
        transport: any HTTPTransport, limits: S3Limits = S3Limits(), scopeKey: ScopeKey = .process,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(ImageError) {
        self.init(
            try S3Location(bucket, endpoint: endpoint, region: region), credentials, transport: transport, limits: limits,
            scopeKey: scopeKey, report: report)
    }

    package init(
        _ location: S3Location, _ credentials: S3Credentials, transport: any HTTPTransport, limits: S3Limits = S3Limits(),
        time: any TimeSource = SystemTimeSource(), scopeKey: ScopeKey = .process,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        client = S3Client(location, credentials, transport: transport, limits: limits, time: time, report: report)
        self.scopeKey = scopeKey
    }

    public var identifier: String { "s3:\(client.location)" }
    package var counts: RemoteCounts { client.counts }
    package var time: any TimeSource { client.time }

    // MARK: Reading

    /// One request.
    public func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry? {
        let key = key.sealed(scopeKey)
        let pending = queue.withLock { $0.change(of: key) }
        if case .entry(let entry)? = pending { return counted(isValid(entry.metadata) ? entry : nil) }
        let found = await client.get(SharedNames.object(key), maximum: client.limits.entryBytes + Self.overhead)
        switch found {
        case .failed: return nil
        case .missing: return counted(nil)
        case .bytes(let bytes):
            guard var entry = try? CacheEntryCoding.decode(bytes, for: key) else {
                // Nothing is lost if this fails: the next store replaces it.
                try? await client.delete(SharedNames.object(key))
                return counted(nil)
            }
            if case .metadata(let metadata)? = pending { entry.metadata = metadata }
            return counted(isValid(entry.metadata) ? entry : nil)
        }
    }

    private func counted(_ entry: CacheEntry?) -> CacheEntry? {
        client.tally.count { if entry == nil { $0.misses += 1 } else { $0.hits += 1 } }
        return entry
    }

    /// One request for the first 4 KiB; two, if the metadata is longer.
    public func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata? {
        let key = key.sealed(scopeKey)
        let pending = queue.withLock { $0.change(of: key) }
        if case .entry(let entry)? = pending { return isValid(entry.metadata) ? entry.metadata : nil }
        let count = CacheEntryCoding.usualHeadBytes
        guard
            case .bytes(let head) = await client.get(
                SharedNames.object(key), maximum: client.limits.entryBytes + Self.overhead, first: count)
        else { return nil }
        do throws(ImageError) {
            var metadata = try CacheEntryCoding.metadata(inHead: head, for: key)
            if case .metadata(let newer)? = pending { metadata = newer }
            return isValid(metadata) ? metadata : nil
        } catch {
            guard error.code == .truncated, head.count >= count else { return nil }
            return try await entry(for: key, touch: false)?.metadata
        }
    }

    /// Does nothing.
    public func noteUse(of key: CacheKey) async {}

    private func isValid(_ metadata: CacheEntryMetadata) -> Bool {
        let now = client.time.now
        return Self.rule.deadline(
            storedAt: metadata.storedAt, writtenAt: metadata.storedAt, lastUsed: metadata.lastUsed,
            expiration: metadata.expiration, now: now) > now
    }

    // MARK: Writing

    /// Returns before it is written, and never throws because of the server. An entry beyond ``S3Limits/entryBytes`` is not
    /// stored, and removes the older one.
    public func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) {
        let key = key.sealed(scopeKey)
        guard entry.bytes.count <= client.limits.entryBytes, isValid(entry.metadata) else {
            try? await remove(key)
            return
        }
        add(.entry(entry), for: key)
    }

    /// Returns before it is written: the object is read for it and written again.
    public func update(_ metadata: CacheEntryMetadata, for key: CacheKey) async throws(ImageError) {
        add(.metadata(metadata), for: key.sealed(scopeKey))
    }

    private func add(_ change: UploadQueue.Change, for key: CacheKey) {
        switch queue.withLock({ $0.add(change, for: key, limits: client.limits) }) {
        case .dropped: client.tally.count { $0.dropped += 1 }
        case .waits: break
        // It keeps the cache alive until the queue is empty.
        case .needsWriter: Task { await write() }
        }
    }

    private func write() async {
        while let next = queue.withLock({ $0.next() }) {
            await upload(next)
            for watcher in queue.withLock({ $0.done(next) }) { watcher.resume(returning: true) }
        }
    }

    private func upload(_ next: UploadQueue.Upload) async {
        let (name, now) = (SharedNames.object(next.key), client.time.now)
        var entry: CacheEntry
        switch next.change {
        case .entry(let whole): entry = whole
        case .metadata(let metadata):
            guard
                case .bytes(let old) = await client.get(name, maximum: client.limits.entryBytes + Self.overhead),
                let found = try? CacheEntryCoding.decode(old, for: next.key)
            else { return }
            entry = found
            entry.metadata = metadata
        }
        // Nil: a field is too long for the format, which no real entry has.
        guard let bytes = try? CacheEntryCoding.encode(entry, for: next.key, writtenAt: now) else { return }
        let isPut = await client.put(name, bytes)
        client.tally.count {
            if isPut == nil { $0.dropped += 1 }
            if isPut == true { $0.stored += 1 }
        }
    }

    /// Gives up what waits, and returns when what is being written is written, or the task is cancelled.
    package func finish() async {
        let gone = queue.withLock { $0.forget() }
        client.tally.count { $0.dropped += gone.count }
        for watcher in gone.watchers { watcher.resume(returning: true) }
        try? await wait()
    }

    /// Returns when everything stored so far is written, or could not be, which `report` was told.
    public func flush() async throws(ImageError) { try await wait() }

    /// For what is here now, of one key or of all. Throws `cancelled` if the task is; it is written even so.
    private func wait(for key: CacheKey? = nil) async throws(ImageError) {
        let id = queue.withLock { $0.nextWatcher() }
        let isWritten = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                // The task's flag is set before its handler runs: a watcher that enters later sees it.
                let result = queue.withLock { queue -> Bool? in
                    if Task.isCancelled { return false }
                    return queue.watch(id, key, continuation) ? nil : true
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            queue.withLock { $0.takeWatcher(id) }?.resume(returning: false)
        }
        if !isWritten { throw .cancelled(stage: .cache) }
    }

    // MARK: Removing

    /// One request. Throws `network` if the breaker is open, and the error of the request: the entry may still be there.
    public func remove(_ key: CacheKey) async throws(ImageError) {
        let key = key.sealed(scopeKey)
        forget { $0 == key }
        try await wait(for: key)
        try await client.delete(SharedNames.object(key))
    }

    /// Lists the objects of one source, if the prefix contains the separator that follows the source in a key; otherwise all.
    /// Reads the first bytes of each. Throws as ``remove(_:)`` does.
    public func removeAll(prefix: String) async throws(ImageError) {
        let prefix = SecretParameters.sealed(prefix) { scopeKey }
        forget { $0.text.utf8.starts(with: prefix.utf8) }
        try await wait()
        let count = CacheEntryCoding.headBytes(forPrefix: prefix)
        try await removeAll(in: SharedNames.group(ofPrefix: prefix).map { $0 + "/" } ?? "") { name in
            switch await self.client.get(name, maximum: .max, first: count) {
            case .bytes(let head): CacheEntryCoding.isHead(head, ofKeyWith: prefix)
            case .missing: false
            // Perhaps.
            case .failed: nil
            }
        }
    }

    /// Lists all objects and deletes each that is named as this cache names them; a rule of the bucket's life cycle is cheaper.
    /// Throws as ``remove(_:)`` does.
    public func removeAll() async throws(ImageError) {
        forget { _ in true }
        try await wait()
        try await removeAll(in: "") { _ in true }
    }

    private func forget(where isMeant: (CacheKey) -> Bool) {
        let gone = queue.withLock { $0.forget(where: isMeant) }
        for watcher in gone.watchers { watcher.resume(returning: true) }
    }

    /// `isMeant`: nil if it cannot be found out. Throws the first failure after everything was tried.
    private func removeAll(
        in prefix: String, where isMeant: @escaping @Sendable (String) async -> Bool?
    ) async throws(ImageError) {
        var failure: ImageError?
        try await client.eachPage(prefix) { objects throws(ImageError) in
            var names = objects.map(\.name).filter { SharedNames.isObject($0) }[...]
            while !names.isEmpty {
                if Task.isCancelled { throw .cancelled(stage: .cache) }
                let batch = names.prefix(Self.deletions)
                names = names.dropFirst(Self.deletions)
                let failures = await withTaskGroup(of: ImageError?.self) { group in
                    for name in batch { group.addTask { await self.remove(object: name, where: isMeant) } }
                    return await group.reduce(into: [ImageError?]()) { $0.append($1) }
                }
                failure = failure ?? failures.compactMap { $0 }.first
            }
        }
        if let failure { throw failure }
    }

    private func remove(object name: String, where isMeant: @Sendable (String) async -> Bool?) async -> ImageError? {
        guard let isMeant = await isMeant(name) else {
            return ImageError(.network, stage: .cache, "An object cannot be read now, and may be one of those; try again.")
        }
        guard isMeant else { return nil }
        do throws(ImageError) { try await client.delete(name) } catch { return error }
        return nil
    }

    /// Lists all objects, a thousand with each request; their bytes include metadata. Throws `network` if the server cannot be
    /// reached.
    public func usage() async throws(ImageError) -> CacheUsage {
        var usage = CacheUsage(count: 0, bytes: 0)
        try await client.eachPage("") { objects in
            for object in objects where SharedNames.isObject(object.name) {
                usage.count += 1
                usage.bytes += object.bytes
            }
        }
        return usage
    }
}

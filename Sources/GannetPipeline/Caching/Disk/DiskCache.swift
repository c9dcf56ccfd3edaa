public import GannetCore
import Synchronization

/// Bytes and metadata in files of one folder: always within its limit, never wrong, usable at once.
///
/// - Every file is written under a temporary name and renamed when it is whole; checksums are looked at on every read.
/// - What was just stored is found before it is on disk. The queue of writes is bounded: storing waits when it is full.
/// - Reads go by name and run concurrently, also while the scan that rebuilds sizes and order is still running.
/// - Room is made before a file is written, so the folder exceeds its limit by no more than one entry for each running write.
/// - Any number of processes may use one folder. Files of the folder may vanish, be damaged or be replaced at any time.
/// - A folder that cannot be used is no error: loads work without it, the observer is told once, and again when it works.
///
/// Calls suspend while files are touched on the executor's threads; only functions named "blocking" block the caller. What needs no
/// waiting, because it is staged or small and in the kernel's memory, is read at once where the caller is: about 50 µs at most.
public final class DiskCache: ImageCaching {
    public let identifier: String
    /// As it was opened; it does not change afterwards.
    public let configuration: DiskCacheConfiguration
    let folder: DiskFolder
    let files: any FileSystem
    let time: any TimeSource
    let executor: BlockingExecutor
    let rule: ExpiryRule
    let state: Mutex<DiskCacheState>
    let random: any RandomSource
    /// Nil until a request needs it.
    let knownScopeKey = Mutex<ScopeKey?>(nil)
    private let observer: (any LoadObserver)?
    private let onClean: (@Sendable (CacheCleaning) -> Void)?

    /// How many threads of the executor write at most; the others stay free for reads. A second one pays only where the first
    /// waits for the medium: making and renaming files in one folder, they would stand in each other's way in the kernel.
    let maximumDrainers: Int
    static let maximumWaiting = 1024
    /// A use is written to the file's time when the last one there is this old.
    static let useGranularity = Duration.seconds(60)
    /// Larger files are not read where the caller is: copying and checking them would keep its thread too long.
    static let maximumBytesAtOnce = 256 << 10

    /// Returns at once; the folder is made and scanned in the background.
    /// `onClean` is called from the executor's threads with what was thrown away and why.
    public init(
        _ configuration: DiskCacheConfiguration = DiskCacheConfiguration(), files: any FileSystem = POSIXFileSystem(),
        time: any TimeSource = SystemTimeSource(), random: any RandomSource = SystemRandomSource(),
        executor: BlockingExecutor = .files, observer: (any LoadObserver)? = nil,
        onClean: (@Sendable (CacheCleaning) -> Void)? = nil
    ) {
        self.configuration = configuration
        maximumDrainers = configuration.durability == .sync ? 2 : 1
        self.files = files
        self.time = time
        self.executor = executor
        self.random = random
        self.observer = observer
        self.onClean = onClean
        identifier = "disk:" + configuration.directory
        var root = configuration.directory.isEmpty ? "" : WorkingFolder.absolute(configuration.directory)
        while root.count > 1, root.hasSuffix("/") { root.removeLast() }
        folder = DiskFolder(root: root, owner: String(Digest128(high: 0, low: random.next()).hex.suffix(16)), files: files)
        rule = ExpiryRule(
            ageRule: configuration.ageRule, maximumAge: configuration.maximumAge, accessExtension: configuration.accessExtension)
        state = Mutex(DiskCacheState())
        startDrainers(atLeastOne: true)
    }

    /// Bytes that entries may take: the limit without the files of the cache itself.
    func budget(records: Int = 0) -> Int { max(configuration.byteLimit - DiskFolder.tag.count - records, 0) }

    // MARK: Reading

    public func entry(for key: CacheKey, touch: Bool = true) async throws(ImageError) -> CacheEntry? {
        if let found = read(key, touch: touch, waits: false) { return found }
        return try await executor.run { () throws(ImageError) in self.read(key, touch: touch, waits: true) ?? nil }
    }

    public func blockingEntry(for key: CacheKey, touch: Bool = true) throws(ImageError) -> CacheEntry? {
        read(key, touch: touch, waits: true) ?? nil
    }

    public func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata? {
        if let found = readMetadata(key, waits: false) { return found }
        return try await executor.run { () throws(ImageError) in self.readMetadata(key, waits: true) ?? nil }
    }

    public func blockingMetadata(for key: CacheKey) throws(ImageError) -> CacheEntryMetadata? {
        readMetadata(key, waits: true) ?? nil
    }

    public func contains(_ key: CacheKey) async -> Bool { (try? await metadata(for: key)) != nil }

    /// Reads the entry's header, not its bytes.
    public func noteUse(of key: CacheKey) async {
        if readMetadata(key, touch: true, waits: false) != nil { return }
        _ = try? await executor.run { () throws(ImageError) in self.readMetadata(key, touch: true, waits: true) }
    }

    // MARK: Writing

    /// Does nothing for entries that must not be stored, are larger than the limit, or while the folder cannot be used.
    /// Waits only while the queue of writes is full, and not for a disk that takes nothing: after five seconds in which nothing was
    /// written, what finds no room is not stored until the disk goes on; the observer is told, and ``flush()`` throws.
    public func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) {
        var entry = entry
        if entry.metadata.expiration == .expired || entry.metadata.freshness.forbidsStoring || configuration.countLimit < 1 {
            return try await remove(key)
        }
        if entry.bytes.count > min(configuration.maximumEntryBytes, budget()) {
            tell(CacheCleaning(reason: .tooLarge, digests: [key.digest], bytes: entry.bytes.count))
            return try await remove(key)
        }
        entry.bytes = entry.bytes.compacted()
        let (compact, limit, uptime) = (entry, configuration.stagingBytes, time.uptime)
        let place = state.withLock { state -> UInt64? in
            if state.admit(compact, for: key, bytes: limit, count: Self.maximumWaiting) { return nil }
            if !state.line.isStalled { return state.line.join(at: uptime) }
            state.turnAway(key)
            return nil
        }
        if let place { await waitForRoom(compact, for: key, at: place) }
        startDrainers()
    }

    public func update(_ metadata: CacheEntryMetadata, for key: CacheKey) async throws(ImageError) {
        add(.update(metadata), for: key)
    }

    /// Returns when the file is gone. Throws `io` if it cannot be removed; this cache does not serve it any more even so.
    public func remove(_ key: CacheKey) async throws(ImageError) {
        let sequence = add(.remove(.removed), for: key)
        await wait { $0.queue.isDone(sequence) }
        if state.withLock({ $0.refused.contains(key.digest) }) { throw notRemoved }
    }

    var notRemoved: ImageError {
        ImageError(.io, stage: .store, "The entry could not be removed from \(folder.root); is the folder writable?")
    }

    /// Waits until what was stored, changed, removed and read so far is on disk; of reads, that is their time.
    ///
    /// Throws the newest failure of a write that no flush has thrown yet, if there was one. Of several flushes that wait at the
    /// same time, each throws it.
    public func flush() async throws(ImageError) {
        let (sequence, told) = state.withLock { ($0.queue.newestSequence, $0.toldFailures) }
        await wait { $0.queue.isDone(sequence) && $0.phase != .scanning }
        let failure = state.withLock { state in
            state.toldFailures = state.failures
            return state.failures > told ? state.lastFailure : nil
        }
        if let failure { throw failure }
    }

    /// Where the entry is or would be. Its file begins with a header: use ``entry(for:touch:)`` to read the payload.
    /// - SDWebImage: cachePathForKey
    public func path(for key: CacheKey) -> String { folder.path(EntryName(key)) }

    // MARK: Shared by the parts of this type

    @discardableResult
    func add(_ operation: DiskOperation, for key: CacheKey) -> UInt64 {
        let sequence = state.withLock { $0.queue.add(operation, for: key) }
        startDrainers()
        return sequence
    }

    /// Suspends until the condition, which must not call anything of the user's, holds. It is not asked again after that, and may
    /// change the state where it holds.
    func wait(until condition: @escaping DiskCacheState.Condition) async {
        if state.withLock({ condition(&$0) }) { return }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            if state.withLock({ $0.wait(until: condition, continuation) }) { continuation.resume() }
        }
    }

    /// Whoever changed what a waiter may wait for calls this.
    func wakeWaiters() {
        for waiter in state.withLock({ $0.takeReadyWaiters() }) { waiter.resume() }
    }

    func note(_ event: LoadEvent) { observer?.note(nil, event) }

    func tell(_ cleaning: CacheCleaning) {
        if cleaning.digests.isEmpty || cleaning.reason == .removed { return }
        observer?.note(nil, .cleaned(reason: cleaning.reason.rawValue, count: cleaning.digests.count, bytes: cleaning.bytes))
        onClean?(cleaning)
    }

    func readingFailed(_ error: ImageError) {
        if state.withLock({ $0.trouble.readingFailed() }) { note(.cacheDegraded(error.message)) }
    }
}

public import GannetCore
public import GannetPlatform
import Synchronization

/// A cache of bytes and metadata as files in one folder.
///
/// - Every file is written under a temporary name and renamed when complete. Checksums are verified on every read.
/// - A stored entry is found before it is on disk. The write queue is bounded: storing waits when it is full.
/// - Reads go by name and run concurrently, even while the scan that rebuilds sizes and order is running.
/// - Space is made before a file is written, so the folder exceeds its limit by at most one entry for each running write.
/// - Any number of processes may share a folder. Its files may vanish, be damaged or be replaced at any time.
/// - An unusable folder is no error: loads work without it. The observer is notified once, and again when it works.
///
/// Calls suspend while the executor's threads access files; only functions named "blocking" block the caller. Entries that are
/// staged, or small and in the page cache, are read at once on the caller's thread: about 50 µs at most.
public final class DiskCache: ImageCaching {
    public let identifier: String
    /// The configuration at creation; never changes.
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

    /// The most executor threads that write; others stay free for reads. A second writer helps only while the first waits for
    /// the disk: creating and renaming files in one folder contends in the kernel.
    let maximumDrainers: Int
    static let maximumWaiting = 1024
    /// A use is written to the file's time if the recorded one is this old.
    static let useGranularity = Duration.seconds(60)
    /// Larger files are not read on the caller's thread: copying and checking would block it too long.
    static let maximumBytesAtOnce = 256 << 10

    /// Returns at once; the folder is created and scanned in the background. Removed entries are reported to `observer`
    /// (``LoadEvent/cleaned(reason:count:bytes:)``). By default each cache has its own threads, so that a disk that hangs
    /// delays no other.
    public convenience init(
        _ configuration: DiskCacheConfiguration = DiskCacheConfiguration(), time: any TimeSource = SystemTimeSource(),
        executor: BlockingExecutor = BlockingExecutor(name: "gannet-disk", threads: 4), observer: (any LoadObserver)? = nil
    ) {
        self.init(configuration, files: POSIXFileSystem(), time: time, executor: executor, observer: observer)
    }

    /// `onClean` is called on the executor's threads with removed entries and the reason.
    @_disfavoredOverload
    package init(
        _ configuration: DiskCacheConfiguration = DiskCacheConfiguration(), files: any FileSystem = POSIXFileSystem(),
        time: any TimeSource = SystemTimeSource(), random: any RandomSource = SystemRandomSource(),
        executor: BlockingExecutor = BlockingExecutor(name: "gannet-disk", threads: 4), observer: (any LoadObserver)? = nil,
        onClean: (@Sendable (CacheCleaning) -> Void)? = nil
    ) {
        self.configuration = configuration
        maximumDrainers = configuration.syncsFiles ? 2 : 1
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

    /// Bytes for entries: the limit without the cache's own files.
    func budget(records: Int = 0) -> Int { max(configuration.byteLimit - DiskFolder.tag.count - records, 0) }

    // MARK: Reading

    public func entry(for key: CacheKey, touch: Bool = true) async throws(ImageError) -> CacheEntry? {
        let key = sealed(key)
        if let found = read(key, touch: touch, waits: false) { return found }
        return try await executor.run { () throws(ImageError) in self.read(key, touch: touch, waits: true) ?? nil }
    }

    public func blockingEntry(for key: CacheKey, touch: Bool = true) throws(ImageError) -> CacheEntry? {
        read(sealed(key), touch: touch, waits: true) ?? nil
    }

    public func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata? {
        let key = sealed(key)
        if let found = readMetadata(key, waits: false) { return found }
        return try await executor.run { () throws(ImageError) in self.readMetadata(key, waits: true) ?? nil }
    }

    public func blockingMetadata(for key: CacheKey) throws(ImageError) -> CacheEntryMetadata? {
        readMetadata(sealed(key), waits: true) ?? nil
    }

    public func contains(_ key: CacheKey) async -> Bool { (try? await metadata(for: key)) != nil }

    /// Reads only the entry's header.
    public func noteUse(of key: CacheKey) async {
        let key = sealed(key)
        if readMetadata(key, touch: true, waits: false) != nil { return }
        _ = try? await executor.run { () throws(ImageError) in self.readMetadata(key, touch: true, waits: true) }
    }

    // MARK: Writing

    /// Ignores entries that must not be stored or exceed the limit, and all while the folder cannot be used. Waits only while
    /// the write queue is full. After five seconds without a completed write, waiting entries are dropped until the disk
    /// recovers; the observer is notified, and ``flush()`` throws.
    public func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) {
        let key = sealed(key)
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
        add(.update(metadata), for: sealed(key))
    }

    /// Returns when the file is gone. Throws `io` if it cannot be removed, and `cancelled` if the task is: this cache no longer serves it
    /// even so.
    public func remove(_ key: CacheKey) async throws(ImageError) {
        let key = sealed(key)
        let sequence = add(.remove(.removed), for: key)
        try await wait { $0.queue.isDone(sequence) }
        if state.withLock({ $0.refused.contains(key.digest) }) { throw notRemoved }
    }

    var notRemoved: ImageError {
        ImageError(.io, stage: .store, "The entry could not be removed from \(folder.root); is the folder writable?")
    }

    /// Waits until all earlier stores, changes, removals and recorded reads are on disk.
    ///
    /// Throws the newest write failure that no flush has thrown yet, if any. Concurrent flushes all throw it. Throws `cancelled` if the
    /// task is: everything is still written.
    public func flush() async throws(ImageError) {
        let (sequence, told) = state.withLock { ($0.queue.newestSequence, $0.toldFailures) }
        try await wait { $0.queue.isDone(sequence) && $0.phase != .scanning }
        let failure = state.withLock { state in
            state.toldFailures = state.failures
            return state.failures > told ? state.lastFailure : nil
        }
        if let failure { throw failure }
    }

    /// The path of the entry's file, existing or not. The file begins with a header: use ``entry(for:touch:)`` to read the
    /// payload.
    /// - SDWebImage: cachePathForKey
    public func path(for key: CacheKey) -> String { folder.path(EntryName(sealed(key))) }

    // MARK: Shared by the parts of this type

    /// Keys are sealed on their way in, so that no name, file, list or event of this cache has a secret of a URL.
    func sealed(_ key: CacheKey) -> CacheKey { key.sealed(scopeKey) }

    @discardableResult
    func add(_ operation: DiskOperation, for key: CacheKey) -> UInt64 {
        let sequence = state.withLock { $0.queue.add(operation, for: key) }
        startDrainers()
        return sequence
    }

    /// Suspends until the condition holds, which must not call user code. It is not evaluated again after that, and may change
    /// the state when it holds. Throws `cancelled` if the task is cancelled before; what the caller waits for may then still happen.
    func wait(until condition: @escaping DiskCacheState.Condition) async throws(ImageError) {
        let (holds, id) = state.withLock { (condition(&$0), $0.nextWaiter()) }
        if holds { return }
        let isReady = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                // The task's flag is set before its handler runs: a waiter that enters later sees it.
                let answer = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    return state.wait(id, until: condition, continuation) ? true : nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            state.withLock { $0.takeWaiter(id) }?.resume(returning: false)
        }
        if !isReady { throw .cancelled(stage: .cache) }
    }

    /// Called after each change that a waiter may wait for.
    func wakeWaiters() {
        for waiter in state.withLock({ $0.takeReadyWaiters() }) { waiter.resume(returning: true) }
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

import GannetCore
import GannetPlatform

/// All mutable state of a disk cache. Guarded by one mutex, which is never held across a system call or a call to user code.
struct DiskCacheState {
    enum Phase {
        /// Not scanned yet, or the scan failed; the next writer scans.
        case idle
        /// One thread scans. Reads go by name and removals run; writes wait, because the total size is not known yet.
        case scanning
        case ready
    }

    var phase = Phase.idle
    var index = DiskIndex()
    var queue = WriteQueue()
    /// Files being written or removed now; no other thread touches them.
    var busy: Set<Digest128> = []
    /// Stores that wait for space in the queue.
    var line = StoreLine()
    /// Bytes of running writes.
    var reserved = 0
    /// Bytes of entries that left the index and whose files are being removed.
    var leaving = 0
    var drainers = 0
    /// Drainers that have not checked the folder yet.
    var looking = 0
    var isClearing = false
    var removedWhileScanning: Set<Digest128> = []
    /// Keys whose file could not be replaced or removed; the old file must not be served.
    var refused: Set<Digest128> = []
    static let maximumRefused = 1 << 16
    var trouble = Trouble()
    private(set) var lastFailure: ImageError?
    /// Number of failed writes, and how many of them a flush has reported.
    private(set) var failures: UInt64 = 0
    var toldFailures: UInt64 = 0
    private var lastTemporary: UInt64 = 0
    /// Numbers of temporary files in use; other files of this owner are leftovers.
    private(set) var temporaries: Set<UInt64> = []
    var ownerLock: FileLock?
    var lastOwnerCheck: Duration?
    var owners = FolderOwners()
    typealias Condition = @Sendable (inout DiskCacheState) -> Bool
    private var waiters: [(id: UInt64, condition: Condition, continuation: CheckedContinuation<Bool, Never>)] = []
    private var lastWaiter: UInt64 = 0

    /// Stops serving a key. The set can only overflow when the existing files are unknown; it then drops any key, as the next
    /// start drops all.
    mutating func refuse(_ digest: Digest128) {
        if refused.count >= Self.maximumRefused { _ = refused.popFirst() }
        refused.insert(digest)
    }

    /// Handles a missing folder that was noticed with these change counts. Entries stored since are in a new folder, created by
    /// any process: the files then decide what is left, before the next write.
    mutating func forgetAll(knownAt changes: [UInt32]) {
        if index.changes == changes { index.removeAll() } else { owners.invalidateAll() }
    }

    mutating func beginTemporary() -> UInt64 {
        lastTemporary += 1
        temporaries.insert(lastTemporary)
        return lastTemporary
    }

    mutating func endTemporary(_ number: UInt64) { temporaries.remove(number) }

    mutating func fail(_ error: ImageError) {
        lastFailure = error
        failures += 1
    }

    /// False if another caller is clearing.
    mutating func beginClearing() -> Bool {
        if isClearing { return false }
        isClearing = true
        queue.keepRemovals()
        return true
    }

    var waiterCount: Int { waiters.count }

    mutating func nextWaiter() -> UInt64 {
        lastWaiter += 1
        return lastWaiter
    }

    /// True if the condition already holds: the continuation will then not be resumed.
    mutating func wait(_ id: UInt64, until condition: @escaping Condition, _ continuation: CheckedContinuation<Bool, Never>)
        -> Bool
    {
        if condition(&self) { return true }
        waiters.append((id, condition, continuation))
        return false
    }

    /// A waiter that gives up; nil: it is none any more.
    mutating func takeWaiter(_ id: UInt64) -> CheckedContinuation<Bool, Never>? {
        waiters.firstIndex { $0.id == id }.map { waiters.remove(at: $0).continuation }
    }

    /// Waiters whose condition holds now; resume them with true, outside the lock.
    mutating func takeReadyWaiters() -> [CheckedContinuation<Bool, Never>] {
        if waiters.isEmpty { return [] }
        var ready: [CheckedContinuation<Bool, Never>] = []
        let all = waiters
        waiters = []
        for waiter in all {
            if waiter.condition(&self) { ready.append(waiter.continuation) } else { waiters.append(waiter) }
        }
        return ready
    }
}

/// Whether the folder can be used, and when to retry. Pure.
struct Trouble {
    private(set) var isWriting = false
    private(set) var isReading = false
    /// Uptime before which writing is not retried.
    private(set) var retryAt = Duration.zero
    private var delay = Duration.seconds(1)
    /// True while other files fill the disk: entries must be removed before a new one can be written.
    private(set) var isFull = false
    /// Uptime of the last write that found no room.
    private var fullAt = Duration.zero
    /// Removing makes room for some writes: only after so long without a full disk it is no longer one.
    static let fullPause = Duration.seconds(60)

    var isDegraded: Bool { isWriting || isReading || isFull }

    func mayWrite(at uptime: Duration) -> Bool { !isWriting || uptime >= retryAt }

    /// True if this is a new failure.
    mutating func writingFailed(at uptime: Duration) -> Bool {
        let isNews = !isDegraded
        if isWriting { delay = min(delay * 2, .seconds(60)) }
        isWriting = true
        retryAt = uptime + delay
        return isNews
    }

    /// True if this is a new failure.
    mutating func diskWasFull(at uptime: Duration) -> Bool {
        let isNews = !isDegraded
        (isFull, fullAt) = (true, uptime)
        return isNews
    }

    /// For a write at the first attempt. True if all is well again.
    mutating func diskHadRoom(at uptime: Duration) -> Bool {
        guard isFull, uptime - fullAt >= Self.fullPause else { return false }
        isFull = false
        return !isDegraded
    }

    mutating func readingFailed() -> Bool {
        let isNews = !isDegraded
        isReading = true
        return isNews
    }

    mutating func writingWorked() -> Bool {
        guard isWriting else { return false }
        isWriting = false
        delay = .seconds(1)
        return !isDegraded
    }

    mutating func readingWorked() -> Bool {
        guard isReading else { return false }
        isReading = false
        return !isDegraded
    }
}

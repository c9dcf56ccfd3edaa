import GannetCore

/// Everything of a disk cache that changes; guarded by one mutex that is never held across a system call or a call of the
/// user's.
struct DiskCacheState {
    enum Phase {
        /// Nobody has looked at the folder yet, or looking failed; the next writer does.
        case idle
        /// One thread scans. Reads go by name; removals are carried out; what is to be written waits, because the sum of what
        /// is there is not known.
        case scanning
        case ready
    }

    var phase = Phase.idle
    var index = DiskIndex()
    var queue = WriteQueue()
    /// Files that somebody writes or removes right now: nobody else touches them.
    var busy: Set<Digest128> = []
    /// Stores that wait for room in the queue.
    var line = StoreLine()
    /// Bytes of running writes.
    var reserved = 0
    /// Bytes of entries that left the index and whose files are being removed.
    var leaving = 0
    var drainers = 0
    /// How many of the drainers have not looked at the folder yet.
    var looking = 0
    var isClearing = false
    var removedWhileScanning: Set<Digest128> = []
    /// Keys whose file could not be replaced or removed: what stands there must not be served.
    var refused: Set<Digest128> = []
    static let maximumRefused = 1 << 16
    var trouble = Trouble()
    private(set) var lastFailure: ImageError?
    /// How many writes failed, and up to which of them a flush has said so.
    private(set) var failures: UInt64 = 0
    var toldFailures: UInt64 = 0
    private var lastTemporary: UInt64 = 0
    /// Numbers of temporary files that somebody works on: others of this owner were left behind.
    private(set) var temporaries: Set<UInt64> = []
    var ownerLock: FileLock?
    var lastOwnerCheck: Duration?
    var company = Company()
    typealias Condition = @Sendable (inout DiskCacheState) -> Bool
    private var waiters: [(condition: Condition, continuation: CheckedContinuation<Void, Never>)] = []

    /// Only where it is not known which files there are, can there be more of them than files; then any are forgotten, as all are by
    /// the next start.
    mutating func refuse(_ digest: Digest128) {
        if refused.count >= Self.maximumRefused { _ = refused.popFirst() }
        refused.insert(digest)
    }

    /// The folder was found gone by somebody who knew these changes of the index. What was stored since is in a new folder, whoever made
    /// that: then files tell what is left of the rest, before the next write.
    mutating func forgetAll(knownAt changes: [UInt32]) {
        if index.changes == changes { index.removeAll() } else { company.doubtAll() }
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

    /// False if somebody else is clearing.
    mutating func beginClearing() -> Bool {
        if isClearing { return false }
        isClearing = true
        queue.keepRemovals()
        return true
    }

    /// True if the condition holds already: then nobody will resume the continuation.
    mutating func wait(until condition: @escaping Condition, _ continuation: CheckedContinuation<Void, Never>) -> Bool {
        if condition(&self) { return true }
        waiters.append((condition, continuation))
        return false
    }

    /// Those whose condition holds now; to be resumed outside the lock.
    mutating func takeReadyWaiters() -> [CheckedContinuation<Void, Never>] {
        if waiters.isEmpty { return [] }
        var ready: [CheckedContinuation<Void, Never>] = []
        let all = waiters
        waiters = []
        for waiter in all {
            if waiter.condition(&self) { ready.append(waiter.continuation) } else { waiters.append(waiter) }
        }
        return ready
    }
}

/// Whether the folder can be used, and when to try again. Pure.
struct Trouble {
    private(set) var isWriting = false
    private(set) var isReading = false
    /// Uptime before which writing is not tried again.
    private(set) var retryAt = Duration.zero
    private var delay = Duration.seconds(1)

    var isDegraded: Bool { isWriting || isReading }

    func mayWrite(at uptime: Duration) -> Bool { !isWriting || uptime >= retryAt }

    /// True if this is news.
    mutating func writingFailed(at uptime: Duration) -> Bool {
        let isNews = !isDegraded
        if isWriting { delay = min(delay * 2, .seconds(60)) }
        isWriting = true
        retryAt = uptime + delay
        return isNews
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

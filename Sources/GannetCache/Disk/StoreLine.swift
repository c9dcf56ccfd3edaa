import GannetCore
import GannetPlatform
import Synchronization

/// Stores that wait for space in the write queue, first come, first served, with a time limit. Pure.
struct StoreLine {
    /// How long the disk may accept nothing before waiters are turned away.
    static let patience = Duration.seconds(5)
    /// Large writes get more time: a disk that manages one megabyte a second is slow, but works.
    static let slowestBytesPerMillisecond = 1000

    /// Ticket numbers in order of arrival: the newest, the last admitted, and the last turned away.
    private var last: UInt64 = 0
    private var lastLetIn: UInt64 = 0
    private var lastTurnedAway: UInt64 = 0
    /// When the disk last accepted something, or the first waiter arrived.
    private var lastMove = Duration.zero
    /// The disk accepts nothing: new stores need not wait to find out.
    private(set) var isStalled = false
    /// A task watches the time limit of the waiters.
    var isWatched = false

    /// The number of waiters.
    var crowd: UInt64 { last - lastLetIn }

    mutating func join(at uptime: Duration) -> UInt64 {
        if crowd == 0 { lastMove = uptime }
        last += 1
        return last
    }

    /// Nil: a newcomer.
    func isFirst(_ place: UInt64?) -> Bool { (place ?? last + 1) == lastLetIn + 1 }

    func isTurnedAway(_ place: UInt64) -> Bool { place <= lastTurnedAway }

    mutating func letFirstIn() { lastLetIn += 1 }

    /// True if the disk had stalled.
    mutating func moved(at uptime: Duration) -> Bool {
        lastMove = uptime
        defer { isStalled = false }
        return isStalled
    }

    /// The time left for the waiters while so many bytes are being written. Nil: no waiters, or the limit has passed.
    mutating func patience(at uptime: Duration, writing bytes: Int) -> Duration? {
        guard crowd > 0 else { return nil }
        let left = lastMove + Self.patience + .milliseconds(bytes / Self.slowestBytesPerMillisecond) - uptime
        if left > .zero { return left }
        isStalled = true
        (lastLetIn, lastTurnedAway) = (last, last)
        return nil
    }
}

extension DiskCacheState {
    /// False if the write queue is full, or others wait: a large entry could otherwise starve behind small ones. While stores
    /// wait, a quarter of the queue must be free before the next is admitted, because waking a task for each place costs more
    /// than writing a small file. `place`: of a waiter; also true if it is turned away.
    mutating func admit(_ entry: CacheEntry, for key: CacheKey, at place: UInt64? = nil, bytes: Int, count: Int) -> Bool {
        if let place, line.isTurnedAway(place) {
            turnAway(key)
            return true
        }
        guard line.isFirst(place) else { return false }
        let (bytes, count) = place == nil ? (bytes, count) : (bytes - bytes / 4, count - count / 4)
        guard queue.isEmpty || (queue.bytes + entry.bytes.count <= bytes && queue.count < count) else { return false }
        if place != nil { line.letFirstIn() }
        _ = queue.add(.store(entry), for: key)
        return true
    }

    /// Drops the entry. An older stored version is outdated and no longer served.
    mutating func turnAway(_ key: CacheKey) {
        fail(
            ImageError(
                .io, stage: .store,
                "Entries were not stored because the disk took nothing for some seconds. Does it work? stagingBytes says how much may wait."
            ))
        let (waiting, running) = queue.operations(for: key)
        if waiting != nil || running != nil || index.position(of: EntryName(key)) != nil {
            _ = queue.add(.remove(.removed), for: key)
        } else {
            refuse(key.digest)
        }
    }

    /// Notes a completed operation. True if it ends a reported stall.
    mutating func diskMoved(at uptime: Duration) -> Bool { line.moved(at: uptime) && !trouble.isDegraded }
}

extension DiskCache {
    /// Returns when the write queue has space, or the disk has stalled for too long.
    func waitForRoom(_ entry: CacheEntry, for key: CacheKey, at place: UInt64) async {
        let watches = state.withLock { state in
            defer { state.line.isWatched = true }
            return !state.line.isWatched
        }
        if watches { watchLine() }
        let limit = configuration.stagingBytes
        // The condition adds the entry: only as many waiters continue as there is space for. A cancelled task waits too, since others
        // wait behind its place; a disk that takes nothing for ``StoreLine/patience`` ends it.
        _ = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            let isReady = state.withLock { state in
                state.wait(
                    state.nextWaiter(), until: { $0.admit(entry, for: key, at: place, bytes: limit, count: Self.maximumWaiting) },
                    continuation)
            }
            if isReady { continuation.resume(returning: true) }
        }
    }

    /// Watches while stores wait; one task at a time.
    private func watchLine() {
        Task { [weak self, time] in
            while let left = self?.patienceOfLine() {
                guard (try? await time.sleep(for: left)) != nil else { return }
            }
        }
    }

    /// Nil: nothing left to watch.
    private func patienceOfLine() -> Duration? {
        let uptime = time.uptime
        let (left, isNews) = state.withLock { state in
            // Nothing is written during a clear, and waiters are written afterwards; a hung writer prevents its start.
            if state.isClearing, state.drainers == 0, !state.line.isStalled { _ = state.line.moved(at: uptime) }
            let wasStalled = state.line.isStalled
            let left = state.line.patience(at: uptime, writing: state.queue.runningBytes)
            if left == nil { state.line.isWatched = false }
            return (left, !wasStalled && state.line.isStalled && !state.trouble.isDegraded)
        }
        if let left { return left }
        if isNews {
            note(
                .cacheDegraded(
                    "Nothing was written to \(folder.root) for some seconds, and what may wait for it does: more is not stored until the disk goes on."
                ))
        }
        wakeWaiters()
        return nil
    }
}

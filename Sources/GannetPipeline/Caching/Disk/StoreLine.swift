import GannetCore
import Synchronization

/// Stores that wait for room in the queue of writes: who comes first goes first, and none waits for ever. Pure.
struct StoreLine {
    /// How long the disk may take nothing before those that wait are turned away.
    static let patience = Duration.seconds(5)
    /// What is being written may take longer if it is large: a disk that manages one megabyte in a second is slow, and goes on.
    static let slowestBytesPerMillisecond = 1000

    /// They are numbered as they come: the last number, the last that was let in, and the last that was turned away.
    private var last: UInt64 = 0
    private var lastLetIn: UInt64 = 0
    private var lastTurnedAway: UInt64 = 0
    /// When the disk last took something, or the first of those that wait came.
    private var lastMove = Duration.zero
    /// The disk takes nothing: nobody needs to wait for it to find that out once more.
    private(set) var isStalled = false
    /// Somebody looks at the patience of those that wait.
    var isWatched = false

    /// How many wait.
    var crowd: UInt64 { last - lastLetIn }

    mutating func join(at uptime: Duration) -> UInt64 {
        if crowd == 0 { lastMove = uptime }
        last += 1
        return last
    }

    /// Nil: of one that has just come.
    func isFirst(_ place: UInt64?) -> Bool { (place ?? last + 1) == lastLetIn + 1 }

    func isTurnedAway(_ place: UInt64) -> Bool { place <= lastTurnedAway }

    mutating func letFirstIn() { lastLetIn += 1 }

    /// True if it had stood still.
    mutating func moved(at uptime: Duration) -> Bool {
        lastMove = uptime
        defer { isStalled = false }
        return isStalled
    }

    /// How long those that wait have still patience, while so many bytes are being written. Nil: nobody waits, or nobody does any
    /// more.
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
    /// False where the queue of writes is full, or others wait: who comes first goes first, or a large entry would wait until nobody
    /// stores small ones any more. Once somebody waits, a quarter of the queue must be free before the next is let in, because
    /// waking a task for every single place costs more than writing a small file. `place`: of one that waits in the line; true also
    /// if he is turned away.
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

    /// It is not stored, and what was stored of it before is older: that is not served any more.
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

    /// An operation ended. True if that is news to who was told that nothing does.
    mutating func diskMoved(at uptime: Duration) -> Bool { line.moved(at: uptime) && !trouble.isDegraded }
}

extension DiskCache {
    /// Returns when there is room in the queue of writes, or the disk has stood still for too long.
    func waitForRoom(_ entry: CacheEntry, for key: CacheKey, at place: UInt64) async {
        let watches = state.withLock { state in
            defer { state.line.isWatched = true }
            return !state.line.isWatched
        }
        if watches { watchLine() }
        let limit = configuration.stagingBytes
        // Added by whoever makes room: of many that wait, only so many go on as there is room for.
        await wait { $0.admit(entry, for: key, at: place, bytes: limit, count: Self.maximumWaiting) }
    }

    /// One at a time, for as long as somebody waits.
    private func watchLine() {
        Task { [weak self, time] in
            while let left = self?.patienceOfLine() {
                guard (try? await time.sleep(for: left)) != nil else { return }
            }
        }
    }

    /// Nil: there is nothing to watch any more.
    private func patienceOfLine() -> Duration? {
        let uptime = time.uptime
        let (left, isNews) = state.withLock { state in
            // Nothing is written then, and what waits will be; a writer that hangs keeps it from beginning.
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

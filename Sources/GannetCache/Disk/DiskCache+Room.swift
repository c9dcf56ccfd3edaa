import GannetCore
import GannetPlatform
import Synchronization

extension DiskCacheState {
    /// Takes the least recently used entries out of the index and marks them busy.
    mutating func takeOldest(
        downTo target: Int, maximumCount: Int, maximum: Int, except stuck: Set<Digest128> = []
    ) -> [DiskIndex.Entry] {
        let others = stuck.isEmpty ? busy : busy.union(stuck)
        return take(index.oldest(downTo: target, maximumCount: maximumCount, maximum: maximum, except: others))
    }

    mutating func takeOldest(freeing bytes: Int) -> [DiskIndex.Entry] {
        takeOldest(downTo: max(index.bytes - bytes, 0), maximumCount: .max, maximum: 64)
    }

    mutating func take(_ entries: [DiskIndex.Entry]) -> [DiskIndex.Entry] {
        for entry in entries {
            index.remove(entry.name)
            busy.insert(entry.name.digest)
            leaving += entry.size
        }
        return entries
    }

    /// Takes the entries that are not being written, and were neither replaced nor used since they were read.
    mutating func takeUnchanged(_ entries: [DiskIndex.Entry]) -> [DiskIndex.Entry] {
        take(entries.filter { index.isUnchanged($0) && !busy.contains($0.name.digest) })
    }
}

extension DiskCache {
    /// Evicts the least recently used entries, a few at a time, until the reserved bytes fit. Blocks.
    func makeRoom(for name: EntryName? = nil) throws(ImageError) {
        try evictOldest { state in
            let isNew = name.map { state.index[$0] == nil } ?? false
            // Files that other threads are removing still take space.
            return (
                max(budget(records: state.owners.bytes) - state.reserved - state.leaving, 0),
                configuration.countLimit - (isNew ? 1 : 0)
            )
        }
    }

    /// Evicts the least recently used entries down to so many bytes and entries. If a file cannot be removed, evicts others
    /// instead. Throws `io` if that does not suffice. Blocks.
    func evictOldest(until goal: (inout DiskCacheState) -> (bytes: Int, count: Int)) throws(ImageError) {
        var stuck: Set<Digest128> = []
        var failure: ImageError?
        // After that many failures, most probably no file can be removed.
        while stuck.count < 32 {
            let (victims, isReached) = state.withLock { state in
                let goal = goal(&state)
                let isReached = state.index.bytes <= goal.bytes && state.index.count <= goal.count
                return (state.takeOldest(downTo: goal.bytes, maximumCount: goal.count, maximum: 32, except: stuck), isReached)
            }
            if isReached { return }
            if victims.isEmpty { break }
            let failed = removeFiles(unused(victims), reason: .limit)
            stuck.formUnion(failed.digests)
            failure = failed.error ?? failure
        }
        if let failure { throw failure }
    }

    /// Filters entries that were taken out of the index: keeps those that no other process has used either, by the file's time.
    /// Puts the others back with that use. `since`: earlier uses do not count. Blocks for one system call each.
    func unused(_ entries: [DiskIndex.Entry], since border: Timestamp? = nil) -> [DiskIndex.Entry] {
        if configuration.isSoleOwner { return entries }
        let now = time.now
        var (unused, used): ([DiskIndex.Entry], [DiskIndex.Entry]) = ([], [])
        for var entry in entries {
            let modified = (try? files.status(folder.path(entry.name)))?.modified ?? entry.recordedUse
            let lastUsed = entry.lastUsed(fileTime: modified, now: now)
            if lastUsed > max(entry.lastUsed, border ?? entry.lastUsed) + .seconds(1) {
                (entry.lastUsed, entry.recordedUse) = (lastUsed, modified)
                used.append(entry)
            } else {
                unused.append(entry)
            }
        }
        if used.isEmpty { return unused }
        let waiters = state.withLock { [used] state in
            for entry in used {
                state.leaving -= entry.size
                state.busy.remove(entry.name.digest)
                state.index.put(entry)
            }
            return state.takeReadyWaiters()
        }
        for waiter in waiters { waiter.resume(returning: true) }
        startDrainers()
        return unused
    }

    /// Removes files of entries that were taken out of the index; puts back those that cannot be removed. Blocks.
    func evict(_ entries: [DiskIndex.Entry], reason: CleaningReason) throws(ImageError) {
        if let error = removeFiles(entries, reason: reason).error { throw error }
    }

    /// Does the same, and returns the entries that could not be removed and one of the errors.
    func removeFiles(_ entries: [DiskIndex.Entry], reason: CleaningReason) -> (digests: [Digest128], error: ImageError?) {
        if entries.isEmpty { return ([], nil) }
        refuseLinks()
        var failed: (digests: [Digest128], error: ImageError?) = ([], nil)
        var removed: [DiskIndex.Entry] = []
        for entry in entries {
            defer { state.withLock { $0.leaving -= entry.size } }
            do {
                if try folder.isFolder(folder.shardPath(entry.name.shard)) { try files.remove(folder.path(entry.name)) }
                state.withLock { _ = $0.refused.remove(entry.name.digest) }
                removed.append(entry)
            } catch {
                if error.code == .notFound {
                    removed.append(entry)
                } else {
                    failed = (failed.digests + [entry.name.digest], error)
                    // Put back as the newest: retried after all others, when it is the oldest again.
                    state.withLock { $0.index.appendNewest(entry) }
                }
            }
        }
        noteChanges(Set(removed.map(\.name.shard)))
        let waiters = state.withLock { state in
            for entry in entries {
                state.busy.remove(entry.name.digest)
                // A reader that saw the file after its entry was taken has outdated knowledge, too.
                state.index.noteChange(inShard: entry.name.shard)
            }
            return state.takeReadyWaiters()
        }
        for waiter in waiters { waiter.resume(returning: true) }
        tell(CacheCleaning(reason: reason, digests: removed.map(\.name.digest), bytes: removed.reduce(0) { $0 + $1.size }))
        startDrainers()
        return failed
    }

    /// Checks the next entries and removes expired ones. Never fails: entries that could not be removed are found again.
    /// Returns how many were examined. Blocks.
    @discardableResult
    func removeSomeExpired(steps: Int) -> Int {
        let now = time.now
        let candidates = state.withLock { $0.index.expired(at: now, steps: steps, except: $0.busy) }
        var ended: [DiskIndex.Entry] = []
        for entry in candidates {
            if hasEnded(entry, now) { ended.append(entry) }
        }
        try? evict(state.withLock { [ended] state in state.takeUnchanged(ended) }, reason: .expired)
        return candidates.count
    }

    /// Reads the header of an entry whose expiration is only guessed from its file's time, or which another process may have
    /// used.
    func hasEnded(_ entry: DiskIndex.Entry, _ now: Timestamp) -> Bool {
        if entry.isCertain, configuration.isSoleOwner { return entry.deadline <= now }
        var certain = entry
        let hasEnded = makeCertain(&certain, now)
        // Still a guess if the file cannot be read now.
        if certain.isCertain { state.withLock { $0.index.setDeadline(entry, certain.deadline) } }
        return hasEnded
    }

    /// True if the entry has expired, or is permanently unreadable. False also if it cannot be read now.
    func makeCertain(_ entry: inout DiskIndex.Entry, _ now: Timestamp) -> Bool {
        do throws(ImageError) {
            let (header, status) = try header(of: entry.name)
            entry.lastUsed = entry.lastUsed(fileTime: status.modified, now: now)
            entry.deadline = deadline(header, lastUsed: entry.lastUsed, now: now)
            entry.isCertain = true
            return entry.deadline <= now
        } catch { return DiskFailure(error) != .other }
    }

    /// Whether the file says that the entry has expired, or is gone. `lastUsed`: from the index; other processes may have used
    /// it later.
    func isOver(_ name: EntryName, lastUsed: Timestamp?) -> Bool {
        let now = time.now
        do throws(ImageError) {
            let (header, status) = try header(of: name)
            return deadline(header, lastUsed: min(max(lastUsed ?? status.modified, status.modified), now), now: now) <= now
        } catch { return DiskFailure(error) != .other }
    }

    private func header(of name: EntryName) throws(ImageError) -> (EntryHeader, FileStatus) {
        let parts = try files.readParts(
            folder.path(name), headCount: EntryHeader.size, maximumBytes: .max, wantsTail: false,
            split: { (head, status) throws(ImageError) in min(EntryHeader.size, status.size) })
        return (try EntryHeader(parts.head[...]), parts.status)
    }
}

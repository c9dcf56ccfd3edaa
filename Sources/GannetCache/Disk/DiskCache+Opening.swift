import GannetCore
import GannetPlatform
import Synchronization

extension DiskCache {
    /// Scans the folder at first or after a failure, and checks for other owners now and then. Blocks.
    func lookAtFolder() {
        let uptime = time.uptime
        let (isFirst, isDue) = state.withLock { state in
            (
                state.phase == .idle && state.trouble.mayWrite(at: uptime),
                state.phase == .ready && state.lastOwnerCheck.map { uptime - $0 >= .seconds(1) } ?? true
            )
        }
        if isFirst {
            // A failure is recorded and reported; later writes then fail without retrying too soon.
            try? ensureReady()
        } else if isDue {
            // Before anything is removed: the folder may have become a link, or be gone.
            let isThere = try? folder.isFolder(folder.entries) && folder.isFolder(folder.temporary)
            if isThere == false { try? prepareAgain() }
            sweep()
        }
    }

    /// Removes links in place of the cache's folders before anything is written or removed through them. A failure here
    /// repeats, and is reported, when the folder is used.
    func refuseLinks() {
        for path in [folder.entries, folder.temporary] {
            if let status = try? files.status(path), status.kind != .directory { return (try? prepareAgain()) ?? () }
        }
    }

    /// Creates and scans the folder, if that was not done yet. Throws `io` if it cannot be used. Blocks.
    private func ensureReady() throws(ImageError) {
        let isMine = state.withLock { state in
            guard state.phase == .idle else { return false }
            state.phase = .scanning
            // Knowledge of an earlier attempt may be outdated.
            state.removedWhileScanning = []
            // Concurrent readers would see a change and drop their uses: skip it for an empty index.
            if state.index.count > 0 { state.index.removeAll() }
            return true
        }
        guard isMine else { return }
        do throws(ImageError) {
            do throws(ImageError) {
                try prepareFolder()
                try takeOwnership()
                sweep()
                announceOwner()
            } catch {
                // Existing entries remain readable; counting them makes usage right.
                try? scan()
                throw error
            }
            try scan()
        } catch {
            let isNews = state.withLock { state in
                state.phase = .idle
                state.fail(error)
                return state.trouble.writingFailed(at: time.uptime)
            }
            if isNews { note(.cacheDegraded(error.message)) }
            wakeWaiters()
            throw error
        }
        state.withLock { state in
            state.phase = .ready
            state.removedWhileScanning = []
        }
        wakeWaiters()
        startDrainers()
        var left = state.withLock { $0.index.count }
        while left > 0 {
            removeSomeExpired(steps: 1024)
            left -= 1024
        }
        try? makeRoom()
    }

    func prepareFolder() throws(ImageError) {
        let number = state.withLock { $0.beginTemporary() }
        defer { state.withLock { $0.endTemporary(number) } }
        try folder.prepare(temporary: number)
    }

    /// Recreates everything after the folder was removed meanwhile.
    func prepareAgain() throws(ImageError) {
        let known = state.withLock { $0.index.changes }
        let isGone = try !folder.isFolder(folder.entries)
        try prepareFolder()
        try takeOwnership()
        if isGone { state.withLock { $0.forgetAll(knownAt: known) } }
    }

    /// Rebuilds sizes and order from names, sizes and times. Opens no file, unless age counts from something other than the
    /// last use. O(n log n), about 3 µs an entry.
    private func scan() throws(ImageError) {
        let now = time.now
        var found: [DiskIndex.Entry] = []
        for shard in 0..<DiskFolder.shardCount {
            found.append(contentsOf: try scanShard(shard, now))
            // A disk that can be read has not stalled: stores wait for this scan.
            let uptime = time.uptime
            if state.withLock({ $0.diskMoved(at: uptime) }) { note(.cacheRecovered) }
        }
        found.sort { $0.lastUsed > $1.lastUsed }
        // Growth by doubling would hold a million entries one and a half times, and move them under the lock.
        state.withLock { $0.index.reserve(found.count) }
        var start = 0
        while start < found.count {
            let end = min(start + 1024, found.count)
            state.withLock { state in
                for entry in found[start..<end] where !state.removedWhileScanning.contains(entry.name.digest) {
                    state.index.appendOldest(entry)
                }
            }
            start = end
        }
    }

    /// The entries of one subfolder; removes everything else in it. Throws `io` if it cannot be listed, because uncounted
    /// entries would let the folder exceed its limit.
    func scanShard(_ shard: Int, _ now: Timestamp) throws(ImageError) -> [DiskIndex.Entry] {
        let path = folder.shardPath(shard)
        guard try folder.isFolder(path) else { return [] }
        let names: [String]
        do throws(ImageError) { names = try files.list(path) } catch {
            // Empty, and removed by another process since.
            if error.code == .notFound { return [] }
            throw error
        }
        var found: [DiskIndex.Entry] = []
        var litter: [Digest128] = []
        var giants: [(digest: Digest128, size: Int)] = []
        for text in names {
            let file = path + "/" + text
            guard let name = EntryName(text), name.shard == shard else {
                try? folder.removeTree(file)
                continue
            }
            let status: FileStatus
            do { status = try files.status(file) } catch {
                if error.code == .notFound { continue }
                throw error
            }
            guard status.kind == .file, status.size >= EntryHeader.size else {
                if (try? folder.removeTree(file)) != nil { litter.append(name.digest) }
                continue
            }
            // This entry alone would evict all others.
            guard status.size <= budget() else {
                if (try? files.remove(file)) != nil { giants.append((name.digest, status.size)) }
                continue
            }
            let used = min(status.modified, now)
            var entry = DiskIndex.Entry(
                name: name, size: status.size, lastUsed: used, recordedUse: status.modified,
                deadline: rule.deadline(storedAt: used, writtenAt: used, lastUsed: used, expiration: .standard, now: now),
                isCertain: false)
            if rule.ageRule != .lastUse { _ = makeCertain(&entry, now) }
            found.append(entry)
        }
        tell(CacheCleaning(reason: .damaged, digests: litter, bytes: 0))
        tell(CacheCleaning(reason: .tooLarge, digests: giants.map(\.digest), bytes: giants.reduce(0) { $0 + $1.size }))
        return found
    }
}

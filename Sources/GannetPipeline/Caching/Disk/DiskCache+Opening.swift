import GannetCore
import Synchronization

extension DiskCache {
    /// First look at the folder, or the next one after a failure; and now and then a look at who else is there. Blocks.
    func lookAtFolder() {
        let uptime = time.uptime
        let (isFirst, isDue) = state.withLock { state in
            (
                state.phase == .idle && state.trouble.mayWrite(at: uptime),
                state.phase == .ready && state.lastOwnerCheck.map { uptime - $0 >= .seconds(1) } ?? true
            )
        }
        if isFirst {
            // What fails is remembered and told; writes then fail one by one without trying again too soon.
            try? ensureReady()
        } else if isDue {
            // Before anything is removed: the folder may be a link by now, or gone.
            let isThere = try? folder.isFolder(folder.entries) && folder.isFolder(folder.temporary)
            if isThere == false { try? prepareAgain() }
            sweep()
        }
    }

    /// A link in the place of our folders is removed, before anything is written or removed through it. What fails here fails
    /// again, and is told, where the folder is used.
    func refuseLinks() {
        for path in [folder.entries, folder.temporary] {
            if let status = try? files.status(path), status.kind != .directory { return (try? prepareAgain()) ?? () }
        }
    }

    /// Makes the folder and scans it, unless that was done. Throws `io` if it cannot be used. Blocks.
    private func ensureReady() throws(ImageError) {
        let isMine = state.withLock { state in
            guard state.phase == .idle else { return false }
            state.phase = .scanning
            // What an earlier attempt knew may be over.
            state.removedWhileScanning = []
            // To those who read beside it that is a change, and their use would be overlooked: not where there is nothing to remove.
            if state.index.count > 0 { state.index.removeAll() }
            return true
        }
        guard isMine else { return }
        do throws(ImageError) {
            do throws(ImageError) {
                try folder.prepare()
                try takeOwnership()
                sweep()
                greetOthers()
            } catch {
                // What is there can be read even so; counting it makes usage right.
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

    /// Makes everything again after the folder was removed under our feet.
    func prepareAgain() throws(ImageError) {
        let known = state.withLock { $0.index.changes }
        let isGone = try !folder.isFolder(folder.entries)
        try folder.prepare()
        try takeOwnership()
        if isGone { state.withLock { $0.forgetAll(knownAt: known) } }
    }

    /// Rebuilds sizes and order from names, sizes and times; opens no file unless age counts from something else than the last
    /// use. O(n log n), about 3 µs an entry.
    private func scan() throws(ImageError) {
        let now = time.now
        var found: [DiskIndex.Entry] = []
        for shard in 0..<DiskFolder.shardCount {
            found.append(contentsOf: try scanShard(shard, now))
            // A disk that can be read does not stand still: stores wait for this look.
            let uptime = time.uptime
            if state.withLock({ $0.diskMoved(at: uptime) }) { note(.cacheRecovered) }
        }
        found.sort { $0.lastUsed > $1.lastUsed }
        // Growing by doubling would hold a million entries one and a half times, and move them under the lock.
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

    /// The entries of one subfolder; anything else in it is removed. Throws `io` if it cannot be listed, because entries that
    /// are not counted would let the folder grow beyond its limit.
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
            // It alone would drive everything else out.
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

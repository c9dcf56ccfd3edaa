import GannetCore
import GannetPlatform
import Synchronization

extension DiskCache {
    /// Starts writers on the executor's threads, which run while there is work. They are the cache's only unstructured tasks.
    /// They are never cancelled, and keep the cache alive until everything stored is written.
    func startDrainers(atLeastOne: Bool = false) {
        let starts = state.withLock { state -> Bool in
            guard state.drainers < allowedDrainers(state.phase), atLeastOne || !state.queue.isEmpty, !state.isClearing else {
                return false
            }
            // Each key is written by one thread: more threads than keys have nothing to do.
            guard state.drainers == 0 || state.queue.count > state.drainers || state.phase == .scanning else { return false }
            state.drainers += 1
            state.looking += 1
            return true
        }
        if starts { Task(executorPreference: executor) { self.drain() } }
    }

    /// While one thread scans, another removes.
    private func allowedDrainers(_ phase: DiskCacheState.Phase) -> Int { phase == .scanning ? 2 : maximumDrainers }

    /// Blocks; runs only on the executor.
    private func drain() {
        lookAtFolder()
        state.withLock { $0.looking -= 1 }
        wakeWaiters()
        while let (key, operation) = next() {
            // Again each time: a busy writer would otherwise never check the folder.
            lookAtFolder()
            perform(operation, key)
            let uptime = time.uptime
            let (waiters, hasRecovered) = state.withLock { state in
                state.queue.finish(key)
                state.busy.remove(key.digest)
                let hasRecovered = state.diskMoved(at: uptime)
                return (state.takeReadyWaiters(), hasRecovered)
            }
            if hasRecovered { note(.cacheRecovered) }
            for waiter in waiters { waiter.resume(returning: true) }
        }
    }

    /// Nil when nothing can be done now: this thread's work ends.
    private func next() -> (CacheKey, DiskOperation)? {
        let (next, waiters) = state.withLock { state -> ((CacheKey, DiskOperation)?, [CheckedContinuation<Bool, Never>]) in
            if !state.isClearing, state.drainers <= allowedDrainers(state.phase),
                let next = state.queue.take(busy: state.busy, onlyRemovals: state.phase == .scanning)
            {
                state.busy.insert(next.0.digest)
                return (next, [])
            }
            state.drainers -= 1
            return (nil, state.takeReadyWaiters())
        }
        for waiter in waiters { waiter.resume(returning: true) }
        return next
    }

    private var notWritable: ImageError {
        ImageError(.io, stage: .store, "The cache folder \(folder.root) cannot be written at the moment.")
    }

    private func perform(_ operation: DiskOperation, _ key: CacheKey) {
        let name = EntryName(key)
        refuseLinks()
        do throws(ImageError) {
            switch operation {
            case .store(let entry):
                guard state.withLock({ $0.trouble.mayWrite(at: time.uptime) }) else { throw notWritable }
                try commit(entry, key, name)
            case .update(let metadata):
                // Never rewrite a refused entry. A newer entry has its own metadata.
                guard !state.withLock({ $0.refused.contains(name.digest) }), let (header, entry) = try? current(name),
                    header.payloadCount == entry.bytes.count, metadata.storedAt >= entry.metadata.storedAt
                else { break }
                try commit(CacheEntry(bytes: entry.bytes, metadata: metadata), key, name)
            case .use(let moment):
                // In a read-only folder, the order after the next start is slightly older: not worth a report.
                if try folder.isFolder(folder.shardPath(name.shard)) { try? files.setModified(folder.path(name), to: moment) }
                return
            case .remove(let reason):
                let size = state.withLock { $0.index[name]?.size }
                try removeFile(name)
                tell(CacheCleaning(reason: reason, digests: [name.digest], bytes: size ?? 0))
            case .removeDamaged:
                guard isDamaged(name) else { break }
                let size = state.withLock { $0.index[name]?.size }
                try removeFile(name)
                tell(CacheCleaning(reason: .damaged, digests: [name.digest], bytes: size ?? 0))
            case .removeExpired:
                let known = state.withLock { $0.index[name] }
                guard isOver(name, lastUsed: known?.lastUsed) else { break }
                try removeFile(name)
                tell(CacheCleaning(reason: .expired, digests: [name.digest], bytes: known?.size ?? 0))
            }
            var isStore = false
            if case .store = operation { isStore = true }
            let hasRecovered = state.withLock { isStore && $0.trouble.writingWorked() }
            if hasRecovered { note(.cacheRecovered) }
        } catch {
            writingFailed(error, operation, name)
        }
    }

    private func writingFailed(_ error: ImageError, _ operation: DiskOperation, _ name: EntryName) {
        // An entry without its newest metadata is still valid.
        var refuses = false
        switch operation {
        case .store, .remove: refuses = mayBeThere(name)
        case .update, .use, .removeDamaged, .removeExpired: break
        }
        // A caller's mistake says nothing about the folder.
        let isNews = state.withLock { state in
            state.fail(error)
            if refuses { state.refuse(name.digest) }
            let mayWrite = state.trouble.mayWrite(at: time.uptime)
            return error.code != .misuse && mayWrite && state.trouble.writingFailed(at: time.uptime)
        }
        if isNews { note(.cacheDegraded(error.message)) }
    }

    /// False only if there is certainly no file.
    private func mayBeThere(_ name: EntryName) -> Bool {
        do throws(ImageError) {
            _ = try files.status(folder.path(name))
            return true
        } catch { return DiskFailure(error) != .missing }
    }

    /// The entry on disk, if it is complete.
    private func current(_ name: EntryName) throws(ImageError) -> (EntryHeader, CacheEntry) {
        let parts = try files.readParts(
            folder.path(name), headCount: EntryFile.headCount, maximumBytes: .max, wantsTail: true,
            split: EntryFile.payloadOffset)
        let (header, key, entry) = try EntryFile.decode(parts)
        guard key.digest == name.digest else { throw .damaged(.corrupt, "it belongs to another key") }
        return (header, entry)
    }

    /// False also if the file cannot be checked now.
    private func isDamaged(_ name: EntryName) -> Bool {
        do throws(ImageError) {
            _ = try current(name)
            return false
        } catch { return DiskFailure(error) != .other }
    }

    private func removeFile(_ name: EntryName) throws(ImageError) {
        do {
            // Check first, so that a link in place of the subfolder is not followed.
            if try folder.isFolder(folder.shardPath(name.shard)) { try files.remove(folder.path(name)) }
        } catch {
            if error.code != .notFound { try folder.removeTree(folder.path(name)) }
        }
        noteChanges([name.shard])
        state.withLock { state in
            state.index.remove(name)
            state.refused.remove(name.digest)
            if state.phase == .scanning { state.removedWhileScanning.insert(name.digest) }
        }
    }

    private func commit(_ entry: CacheEntry, _ key: CacheKey, _ name: EntryName) throws(ImageError) {
        guard state.withLock({ $0.phase == .ready }) else { throw notWritable }
        let now = time.now
        let pieces = try EntryFile.encode(entry, key: key, writtenAt: now)
        let size = pieces.reduce(0) { $0 + $1.count }
        let lastUsed = min(max(entry.metadata.lastUsed, entry.metadata.storedAt), now)
        guard size <= min(configuration.maximumEntryBytes, budget()) else {
            try removeFile(name)
            return tell(CacheCleaning(reason: .tooLarge, digests: [name.digest], bytes: size))
        }
        followOthers()
        state.withLock { $0.reserved += size }
        defer { state.withLock { $0.reserved -= size } }
        try makeRoom(for: name)
        try write(pieces, name, lastUsed)
        noteChanges([name.shard])
        let header = EntryHeader(
            keyCount: 0, metadataCount: 0, payloadCount: 0, storedAt: entry.metadata.storedAt, writtenAt: now,
            expiration: entry.metadata.expiration, payloadChecksum: 0, textChecksum: 0)
        state.withLock { state in
            state.refused.remove(name.digest)
            state.index.put(
                DiskIndex.Entry(
                    name: name, size: size, lastUsed: lastUsed, recordedUse: lastUsed,
                    deadline: deadline(header, lastUsed: lastUsed, now: now), payloadOffset: Int32(clamping: pieces[0].count),
                    storedAt: entry.metadata.storedAt, isCertain: true))
        }
        removeSomeExpired(steps: 8)
    }

    /// Writes under a temporary name and renames; one retry after repairs.
    private func write(_ pieces: [[UInt8]], _ name: EntryName, _ lastUsed: Timestamp) throws(ImageError) {
        do {
            try writeOnce(pieces, name, lastUsed)
            if state.withLock({ $0.trouble.diskHadRoom(at: time.uptime) }) { note(.cacheRecovered) }
        } catch {
            switch (error.underlying as? FileSystemFailure)?.errno {
            case DiskFailure.diskFull, DiskFailure.quotaReached:
                // The disk is fuller than the cache's limit accounts for: free some space.
                if state.withLock({ $0.trouble.diskWasFull(at: time.uptime) }) {
                    note(
                        .cacheDegraded("The disk of the cache folder \(folder.root) is full: older entries go for each new one."))
                }
                let bytes = 4 * pieces.reduce(0) { $0 + $1.count }
                _ = removeFiles(state.withLock { $0.takeOldest(freeing: bytes) }, reason: .limit)
                folder.removeEmptyShards(except: name.shard)
            case DiskFailure.isAFolder, DiskFailure.folderNotEmpty, DiskFailure.exists: try folder.removeTree(folder.path(name))
            case DiskFailure.notAFolder: try prepareAgain()
            default:
                guard error.code == .notFound else { throw error }
                try prepareAgain()
            }
            try writeOnce(pieces, name, lastUsed)
        }
    }

    func writeOnce(_ pieces: [[UInt8]], _ name: EntryName, _ lastUsed: Timestamp) throws(ImageError) {
        try folder.makeFolder(folder.shardPath(name.shard))
        let number = state.withLock { $0.beginTemporary() }
        defer { state.withLock { $0.endTemporary(number) } }
        let temporary = folder.temporaryPath(number)
        do {
            // After the next start, the order of use comes from file times.
            try files.write(pieces, toNew: temporary, modified: lastUsed, sync: configuration.syncsFiles)
            try place(temporary, name)
        } catch {
            // If this fails too, it is swept later.
            try? files.remove(temporary)
            throw error
        }
    }

    /// Another process that is short of inodes may remove a subfolder before its first file arrives.
    private func place(_ temporary: String, _ name: EntryName) throws(ImageError) {
        var tries = 4
        while true {
            do throws(ImageError) { return try files.rename(temporary, to: folder.path(name)) } catch {
                tries -= 1
                guard error.code == .notFound, tries > 0 else { throw error }
                try folder.makeFolder(folder.shardPath(name.shard))
            }
        }
    }
}

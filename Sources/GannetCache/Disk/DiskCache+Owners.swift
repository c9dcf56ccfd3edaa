import GannetCore
import GannetPlatform
import Synchronization

/// Sharing one folder between processes: each process's index follows the others' changes.
extension DiskCache {
    func takeOwnership() throws(ImageError) {
        // Release the old lock only after the new one is held.
        let lock = try files.lock(folder.lockPath)
        let (old, pieces) = state.withLock { state in
            defer { if let lock { state.ownerLock = lock } }
            return (lock == nil ? nil : state.ownerLock, state.owners.isWritten ? state.owners.own.pieces : [])
        }
        write(pieces, lock)
        _ = old
    }

    /// Removes files of owners that have ended, and counts living ones. A file lock ends with its process. Files with foreign
    /// names stay: the user may also use the folder for something else.
    func sweep() {
        guard let names = try? files.list(folder.temporary) else { return state.withLock { $0.lastOwnerCheck = time.uptime } }
        // The folder was replaced: others do not know this owner, and the index may be entirely wrong.
        if !names.contains(folder.owner + ".lock") {
            try? takeOwnership()
            state.withLock { $0.owners.invalidateAll() }
        }
        var living: Set<String> = []
        var dead: [String: FileLock] = [:]
        for name in names where name.hasSuffix(".lock") {
            guard let owner = DiskFolder.owner(ofTemporary: name), owner != folder.owner else { continue }
            do {
                if let lock = try files.lock(folder.temporary + "/" + name) { dead[owner] = lock } else { living.insert(owner) }
            } catch {
                // Uncertainty is no reason to remove files. But a non-file cannot hold a lock.
                let kind = try? files.status(folder.temporary + "/" + name).kind
                if kind == .directory || kind == .link {
                    try? folder.removeTree(folder.temporary + "/" + name)
                } else {
                    living.insert(owner)
                }
            }
        }
        for name in names where !name.hasSuffix(".lock") {
            guard let owner = DiskFolder.owner(ofTemporary: name), !living.contains(owner) else { continue }
            if owner == folder.owner, isInUse(temporary: name) { continue }
            try? folder.removeTree(folder.temporary + "/" + name)
        }
        for owner in dead.keys { try? files.remove(folder.lockPath(of: owner)) }
        let (lock, pieces) = state.withLock { state in
            let pieces = state.owners.update(living, hasLostOne: !dead.isEmpty)
            if !state.owners.others.isEmpty { state.owners.invalidateSome() }
            state.lastOwnerCheck = time.uptime
            return (state.ownerLock, pieces)
        }
        write(pieces, lock)
    }

    /// Whether this owner uses the file now; false for a given-up file that could not be removed.
    private func isInUse(temporary name: String) -> Bool {
        state.withLock { state in state.temporaries.contains { folder.temporaryPath($0).hasSuffix("/" + name) } }
    }

    /// Writes into this owner's record. On failure (full disk), the next change writes the whole record.
    private func write(_ pieces: [(bytes: [UInt8], offset: Int)], _ lock: FileLock?) {
        guard let lock, !pieces.allSatisfy({ lock.write($0.bytes, at: $0.offset) }) else { return }
        state.withLock { $0.owners.couldNotWrite() }
    }

    /// Announces this owner to the others before the first scan, and notes their change counts.
    func announceOwner() {
        for owner in state.withLock({ Array($0.owners.others.keys) }) {
            try? files.overwrite([1], at: OwnerRecord.visitOffset, of: folder.lockPath(of: owner))
        }
        readOthers()
        state.withLock { $0.owners.validateAll() }
    }

    private func readOthers() {
        for owner in state.withLock({ Array($0.owners.others.keys) }) {
            let bytes = try? files.readHead(folder.lockPath(of: owner), count: OwnerRecord.size, nofollow: true)
            state.withLock { $0.owners.note(owner, bytes.flatMap { OwnerRecord($0) }) }
        }
    }

    /// Reports changed subfolders to other owners, if there are any. Blocks for microseconds.
    func noteChanges(_ shards: Set<Int>) {
        noticeNewcomers()
        let (lock, pieces) = state.withLock { ($0.ownerLock, $0.owners.count(shards)) }
        write(pieces, lock)
    }

    /// Whether another process has begun to use the folder. One short system call.
    var hasNewcomers: Bool { newcomersLock != nil }

    private var newcomersLock: FileLock? {
        guard let lock = state.withLock({ $0.ownerLock }), lock.read(at: OwnerRecord.visitOffset, count: 1).first ?? 0 != 0 else {
            return nil
        }
        return lock
    }

    /// Blocks where there are some.
    func noticeNewcomers() {
        guard let lock = newcomersLock else { return }
        lock.write([0], at: OwnerRecord.visitOffset)
        sweep()
    }

    /// Before each write, compares the subfolders that other processes changed with the index, about 500 files at a time.
    /// Blocks; without other owners, for one short system call.
    func followOthers() {
        noticeNewcomers()
        readOthers()
        let (stale, now) = (state.withLock { $0.owners.stale }, time.now)
        var seen = 0
        for shard in stale.sorted() where seen < 512 {
            let (known, changes) = state.withLock { state in
                state.owners.validate(shard)
                return (state.index.entries(inShard: shard), state.index.changes(inShard: shard))
            }
            let there = try? scanShard(shard, now)
            seen += (there?.count ?? 0) + 1
            state.withLock { state in
                // If it cannot be listed, or this process changed it meanwhile, check it another time.
                guard let there, state.index.changes(inShard: shard) == changes else { return state.owners.invalidate(shard) }
                state.follow(there, known: known)
            }
        }
    }
}

extension DiskCacheState {
    /// Updates the index to the files found in one subfolder.
    fileprivate mutating func follow(_ there: [DiskIndex.Entry], known: [EntryName: DiskIndex.Entry]) {
        var missing = Set(known.keys)
        for entry in there {
            missing.remove(entry.name)
            guard !busy.contains(entry.name.digest) else { continue }
            if known[entry.name]?.size != entry.size { index.put(entry) } else { index.forgetDate(of: entry.name) }
        }
        for name in missing where !busy.contains(name.digest) { index.remove(name) }
    }
}

public import GannetCore
import GannetPlatform
import Glibc
import Synchronization

extension DiskCache {
    /// Takes over the entries of an older folder of this library, or of another of its caches. Moves the files if both folders
    /// are on one file system. Entries already in this cache are newer and stay. If the old ones do not all fit next to them,
    /// the least recently used are left out. Removes the rest of the old folder.
    ///
    /// Returns the number of entries taken over. O(n); every byte is read and checked. Nothing else may use the old folder.
    /// Throws `io`; the remaining entries are then still in the old folder. - SDWebImage: moveCacheDirectoryFromPath:toPath:
    public func migrate(from directory: String) async throws(ImageError) -> Int {
        _ = try await usage()
        return try await executor.run { () throws(ImageError) in
            let old = DiskFolder(root: directory, owner: "", files: self.files)
            guard try old.isFolder(old.entries), try !self.isOurs(old) else { return 0 }
            var found: [(name: EntryName, used: Timestamp)] = []
            for shard in 0..<DiskFolder.shardCount where try old.isFolder(old.shardPath(shard)) {
                for name in try self.files.list(old.shardPath(shard)).compactMap({ EntryName($0) }) {
                    guard let status = try? self.files.status(old.path(name)), status.kind == .file else { continue }
                    found.append((name, status.modified))
                }
            }
            found.sort { $0.used > $1.used }
            var taken = 0
            for (name, _) in found where try self.take(name, from: old) { taken += 1 }
            self.state.withLock { $0.index.sortByUse() }
            for path in [old.entries, old.root + "/CACHEDIR.TAG"] { try old.removeTree(path) }
            if try old.isFolder(old.temporary) {
                for name in try self.files.list(old.temporary) where DiskFolder.owner(ofTemporary: name) != nil {
                    try old.removeTree(old.temporary + "/" + name)
                }
            }
            // The user may keep other files there.
            try? self.files.removeDirectory(old.temporary)
            try? self.files.removeDirectory(old.root)
            return taken
        }
    }

    /// Whether this is the cache's own folder under another name, which cannot be migrated.
    private func isOurs(_ old: DiskFolder) throws(ImageError) -> Bool {
        guard try folder.isFolder(folder.entries) else { return false }
        let (ours, theirs) = (try files.status(folder.entries), try files.status(old.entries))
        return ours.inode == theirs.inode && ours.device == theirs.device
    }

    private func take(_ name: EntryName, from old: DiskFolder) throws(ImageError) -> Bool {
        let source = old.path(name)
        guard
            let parts = try? files.readParts(
                source, headCount: EntryFile.headCount, maximumBytes: .max, wantsTail: true, split: EntryFile.payloadOffset),
            let (header, key, _) = try? EntryFile.decode(parts), key.digest == name.digest,
            // Keys that earlier versions stored with their secrets are not taken over.
            sealed(key) == key
        else { return false }
        let now = time.now
        let lastUsed = min(parts.status.modified, now)
        let size = parts.status.size
        let deadline = deadline(header, lastUsed: lastUsed, now: now)
        let isFree = state.withLock { state in
            guard state.index[name] == nil, !state.busy.contains(name.digest), deadline > now,
                size <= min(configuration.maximumEntryBytes, budget(records: state.owners.bytes)) - state.index.bytes
                    - state.reserved,
                state.index.count < configuration.countLimit
            else { return false }
            state.busy.insert(name.digest)
            state.reserved += size
            return true
        }
        guard isFree else { return false }
        let result = Result { () throws(ImageError) in try move(source, parts, to: name) }
        noteChanges([name.shard])
        let waiters = state.withLock { state in
            state.busy.remove(name.digest)
            state.reserved -= size
            if case .success = result {
                state.index.put(
                    DiskIndex.Entry(
                        name: name, size: size, lastUsed: lastUsed, recordedUse: parts.status.modified, deadline: deadline,
                        isCertain: true))
            }
            return state.takeReadyWaiters()
        }
        for waiter in waiters { waiter.resume(returning: true) }
        startDrainers()
        try result.get()
        return true
    }

    private func move(_ source: String, _ parts: FileParts, to name: EntryName) throws(ImageError) {
        try folder.makeFolder(folder.shardPath(name.shard))
        do {
            try files.rename(source, to: folder.path(name))
        } catch {
            guard (error.underlying as? FileSystemFailure)?.errno == EXDEV else { throw error }
            try writeOnce([parts.head, parts.tail], name, parts.status.modified)
        }
    }
}

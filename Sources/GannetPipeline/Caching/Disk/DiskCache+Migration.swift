public import GannetCore
import Glibc
import Synchronization

extension DiskCache {
    /// Takes over the entries of an older folder of this library, or of another cache of it: the files are moved where both
    /// stand on one file system. Entries that this cache has already are newer and stay. What remains of the old folder is
    /// removed. Returns how many entries were taken over. O(n). - SDWebImage: moveCacheDirectoryFromPath:toPath:
    public func migrate(from directory: String) async throws(ImageError) -> Int {
        _ = try await usage()
        let taken = try await executor.run { () throws(ImageError) in
            let old = DiskFolder(root: directory, owner: "", files: self.files)
            guard directory != self.folder.root, try old.isFolder(old.entries) else { return 0 }
            var taken = 0
            for shard in 0..<DiskFolder.shardCount where try old.isFolder(old.shardPath(shard)) {
                for name in try self.files.list(old.shardPath(shard)).compactMap({ EntryName($0) }) {
                    if try self.take(name, from: old) { taken += 1 }
                }
            }
            try old.removeTree(old.entries)
            try old.removeTree(old.temporary)
            try old.removeTree(old.root + "/CACHEDIR.TAG")
            // The user may keep something else there.
            try? self.files.removeDirectory(old.root)
            return taken
        }
        return taken
    }

    private func take(_ name: EntryName, from old: DiskFolder) throws(ImageError) -> Bool {
        let source = old.path(name)
        guard try files.status(source).kind == .file else { return false }
        let isKnown = state.withLock { $0.index[name] != nil || $0.busy.contains(name.digest) }
        if isKnown { return false }
        guard
            let parts = try? files.readParts(
                source, headCount: EntryFile.headCount, maximumBytes: .max, wantsTail: true, split: EntryFile.payloadOffset),
            let (header, key, _) = try? EntryFile.decode(parts), key.digest == name.digest, parts.status.size <= budget
        else { return false }
        let size = parts.status.size
        state.withLock { $0.reserved += size }
        defer { state.withLock { $0.reserved -= size } }
        try makeRoom(for: name)
        try folder.makeFolder(folder.shardPath(name.shard))
        do {
            try files.rename(source, to: folder.path(name))
        } catch {
            guard (error.underlying as? FileSystemFailure)?.errno == EXDEV else { throw error }
            let number = state.withLock { state in
                state.nextTemporary += 1
                return state.nextTemporary
            }
            try files.write([parts.head, parts.tail], toNew: folder.temporaryPath(number), sync: false)
            try files.rename(folder.temporaryPath(number), to: folder.path(name))
        }
        let now = time.now
        let lastUsed = min(parts.status.modified, now)
        state.withLock { state in
            state.index.put(
                DiskIndex.Entry(
                    name: name, size: size, lastUsed: lastUsed, recordedUse: lastUsed,
                    deadline: deadline(header, lastUsed: lastUsed, now: now), isCertain: true))
        }
        return true
    }
}

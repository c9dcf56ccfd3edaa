public import GannetCore
import GannetPlatform
import Synchronization

/// One entry of a disk cache in a list.
package struct DiskCacheItem: Hashable, Sendable {
    /// The key as stored, with its text, read from the file's header.
    package var key: CacheKey
    /// The entry's metadata, read from the file's header.
    package var metadata: CacheEntryMetadata
    /// Bytes of the payload.
    package var payloadBytes: Int
    /// Bytes of the file.
    package var fileBytes: Int
    /// When the entry expires; nil: never.
    package var expires: Timestamp?
}

/// The result of checking a whole cache.
package struct DiskCacheReport: Hashable, Sendable {
    /// Entries whose header and checksum are right.
    package var intact = 0
    /// Bytes of the files of the intact entries.
    package var bytes = 0
    /// Damaged entries that were removed.
    package var removed = 0
}

extension DiskCache {
    /// Waits for the scan and for pending writes.
    public func usage() async throws(ImageError) -> CacheUsage {
        try await settle()
        try await executor.run { () throws(ImageError) in
            // The folder was removed meanwhile: nothing is there any more.
            let known = self.state.withLock { $0.index.changes }
            if try !self.folder.isFolder(self.folder.entries) { self.state.withLock { $0.forgetAll(knownAt: known) } }
        }
        return state.withLock { CacheUsage(count: $0.index.count, bytes: $0.index.bytes) }
    }

    /// Removes all entries, also those of other processes. Moves them aside, then removes them.
    public func removeAll() async throws(ImageError) {
        repeat { try await wait { !$0.isClearing } } while !state.withLock { $0.beginClearing() }
        // Later stores wait until this ends, and are then written.
        let result: Result<Void, ImageError>
        do throws(ImageError) {
            try await wait { $0.drainers == 0 }
            result = await clear()
        } catch { result = .failure(error) }
        state.withLock { $0.isClearing = false }
        wakeWaiters()
        startDrainers()
        try result.get()
    }

    private func clear() async -> Result<Void, ImageError> {
        do throws(ImageError) {
            try await executor.run { () throws(ImageError) in
                let number = self.state.withLock { $0.beginTemporary() }
                // Leftovers are swept later.
                defer { self.state.withLock { $0.endTemporary(number) } }
                self.refuseLinks()
                let aside = self.folder.temporaryPath(number)
                do throws(ImageError) {
                    try self.files.rename(self.folder.entries, to: aside)
                } catch {
                    guard error.code == .notFound else { throw error }
                }
                self.state.withLock { state in
                    state.index.removeAll()
                    state.refused = []
                }
                self.noteChanges(Set(0..<DiskFolder.shardCount))
                try self.prepareFolder()
                try self.folder.removeTree(aside)
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// O(entries of one source) if the prefix contains the separator that follows the source in a key; otherwise O(n), and
    /// every header is read.
    ///
    /// Throws `io` after removing everything else, if an entry could not be removed or read. This cache no longer serves such
    /// an entry.
    public func removeAll(prefix: String) async throws(ImageError) {
        let prefix = SecretParameters.sealed(prefix) { self.scopeKey }
        var digests = state.withLock { state in
            let keys = state.queue.keys.filter { $0.text.utf8.starts(with: prefix.utf8) }
            for key in keys { _ = state.queue.add(.remove(.removed), for: key) }
            return keys.map(\.digest)
        }
        var failure: ImageError?
        let group = prefix.utf8.contains(1) ? EntryName.group(of: prefix) : nil
        let shards = group.map { Int($0 >> 56)...Int($0 >> 56) } ?? 0...DiskFolder.shardCount - 1
        for shard in shards {
            let found = try await executor.run { () throws(ImageError) in self.keys(shard, group: group, prefix: prefix) }
            for key in found.keys { add(.remove(.removed), for: key) }
            digests += found.keys.map(\.digest)
            failure = failure ?? found.failure
        }
        startDrainers()
        let sequence = state.withLock { $0.queue.newestSequence }
        try await wait { $0.queue.isDone(sequence) }
        if let failure { throw failure }
        if state.withLock({ state in digests.contains { state.refused.contains($0) } }) { throw notRemoved }
    }

    /// Keys with this prefix in one subfolder. A possible match that cannot be read now is no longer served.
    private func keys(_ shard: Int, group: UInt64?, prefix: String) -> (keys: [CacheKey], failure: ImageError?) {
        var (names, keys, failure): ([EntryName], [CacheKey], ImageError?) = ([], [], nil)
        do throws(ImageError) { names = try files.list(folder.shardPath(shard)).compactMap { EntryName($0) } } catch {
            if DiskFailure(error) != .missing {
                failure = error
                names = Array(state.withLock { $0.index.entries(inShard: shard) }.keys)
            }
        }
        for name in names where group == nil || name.group == group {
            do throws(ImageError) {
                let key = try head(name).key
                if key.text.utf8.starts(with: prefix.utf8) { keys.append(key) }
            } catch {
                // Damaged entries are never served.
                guard DiskFailure(error) == .other else { continue }
                failure = error
                state.withLock { $0.refuse(name.digest) }
            }
        }
        return (keys, failure)
    }

    private func head(
        _ name: EntryName
    ) throws(ImageError) -> (header: EntryHeader, key: CacheKey, metadata: CacheEntryMetadata) {
        let parts = try files.readParts(
            folder.path(name), headCount: EntryFile.headCount, maximumBytes: .max, wantsTail: false,
            split: EntryFile.payloadOffset)
        let (header, key, metadata) = try EntryFile.decodeHead(parts.head)
        guard key.digest == name.digest else { throw .damaged(.corrupt, "it belongs to another key") }
        return (header, key, metadata)
    }

    /// Removes the least recently used entries until at most `bytes` are left. - Kingfisher: removeSizeExceeded
    public func trim(toBytes bytes: Int) async throws(ImageError) {
        try await settle()
        try await executor.run { () throws(ImageError) in try self.evictOldest { _ in (max(bytes, 0), .max) } }
    }

    /// Removes entries unused for longer than this.
    public func removeAll(unusedFor duration: Duration) async throws(ImageError) {
        try await settle()
        try await executor.run { () throws(ImageError) in
            let border = self.time.now + .milliseconds(-duration.wholeMilliseconds)
            let old = self.state.withLock { state in
                state.take(state.index.entries.filter { $0.lastUsed <= border && !state.busy.contains($0.name.digest) })
            }
            try self.evict(self.unused(old, since: border), reason: .expired)
        }
    }

    /// Removes expired entries, by their own expiration or by age. Reads the header of each entry that was not read since the
    /// start. O(n). - SDWebImage: deleteOldFiles, Kingfisher: removeExpired
    public func removeExpired() async throws(ImageError) {
        try await settle()
        try await executor.run { () throws(ImageError) in
            let now = self.time.now
            let (all, busy) = self.state.withLock { ($0.index.entries, $0.busy) }
            let ended = all.filter {
                !busy.contains($0.name.digest) && (!$0.isCertain || $0.deadline <= now) && self.hasEnded($0, now)
            }
            try self.evict(self.state.withLock { $0.takeUnchanged(ended) }, reason: .expired)
        }
    }

    /// All entries, most recently used first. O(n): reads every header.
    package func items() async throws(ImageError) -> [DiskCacheItem] {
        try await settle()
        return try await executor.run { () throws(ImageError) in
            let now = self.time.now
            return self.state.withLock { $0.index.entries }.compactMap { entry in
                guard let (header, key, found) = try? self.head(entry.name) else { return nil }
                var metadata = found
                metadata.lastUsed = entry.lastUsed
                let deadline = self.rule.deadline(
                    storedAt: metadata.storedAt, writtenAt: header.writtenAt, lastUsed: entry.lastUsed,
                    expiration: metadata.expiration, now: now)
                return DiskCacheItem(
                    key: key, metadata: metadata, payloadBytes: header.payloadCount,
                    fileBytes: header.fileSize, expires: deadline == .distantFuture ? nil : deadline)
            }
        }
    }

    /// Reads every byte and removes damaged entries. Returns the number and the bytes of the others. O(bytes).
    public func verify() async throws(ImageError) -> CacheUsage {
        let report = try await checkAll()
        return CacheUsage(count: report.intact, bytes: report.bytes)
    }

    /// Does the same as ``verify()``, and returns the number of entries that were removed.
    package func checkAll() async throws(ImageError) -> DiskCacheReport {
        try await settle()
        var report = DiskCacheReport()
        let entries = state.withLock { $0.index.entries }
        // In batches: a thread switch for each file would take longer than reading a small one.
        var start = 0
        while start < entries.count {
            try ImageError.checkCancellation(stage: .cache)
            var end = start
            var bytes = 0
            while end < entries.count, end - start < 64, bytes < 4 << 20 {
                bytes += entries[end].size
                end += 1
            }
            let some = entries[start..<end]
            let part = try await executor.run { () throws(ImageError) in try self.check(some) }
            report.intact += part.intact
            report.bytes += part.bytes
            report.removed += part.removed
            start = end
        }
        return report
    }

    private func check(_ entries: ArraySlice<DiskIndex.Entry>) throws(ImageError) -> DiskCacheReport {
        var report = DiskCacheReport()
        for entry in entries {
            switch try check(entry) {
            case true?:
                report.intact += 1
                report.bytes += entry.size
            case false?: report.removed += 1
            case nil: break
            }
        }
        return report
    }

    /// Nil: the entry is gone.
    private func check(_ listed: DiskIndex.Entry) throws(ImageError) -> Bool? {
        guard let entry = state.withLock({ $0.index[listed.name] }) else { return nil }
        do {
            let parts = try files.readParts(
                folder.path(entry.name), headCount: EntryFile.headCount, maximumBytes: .max, wantsTail: true,
                split: EntryFile.payloadOffset)
            let (_, key, _) = try EntryFile.decode(parts)
            if key.digest == entry.name.digest { return true }
        } catch {
            switch DiskFailure(error) {
            case .missing: return nil
            case .other: throw error
            case .damaged: break
            }
        }
        let taken = state.withLock { $0.takeUnchanged([entry]) }
        try evict(taken, reason: .damaged)
        return taken.isEmpty ? nil : false
    }

    /// Waits until the folder has been scanned and all earlier writes are done.
    private func settle() async throws(ImageError) {
        let sequence = state.withLock { $0.queue.newestSequence }
        startDrainers(atLeastOne: true)
        // Stores that begin later are not awaited: others may keep storing.
        try await wait { $0.queue.isDone(sequence) && $0.looking == 0 && $0.phase != .scanning }
    }
}

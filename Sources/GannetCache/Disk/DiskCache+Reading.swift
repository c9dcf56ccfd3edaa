public import GannetCore
import GannetPlatform
import Synchronization

extension DiskCache: LookupAtOnce {
    /// The staging area's knowledge of a key.
    private enum Staged {
        case entry(CacheEntry)
        case missing
        /// Read the disk; metadata that is not written yet overrides what is found there.
        case onDisk(CacheEntryMetadata?, Known)
    }

    /// The index's knowledge before the file was opened.
    private struct Known {
        /// Change count of the subfolder. A file replaced or removed during the read makes the result outdated.
        var changes: UInt32
        var position: Int32?
        /// 0: not known, or not reliable.
        var payloadOffset = 0
        var status: FileStatus?
    }

    /// The result of reading the disk.
    private enum Found {
        case parts(FileParts, EntryHeader?)
        case nothing
        /// Only a blocking read can tell.
        case wouldBlock
    }

    private func staged(_ key: CacheKey, _ name: EntryName) -> Staged {
        let now = time.now
        return state.withLock { state in
            let (waiting, running) = state.queue.operations(for: key)
            var newMetadata: CacheEntryMetadata?
            for operation in [waiting, running] {
                switch operation {
                case .store(var entry):
                    if let newMetadata, newMetadata.storedAt >= entry.metadata.storedAt { entry.metadata = newMetadata }
                    return .entry(entry)
                case .remove: return .missing
                case .update(let metadata): newMetadata = newMetadata ?? metadata
                case .use, .removeDamaged, .removeExpired, nil: break
                }
            }
            if state.refused.contains(name.digest) { return .missing }
            let changes = state.index.changes(inShard: name.shard)
            guard let position = state.index.position(of: name) else {
                if configuration.isSoleOwner, state.phase == .ready { return .missing }
                return .onDisk(newMetadata, Known(changes: changes))
            }
            let known = state.index.look(at: position)
            let status = FileStatus(kind: .file, size: known.size, modified: known.lastUsed, inode: 0)
            // Before an entry counts as expired, check its file for a use by another process.
            let isOver = known.deadline <= now && !configuration.isSoleOwner
            return .onDisk(
                newMetadata,
                Known(changes: changes, position: position, payloadOffset: isOver ? 0 : known.payloadOffset, status: status))
        }
    }

    /// False if the folder was scanned and this name was neither found nor stored since. Reads no file.
    public func mightContain(_ key: CacheKey) -> Bool {
        let key = sealed(key)
        let name = EntryName(key)
        return state.withLock { state in
            let (waiting, running) = state.queue.operations(for: key)
            return state.phase != .ready || waiting != nil || running != nil || state.index.position(of: name) != nil
        }
    }

    /// Whether the index alone tells that what is stored was stored at `date` or before. False: read the metadata.
    package func wasStored(_ key: CacheKey, by date: Timestamp) -> Bool {
        if !configuration.isSoleOwner { noticeNewcomers() }
        return dateAtOnce(of: key).map { $0 <= date && $0 != .distantPast } ?? false
    }

    /// As the index has it. Other processes may replace files without a word to it: nil while it does not know of each of them.
    package func dateAtOnce(of key: CacheKey) -> Timestamp? {
        guard configuration.isSoleOwner || !hasNewcomers else { return nil }
        let key = sealed(key)
        let name = EntryName(key)
        return state.withLock { state in
            let (waiting, running) = state.queue.operations(for: key)
            guard state.phase == .ready, waiting == nil, running == nil,
                configuration.isSoleOwner || (state.ownerLock != nil && state.owners.isCertain(ofShard: name.shard)),
                !state.refused.contains(name.digest)
            else { return nil }
            return state.index.position(of: name).map { state.index.storedAt($0) } ?? .distantPast
        }
    }

    /// Reads what the kernel has in its memory alone, and no more than ``maximumBytesAtOnce``.
    package func entryAtOnce(for key: CacheKey) -> CacheEntry? { read(sealed(key), touch: true, waits: false) ?? nil }

    /// Reads an entry of a sealed key; a damaged, expired or unreadable one is a miss. Blocks if `waits`; otherwise the outer nil means it
    /// would block.
    func read(_ key: CacheKey, touch: Bool, waits: Bool) -> CacheEntry?? {
        let name = EntryName(key)
        switch staged(key, name) {
        case .missing: return .some(nil)
        case .entry(var entry):
            entry.metadata.lastUsed = time.now
            return isOver(entry.metadata, writtenAt: entry.metadata.storedAt) ? .some(nil) : entry
        case .onDisk(let newMetadata, let known):
            return onDisk(key, name, known, wantsTail: true, waits: waits) { parts, header throws(ImageError) in
                var (header, found, entry) = try EntryFile.decode(parts, header: header, expected: key)
                guard try self.isSame(found, key) else { return nil }
                if let newMetadata, newMetadata.storedAt >= entry.metadata.storedAt { entry.metadata = newMetadata }
                let lastUsed = self.use(name, key, header, parts.status, known, touch: touch, waits: waits)
                guard let lastUsed else { return nil }
                entry.metadata.lastUsed = lastUsed
                return entry
            }
        }
    }

    /// Reads the metadata alone, of a sealed key.
    func readMetadata(_ key: CacheKey, touch: Bool = false, waits: Bool) -> CacheEntryMetadata?? {
        let name = EntryName(key)
        switch staged(key, name) {
        case .missing: return .some(nil)
        case .entry(let entry):
            return isOver(entry.metadata, writtenAt: entry.metadata.storedAt) ? .some(nil) : entry.metadata
        case .onDisk(let newMetadata, let known):
            return onDisk(key, name, known, wantsTail: false, waits: waits) { parts, header throws(ImageError) in
                var (header, found, metadata) = try EntryFile.decodeHead(parts.head, header: header, expected: key)
                guard try self.isSame(found, key) else { return nil }
                if let newMetadata, newMetadata.storedAt >= metadata.storedAt { metadata = newMetadata }
                let lastUsed = self.use(name, key, header, parts.status, known, touch: touch, waits: waits)
                guard let lastUsed else { return nil }
                metadata.lastUsed = lastUsed
                return metadata
            }
        }
    }

    /// Passes the file to `decode`; an error from it marks the entry as damaged.
    private func onDisk<Result>(
        _ key: CacheKey, _ name: EntryName, _ known: Known, wantsTail: Bool, waits: Bool,
        decode: (FileParts, EntryHeader?) throws(ImageError) -> Result?
    ) -> Result?? {
        switch parts(key, name, known, wantsTail: wantsTail, waits: waits) {
        case .wouldBlock: return nil
        case .nothing: return .some(nil)
        case .parts(let parts, let header):
            do throws(ImageError) { return .some(try decode(parts, header)) } catch {
                damaged(key, error)
                return .some(nil)
            }
        }
    }

    private func parts(_ key: CacheKey, _ name: EntryName, _ known: Known, wantsTail: Bool, waits: Bool) -> Found {
        // Without a known payload offset, or a need for the payload, the expected size does not help.
        let knows = wantsTail && known.payloadOffset > 0
        let (expected, headCount) = knows ? (known.status, known.payloadOffset) : (nil, EntryFile.headCount)
        var header: EntryHeader?
        let split = { (head: [UInt8], status: FileStatus) throws(ImageError) -> Int in
            let found = try EntryFile.header(head, status)
            header = found
            return found.payloadOffset
        }
        do {
            if waits {
                let parts = try files.readParts(
                    folder.path(name), expected: expected, headCount: headCount, maximumBytes: .max, wantsTail: wantsTail,
                    split: split)
                return .parts(parts, header)
            }
            // Everything beyond that is left to blocking reads.
            let parts = try files.partsInMemory(
                folder.path(name), expected: expected, headCount: headCount,
                maximumBytes: wantsTail ? Self.maximumBytesAtOnce : .max, wantsTail: wantsTail, split: split)
            return parts.map { .parts($0, header) } ?? .wouldBlock
        } catch {
            switch DiskFailure(error) {
            case .missing: forget(name, known)
            case .damaged: damaged(key, error)
            case .other: readingFailed(error)
            }
            return .nothing
        }
    }

    /// False for another key with the same digest: a miss. Throws `corrupt` if the file belongs under another name.
    private func isSame(_ found: CacheKey, _ key: CacheKey) throws(ImageError) -> Bool {
        guard found.digest == key.digest else { throw .damaged(.corrupt, "it belongs to another key") }
        return found.text == key.text
    }

    /// Checks the age and updates the index, unless the index changed since the look-up. Nil: the entry has expired. Otherwise
    /// returns the last use, including this one. A readable file proves that the folder is readable.
    private func use(
        _ name: EntryName, _ key: CacheKey, _ header: EntryHeader, _ status: FileStatus, _ old: Known, touch: Bool, waits: Bool
    ) -> Timestamp? {
        let now = time.now
        let (lastUsed, deadline, record, hasRecovered) = state.withLock { state -> (Timestamp, Timestamp, Bool, Bool) in
            let hasRecovered = state.trouble.readingWorked()
            let isPast = state.index.changes(inShard: name.shard) != old.changes
            // One look-up only: it matters for small images.
            let position = isPast ? nil : state.index.position(of: name, hint: old.position)
            let known = position.map { state.index.look(at: $0) }
            var lastUsed = min(max(known?.lastUsed ?? status.modified, status.modified), now)
            var deadline = self.deadline(header, lastUsed: lastUsed, now: now)
            if deadline <= now { return (lastUsed, deadline, false, hasRecovered) }
            if isPast { return (touch ? now : lastUsed, deadline, false, hasRecovered) }
            if known?.size != status.size, !state.busy.contains(name.digest) {
                // Stored by another process, or not scanned yet.
                state.index.put(
                    DiskIndex.Entry(
                        name: name, size: status.size, lastUsed: lastUsed, recordedUse: status.modified, deadline: deadline,
                        payloadOffset: Int32(clamping: header.payloadOffset), storedAt: header.storedAt, isCertain: true))
            } else if let position {
                state.index.note(header, at: position)
            }
            guard touch else { return (lastUsed, deadline, false, hasRecovered) }
            lastUsed = now
            deadline = self.deadline(header, lastUsed: now, now: now)
            guard let position = position ?? state.index.position(of: name) else {
                return (lastUsed, deadline, false, hasRecovered)
            }
            // With a long queue of writes, recording the use waits for the next one.
            let granularity = waits || state.queue.count < Self.maximumWaiting / 2 ? Self.useGranularity : .seconds(1 << 40)
            let record = state.index.use(position, at: now, deadline: deadline, granularity: granularity)
            return (lastUsed, deadline, record, hasRecovered)
        }
        if hasRecovered { note(.cacheRecovered) }
        if deadline <= now {
            add(.removeExpired, for: key)
            return nil
        }
        if record, !waits { add(.use(now), for: key) }
        // In a read-only folder, the order after the next start is slightly older: not worth a report.
        if record, waits { try? files.setModified(folder.path(name), to: now) }
        return lastUsed
    }

    func deadline(_ header: EntryHeader, lastUsed: Timestamp, now: Timestamp) -> Timestamp {
        rule.deadline(
            storedAt: header.storedAt, writtenAt: header.writtenAt, lastUsed: lastUsed, expiration: header.expiration, now: now)
    }

    private func isOver(_ metadata: CacheEntryMetadata, writtenAt: Timestamp) -> Bool {
        let now = time.now
        return rule.deadline(
            storedAt: metadata.storedAt, writtenAt: writtenAt, lastUsed: metadata.lastUsed, expiration: metadata.expiration,
            now: now) <= now
    }

    /// Removes a missing file from the index, unless it is being written or was written since the look-up.
    private func forget(_ name: EntryName, _ old: Known) {
        state.withLock { state in
            guard state.index.changes(inShard: name.shard) == old.changes, !state.busy.contains(name.digest),
                state.index.position(of: name) != nil
            else { return }
            state.index.remove(name)
        }
    }

    private func damaged(_ key: CacheKey, _ error: ImageError) {
        note(.corruptEntry(key, reason: error.message))
        add(.removeDamaged, for: key)
    }
}

/// Classes of file system failures, by their meaning for an entry.
enum DiskFailure {
    case missing
    /// Permanent: broken bytes, or a link, folder or device in place of the file.
    case damaged
    /// Perhaps temporary: no permission, no descriptors, a device that does not answer.
    case other

    init(_ error: ImageError) {
        switch error.code {
        case .notFound: self = .missing
        case .corrupt, .truncated, .limitExceeded: self = .damaged
        default:
            switch (error.underlying as? FileSystemFailure)?.errno {
            case nil, DiskFailure.tooManyLinks, DiskFailure.noSuchDevice: self = .damaged
            case DiskFailure.notAFolder: self = .missing
            default: self = .other
            }
        }
    }

    // errno values of Linux, the same on every processor that Swift supports.
    static let tooManyLinks: Int32 = 40  // ELOOP
    static let noSuchDevice: Int32 = 6  // ENXIO
    static let notAFolder: Int32 = 20  // ENOTDIR
    static let diskFull: Int32 = 28  // ENOSPC
    static let quotaReached: Int32 = 122  // EDQUOT
    static let isAFolder: Int32 = 21  // EISDIR
    static let folderNotEmpty: Int32 = 39  // ENOTEMPTY
    static let exists: Int32 = 17  // EEXIST
}

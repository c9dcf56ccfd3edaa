import GannetCore
import Synchronization

extension DiskCache {
    /// What the staging area knows of a key.
    private enum Staged {
        case entry(CacheEntry)
        case missing
        /// Look at the disk; metadata that is not written yet stands above what is found there. `expected`: the file as the index
        /// knows it.
        case onDisk(CacheEntryMetadata?, expected: FileStatus?)
    }

    private func staged(_ key: CacheKey, _ name: EntryName) -> Staged {
        state.withLock { state in
            let (waiting, running) = state.queue.operations(for: key)
            var newMetadata: CacheEntryMetadata?
            for operation in [waiting, running] {
                switch operation {
                case .store(var entry):
                    if let newMetadata { entry.metadata = newMetadata }
                    return .entry(entry)
                case .remove: return .missing
                case .update(let metadata): newMetadata = newMetadata ?? metadata
                case .removeDamaged, nil: break
                }
            }
            if state.refused.contains(name.digest) { return .missing }
            guard let position = state.index.position(of: name) else {
                if configuration.isSoleOwner, state.phase == .ready { return .missing }
                return .onDisk(newMetadata, expected: nil)
            }
            let known = state.index.use(at: position)
            return .onDisk(newMetadata, expected: FileStatus(kind: .file, size: known.size, modified: known.last, inode: 0))
        }
    }

    /// Blocks. A damaged, expired or unreadable entry is a miss.
    func read(_ key: CacheKey, touch: Bool) -> CacheEntry? {
        let name = EntryName(key)
        switch staged(key, name) {
        case .missing: return nil
        case .entry(var entry):
            entry.metadata.lastUsed = time.now
            return isOver(entry.metadata, writtenAt: entry.metadata.storedAt) ? nil : entry
        case .onDisk(let newMetadata, let expected):
            guard let (parts, known) = parts(key, name, expected, wantsTail: true) else { return nil }
            do {
                var (header, found, entry) = try EntryFile.decode(parts, header: known, expected: key)
                guard try isSame(found, key) else { return nil }
                if let newMetadata { entry.metadata = newMetadata }
                guard let lastUsed = use(name, key, header, parts.status, touch: touch) else { return nil }
                entry.metadata.lastUsed = lastUsed
                readingWorked()
                return entry
            } catch {
                damaged(key, error)
                return nil
            }
        }
    }

    /// Blocks. The same without the payload, and without counting as a use.
    func readMetadata(_ key: CacheKey) -> CacheEntryMetadata? {
        let name = EntryName(key)
        switch staged(key, name) {
        case .missing: return nil
        case .entry(let entry): return isOver(entry.metadata, writtenAt: entry.metadata.storedAt) ? nil : entry.metadata
        case .onDisk(let newMetadata, _):
            guard let (parts, known) = parts(key, name, nil, wantsTail: false) else { return nil }
            do {
                var (header, found, metadata) = try EntryFile.decodeHead(parts.head, header: known, expected: key)
                guard try isSame(found, key) else { return nil }
                if let newMetadata { metadata = newMetadata }
                guard let lastUsed = use(name, key, header, parts.status, touch: false) else { return nil }
                metadata.lastUsed = lastUsed
                return metadata
            } catch {
                damaged(key, error)
                return nil
            }
        }
    }

    private func parts(
        _ key: CacheKey, _ name: EntryName, _ expected: FileStatus?, wantsTail: Bool
    ) -> (FileParts, EntryHeader?)? {
        do {
            var header: EntryHeader?
            let parts = try files.readParts(
                folder.path(name), expected: expected, headCount: EntryFile.headCount, maximumBytes: .max, wantsTail: wantsTail
            ) { (head, status) throws(ImageError) in
                let found = try EntryFile.header(head, status)
                header = found
                return found.payloadOffset
            }
            return (parts, header)
        } catch {
            switch DiskFailure(error) {
            case .missing: forget(name)
            case .damaged: damaged(key, error)
            case .other: readingFailed(error)
            }
            return nil
        }
    }

    /// False for another key with the same digest: a miss. Throws `corrupt` if the file belongs under another name.
    private func isSame(_ found: CacheKey, _ key: CacheKey) throws(ImageError) -> Bool {
        guard found.digest == key.digest else { throw .damaged(.corrupt, "it belongs to another key") }
        return found.text == key.text
    }

    /// Looks at the age and brings the index up to date. Nil: the entry has ended. Otherwise the last use, this one included.
    private func use(_ name: EntryName, _ key: CacheKey, _ header: EntryHeader, _ status: FileStatus, touch: Bool) -> Timestamp? {
        let now = time.now
        let (lastUsed, deadline, record) = state.withLock { state -> (Timestamp, Timestamp, Bool) in
            // Looked up once: a read of a small picture feels it.
            let position = state.index.position(of: name)
            let known = position.map { state.index.use(at: $0) }
            var lastUsed = min(known?.last ?? status.modified, now)
            var deadline = self.deadline(header, lastUsed: lastUsed, now: now)
            if deadline <= now { return (lastUsed, deadline, false) }
            if known?.size != status.size, !state.busy.contains(name.digest) {
                // Stored by another process, or not scanned yet.
                state.index.put(
                    DiskIndex.Entry(
                        name: name, size: status.size, lastUsed: lastUsed, recordedUse: status.modified, deadline: deadline,
                        isCertain: true))
            }
            guard touch else { return (lastUsed, deadline, false) }
            lastUsed = now
            deadline = self.deadline(header, lastUsed: now, now: now)
            guard let position = position ?? state.index.position(of: name) else { return (lastUsed, deadline, false) }
            let record = state.index.use(position, at: now, deadline: deadline, granularity: Self.useGranularity)
            return (lastUsed, deadline, record)
        }
        if deadline <= now {
            add(.remove(.expired), for: key)
            return nil
        }
        // Where the folder cannot be written, the order after the next start is a little older: nothing to tell anybody.
        if record { try? files.setModified(folder.path(name), to: now) }
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

    /// The file is gone; unless somebody is just making it, so is its place in the index.
    private func forget(_ name: EntryName) {
        state.withLock { state in
            if !state.busy.contains(name.digest) { state.index.remove(name) }
        }
    }

    private func damaged(_ key: CacheKey, _ error: ImageError) {
        note(.corruptEntry(key, reason: error.message))
        add(.removeDamaged, for: key)
    }
}

/// What a failed call means for an entry.
enum DiskFailure {
    case missing
    /// Will never be readable: broken bytes, or a link, folder or device in its place.
    case damaged
    /// May get better: no permission, no descriptors, a device that does not answer.
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

    // The numbers of errno on Linux, the same on every processor that Swift runs on.
    static let tooManyLinks: Int32 = 40  // ELOOP
    static let noSuchDevice: Int32 = 6  // ENXIO
    static let notAFolder: Int32 = 20  // ENOTDIR
    static let diskFull: Int32 = 28  // ENOSPC
    static let quotaReached: Int32 = 122  // EDQUOT
    static let isAFolder: Int32 = 21  // EISDIR
    static let folderNotEmpty: Int32 = 39  // ENOTEMPTY
    static let exists: Int32 = 17  // EEXIST
}

import GannetCore
import GannetPlatform
import Glibc

/// The file names in a cache's folder, and the checks before anything is written there.
///
/// ```
/// CACHEDIR.TAG                 so that backups leave the folder out
/// scope.key                    seals credentials in the names of entries; see DiskCache+ScopeKey.swift
/// entries-1/ab/‹group›-‹digest›   one file an entry; ab: the first two digits of the group
/// purges                       what was purged of a service with this folder; see PurgeFile.swift
/// tmp/‹owner›.lock             held by a living process (lock of the file); says which subfolders it changed
/// tmp/‹owner›-‹n›.tmp          a file that is being written
/// ```
/// The group is a hash of the key's text up to its first separator. All entries of one source are therefore in one subfolder
/// and recognisable by name.
struct DiskFolder: Sendable {
    static let shardCount = 256
    static let scopeKeyName = "scope.key"
    static let purgesName = "purges"
    static let tag = Array(
        """
        Signature: 8a477f597d28d172789f06886806bc55
        # This folder is a cache of Gannet, an image library. It may be deleted at any time.
        # See https://bford.info/cachedir/

        """.utf8)

    let root: String
    let owner: String
    let files: any FileSystem

    init(root: String, owner: String, files: any FileSystem) {
        self.root = root
        self.owner = owner
        self.files = files
        entries = root + "/entries-1"
        temporary = root + "/tmp"
    }

    let entries: String
    let temporary: String

    var scopeKeyPath: String { root + "/" + Self.scopeKeyName }

    var lockPath: String { lockPath(of: owner) }

    func lockPath(of owner: String) -> String { temporary + "/" + owner + ".lock" }

    func shardPath(_ shard: Int) -> String { entries + "/" + Self.twoDigits(shard) }

    func temporaryPath(_ number: UInt64) -> String { temporary + "/" + owner + "-\(number).tmp" }

    /// Built in one string, because every read and write needs it.
    func path(_ name: EntryName) -> String {
        var folder = entries
        return folder.withUTF8 { folder in
            let count = folder.count + 4 + EntryName.length
            return String(unsafeUninitializedCapacity: count) { target in
                _ = target.update(fromContentsOf: folder)
                let shard = folder.count + 1
                let start = shard + 3
                Digest128.writeHex(name.group, to: target, at: start)
                (target[shard - 1], target[start - 1], target[start + 16]) = (47, 47, 45)
                (target[shard], target[shard + 1]) = (target[start], target[start + 1])
                Digest128.writeHex(name.digest.high, to: target, at: start + 17)
                Digest128.writeHex(name.digest.low, to: target, at: start + 33)
                return count
            }
        }
    }

    /// Creates missing folders. Throws `io` if a part of the path is not a folder. `number`: a temporary file of the caller's own, because
    /// several threads may prepare the folder at once.
    func prepare(temporary number: UInt64) throws(ImageError) {
        guard !root.isEmpty else { throw ImageError(.misuse, stage: .store, "The path of the cache's folder is empty.") }
        guard root.utf8.first == UInt8(ascii: "/") else {
            throw ImageError(
                .io, stage: .store,
                "\(root) begins at the folder that the program works in, and there is none any more. Give an absolute path.")
        }
        var path = ""
        for part in root.split(separator: "/") {
            path += "/" + part
            if (try? files.status(path)) == nil { try files.makeDirectory(path) }
        }
        let tag = root + "/CACHEDIR.TAG"
        let isTagged = (try? files.status(tag)) != nil
        try makeFolder(entries)
        if !isTagged { try refuseForeign(temporary) }
        try makeFolder(temporary)
        // No tag next to other files: backups would skip those too.
        guard !isTagged,
            try files.list(root).allSatisfy({ ["entries-1", "tmp", Self.scopeKeyName, Self.purgesName].contains($0) })
        else { return }
        // A partial tag would stay for ever and be useless to backups.
        let made = temporaryPath(number)
        do throws(ImageError) {
            try files.write([Self.tag], toNew: made, sync: false)
            try files.rename(made, to: tag)
        } catch {
            try? files.remove(made)
            // Somebody else may have created it meanwhile, or replaced the folder.
            if error.code != .notFound, (try? files.status(tag)) == nil { throw error }
        }
    }

    /// `tmp` is a common name: a file or link with it in a folder with other contents is not ours, and is refused.
    private func refuseForeign(_ path: String) throws(ImageError) {
        guard let kind = try? files.status(path).kind, kind != .directory else { return }
        throw ImageError(
            .io, stage: .store,
            "\(path) is no folder, and not the cache's to remove, because \(root) holds other things too. Give the cache its own folder."
        )
    }

    /// The owner of a file in ``temporary``: `‹16 digits›.lock` or `‹16 digits›-‹n›.tmp`. Nil for all other names, which are
    /// foreign and never touched.
    static func owner(ofTemporary name: String) -> String? {
        let owner = name.utf8.prefix(16)
        let rest = name.utf8.dropFirst(16)
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        guard owner.count == 16, owner.allSatisfy({ isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }) else {
            return nil
        }
        if rest.elementsEqual(".lock".utf8) { return String(owner) }
        guard rest.first == UInt8(ascii: "-"), rest.suffix(4).elementsEqual(".tmp".utf8) else { return nil }
        let number = rest.dropFirst().dropLast(4)
        return !number.isEmpty && number.allSatisfy(isDigit) ? String(owner) : nil
    }

    /// Creates a folder and refuses a link: nothing is ever written or removed outside the cache.
    func makeFolder(_ path: String) throws(ImageError) {
        do {
            if try files.status(path).kind == .directory { return }
            // A file or link in place of a cache folder: remove it, never follow it.
            try files.remove(path)
        } catch {
            if error.code != .notFound { throw error }
        }
        try files.makeDirectory(path)
    }

    /// False if the path is missing or not a folder. Throws `io` if the system cannot decide, which is not the same as missing.
    func isFolder(_ path: String) throws(ImageError) -> Bool {
        do { return try files.status(path).kind == .directory } catch {
            switch DiskFailure(error) {
            case .missing: return false
            case .damaged, .other: throw error
            }
        }
    }

    /// Removes a file, a link, or a folder with all removable contents; follows no link. A missing path is no error.
    func removeTree(_ path: String) throws(ImageError) {
        do throws(ImageError) {
            guard try files.status(path).kind == .directory else { return try files.remove(path) }
            var failure: ImageError?
            for name in try files.list(path) {
                do throws(ImageError) { try removeTree(path + "/" + name) } catch { failure = error }
            }
            if let failure { throw failure }
            try files.removeDirectory(path)
        } catch {
            if error.code != .notFound { throw error }
        }
    }

    /// Removes empty subfolders: on a disk with few inodes, they would take those of new entries. A writer that finds its
    /// subfolder gone creates it again.
    func removeEmptyShards(except shard: Int) {
        for other in 0..<Self.shardCount where other != shard { try? files.removeDirectory(shardPath(other)) }
    }

    static func twoDigits(_ number: Int) -> String { Hexadecimal.text(of: [UInt8(truncatingIfNeeded: number)]) }
}

/// The name of an entry's file; depends on the key alone.
struct EntryName: Hashable, Sendable {
    var group: UInt64
    var digest: Digest128

    init(group: UInt64, digest: Digest128) {
        self.group = group
        self.digest = digest
    }

    init(_ key: CacheKey) {
        self.init(group: Self.group(of: key.text), digest: key.digest)
    }

    var shard: Int { Int(group >> 56) }

    /// Bytes of ``text``.
    static let length = 49

    var text: String { Digest128(high: 0, low: group).hex.suffix(16) + "-" + digest.hex }

    /// Nil for foreign names.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == Self.length, bytes[16] == UInt8(ascii: "-"), let group = Self.number(bytes[0..<16]),
            let high = Self.number(bytes[17..<33]), let low = Self.number(bytes[33..<49])
        else { return nil }
        self.init(group: group, digest: Digest128(high: high, low: low))
    }

    /// Hash of the text up to the first separator, which follows the source in every request key.
    static func group(of text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { bytes in
            guard let base = bytes.baseAddress else { return Digest128("").low }
            let end = memchr(base, 1, bytes.count).map { UnsafeRawPointer($0) - UnsafeRawPointer(base) } ?? bytes.count
            return Digest128(UnsafeBufferPointer(rebasing: bytes[..<end])).low
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt64(digit - 48)
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt64(digit - 87)
            default: return nil
            }
        }
        return value
    }
}

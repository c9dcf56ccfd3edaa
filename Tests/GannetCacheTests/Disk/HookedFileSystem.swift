import GannetCache
import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization

/// Real files whose reads can be held after they were read, and whose locks can be taken away or be unwritable.
final class HookedFileSystem: FileSystem {
    typealias Hook = @Sendable (_ path: String) -> Void
    private let base: any FileSystem
    private let afterReading = Mutex<Hook?>(nil)
    /// Records that locks write into their files are lost, as on a full disk.
    let losesRecords = Atomic(false)

    init(_ base: any FileSystem = POSIXFileSystem()) { self.base = base }

    /// Runs between the next read of a file, whether it fails or not, and its result.
    func afterNextRead(_ hook: @escaping Hook) { afterReading.withLock { $0 = hook } }

    func readParts(
        _ path: String, expected: FileStatus?, headCount: Int, maximumBytes: Int, wantsTail: Bool,
        split: (_ head: [UInt8], _ status: FileStatus) throws(ImageError) -> Int
    ) throws(ImageError) -> FileParts {
        let result = Result { () throws(ImageError) in
            try base.readParts(
                path, expected: expected, headCount: headCount, maximumBytes: maximumBytes, wantsTail: wantsTail, split: split)
        }
        let hook = afterReading.withLock { hook in
            defer { hook = nil }
            return hook
        }
        hook?(path)
        return try result.get()
    }

    func lock(_ path: String) throws(ImageError) -> FileLock? {
        guard let lock = try base.lock(path) else { return nil }
        return FileLock {
            lock.read(at: $0, count: $1)
        } writing: { [self] in
            !losesRecords.load(ordering: .acquiring) && lock.write($0, at: $1)
        } release: {
            _ = lock
        }
    }

    func read(_ path: String, maximumBytes: Int, nofollow: Bool) throws(ImageError) -> [UInt8] {
        try base.read(path, maximumBytes: maximumBytes, nofollow: nofollow)
    }

    func readHead(_ path: String, count: Int, nofollow: Bool) throws(ImageError) -> [UInt8] {
        try base.readHead(path, count: count, nofollow: nofollow)
    }

    func write(_ pieces: [[UInt8]], toNew path: String, sync: Bool) throws(ImageError) {
        try base.write(pieces, toNew: path, sync: sync)
    }

    func overwrite(_ bytes: [UInt8], at offset: Int, of path: String) throws(ImageError) {
        try base.overwrite(bytes, at: offset, of: path)
    }

    func rename(_ from: String, to: String) throws(ImageError) { try base.rename(from, to: to) }
    func remove(_ path: String) throws(ImageError) { try base.remove(path) }
    func removeDirectory(_ path: String) throws(ImageError) { try base.removeDirectory(path) }
    func makeDirectory(_ path: String) throws(ImageError) { try base.makeDirectory(path) }
    func list(_ directory: String) throws(ImageError) -> [String] { try base.list(directory) }
    func status(_ path: String) throws(ImageError) -> FileStatus { try base.status(path) }
    func setModified(_ path: String, to moment: Timestamp) throws(ImageError) { try base.setModified(path, to: moment) }
}

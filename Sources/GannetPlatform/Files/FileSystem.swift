package import GannetCore

/// The few file operations that Gannet uses. All block: call them on a ``BlockingExecutor``. Paths are absolute.
///
/// Every function throws `ImageError` with code `io` (`notFound` for ENOENT), the system call's name and errno's text in the
/// message, and a ``FileSystemFailure`` as `underlying`.
package protocol FileSystem: Sendable {
    /// Reads the whole file, up to `maximumBytes` (`limitExceeded` beyond). With `nofollow`, does not follow a symbolic link at
    /// the end of the path and refuses anything but regular files.
    func read(_ path: String, maximumBytes: Int, nofollow: Bool) throws(ImageError) -> [UInt8]
    /// Reads the first bytes of a file.
    func readHead(_ path: String, count: Int, nofollow: Bool) throws(ImageError) -> [UInt8]
    /// Reads a regular file into two arrays, so that the second needs no copy. `split` receives at least the first `headCount`
    /// bytes (fewer in a smaller file) and the file's status, and chooses the offset between them. The second array is empty
    /// unless `wantsTail`. Never follows a symbolic link at the end of the path. Larger than `maximumBytes`: `limitExceeded`.
    ///
    /// `expected`: the file's presumed status; `headCount` is then the presumed start of the second array. If the length
    /// matches, `expected` may be returned as the status, which saves system calls; its other fields may then be outdated.
    func readParts(
        _ path: String, expected: FileStatus?, headCount: Int, maximumBytes: Int, wantsTail: Bool,
        split: (_ head: [UInt8], _ status: FileStatus) throws(ImageError) -> Int
    ) throws(ImageError) -> FileParts
    /// The same without waiting. Nil if a part of the path or file is not in the page cache, if the system cannot tell, or in
    /// any unusual case. For callers that must not block. Throws only `notFound`, if the kernel knows without waiting that
    /// there is no such file.
    func partsInMemory(
        _ path: String, expected: FileStatus?, headCount: Int, maximumBytes: Int, wantsTail: Bool,
        split: (_ head: [UInt8], _ status: FileStatus) throws(ImageError) -> Int
    ) throws(ImageError) -> FileParts?
    /// Creates the file (it must not exist), writes all pieces, closes it; `sync` waits for the medium. Mode 0600.
    func write(_ pieces: [[UInt8]], toNew path: String, sync: Bool) throws(ImageError)
    /// The same, with a modification time within a second of `modified`; sets it only if it is not so already. Failure to set
    /// it is no error.
    func write(_ pieces: [[UInt8]], toNew path: String, modified: Timestamp, sync: Bool) throws(ImageError)
    /// Overwrites bytes in place: for fixed-size fields only.
    func overwrite(_ bytes: [UInt8], at offset: Int, of path: String) throws(ImageError)
    /// Atomic; replaces an existing file.
    func rename(_ from: String, to: String) throws(ImageError)
    /// Removes a file or link. `notFound` if there is none.
    func remove(_ path: String) throws(ImageError)
    /// Removes an empty folder.
    func removeDirectory(_ path: String) throws(ImageError)
    /// Mode 0700; no error if it exists already.
    func makeDirectory(_ path: String) throws(ImageError)
    /// Names without `.` and `..`, in no order.
    func list(_ directory: String) throws(ImageError) -> [String]
    /// Does not follow links.
    func status(_ path: String) throws(ImageError) -> FileStatus
    /// The status of the file that the path leads to, links followed. Never waits: nil if a part of the path is not in the
    /// kernel's memory, or if the system cannot tell. For callers that must not block. On file systems of other machines or
    /// processes the result may be older than that of ``status(_:)``.
    func statusInMemory(_ path: String) -> FileStatus?
    /// Sets the time of the last modification. Does not follow links.
    func setModified(_ path: String, to moment: Timestamp) throws(ImageError)
    /// Creates the file if necessary, and locks it until the result or this process ends, in whatever way. Nil: another owner
    /// holds the lock.
    func lock(_ path: String) throws(ImageError) -> FileLock?
}

extension FileSystem {
    /// The same without a presumed status.
    package func readParts(
        _ path: String, headCount: Int, maximumBytes: Int, wantsTail: Bool,
        split: (_ head: [UInt8], _ status: FileStatus) throws(ImageError) -> Int
    ) throws(ImageError) -> FileParts {
        try readParts(path, expected: nil, headCount: headCount, maximumBytes: maximumBytes, wantsTail: wantsTail, split: split)
    }

    /// Nil: the page cache is unknown.
    package func partsInMemory(
        _ path: String, expected: FileStatus?, headCount: Int, maximumBytes: Int, wantsTail: Bool,
        split: (_ head: [UInt8], _ status: FileStatus) throws(ImageError) -> Int
    ) throws(ImageError) -> FileParts? { nil }

    /// Nil: nothing is known about the kernel's memory.
    package func statusInMemory(_ path: String) -> FileStatus? { nil }

    /// Writes a new file and sets its time, by ``write(_:toNew:sync:)`` and ``setModified(_:to:)``.
    package func write(_ pieces: [[UInt8]], toNew path: String, modified: Timestamp, sync: Bool) throws(ImageError) {
        try write(pieces, toNew: path, sync: sync)
        try? setModified(path, to: modified)
    }
}

/// A file in two pieces; see ``FileSystem/readParts(_:expected:headCount:maximumBytes:wantsTail:split:)``.
package struct FileParts: Hashable, Sendable {
    /// The status when read, or the caller's presumed one.
    package var status: FileStatus
    /// The bytes before the split.
    package var head: [UInt8]
    /// The bytes after the split; empty if not wanted.
    package var tail: [UInt8]

    /// For custom file systems and their tests.
    package init(status: FileStatus, head: [UInt8], tail: [UInt8]) {
        self.status = status
        self.head = head
        self.tail = tail
    }
}

/// A lock on a file, held while this object lives. Its holder may keep a few bytes in the file for other processes.
package final class FileLock: Sendable {
    private let reading: @Sendable (_ offset: Int, _ count: Int) -> [UInt8]
    private let writing: @Sendable (_ bytes: [UInt8], _ offset: Int) -> Bool
    private let release: @Sendable () -> Void

    /// For custom file systems. Without `reading` and `writing` the file stays empty; `release` is called once, at the end.
    package init(
        reading: @escaping @Sendable (_ offset: Int, _ count: Int) -> [UInt8] = { _, _ in [] },
        writing: @escaping @Sendable (_ bytes: [UInt8], _ offset: Int) -> Bool = { _, _ in false },
        release: @escaping @Sendable () -> Void
    ) {
        self.reading = reading
        self.writing = writing
        self.release = release
    }

    deinit { release() }

    /// Up to `count` bytes of the file; fewer at its end or on failure. One system call.
    package func read(at offset: Int, count: Int) -> [UInt8] { reading(offset, count) }

    /// False if some bytes could not be written. One system call.
    @discardableResult
    package func write(_ bytes: [UInt8], at offset: Int) -> Bool { writing(bytes, offset) }
}

/// The status of a path.
package struct FileStatus: Hashable, Sendable {
    /// The type of a file; `other` has no stored bytes: pipes, sockets and devices.
    package enum Kind: Hashable, Sendable {
        /// A regular file.
        case file
        /// A folder.
        case directory
        /// A symbolic link.
        case link
        /// A pipe, a socket or a device.
        case other
    }
    /// The type of the path itself: links are not followed.
    package var kind: Kind
    /// Bytes.
    package var size: Int
    /// When the contents last changed.
    package var modified: Timestamp
    /// Identifies a file together with ``device``, whatever its path.
    package var inode: UInt64
    /// The file system; 0 if unknown.
    package var device: UInt64

    /// For custom file systems and their tests.
    package init(kind: Kind, size: Int, modified: Timestamp, inode: UInt64, device: UInt64 = 0) {
        self.kind = kind
        self.size = size
        self.modified = modified
        self.inode = inode
        self.device = device
    }
}

/// A failed system call and its error.
package struct FileSystemFailure: Error, Hashable, Sendable {
    /// The C name, for example "rename".
    package var call: String
    /// The number of the error as in errno(3); 2 is ENOENT.
    package var errno: Int32

    /// For custom file systems and their tests.
    package init(call: String, errno: Int32) {
        self.call = call
        self.errno = errno
    }
}

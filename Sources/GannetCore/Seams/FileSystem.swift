/// The few calls on files that Gannet makes. All block: call them on a ``BlockingExecutor``. Paths are absolute.
///
/// Every function throws `ImageError` with code `io` (`notFound` for ENOENT), the system call's name and errno's text in the
/// message, and a ``FileSystemFailure`` as `underlying`.
public protocol FileSystem: Sendable {
    /// The whole file, up to `maximumBytes` (`limitExceeded` beyond). Does not follow a symbolic link at the end of the path
    /// and refuses anything but regular files if `nofollow`.
    func read(_ path: String, maximumBytes: Int, nofollow: Bool) throws(ImageError) -> [UInt8]
    /// The first bytes of a file.
    func readHead(_ path: String, count: Int, nofollow: Bool) throws(ImageError) -> [UInt8]
    /// A regular file in two arrays, so that the second needs no copy: what stands before the offset that `split` chooses after
    /// it saw at least the first `headCount` bytes (fewer in a smaller file) and the file's status, and what follows (left out unless
    /// `wantsTail`). Never follows a symbolic link at the end of the path. Larger than `maximumBytes`: `limitExceeded`.
    ///
    /// `expected`: what the caller believes the file's status to be; `headCount` is then where it believes the second array to begin.
    /// Where as many bytes are found, it may be handed on as the status without asking for it, which saves calls of the system; its
    /// other fields are then as old as the belief.
    func readParts(
        _ path: String, expected: FileStatus?, headCount: Int, maximumBytes: Int, wantsTail: Bool,
        split: (_ head: [UInt8], _ status: FileStatus) throws(ImageError) -> Int
    ) throws(ImageError) -> FileParts
    /// The same as far as it needs no waiting: nil where a part of the way to the file, or of the file, is not in the kernel's memory,
    /// where the system does not say so, and where anything else is unusual. For callers that must not block. Throws `notFound`, and
    /// nothing else, where it is in the kernel's memory that there is no such file.
    func partsInMemory(
        _ path: String, expected: FileStatus?, headCount: Int, maximumBytes: Int, wantsTail: Bool,
        split: (_ head: [UInt8], _ status: FileStatus) throws(ImageError) -> Int
    ) throws(ImageError) -> FileParts?
    /// Makes the file (it must not exist), writes all pieces, closes it; `sync` waits for the medium. Mode 0600.
    func write(_ pieces: [[UInt8]], toNew path: String, sync: Bool) throws(ImageError)
    /// The same, and the time of the last modification is within a second of `modified`, which is set only where it is not so by
    /// itself. That it cannot be set is no error.
    func write(_ pieces: [[UInt8]], toNew path: String, modified: Timestamp, sync: Bool) throws(ImageError)
    /// Overwrites bytes in place: for fixed-size fields only.
    func overwrite(_ bytes: [UInt8], at offset: Int, of path: String) throws(ImageError)
    /// Atomic; replaces what is there.
    func rename(_ from: String, to: String) throws(ImageError)
    /// Removes a file or link. `notFound` if there is none.
    func remove(_ path: String) throws(ImageError)
    /// It must be empty.
    func removeDirectory(_ path: String) throws(ImageError)
    /// Mode 0700; no error if it is there already.
    func makeDirectory(_ path: String) throws(ImageError)
    /// Names without `.` and `..`, in no order.
    func list(_ directory: String) throws(ImageError) -> [String]
    /// Does not follow links.
    func status(_ path: String) throws(ImageError) -> FileStatus
    /// Of the file that the path leads to, links followed, as far as it needs no waiting: nil where a part of the way is not in the
    /// kernel's memory, and where the system does not say so. For callers that must not block. On file systems of other machines
    /// or processes it may be older than what ``status(_:)`` says.
    func statusInMemory(_ path: String) -> FileStatus?
    /// Sets the time of the last modification. Does not follow links.
    func setModified(_ path: String, to moment: Timestamp) throws(ImageError)
    /// Makes the file if it is not there and locks it until the result ends, or until this process does, however it does.
    /// Nil: somebody else holds the lock.
    func lock(_ path: String) throws(ImageError) -> FileLock?
}

extension FileSystem {
    /// The same without a belief.
    public func readParts(
        _ path: String, headCount: Int, maximumBytes: Int, wantsTail: Bool,
        split: (_ head: [UInt8], _ status: FileStatus) throws(ImageError) -> Int
    ) throws(ImageError) -> FileParts {
        try readParts(path, expected: nil, headCount: headCount, maximumBytes: maximumBytes, wantsTail: wantsTail, split: split)
    }

    /// Nil: nothing is known about the kernel's memory.
    public func partsInMemory(
        _ path: String, expected: FileStatus?, headCount: Int, maximumBytes: Int, wantsTail: Bool,
        split: (_ head: [UInt8], _ status: FileStatus) throws(ImageError) -> Int
    ) throws(ImageError) -> FileParts? { nil }

    /// Nil: nothing is known about the kernel's memory.
    public func statusInMemory(_ path: String) -> FileStatus? { nil }

    /// By ``write(_:toNew:sync:)`` and ``setModified(_:to:)``.
    public func write(_ pieces: [[UInt8]], toNew path: String, modified: Timestamp, sync: Bool) throws(ImageError) {
        try write(pieces, toNew: path, sync: sync)
        try? setModified(path, to: modified)
    }
}

/// A file in two pieces; see ``FileSystem/readParts(_:expected:headCount:maximumBytes:wantsTail:split:)``.
public struct FileParts: Hashable, Sendable {
    /// Of the moment of reading, or the caller's belief where that was handed in.
    public var status: FileStatus
    /// The bytes before the border.
    public var head: [UInt8]
    /// The bytes from the border on; empty where they were not wanted.
    public var tail: [UInt8]

    /// For other file systems, and their tests.
    public init(status: FileStatus, head: [UInt8], tail: [UInt8]) {
        self.status = status
        self.head = head
        self.tail = tail
    }
}

/// A lock on a file, held while this object lives. Who holds it may keep a few bytes in the file, for others to read.
public final class FileLock: Sendable {
    private let reading: @Sendable (_ offset: Int, _ count: Int) -> [UInt8]
    private let writing: @Sendable (_ bytes: [UInt8], _ offset: Int) -> Bool
    private let release: @Sendable () -> Void

    /// For other file systems. Without `reading` and `writing` nothing is kept in the file; `release` is called once, at the end.
    public init(
        reading: @escaping @Sendable (_ offset: Int, _ count: Int) -> [UInt8] = { _, _ in [] },
        writing: @escaping @Sendable (_ bytes: [UInt8], _ offset: Int) -> Bool = { _, _ in false },
        release: @escaping @Sendable () -> Void
    ) {
        self.reading = reading
        self.writing = writing
        self.release = release
    }

    deinit { release() }

    /// Up to `count` bytes of the file; fewer at its end or where it cannot be read. One call of the system.
    public func read(at offset: Int, count: Int) -> [UInt8] { reading(offset, count) }

    /// False where not all of the bytes could be written. One call of the system.
    @discardableResult
    public func write(_ bytes: [UInt8], at offset: Int) -> Bool { writing(bytes, offset) }
}

/// What the system says of a path.
public struct FileStatus: Hashable, Sendable {
    /// `other` is what has no bytes of its own: pipes, sockets and devices.
    public enum Kind: Hashable, Sendable {
        /// A regular file.
        case file
        /// A folder.
        case directory
        /// A symbolic link.
        case link
        /// A pipe, a socket or a device.
        case other
    }
    /// Of the path itself: links are not followed.
    public var kind: Kind
    /// Bytes.
    public var size: Int
    /// When the contents last changed.
    public var modified: Timestamp
    /// With ``device`` it names a file whatever its path.
    public var inode: UInt64
    /// The file system it lies on; 0 where nobody knows.
    public var device: UInt64

    /// For other file systems, and their tests.
    public init(kind: Kind, size: Int, modified: Timestamp, inode: UInt64, device: UInt64 = 0) {
        self.kind = kind
        self.size = size
        self.modified = modified
        self.inode = inode
        self.device = device
    }
}

/// Which system call failed, and how.
public struct FileSystemFailure: Error, Hashable, Sendable {
    /// As it is called in C, for example "rename".
    public var call: String
    /// As in errno(3); 2 is ENOENT.
    public var errno: Int32

    /// For other file systems, and their tests.
    public init(call: String, errno: Int32) {
        self.call = call
        self.errno = errno
    }
}

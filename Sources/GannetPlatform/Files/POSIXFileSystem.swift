import CGannetKernels
package import GannetCore
import Glibc

/// The operating system's files.
package struct POSIXFileSystem: FileSystem {
    /// How long a pipe or device may send nothing before reading it fails.
    let pipePatience: Duration

    /// Keeps no files open. A pipe or device that sends nothing for a minute fails.
    package init() { self.init(pipePatience: .seconds(60)) }

    init(pipePatience: Duration) { self.pipePatience = pipePatience }

    package func read(_ path: String, maximumBytes: Int, nofollow: Bool) throws(ImageError) -> [UInt8] {
        let file = try Self.open(path, O_RDONLY, nofollow: nofollow)
        let status = try file.status(path)
        guard status.kind == .file || (status.kind == .other && !nofollow) else {
            throw ImageError(.io, "\(path) is a folder or a special file, not a file with bytes.")
        }
        if status.kind == .file { return try file.whole(status, maximumBytes: maximumBytes, path) }
        let bytes = try file.readAsItComes(min(maximumBytes, .max - 1) + 1, patience: pipePatience, path)
        guard bytes.count <= maximumBytes else { throw Self.tooLarge(path, maximumBytes) }
        return bytes
    }

    /// Files up to this size are read with one call and split afterwards.
    static let wholeReads = 32 << 10

    package func readHead(_ path: String, count: Int, nofollow: Bool) throws(ImageError) -> [UInt8] {
        let file = try Self.open(path, O_RDONLY, nofollow: nofollow)
        if !nofollow, try file.status(path).kind == .other {
            return try file.readAsItComes(count, patience: pipePatience, path)
        }
        return try file.read(count, path)
    }

    package func readParts(
        _ path: String, expected: FileStatus?, headCount: Int, maximumBytes: Int, wantsTail: Bool,
        split: (_ head: [UInt8], _ status: FileStatus) throws(ImageError) -> Int
    ) throws(ImageError) -> FileParts {
        let file = try Self.open(path, O_RDONLY, nofollow: true)
        if let expected, wantsTail, expected.kind == .file, expected.size <= maximumBytes,
            let parts = file.parts(expected: expected, headCount: headCount, waits: true, split)
        {
            return parts
        }
        let status = try file.status(path)
        guard status.kind == .file else { throw ImageError(.io, "\(path) is a folder or a special file, not a file with bytes.") }
        guard status.size <= maximumBytes else { throw Self.tooLarge(path, maximumBytes) }
        let isSmall = wantsTail && status.size <= Self.wholeReads
        var head = try file.read(isSmall ? status.size : min(headCount, status.size), path)
        let border = try split(head, status)
        guard border <= status.size else { throw Self.endsEarly(path, status, border) }
        if border > head.count { head.append(contentsOf: try file.read(border - head.count, path)) }
        let early = head.count - border
        guard wantsTail else {
            head.removeLast(max(early, 0))
            return FileParts(status: status, head: head, tail: [])
        }
        let rest = max(status.size - head.count, 0)
        if rest == 0, early > 0 { return Self.parts(of: head, border: border, status) }
        let tail = try file.read(rest, after: early > 0 ? head[border...] : [], path)
        head.removeLast(max(early, 0))
        return FileParts(status: status, head: head, tail: tail)
    }

    package func partsInMemory(
        _ path: String, expected: FileStatus?, headCount: Int, maximumBytes: Int, wantsTail: Bool,
        split: (_ head: [UInt8], _ status: FileStatus) throws(ImageError) -> Int
    ) throws(ImageError) -> FileParts? {
        let number = path.withPath { gannet_open_in_memory($0) }
        guard number >= 0 else {
            if errno == ENOENT { throw Self.failure("openat2", path) }
            return nil
        }
        let file = Descriptor(number: number)
        if let expected, wantsTail, expected.kind == .file, expected.size <= maximumBytes {
            return file.parts(expected: expected, headCount: headCount, waits: false, split)
        }
        guard let status = try? file.status(path), status.kind == .file, status.size <= maximumBytes else { return nil }
        return file.partsInMemory(status, headCount: headCount, wantsTail: wantsTail, split)
    }

    /// Splits a file that was read whole. The bytes after the split move to the front of the same memory.
    static func parts(of bytes: consuming [UInt8], border: Int, _ status: FileStatus) -> FileParts {
        let head = Array(bytes[..<border])
        bytes.removeFirst(border)
        return FileParts(status: status, head: head, tail: bytes)
    }

    private static func endsEarly(_ path: String, _ status: FileStatus, _ border: Int) -> ImageError {
        ImageError(.truncated, "\(path) ends after \(status.size) bytes instead of \(border).")
    }

    package func write(_ pieces: [[UInt8]], toNew path: String, sync: Bool) throws(ImageError) {
        let file = try Self.open(path, O_WRONLY | O_CREAT | O_EXCL, nofollow: true)
        try file.write(pieces, path)
        if sync { try file.sync(path) }
        try file.close(path)
    }

    package func write(_ pieces: [[UInt8]], toNew path: String, modified: Timestamp, sync: Bool) throws(ImageError) {
        let file = try Self.open(path, O_WRONLY | O_CREAT | O_EXCL, nofollow: true)
        try file.write(pieces, path)
        // Nearly always so already; setting it would cost as much as a small write.
        if let status = try? file.status(path), !(.seconds(-1) ... .seconds(1)).contains(status.modified - modified) {
            _ = futimens(file.number, Self.times(modified))
        }
        if sync { try file.sync(path) }
        try file.close(path)
    }

    package func overwrite(_ bytes: [UInt8], at offset: Int, of path: String) throws(ImageError) {
        let file = try Self.open(path, O_WRONLY, nofollow: true)
        try file.write(bytes, at: offset, path)
        try file.close(path)
    }

    package func rename(_ from: String, to: String) throws(ImageError) {
        if from.withPath({ from in to.withPath { Glibc.rename(from, $0) } }) != 0 { throw Self.failure("rename", from) }
    }

    package func remove(_ path: String) throws(ImageError) {
        if path.withPath({ unlink($0) }) != 0 { throw Self.failure("unlink", path) }
    }

    package func removeDirectory(_ path: String) throws(ImageError) {
        if path.withPath({ rmdir($0) }) != 0 { throw Self.failure("rmdir", path) }
    }

    package func makeDirectory(_ path: String) throws(ImageError) {
        if path.withPath({ mkdir($0, 0o700) }) != 0, errno != EEXIST { throw Self.failure("mkdir", path) }
    }

    package func list(_ directory: String) throws(ImageError) -> [String] {
        guard let stream = directory.withPath({ opendir($0) }) else { throw Self.failure("opendir", directory) }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw Self.failure("readdir", directory) }
                return names
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { ByteText.text(ofPath: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }

    /// True for the usual file systems of disks and memory: what the kernel remembers of their files is the truth. Blocks for a `statfs`.
    package static func isOnThisMachine(_ path: String) -> Bool { path.withPath { gannet_is_on_this_machine($0) } != 0 }

    package func statusInMemory(_ path: String) -> FileStatus? {
        var known = gannet_file_status()
        guard path.withPath({ gannet_status_in_memory($0, &known) }) == 0 else { return nil }
        var status = stat()
        (status.st_mode, status.st_ino, status.st_dev) = (known.mode, UInt(known.inode), UInt(known.device))
        status.st_size = Int(truncatingIfNeeded: known.size)
        status.st_mtim = timespec(tv_sec: Int(known.modified_seconds), tv_nsec: Int(known.modified_nanoseconds))
        return FileStatus(status)
    }

    package func status(_ path: String) throws(ImageError) -> FileStatus {
        var result = stat()
        if path.withPath({ lstat($0, &result) }) != 0 { throw Self.failure("lstat", path) }
        return FileStatus(result)
    }

    package func setModified(_ path: String, to moment: Timestamp) throws(ImageError) {
        let times = Self.times(moment)
        if path.withPath({ utimensat(AT_FDCWD, $0, times, AT_SYMLINK_NOFOLLOW) }) != 0 { throw Self.failure("utimensat", path) }
    }

    /// Times of the last use, which stays, and of the last modification.
    private static func times(_ moment: Timestamp) -> [timespec] {
        var (seconds, milliseconds) = moment.milliseconds.quotientAndRemainder(dividingBy: 1000)
        if milliseconds < 0 { (seconds, milliseconds) = (seconds - 1, milliseconds + 1000) }
        let leaveAsItIs = (1 << 30) - 2  // UTIME_OMIT
        return [
            timespec(tv_sec: 0, tv_nsec: leaveAsItIs), timespec(tv_sec: Int(seconds), tv_nsec: Int(milliseconds) * 1_000_000),
        ]
    }

    package func lock(_ path: String) throws(ImageError) -> FileLock? {
        while true {
            if let made = Self.makeLocked(path) { return Self.lock(made) }
            let file = try Self.open(path, O_RDWR | O_CREAT, nofollow: true)
            if flock(file.number, LOCK_EX | LOCK_NB) != 0 {
                if errno == EWOULDBLOCK { return nil }
                throw Self.failure("flock", path)
            }
            // A cleaner may have removed the name between both calls: a lock without a name is useless.
            let held = try file.status(path)
            guard let named = try? status(path), named.inode == held.inode, named.device == held.device else { continue }
            return Self.lock(file.release())
        }
    }

    /// Creates and locks a file in one step, so that a cleaner cannot lock it in between and take its owner for dead. Nil if
    /// the file exists, or the file system cannot do so: then create first and lock afterwards.
    private static func makeLocked(_ path: String) -> Int32? {
        guard let slash = path.lastIndex(of: "/"), path.withPath({ access($0, F_OK) }) != 0, errno == ENOENT else { return nil }
        let number = String(path[..<slash]).withPath { folder in path.withPath { gannet_make_locked(folder, $0) } }
        return number < 0 ? nil : number
    }

    private static func lock(_ number: Int32) -> FileLock {
        FileLock { offset, count in
            [UInt8](unsafeUninitializedCapacity: count) { target, filled in
                filled = max(pread(number, target.baseAddress, count, offset), 0)
            }
        } writing: { bytes, offset in
            pwrite(number, bytes, bytes.count, offset) == bytes.count
        } release: {
            _ = Glibc.close(number)
        }
    }

    private static func open(_ path: String, _ flags: Int32, nofollow: Bool) throws(ImageError) -> Descriptor {
        // O_NONBLOCK: opening a FIFO must not wait for a writer, which may never come.
        var all = flags | O_CLOEXEC | O_NONBLOCK | (nofollow ? O_NOFOLLOW : 0)
        while true {
            let number = path.withPath { Glibc.open($0, all, 0o600) }
            if number >= 0 { return Descriptor(number: number) }
            if errno == EWOULDBLOCK, !nofollow, all & O_NONBLOCK != 0 {
                // Another process has a lease on the file (fcntl(2)), and releases it within the kernel's limit.
                all &= ~O_NONBLOCK
            } else if errno != EINTR {
                throw failure("open", path)
            }
        }
    }

    static func tooLarge(_ path: String, _ maximumBytes: Int) -> ImageError {
        ImageError(
            .limitExceeded, stage: .load, "\(path) is larger than \(maximumBytes) bytes. Raise maximumEncodedBytes to allow it.")
    }

    static func failure(_ call: String, _ path: String) -> ImageError {
        let number = errno
        let text = String(cString: strerror(number))
        return ImageError(
            number == ENOENT ? .notFound : .io, "\(call) of \(ByteText.shown(path)) failed: \(text).",
            underlying: FileSystemFailure(call: call, errno: number))
    }
}

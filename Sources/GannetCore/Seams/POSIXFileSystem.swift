import CGannetKernels
import Glibc

/// The real files.
public struct POSIXFileSystem: FileSystem {
    public init() {}

    public func read(_ path: String, maximumBytes: Int, nofollow: Bool) throws(ImageError) -> [UInt8] {
        let file = try Self.open(path, O_RDONLY, nofollow: nofollow)
        let status = try file.status(path)
        guard status.kind == .file || (status.kind == .other && !nofollow) else {
            throw ImageError(.io, "\(path) is a folder or a special file, not a file with bytes.")
        }
        guard status.size <= maximumBytes else { throw Self.tooLarge(path, maximumBytes) }
        // One byte more than expected, so that the end is seen without another call and growth is noticed.
        var bytes = try file.read(status.size + 1, path)
        while bytes.count > status.size {
            guard bytes.count <= maximumBytes else { throw Self.tooLarge(path, maximumBytes) }
            let more = try file.read(1 << 16, path)
            if more.isEmpty { break }
            bytes.append(contentsOf: more)
        }
        return bytes
    }

    /// Files up to this size are read with one call and taken apart afterwards.
    fileprivate static let wholeReads = 32 << 10

    public func readHead(_ path: String, count: Int, nofollow: Bool) throws(ImageError) -> [UInt8] {
        try Self.open(path, O_RDONLY, nofollow: nofollow).read(count, path)
    }

    public func readParts(
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

    public func partsInMemory(
        _ path: String, expected: FileStatus?, headCount: Int, maximumBytes: Int, wantsTail: Bool,
        split: (_ head: [UInt8], _ status: FileStatus) throws(ImageError) -> Int
    ) throws(ImageError) -> FileParts? {
        let number = gannet_open_in_memory(path)
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

    /// A file that was read whole. What follows the border moves to the front of the same memory.
    fileprivate static func parts(of bytes: consuming [UInt8], border: Int, _ status: FileStatus) -> FileParts {
        let head = Array(bytes[..<border])
        bytes.removeFirst(border)
        return FileParts(status: status, head: head, tail: bytes)
    }

    private static func endsEarly(_ path: String, _ status: FileStatus, _ border: Int) -> ImageError {
        ImageError(.truncated, "\(path) ends after \(status.size) bytes instead of \(border).")
    }

    public func write(_ pieces: [[UInt8]], toNew path: String, sync: Bool) throws(ImageError) {
        let file = try Self.open(path, O_WRONLY | O_CREAT | O_EXCL, nofollow: true)
        try file.write(pieces, path)
        if sync { try file.sync(path) }
        try file.close(path)
    }

    public func write(_ pieces: [[UInt8]], toNew path: String, modified: Timestamp, sync: Bool) throws(ImageError) {
        let file = try Self.open(path, O_WRONLY | O_CREAT | O_EXCL, nofollow: true)
        try file.write(pieces, path)
        // Nearly always true by itself; setting it would cost as much as a small write.
        if let status = try? file.status(path), abs(status.modified.milliseconds - modified.milliseconds) > 1000 {
            _ = futimens(file.number, Self.times(modified))
        }
        if sync { try file.sync(path) }
        try file.close(path)
    }

    public func overwrite(_ bytes: [UInt8], at offset: Int, of path: String) throws(ImageError) {
        let file = try Self.open(path, O_WRONLY, nofollow: true)
        try file.write(bytes, at: offset, path)
        try file.close(path)
    }

    public func rename(_ from: String, to: String) throws(ImageError) {
        if Glibc.rename(from, to) != 0 { throw Self.failure("rename", from) }
    }

    public func remove(_ path: String) throws(ImageError) {
        if unlink(path) != 0 { throw Self.failure("unlink", path) }
    }

    public func removeDirectory(_ path: String) throws(ImageError) {
        if rmdir(path) != 0 { throw Self.failure("rmdir", path) }
    }

    public func makeDirectory(_ path: String) throws(ImageError) {
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw Self.failure("mkdir", path) }
    }

    public func list(_ directory: String) throws(ImageError) -> [String] {
        guard let stream = opendir(directory) else { throw Self.failure("opendir", directory) }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw Self.failure("readdir", directory) }
                return names
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }

    public func status(_ path: String) throws(ImageError) -> FileStatus {
        var result = stat()
        if lstat(path, &result) != 0 { throw Self.failure("lstat", path) }
        return FileStatus(result)
    }

    public func setModified(_ path: String, to moment: Timestamp) throws(ImageError) {
        if utimensat(AT_FDCWD, path, Self.times(moment), AT_SYMLINK_NOFOLLOW) != 0 { throw Self.failure("utimensat", path) }
    }

    /// Of the last use, which stays, and of the last modification.
    private static func times(_ moment: Timestamp) -> [timespec] {
        var (seconds, milliseconds) = moment.milliseconds.quotientAndRemainder(dividingBy: 1000)
        if milliseconds < 0 { (seconds, milliseconds) = (seconds - 1, milliseconds + 1000) }
        let leaveAsItIs = (1 << 30) - 2  // UTIME_OMIT
        return [
            timespec(tv_sec: 0, tv_nsec: leaveAsItIs), timespec(tv_sec: Int(seconds), tv_nsec: Int(milliseconds) * 1_000_000),
        ]
    }

    public func lock(_ path: String) throws(ImageError) -> FileLock? {
        while true {
            let file = try Self.open(path, O_RDWR | O_CREAT, nofollow: true)
            if flock(file.number, LOCK_EX | LOCK_NB) != 0 {
                if errno == EWOULDBLOCK { return nil }
                throw Self.failure("flock", path)
            }
            // Whoever clears up may have removed the name between the two calls: a lock without a name is worth nothing.
            let held = try file.status(path)
            guard let named = try? status(path), named.inode == held.inode, named.device == held.device else { continue }
            let number = file.release()
            return FileLock { offset, count in
                [UInt8](unsafeUninitializedCapacity: count) { target, filled in
                    filled = max(pread(number, target.baseAddress, count, offset), 0)
                }
            } writing: { bytes, offset in
                pwrite(number, bytes, bytes.count, offset) == bytes.count
            } release: {
                _ = Glibc.close(number)
            }
        }
    }

    private static func open(_ path: String, _ flags: Int32, nofollow: Bool) throws(ImageError) -> Descriptor {
        // O_NONBLOCK: opening a FIFO that somebody put into the folder must not wait for a writer.
        let all = flags | O_CLOEXEC | (nofollow ? O_NOFOLLOW | O_NONBLOCK : 0)
        while true {
            let number = Glibc.open(path, all, 0o600)
            if number >= 0 { return Descriptor(number: number) }
            if errno != EINTR { throw failure("open", path) }
        }
    }

    private static func tooLarge(_ path: String, _ maximumBytes: Int) -> ImageError {
        ImageError(
            .limitExceeded, stage: .load, "\(path) is larger than \(maximumBytes) bytes. Raise maximumEncodedBytes to allow it.")
    }

    fileprivate static func failure(_ call: String, _ path: String) -> ImageError {
        let number = errno
        let text = String(cString: strerror(number))
        return ImageError(
            number == ENOENT ? .notFound : .io, "\(call) of \(path) failed: \(text).",
            underlying: FileSystemFailure(call: call, errno: number))
    }
}

/// Owner of one open file; closes it when the value ends.
private struct Descriptor: ~Copyable {
    let number: Int32

    func status(_ path: String) throws(ImageError) -> FileStatus {
        var result = stat()
        if fstat(number, &result) != 0 { throw POSIXFileSystem.failure("fstat", path) }
        return FileStatus(result)
    }

    /// Up to `count` bytes, after those in `first`.
    func read(_ count: Int, after first: ArraySlice<UInt8> = [], _ path: String) throws(ImageError) -> [UInt8] {
        var failed = false
        let count = first.count + count
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, filled in
            _ = UnsafeMutableBufferPointer(rebasing: target[..<first.count]).initialize(fromContentsOf: first)
            filled = first.count
            while filled < count, let base = target.baseAddress {
                let got = Glibc.read(number, base + filled, count - filled)
                if got > 0 {
                    filled += got
                } else if got == 0 {
                    break
                } else if errno != EINTR {
                    failed = true
                    break
                }
            }
        }
        if failed { throw POSIXFileSystem.failure("read", path) }
        return bytes
    }

    /// As many bytes as one call of the system brings after those in `first`, up to `count`; only those for which it needs not wait.
    /// The position stays where it is.
    private func readInMemory(_ count: Int, at offset: Int, after first: ArraySlice<UInt8> = []) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: first.count + count) { target, filled in
            _ = target.prefix(first.count).update(fromContentsOf: first)
            filled = first.count
            guard let base = target.baseAddress else { return }
            filled += max(gannet_read_pieces(number, base + filled, count, nil, 0, offset, 0), 0)
        }
    }

    /// The head of a file that has the length of `status`, or all of it, as far as that needs no waiting. Nil for any other length, where
    /// not everything came at once, and where `split` finds anything wrong.
    func partsInMemory(
        _ status: FileStatus, headCount: Int, wantsTail: Bool, _ split: ([UInt8], FileStatus) throws(ImageError) -> Int
    ) -> FileParts? {
        // One byte more, so that a longer file is noticed.
        if wantsTail, status.size <= POSIXFileSystem.wholeReads {
            let bytes = readInMemory(status.size + 1, at: 0)
            guard bytes.count == status.size, let border = try? split(bytes, status), border <= bytes.count else { return nil }
            return POSIXFileSystem.parts(of: bytes, border: border, status)
        }
        let count = min(headCount, status.size)
        var head = readInMemory(count, at: 0)
        guard head.count == count, let border = try? split(head, status), border <= count else { return nil }
        var tail: [UInt8] = []
        if wantsTail {
            tail = readInMemory(status.size - count + 1, at: count, after: head[border...])
            guard tail.count == status.size - border else { return nil }
        }
        head.removeLast(count - border)
        return FileParts(status: status, head: head, tail: tail)
    }

    /// The whole of a file that has the length of `expected`, with one call of the system; what is behind the first `headCount` bytes
    /// comes to its place at once. Nil for any other length, for what is no file, where not everything came at once, and where `split`
    /// finds anything wrong. The position stays where it is.
    func parts(
        expected: FileStatus, headCount: Int, waits: Bool, _ split: ([UInt8], FileStatus) throws(ImageError) -> Int
    ) -> FileParts? {
        let headCount = min(headCount, expected.size)
        // One byte more, so that a longer file is noticed.
        let tailCount = expected.size - headCount + 1
        var tail: [UInt8] = []
        var head = [UInt8](unsafeUninitializedCapacity: headCount) { head, headFilled in
            tail = [UInt8](unsafeUninitializedCapacity: tailCount) { tail, tailFilled in
                let got = gannet_read_pieces(
                    number, head.baseAddress, headCount, tail.baseAddress, tailCount, 0, waits ? 1 : 0)
                headFilled = min(max(got, 0), headCount)
                tailFilled = max(got, 0) - headFilled
            }
        }
        guard head.count + tail.count == expected.size, let border = try? split(head, expected), border <= headCount else {
            return nil
        }
        if border < headCount {
            tail.insert(contentsOf: head[border...], at: 0)
            head.removeLast(headCount - border)
        }
        return FileParts(status: expected, head: head, tail: tail)
    }

    /// All pieces one after the other, with one call of the system unless it takes only a part.
    func write(_ pieces: [[UInt8]], _ path: String) throws(ImageError) {
        guard pieces.count == 2 else {
            for piece in pieces { try write(piece, at: nil, path) }
            return
        }
        let total = pieces[0].count + pieces[1].count
        // One call, so that the kernel sees the whole length at once and takes large pages for it.
        let put = pieces[0].withUnsafeBytes { first in
            pieces[1].withUnsafeBytes { second in
                let parts = [
                    iovec(iov_base: UnsafeMutableRawPointer(mutating: first.baseAddress), iov_len: first.count),
                    iovec(iov_base: UnsafeMutableRawPointer(mutating: second.baseAddress), iov_len: second.count),
                ]
                return writev(number, parts, 2)
            }
        }
        if put == total { return }
        if put < 0, errno != EINTR { throw POSIXFileSystem.failure("write", path) }
        let done = max(put, 0)
        try write(pieces[0], from: done, at: nil, path)
        try write(pieces[1], from: done - pieces[0].count, at: nil, path)
    }

    /// The bytes after the first `start`.
    func write(_ bytes: [UInt8], from start: Int = 0, at offset: Int?, _ path: String) throws(ImageError) {
        let complete = bytes.withUnsafeBytes { source in
            var done = max(start, 0)
            while done < source.count, let base = source.baseAddress {
                let put =
                    if let offset {
                        pwrite(number, base + done, source.count - done, offset + done)
                    } else {
                        Glibc.write(number, base + done, source.count - done)
                    }
                if put >= 0 { done += put } else if errno != EINTR { return false }
            }
            return true
        }
        if !complete { throw POSIXFileSystem.failure("write", path) }
    }

    func sync(_ path: String) throws(ImageError) {
        while fsync(number) != 0 {
            if errno != EINTR { throw POSIXFileSystem.failure("fsync", path) }
        }
    }

    /// Hands the open file over to the caller.
    consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    /// Closing can report a write that failed late, so it is checked on the way of success.
    consuming func close(_ path: String) throws(ImageError) {
        let number = number
        discard self
        if Glibc.close(number) != 0, errno != EINTR { throw POSIXFileSystem.failure("close", path) }
    }

    deinit { _ = Glibc.close(number) }
}

extension FileStatus {
    fileprivate init(_ status: stat) {
        let kind: Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFLNK: .link
            default: .other
            }
        self.init(
            kind: kind, size: Int(status.st_size),
            modified: Timestamp(
                milliseconds: Int64(status.st_mtim.tv_sec) * 1000 + Int64(status.st_mtim.tv_nsec) / 1_000_000),
            inode: UInt64(status.st_ino), device: UInt64(status.st_dev))
    }
}

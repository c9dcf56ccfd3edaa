import CGannetKernels
import GannetCore
import Glibc

/// The owner of one open file; closes it when the value ends.
struct Descriptor: ~Copyable {
    let number: Int32

    func status(_ path: String) throws(ImageError) -> FileStatus {
        var result = stat()
        if fstat(number, &result) != 0 { throw POSIXFileSystem.failure("fstat", path) }
        return FileStatus(result)
    }

    /// All bytes of a regular file, also if it grows meanwhile. Throws `limitExceeded` above `maximumBytes`.
    func whole(_ status: FileStatus, maximumBytes: Int, _ path: String) throws(ImageError) -> [UInt8] {
        guard status.size <= maximumBytes else { throw POSIXFileSystem.tooLarge(path, maximumBytes) }
        // One byte more than expected, to detect the end without another call, and growth.
        var bytes = try read(status.size + 1, path)
        while bytes.count > status.size {
            guard bytes.count <= maximumBytes else { throw POSIXFileSystem.tooLarge(path, maximumBytes) }
            let more = try read(1 << 16, path)
            if more.isEmpty { break }
            bytes.append(contentsOf: more)
        }
        return bytes
    }

    /// Reads up to `count` bytes of a pipe or device, fewer if it ends before. `patience` applies to each piece; also waits for
    /// a FIFO's first writer.
    func readAsItComes(_ count: Int, patience: Duration, _ path: String) throws(ImageError) -> [UInt8] {
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while all.count < count {
            try awaitBytes(patience, path)
            let got = Glibc.read(number, &piece, min(piece.count, count - all.count))
            if got == 0 { break }
            if got > 0 {
                all.append(contentsOf: piece[..<got])
            } else if errno != EINTR, errno != EWOULDBLOCK {
                throw POSIXFileSystem.failure("read", path)
            }
        }
        return all
    }

    /// Waits until there is something to read or the last writer has closed.
    private func awaitBytes(_ patience: Duration, _ path: String) throws(ImageError) {
        let end = ContinuousClock.now + patience
        var wanted = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        while true {
            // In short steps: the read may be cancelled, and others need the thread.
            try ImageError.checkCancellation(stage: .load)
            let left = max((end - .now).wholeMilliseconds, 0)
            let ready = poll(&wanted, 1, Int32(clamping: min(left, 200)))
            if ready > 0 { return }
            guard ready == 0 || errno == EINTR else { throw POSIXFileSystem.failure("poll", path) }
            if left == 0 {
                throw ImageError(
                    .timedOut, stage: .load,
                    "\(path) is a pipe or a device, and nothing came from it for \(patience). Is anybody writing to it?")
            }
        }
    }

    /// Reads up to `count` bytes, appended to `first`.
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

    /// Reads up to `count` bytes with one system call that does not wait, appended to `first`. The position stays.
    private func readInMemory(_ count: Int, at offset: Int, after first: ArraySlice<UInt8> = []) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: first.count + count) { target, filled in
            _ = target.prefix(first.count).update(fromContentsOf: first)
            filled = first.count
            guard let base = target.baseAddress else { return }
            filled += max(gannet_read_pieces(number, base + filled, count, nil, 0, offset, 0), 0)
        }
    }

    /// The head of a file with the length of `status`, or all of it, without waiting. Nil for another length, for an incomplete
    /// read, and if `split` finds an error.
    func partsInMemory(
        _ status: FileStatus, headCount: Int, wantsTail: Bool, _ split: ([UInt8], FileStatus) throws(ImageError) -> Int
    ) -> FileParts? {
        // One byte more, to detect a longer file.
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

    /// The whole file with the length of `expected`, with one system call; the bytes after the first `headCount` are read
    /// directly into the second array. Nil for another length, a non-file, an incomplete read, and if `split` finds an error.
    /// The position stays.
    func parts(
        expected: FileStatus, headCount: Int, waits: Bool, _ split: ([UInt8], FileStatus) throws(ImageError) -> Int
    ) -> FileParts? {
        let headCount = min(headCount, expected.size)
        // One byte more, to detect a longer file.
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

    /// Writes all pieces in sequence, with one system call unless it accepts only a part.
    func write(_ pieces: [[UInt8]], _ path: String) throws(ImageError) {
        guard pieces.count == 2 else {
            for piece in pieces { try write(piece, at: nil, path) }
            return
        }
        let total = pieces[0].count + pieces[1].count
        // One call, so that the kernel sees the whole length and uses large pages.
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

    /// Writes the bytes after the first `start`.
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

    /// Transfers the open file to the caller.
    consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    /// Closing can report a late write failure, so it is checked on success.
    consuming func close(_ path: String) throws(ImageError) {
        let number = number
        discard self
        if Glibc.close(number) != 0, errno != EINTR { throw POSIXFileSystem.failure("close", path) }
    }

    deinit { _ = Glibc.close(number) }
}

package import GannetCore
import Glibc
import Synchronization

/// Writes files for the user: completely or not at all, with owner and mode of the files that they replace.
package enum WholeFile {
    /// Follows links, replaces a regular file in one step, and writes to devices and pipes. The mode is that of the replaced
    /// file, otherwise by the umask. Throws `io`, and `misuse` for an empty path. Blocks.
    package static func write(_ pieces: [[UInt8]], to path: String) throws(ImageError) {
        try write(to: path) { put throws(ImageError) in
            for piece in pieces { try put(piece) }
        }
    }

    /// The same for contents created piece by piece. A regular file stays if `body` throws.
    package static func write<R>(to path: String, _ body: Body<R>) throws(ImageError) -> R {
        let target = try destination(path)
        var status = stat()
        let isThere = target.withPath { stat($0, &status) } == 0
        if isThere, status.st_mode & S_IFMT != S_IFREG {
            guard status.st_mode & S_IFMT != S_IFDIR else {
                throw ImageError(.io, stage: .store, "\(path) is a folder; name a file in it.")
            }
            return try fill(target, flags: O_WRONLY, shown: path, body)
        }
        // A short name: the longest allowed name has no room for a suffix.
        let temporary = "\(folder(of: target)).gannet.\(getpid()).\(UInt32.random(in: 0 ... .max)).part"
        unfinished.withLock { _ = $0.insert(temporary) }
        defer { unfinished.withLock { _ = $0.remove(temporary) } }
        do throws(ImageError) {
            let result = try fill(
                temporary, flags: O_WRONLY | O_CREAT | O_EXCL, replacing: isThere ? status : nil, shown: path, body)
            if temporary.withPath({ from in target.withPath { rename(from, $0) } }) != 0 { throw failure("replaced", path) }
            return result
        } catch {
            _ = temporary.withPath { unlink($0) }
            throw error
        }
    }

    /// Writes a file through a function that appends bytes.
    package typealias Body<R> = (_ put: ([UInt8]) throws(ImageError) -> Void) throws(ImageError) -> R

    /// Files being written. Nothing is called under the lock.
    private static let unfinished = Mutex<Set<String>>([])

    /// Removes partial files of a process that is about to end with writers running.
    package static func removeUnfinished() {
        for path in unfinished.withLock({ $0 }) { _ = path.withPath { unlink($0) } }
    }

    /// The folder with a trailing slash.
    private static func folder(of path: String) -> String {
        let bytes = path.utf8
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(path[...slash])
    }

    /// Follows a link, as any writer expects, even to a missing file; its target is replaced.
    private static func destination(_ path: String) throws(ImageError) -> String {
        guard !path.isEmpty else { throw ImageError(.misuse, stage: .store, "The path to write to is empty.") }
        var target = WorkingFolder.absolute(path)
        // Non-files are opened by this very name: links to open pipes (`/dev/stdout`, `/dev/fd/3`) have no real path.
        var status = stat()
        if target.withPath({ stat($0, &status) }) == 0, status.st_mode & S_IFMT != S_IFREG { return target }
        for _ in 0..<40 {
            if let resolved = target.withPath({ realpath($0, nil) }) {
                defer { free(resolved) }
                return ByteText.text(ofPath: resolved)
            }
            guard errno == ENOENT else { throw failure("written", path) }
            var name = [UInt8](repeating: 0, count: Int(PATH_MAX))
            let count = name.withUnsafeMutableBytes { buffer in
                buffer.withMemoryRebound(to: CChar.self) { name in
                    target.withPath { readlink($0, name.baseAddress!, name.count) }
                }
            }
            guard count > 0 else { return target }
            let next = ByteText.text(of: name[..<count])
            target = next.utf8.first == UInt8(ascii: "/") ? next : folder(of: target) + next
        }
        errno = ELOOP
        throw failure("written", path)
    }

    /// The file gets owner and mode of the replaced one, so that private files stay private.
    private static func fill<R>(
        _ path: String, flags: Int32, replacing old: stat? = nil, shown: String, _ body: Body<R>
    ) throws(ImageError) -> R {
        let descriptor = path.withPath { open($0, flags | O_CLOEXEC, old == nil ? 0o666 : 0o600) }
        guard descriptor >= 0 else { throw failure("written", shown) }
        if let old {
            // Only an administrator can change owners, and no other user needs to.
            _ = fchown(descriptor, old.st_uid, old.st_gid)
            _ = fchmod(descriptor, old.st_mode & 0o777)
        }
        let result: R
        do throws(ImageError) {
            result = try body { bytes throws(ImageError) in
                if !put(bytes, descriptor) { throw failure("written", shown) }
            }
        } catch {
            close(descriptor)
            throw error
        }
        guard close(descriptor) == 0 else { throw failure("closed", shown) }
        return result
    }

    private static func put(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { source in
            var done = 0
            while done < source.count, let base = source.baseAddress {
                let count = Glibc.write(descriptor, base + done, source.count - done)
                if count >= 0 { done += count } else if errno != EINTR { return false }
            }
            return true
        }
    }

    package static func failure(_ verb: String, _ path: String) -> ImageError {
        let number = errno
        return ImageError(
            .io, stage: .store, "\(ByteText.shown(path)) could not be \(verb): \(String(cString: strerror(number))).",
            underlying: FileSystemFailure(call: verb, errno: number))
    }
}

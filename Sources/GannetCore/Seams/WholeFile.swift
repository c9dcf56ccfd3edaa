import Glibc
import Synchronization

/// Files that somebody asked for: whole or not there, and otherwise like the ones that they replace.
package enum WholeFile {
    /// Follows links, replaces a regular file in one step, and writes to devices and pipes. The mode is that of the file that is
    /// replaced, else what the umask says. Throws `io`, and `misuse` for an empty path. Blocks.
    package static func write(_ pieces: [[UInt8]], to path: String) throws(ImageError) {
        try write(to: path) { put throws(ImageError) in
            for piece in pieces { try put(piece) }
        }
    }

    /// The same for what is made while it is written, a piece at a time. Nothing replaces a regular file if `body` throws.
    package static func write<R>(to path: String, _ body: Body<R>) throws(ImageError) -> R {
        let target = try destination(path)
        var status = stat()
        let isThere = stat(target, &status) == 0
        if isThere, status.st_mode & S_IFMT != S_IFREG {
            guard status.st_mode & S_IFMT != S_IFDIR else {
                throw ImageError(.io, stage: .store, "\(path) is a folder; name a file in it.")
            }
            return try fill(target, flags: O_WRONLY, shown: path, body)
        }
        // A short name: one that is as long as names may be has no room for more.
        let temporary = "\(folder(of: target)).gannet.\(getpid()).\(UInt32.random(in: 0 ... .max)).part"
        unfinished.withLock { _ = $0.insert(temporary) }
        defer { unfinished.withLock { _ = $0.remove(temporary) } }
        do throws(ImageError) {
            let result = try fill(
                temporary, flags: O_WRONLY | O_CREAT | O_EXCL, replacing: isThere ? status : nil, shown: path, body)
            if rename(temporary, target) != 0 { throw failure("replaced", path) }
            return result
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// What writes a file; it is given a way to add bytes to it.
    package typealias Body<R> = (_ put: ([UInt8]) throws(ImageError) -> Void) throws(ImageError) -> R

    /// Files that are being written. Nothing is called while it is held.
    private static let unfinished = Mutex<Set<String>>([])

    /// For a process that ends now, whatever is still running.
    package static func removeUnfinished() {
        for path in unfinished.withLock({ $0 }) { unlink(path) }
    }

    /// With the slash at its end.
    private static func folder(of path: String) -> String {
        let bytes = path.utf8
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(path[...slash])
    }

    /// A link is followed, as everybody who writes to it expects, also one to a file that is not there yet; what it points to is
    /// replaced.
    private static func destination(_ path: String) throws(ImageError) -> String {
        guard !path.isEmpty else { throw ImageError(.misuse, stage: .store, "The path to write to is empty.") }
        var target = WorkingFolder.absolute(path)
        // What is no file is opened by this very name: links to open pipes (`/dev/stdout`, `/dev/fd/3`) name nothing that a path leads to.
        var status = stat()
        if stat(target, &status) == 0, status.st_mode & S_IFMT != S_IFREG { return target }
        for _ in 0..<40 {
            if let resolved = realpath(target, nil) {
                defer { free(resolved) }
                return String(validatingCString: resolved) ?? target
            }
            guard errno == ENOENT else { throw failure("written", path) }
            var name = [UInt8](repeating: 0, count: Int(PATH_MAX))
            let count = name.withUnsafeMutableBytes { buffer in
                buffer.withMemoryRebound(to: CChar.self) { readlink(target, $0.baseAddress!, $0.count) }
            }
            guard count > 0, let next = String(validating: name[..<count], as: UTF8.self) else { return target }
            target = next.utf8.first == UInt8(ascii: "/") ? next : folder(of: target) + next
        }
        errno = ELOOP
        throw failure("written", path)
    }

    /// The file gets owner and mode of the one that it will replace: what was private stays so.
    private static func fill<R>(
        _ path: String, flags: Int32, replacing old: stat? = nil, shown: String, _ body: Body<R>
    ) throws(ImageError) -> R {
        let descriptor = open(path, flags | O_CLOEXEC, old == nil ? 0o666 : 0o600)
        guard descriptor >= 0 else { throw failure("written", shown) }
        if let old {
            // Only an administrator can give files away, and nobody else needs to.
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
            .io, stage: .store, "\(path) could not be \(verb): \(String(cString: strerror(number))).",
            underlying: FileSystemFailure(call: verb, errno: number))
    }
}

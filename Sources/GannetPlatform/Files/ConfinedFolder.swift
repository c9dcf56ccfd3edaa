import CGannetKernels
package import GannetCore
import Glibc

/// Reads the regular files below one folder, whatever their names and the links among them say. The kernel itself holds every look-up
/// below the folder (openat2(2), RESOLVE_BENEATH), also while names and links change; where it cannot, links are refused.
///
/// The folder is looked up anew each time, so that it can be exchanged, also by a link to it. Messages have names below it,
/// and never its own path. All of it blocks: for a ``BlockingExecutor``.
package struct ConfinedFolder: Sendable {
    /// The state of a file; another one after each change.
    package struct Status: Hashable, Sendable {
        /// Bytes.
        package var size: Int
        /// The time of the last modification, since 1970.
        package var seconds: Int
        package var nanoseconds: Int
        package var inode: UInt64
        package var device: UInt64
    }

    private let path: String
    private let walks: Bool

    /// `walks`: as on a system without openat2(2). Throws `misuse` if there is no folder at the path.
    package init(_ path: String, walks: Bool = false) throws(ImageError) {
        (self.path, self.walks) = (WorkingFolder.absolute(path), walks)
        do throws(ImageError) { _ = try folder() } catch {
            throw ImageError(.misuse, stage: .resolve, "\(path) is no folder that can be opened.", underlying: error)
        }
    }

    /// Throws `notFound` for everything but regular files below the folder, and `io`.
    package func status(_ name: String) throws(ImageError) -> Status { try Self.status(of: try open(name), name).own }

    /// The bytes, and the state that the file had before they were read: if it changes meanwhile, its next state is another one.
    ///
    /// Throws `notFound` for everything but regular files below the folder, `limitExceeded` and `io`.
    package func read(_ name: String, maximumBytes: Int) throws(ImageError) -> (status: Status, bytes: [UInt8]) {
        let file = try open(name)
        let status = try Self.status(of: file, name)
        return (status.own, try file.whole(status.general, maximumBytes: maximumBytes, name))
    }

    private func folder() throws(ImageError) -> Descriptor {
        let number = path.withPath { gannet_open_folder($0) }
        guard number >= 0 else {
            throw ImageError(.io, stage: .load, "The folder of sources cannot be opened: \(Self.text(errno)).")
        }
        return Descriptor(number: number)
    }

    /// Renames anywhere on the system may make the kernel ask for another try (EAGAIN).
    private static let tries = 64

    private func open(_ name: String) throws(ImageError) -> Descriptor {
        guard !name.utf8.contains(0) else { throw ImageError(.misuse, stage: .resolve, "A name contains a zero byte.") }
        let folder = try folder()
        var reason = EAGAIN
        for _ in 0..<Self.tries {
            let number = name.withPath {
                walks ? gannet_walk_beneath(folder.number, $0) : gannet_open_beneath(folder.number, $0)
            }
            if number >= 0 { return Descriptor(number: number) }
            reason = errno
            guard reason == EAGAIN || reason == EINTR else { break }
        }
        switch reason {
        // ENXIO: a socket.
        case ENOENT, ENOTDIR, ENAMETOOLONG, ENXIO:
            throw ImageError(.notFound, stage: .load, "There is no file \(name) in the folder of sources.")
        case EXDEV, ELOOP:
            throw ImageError(
                .notFound, stage: .load, "A link on the way to \(name) leaves the folder of sources, or is not followed.")
        default: throw ImageError(.io, stage: .load, "\(name) cannot be opened: \(Self.text(reason)).")
        }
    }

    private static func status(
        of file: borrowing Descriptor, _ name: String
    ) throws(ImageError) -> (own: Status, general: FileStatus) {
        var result = stat()
        if fstat(file.number, &result) != 0 { throw POSIXFileSystem.failure("fstat", name) }
        let general = FileStatus(result)
        guard general.kind == .file else {
            throw ImageError(.notFound, stage: .load, "\(name) is a folder or a special file, not a file with bytes.")
        }
        let own = Status(
            size: general.size, seconds: result.st_mtim.tv_sec, nanoseconds: result.st_mtim.tv_nsec, inode: general.inode,
            device: general.device)
        return (own, general)
    }

    private static func text(_ number: Int32) -> String { String(cString: strerror(number)) }
}

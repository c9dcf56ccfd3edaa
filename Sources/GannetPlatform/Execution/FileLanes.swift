import Glibc
import Synchronization

/// Threads for files, apart for each mounted file system: one that hangs, as after the loss of its server, holds up only the work on
/// its own files.
///
/// The text of a path decides which file system it is on, because a system call could hang. A link to another file system counts
/// for the one that it is on.
package final class FileLanes: Sendable {
    /// The lanes of the whole process.
    package static let shared = FileLanes()

    private struct State {
        var mounts: [String] = []
        /// When ``mounts`` were read.
        var read: Duration?
        /// The lanes by mount point.
        var lanes: [String: BlockingExecutor] = [:]
    }

    private static let threads = 4
    /// More file systems share lanes.
    private static let maximumLanes = 32
    private static let renewal = Duration.seconds(2)

    private let time: any TimeSource
    private let table: @Sendable () -> [String]
    private let state = Mutex(State())

    /// - Parameter mounts: the mount points, called once every two seconds at most.
    package init(
        time: any TimeSource = SystemTimeSource(), mounts: @escaping @Sendable () -> [String] = { FileLanes.systemMounts() }
    ) {
        (self.time, table) = (time, mounts)
    }

    /// The threads for an absolute path. Waits for no file system; about 0.2 µs for each that is mounted.
    package func executor(for path: String) -> BlockingExecutor {
        let now = time.uptime
        let isOld = state.withLock { $0.read.map { now - $0 >= Self.renewal } ?? true }
        let mounts = isOld ? table() : nil
        return state.withLock { state in
            if let mounts { (state.mounts, state.read) = (mounts, now) }
            let mount = state.mounts.filter { Self.contains($0, path) }.max { $0.utf8.count < $1.utf8.count } ?? "/"
            if let lane = state.lanes[mount] { return lane }
            // The last lane serves all file systems that have no own lane.
            let name = state.lanes.count < Self.maximumLanes - 1 ? mount : ""
            if let lane = state.lanes[name] { return lane }
            let lane = BlockingExecutor(name: "gannet-files", threads: Self.threads)
            state.lanes[name] = lane
            return lane
        }
    }

    private static func contains(_ mount: String, _ path: String) -> Bool {
        mount == "/"
            || path.hasPrefix(mount)
                && (path.utf8.count == mount.utf8.count || path.utf8.dropFirst(mount.utf8.count).first == 0x2F)
    }

    /// The mount points of this process, from a table of the kernel's that no file system can hold up.
    package static func systemMounts() -> [String] {
        let bytes = try? POSIXFileSystem().read("/proc/self/mountinfo", maximumBytes: 4 << 20, nofollow: true)
        return mounts(in: String(decoding: bytes ?? [], as: UTF8.self))
    }

    /// The fifth field of each line (proc_pid_mountinfo(5)); space, tab, line end and backslash are octal there.
    package static func mounts(in text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 4 else { return nil }
            var path: [UInt8] = []
            var rest = Array(fields[4].utf8)[...]
            while let byte = rest.popFirst() {
                let digits = rest.prefix(3)
                if byte == UInt8(ascii: "\\"), digits.count == 3,
                    let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
                {
                    path.append(code)
                    rest = rest.dropFirst(3)
                } else {
                    path.append(byte)
                }
            }
            return String(decoding: path, as: UTF8.self)
        }
    }
}

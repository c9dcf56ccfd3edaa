import GannetCore

/// The control groups of this process, as the kernel describes them in files.
struct ControlGroups {
    private let files: any FileSystem
    private let proc: String
    private let root: String

    init(files: any FileSystem = POSIXFileSystem(), proc: String = "/proc", root: String = "/sys/fs/cgroup") {
        self.files = files
        self.proc = proc
        self.root = root
    }

    /// Controllers and path of each. No controllers: version 2.
    private var groups: [(controllers: [Substring], path: String)] {
        (text(proc + "/self/cgroup") ?? "").split(separator: "\n").compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            return parts.count == 3 ? (parts[1].split(separator: ","), String(parts[2])) : nil
        }
    }

    /// The folder of this process's group (version 2); nil if there is none.
    var ownFolder: String? {
        groups.first { $0.controllers.isEmpty }.map { root + ($0.path == "/" ? "" : $0.path) }
    }

    /// The folders that may have a controller's files, from this process's group up to the root. Inside a container the path may be that of the
    /// machine, while the group is mounted as the root, which is one of them.
    func folders(of controller: String) -> [(path: String, isFirstVersion: Bool)] {
        var folders: [(path: String, isFirstVersion: Bool)] = []
        for (controllers, path) in groups {
            let isFirst = controllers.contains { $0 == controller }
            guard isFirst || controllers.isEmpty else { continue }
            let top = root + (isFirst ? "/" + controller : "")
            var path = path
            while true {
                folders.append((top + (path == "/" ? "" : path), isFirst))
                guard let slash = path.lastIndex(of: "/"), path.count > 1 else { break }
                path = slash == path.startIndex ? "/" : String(path[..<slash])
            }
        }
        return folders
    }

    /// Missing files are normal in containers and on old kernels.
    func text(_ path: String) -> String? {
        guard let bytes = try? files.read(path, maximumBytes: 1 << 16, nofollow: false) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}

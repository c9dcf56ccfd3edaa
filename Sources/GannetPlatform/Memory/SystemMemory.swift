import GannetCore

/// The memory of the machine, or less if a control group limits it.
package struct SystemMemory {
    private let files: any FileSystem
    private let proc: String
    private let controlGroups: String

    package init(
        files: any FileSystem = POSIXFileSystem(), proc: String = "/proc", controlGroups: String = "/sys/fs/cgroup"
    ) {
        self.files = files
        self.proc = proc
        self.controlGroups = controlGroups
    }

    /// Nil if the system does not report it.
    package var availableBytes: Int? {
        [machineBytes, groupBytes].compactMap { $0 }.min()
    }

    private var machineBytes: Int? {
        for line in (text(proc + "/meminfo") ?? "").split(separator: "\n") where line.hasPrefix("MemTotal:") {
            let number = line.dropFirst("MemTotal:".count).split(separator: " ").first
            return number.flatMap { Int($0) }.map { $0 * 1024 }
        }
        return nil
    }

    /// The process's groups: controllers and path. No controllers: version 2.
    private var groups: [(controllers: [Substring], path: String)] {
        (text(proc + "/self/cgroup") ?? "").split(separator: "\n").compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            return parts.count == 3 ? (parts[1].split(separator: ","), String(parts[2])) : nil
        }
    }

    /// The folder of this process's group (version 2); nil if there is none.
    var groupFolder: String? {
        groups.first { $0.controllers.isEmpty }.map { controlGroups + ($0.path == "/" ? "" : $0.path) }
    }

    /// The tightest limit from this group up to the root (v2), or the one limit of v1.
    private var groupBytes: Int? {
        var limits: [Int] = []
        for group in groups {
            if group.controllers.isEmpty {
                var path = group.path
                while true {
                    if let limit = number(controlGroups + (path == "/" ? "" : path) + "/memory.max") { limits.append(limit) }
                    guard let slash = path.lastIndex(of: "/"), path.count > 1 else { break }
                    path = slash == path.startIndex ? "/" : String(path[..<slash])
                }
            } else if group.controllers.contains("memory") {
                for path in [group.path, ""] {
                    let file = controlGroups + "/memory" + (path == "/" ? "" : path) + "/memory.limit_in_bytes"
                    if let limit = number(file) { limits.append(limit) }
                }
            }
        }
        return limits.min()
    }

    private func number(_ path: String) -> Int? {
        text(path).flatMap { text in
            let digits = text.utf8.prefix { (48...57).contains($0) }
            return Int(String(decoding: Array(digits), as: UTF8.self))
        }
    }

    /// Missing files are normal in containers and on old kernels.
    package func text(_ path: String) -> String? {
        guard let bytes = try? files.read(path, maximumBytes: 1 << 16, nofollow: false) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}

import GannetCore

/// The memory of the machine, or less if a control group limits it.
package struct SystemMemory {
    private let groups: ControlGroups
    private let proc: String

    package init(
        files: any FileSystem = POSIXFileSystem(), proc: String = "/proc", controlGroups: String = "/sys/fs/cgroup"
    ) {
        groups = ControlGroups(files: files, proc: proc, root: controlGroups)
        self.proc = proc
    }

    /// Nil if the system does not report it.
    package var availableBytes: Int? {
        [machineBytes, groupLimit?.bytes].compactMap { $0 }.min()
    }

    /// Of the machine alone.
    package var machineBytes: Int? {
        for line in (text(proc + "/meminfo") ?? "").split(separator: "\n") where line.hasPrefix("MemTotal:") {
            let number = line.dropFirst("MemTotal:".count).split(separator: " ").first
            return number.flatMap { Int($0) }.map { $0 * 1024 }
        }
        return nil
    }

    /// The folder of this process's group (version 2); nil if there is none.
    var groupFolder: String? { groups.ownFolder }

    /// The limit of a control group, and the folder that has its figures.
    package struct GroupLimit: Equatable, Sendable {
        package var bytes: Int
        var folder: String
        /// Of the first version of control groups.
        var isFirstVersion = false
    }

    /// The tightest limit from this process's group up to the root; nil: none has one.
    package var groupLimit: GroupLimit? {
        let limits = groups.folders(of: "memory").compactMap { folder in
            number(folder.path + (folder.isFirstVersion ? "/memory.limit_in_bytes" : "/memory.max"))
                .map { GroupLimit(bytes: $0, folder: folder.path, isFirstVersion: folder.isFirstVersion) }
        }
        // The first version says "none" by a number larger than any memory.
        return limits.min { $0.bytes < $1.bytes }.flatMap { $0.bytes < 1 << 60 ? $0 : nil }
    }

    /// Bytes of the limit that the group uses, without the file cache, which the kernel takes back before it ends a process. Nil: unknown.
    package func usedBytes(of group: GroupLimit) -> Int? {
        let prefix = group.isFirstVersion ? "total_" : ""
        let usage = number(group.folder + (group.isFirstVersion ? "/memory.usage_in_bytes" : "/memory.current"))
        guard let usage, let text = text(group.folder + "/memory.stat") else { return nil }
        var files = 0
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let bytes = Int(words[1]) else { continue }
            if words[0] == prefix + "inactive_file" || words[0] == prefix + "active_file" { files += bytes }
        }
        return max(usage - files, 0)
    }

    /// Memory of a process in bytes: its own, the part that it shares with others (but no file), and that of files.
    package struct ProcessPart: Equatable, Sendable {
        package var own = 0
        package var shared = 0
        package var files = 0
    }

    /// Nil: there is no such process.
    package func process(_ name: String) -> ProcessPart? {
        guard let text = text("\(proc)/\(name)/status") else { return nil }
        var part = ProcessPart()
        for line in text.split(separator: "\n") where line.hasPrefix("Rss") {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard words.count > 1, let number = Int(words[1]) else { continue }
            switch words[0] {
            case "RssAnon:": part.own = number * 1024
            case "RssShmem:": part.shared = number * 1024
            case "RssFile:": part.files = number * 1024
            default: break
            }
        }
        return part
    }

    private func number(_ path: String) -> Int? {
        text(path).flatMap { text in
            let digits = text.utf8.prefix { (48...57).contains($0) }
            return Int(String(decoding: Array(digits), as: UTF8.self))
        }
    }

    /// Nil where there is no such file.
    package func text(_ path: String) -> String? { groups.text(path) }
}

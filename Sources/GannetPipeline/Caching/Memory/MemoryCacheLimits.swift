import GannetCore

/// What a ``MemoryCache`` may hold.
public struct MemoryCacheLimits: Hashable, Sendable {
    /// Bytes of memory held by pictures, shared pixels counted once.
    public var bytes: Int
    /// Entries; no limit by default.
    public var count: Int
    /// A larger picture is not kept (only remembered weakly).
    public var entryBytes: Int
    /// How long entries with the expiration `standard` stay; nil: until they are evicted.
    public var age: Duration?

    /// `entryBytes` nil: the same as `bytes`.
    public init(bytes: Int, count: Int = .max, entryBytes: Int? = nil, age: Duration? = nil) {
        self.bytes = max(bytes, 0)
        self.count = max(count, 0)
        self.entryBytes = max(entryBytes ?? bytes, 0)
        self.age = age
    }

    /// The smaller of 15 % of the memory this process may use and 512 MiB.
    public static let standard = MemoryCacheLimits(bytes: defaultBytes(of: SystemMemory()))

    static func defaultBytes(of memory: SystemMemory) -> Int {
        memory.availableBytes.map { min($0 / 100 * 15, 512 << 20) } ?? 128 << 20
    }
}

/// How much memory there is: the machine's, or less where a control group limits it.
struct SystemMemory {
    var files: any FileSystem = POSIXFileSystem()
    var proc = "/proc"
    var controlGroups = "/sys/fs/cgroup"

    /// Nil where the system does not say.
    var availableBytes: Int? {
        [machineBytes, groupBytes].compactMap { $0 }.min()
    }

    private var machineBytes: Int? {
        for line in (text(proc + "/meminfo") ?? "").split(separator: "\n") where line.hasPrefix("MemTotal:") {
            let number = line.dropFirst("MemTotal:".count).split(separator: " ").first
            return number.flatMap { Int($0) }.map { $0 * 1024 }
        }
        return nil
    }

    /// The tightest limit on the way from our group to the root (v2), or the one limit of v1.
    private var groupBytes: Int? {
        var limits: [Int] = []
        for line in (text(proc + "/self/cgroup") ?? "").split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            if parts[1].isEmpty {
                var path = String(parts[2])
                while true {
                    if let limit = number(controlGroups + (path == "/" ? "" : path) + "/memory.max") { limits.append(limit) }
                    guard let slash = path.lastIndex(of: "/"), path.count > 1 else { break }
                    path = slash == path.startIndex ? "/" : String(path[..<slash])
                }
            } else if parts[1].split(separator: ",").contains("memory") {
                for path in [String(parts[2]), ""] {
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

    /// Missing files are the normal case in containers and on old kernels.
    private func text(_ path: String) -> String? {
        guard let bytes = try? files.read(path, maximumBytes: 1 << 16, nofollow: false) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}

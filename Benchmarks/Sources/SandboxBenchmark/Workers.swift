import Glibc

/// What the system says of the worker processes: the children of this process's one child.
enum Workers {
    /// Milliseconds on a processor, of all.
    static func processorTime() -> Double {
        // Nanoseconds on a processor come first (proc(5)).
        processes().reduce(0) { $0 + (Double(text("/proc/\($1)/schedstat").split(separator: " ").first ?? "") ?? 0) / 1e6 }
    }

    /// MiB that each has for itself alone.
    static func privateMemory() -> [Double] {
        processes().map { process in
            text("/proc/\(process)/smaps_rollup").split(separator: "\n").reduce(0) { sum, line in
                guard line.hasPrefix("Private_") else { return sum }
                return sum + (Double(line.split(separator: " ").dropFirst().first ?? "") ?? 0) / 1024
            }
        }
    }

    private static func processes() -> [Int] { children(of: Int(getpid())).flatMap { children(of: $0) } }

    private static func children(of process: Int) -> [Int] {
        guard let folder = opendir("/proc/\(process)/task") else { return [] }
        defer { closedir(folder) }
        var found: [Int] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            guard Int(name) != nil else { continue }
            found += text("/proc/\(process)/task/\(name)/children").split(separator: " ").compactMap { Int($0) }
        }
        return found
    }

    private static func text(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}

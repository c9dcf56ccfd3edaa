#if CommandLine
    import GannetCore
    import GannetPlatform
    import Glibc

    /// Time and memory that this process used between two moments.
    package struct ProcessUsage {
        private var start = ContinuousClock.now
        private var startCPU = ProcessUsage.cpu

        /// Starts measuring, and resets the memory peak if the kernel permits it.
        package init() { Self.resetPeak() }

        package var wall: Duration { ContinuousClock.now - start }
        /// All threads, user and system.
        package var cpuSeconds: Double { Self.cpu - startCPU }

        private static var cpu: Double {
            var usage = rusage()
            getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
            return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
                + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
        }

        /// The most memory held at once since ``init()``, bytes; of the process's whole life where the kernel does not let us
        /// reset it (see proc(5), `clear_refs` and `VmHWM`).
        package static var peakBytes: Int {
            let path = "/proc/self/status"
            guard let bytes = try? POSIXFileSystem().readHead(path, count: 8192, nofollow: false) else { return 0 }
            for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where line.hasPrefix("VmHWM:") {
                return (line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0) << 10
            }
            return 0
        }

        private static func resetPeak() {
            let descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return }
            _ = write(descriptor, "5", 1)
            close(descriptor)
        }
    }
#endif

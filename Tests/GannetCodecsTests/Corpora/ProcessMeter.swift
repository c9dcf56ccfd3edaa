import Glibc

/// Processor time and peak memory of one piece of work in this process.
struct ProcessMeter {
    private let start: Duration

    /// Resets the memory peak, if the kernel permits it.
    init() {
        if let file = fopen("/proc/self/clear_refs", "w") {
            fputs("5", file)
            fclose(file)
        }
        start = Self.processorTime
    }

    /// Of all threads of this process: other programs, those that make reference images too, do not count.
    var elapsed: Duration { Self.processorTime - start }

    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Most bytes that were in memory at once; 0 where the system does not say.
    var peakBytes: Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        // Such files have no size to query.
        var status = [UInt8](repeating: 0, count: 8192)
        status.removeLast(status.count - fread(&status, 1, status.count, file))
        for line in String(decoding: status, as: UTF8.self).split(separator: "\n") where line.hasPrefix("VmHWM:") {
            return (line.split(separator: " ").compactMap { Int($0) }.first ?? 0) << 10
        }
        return 0
    }
}

import Glibc

private func milliseconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
}

/// Wall-clock milliseconds since some point in the past.
public func wallTime() -> Double { milliseconds(CLOCK_MONOTONIC) }

/// Processor milliseconds of this process, all its threads: other programs on the machine do not count.
public func processorTime() -> Double { milliseconds(CLOCK_PROCESS_CPUTIME_ID) }

/// The most memory this process ever had in RAM, in MiB: `VmHWM`. (`getrusage` would start with the parent's peak.)
public func peakMemory() -> Double {
    let file = open("/proc/self/status", O_RDONLY)
    guard file >= 0 else { return 0 }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = read(file, &bytes, bytes.count)
    let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
        let kibibytes = Double(line.split(separator: "\t").last?.split(separator: " ").first ?? "")
    else { return 0 }
    return kibibytes / 1024
}

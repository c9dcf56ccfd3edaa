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

/// The most memory this process ever had in RAM, in MiB.
public func peakMemory() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_maxrss) / 1024
}

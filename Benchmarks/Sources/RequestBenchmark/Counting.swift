import Glibc

/// Calls of the allocator so far, in all threads of this process.
///
/// Counted by `peers/count_allocations.c`, which has to be loaded before the program (`LD_PRELOAD`). Nil without it.
func allocationCount() -> UInt? { counter.map { UInt($0()) } }

private let counter: (@convention(c) () -> CUnsignedLong)? = dlsym(nil, "gannet_allocations").map {
    unsafeBitCast($0, to: (@convention(c) () -> CUnsignedLong).self)
}

/// Processor time of this process in microseconds, user and system, of all threads.
func processorMicroseconds() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return microseconds(usage.ru_utime) + microseconds(usage.ru_stime)
}

/// Microseconds since some point in the past.
func wallMicroseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1_000_000 + Double(time.tv_nsec) / 1_000
}

private func microseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1_000_000 + Double(time.tv_usec) }

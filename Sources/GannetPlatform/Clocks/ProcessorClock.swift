import CGannetKernels
import Glibc

/// Reads how much processor time a thread or a process has used.
package struct ProcessorClock: Sendable {
    private let read: @Sendable () -> Duration

    package init(_ read: @escaping @Sendable () -> Duration) { self.read = read }

    package var used: Duration { read() }

    /// The time of the thread that reads it.
    package static let thread = ProcessorClock { time(CLOCK_THREAD_CPUTIME_ID) }

    /// The time of all threads of a process, also after its end until its parent has waited for it. Zero if there is no such
    /// process.
    package static func process(_ number: Int32) -> ProcessorClock {
        var clock = clockid_t()
        guard clock_getcpuclockid(number, &clock) == 0 else { return ProcessorClock { .zero } }
        return ProcessorClock { [clock] in time(clock) }
    }

    private static func time(_ clock: clockid_t) -> Duration {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return .zero }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

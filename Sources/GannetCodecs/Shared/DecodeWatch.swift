import GannetCore
import GannetPlatform

/// The check of long loops between rows or scans: for cancellation and for the limit of time.
struct DecodeWatch: Sendable {
    /// Tests set their own, in place of the system's clock and of the thread's.
    @TaskLocal static var time: (any TimeSource)?

    private let limits: DecodeLimits
    private let deadline: DecodeDeadline

    /// Starts the time of this thread's work.
    init(_ limits: DecodeLimits) {
        self.limits = limits
        guard let time = Self.time else {
            deadline = DecodeDeadline(limits, processor: .thread)
            return
        }
        deadline = DecodeDeadline(limits, clock: time, processor: ProcessorClock { time.uptime })
    }

    /// Starts the time of another process' work, with the same limits, which the kernel watches as well.
    init(_ other: DecodeWatch, process number: Int32) {
        limits = other.limits
        deadline = DecodeDeadline(limits, processor: .process(number), threads: BlockingExecutor.processorCount)
        deadline.limit(process: number)
    }

    /// Throws `cancelled` or `limitExceeded`. Cost: under 100 ns.
    func check() throws(ImageError) { try deadline.check() }
}

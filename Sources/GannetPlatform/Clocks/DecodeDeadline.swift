import CGannetKernels
package import GannetCore

/// The end of one step of a decode, which reads a file or decodes a frame: by the processor time that it uses.
///
/// A step that uses none and never ends, as in a library that waits for itself, ends by the clock.
package struct DecodeDeadline: Sendable {
    /// A step may take so many times as long by the clock, because other work may use the processor, too.
    private static let patience = 4

    private let clock: any TimeSource
    private let processor: ProcessorClock
    private let threads: Int
    private let start: Duration
    private let used: Duration
    private let limit: Duration
    private let grace: Duration

    /// Begins now.
    /// - Parameters:
    ///   - processor: of the thread or process that does the work.
    ///   - threads: of the work, at most. Its processor time is read once it can be used up.
    ///   - grace: added for work that watches the limit itself, and reports more about it.
    package init(
        _ limits: DecodeLimits, clock: any TimeSource = SystemTimeSource(), processor: ProcessorClock, threads: Int = 1,
        grace: Duration = .zero
    ) {
        self.clock = clock
        self.processor = processor
        self.threads = threads
        self.grace = grace
        limit = limits.maximumDecodeTime
        start = clock.uptime
        used = processor.used
    }

    /// Throws `cancelled` or `limitExceeded`. Cost: under 100 ns until the limit has passed by the clock.
    package func check() throws(ImageError) {
        try ImageError.checkCancellation(stage: .decode)
        try checkTime()
    }

    /// The same without a look at the task: throws `limitExceeded`.
    package func checkTime() throws(ImageError) {
        let passed = clock.uptime - start
        guard passed * threads > limit + grace else { return }
        guard processor.used - used <= limit + grace else {
            throw Self.tooLong("Decoding takes more than \(limit) of processor time.")
        }
        guard passed <= limit * Self.patience + grace else {
            throw Self.tooLong("Decoding takes longer than \(limit * Self.patience).")
        }
    }

    /// Has the kernel end a process once it has used the limit, rounded up to whole seconds, in addition to what it used before.
    package func limit(process number: Int32) {
        let seconds = min(max(0, (limit + grace).components.seconds), 1 << 30) + 1
        gannet_limit_processor_time(number, UInt64(used.components.seconds + seconds) + 1)
    }

    private static func tooLong(_ words: String) -> ImageError {
        ImageError(.limitExceeded, stage: .decode, "\(words) Raise maximumDecodeTime or ask for a smaller target size.")
    }
}

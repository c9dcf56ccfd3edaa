import GannetCore

/// What long loops look at between rows or scans: whether the task was cancelled and whether the time is up.
struct DecodeWatch: Sendable {
    /// What the time is taken from; tests put a clock of their own here.
    @TaskLocal static var time: any TimeSource = SystemTimeSource()

    private let clock: any TimeSource
    private let end: Duration
    private let allowed: Duration

    /// The time begins to run now.
    init(_ limits: DecodeLimits) {
        clock = Self.time
        allowed = limits.maximumDecodeTime
        end = clock.uptime + limits.maximumDecodeTime
    }

    /// Throws `cancelled` or `limitExceeded`. Cost: under 100 ns.
    func check() throws(ImageError) {
        try ImageError.checkCancellation(stage: .decode)
        guard clock.uptime <= end else {
            throw ImageError(
                .limitExceeded, stage: .decode,
                "Decoding takes longer than \(allowed). Raise maximumDecodeTime or ask for a smaller target size.")
        }
    }
}

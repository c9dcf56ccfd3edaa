import GannetCore
import GannetPlatform

/// The reasons to end a worker, whatever it does: the load was cancelled, or its time is over.
struct SandboxDeadline {
    /// The worker watches the limit itself, and says more about it. This much later it is ended.
    private static let grace = Duration.milliseconds(250)
    private let clock = SystemTimeSource()
    private let end: Duration
    private let allowed: Duration

    init(_ limits: DecodeLimits) {
        allowed = limits.maximumDecodeTime
        end = clock.uptime + limits.maximumDecodeTime + Self.grace
    }

    func check() throws(ImageError) {
        try ImageError.checkCancellation(stage: .decode)
        guard clock.uptime <= end else {
            throw ImageError(
                .limitExceeded, stage: .decode,
                "Decoding takes longer than \(allowed). Raise maximumDecodeTime or ask for a smaller target size.")
        }
    }
}

import GannetCore
import GannetPlatform

/// The check of long loops between rows or scans: for cancellation and for the time limit.
struct DecodeWatch: Sendable {
    /// The clock; tests set their own.
    @TaskLocal static var time: any TimeSource = SystemTimeSource()

    private let clock: any TimeSource
    private let end: Duration
    private let allowed: Duration

    /// Starts the time limit.
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

import GannetCore

/// Compares the bytes of a body with the lowest rate that is allowed. Pure.
struct RateFloor {
    private let limit: LowestRate?
    private var (began, counted): (Duration, Int)

    /// `counted`: bytes that were there before the body began.
    init(_ limit: LowestRate?, at now: Duration, counted: Int = 0) {
        (self.limit, self.began, self.counted) = (limit, now, counted)
    }

    /// Throws `timedOut` if the last interval brought too few. To be called whenever bytes have come; `total` counts all of them.
    mutating func check(_ total: Int, at now: Duration) throws(ImageError) {
        guard let limit, now - began >= limit.interval else { return }
        // A process that was stopped finds no more than the buffers of the system held.
        let seconds = min(now - began, limit.interval * 2).seconds
        guard Double(total - counted) >= Double(limit.bytesPerSecond) * seconds else {
            throw ImageError(
                .timedOut, stage: .load,
                "The server sent fewer than \(limit.bytesPerSecond) bytes a second for \(limit.interval.seconds) s (deadlines.minimumBytesPerSecond)."
            )
        }
        (began, counted) = (now, total)
    }
}

import GannetCore

extension DecodeEnvironment {
    /// Bytes for memory of the picture's size that a decoder holds beside the caller's buffer. Throws `limitExceeded` if they
    /// are not free now: who called the decoder waits and begins anew, not the decoder.
    func reserve(_ bytes: Int) throws(ImageError) -> ResourceBudget.Reservation {
        if let reservation = try budget.reserve(bytes) { return reservation }
        throw ImageError(
            .limitExceeded, stage: .decode,
            "The decoder needs \(bytes) bytes beside the picture, which are not free in the decode budget of \(budget.capacity) bytes. Decode fewer pictures at once, or raise the budget."
        )
    }
}

package import GannetCore

extension DecodeEnvironment {
    /// Reserves image-sized memory that a decoder holds in addition to the caller's buffer. Throws `limitExceeded` if it is not
    /// free now: the decoder's caller waits and restarts, not the decoder.
    package func reserve(_ bytes: Int) throws(ImageError) -> ResourceBudget.Reservation {
        if let reservation = try budget.reserve(bytes) { return reservation }
        throw ImageError(
            .limitExceeded, stage: .decode,
            "The decoder needs \(bytes) bytes beside the image, which are not free in the decode budget of \(budget.capacity) bytes. Decode fewer images at once, or raise the budget."
        )
    }
}

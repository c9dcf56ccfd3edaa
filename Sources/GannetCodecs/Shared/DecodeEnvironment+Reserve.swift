import GannetCore

extension DecodeEnvironment {
    /// Bytes for memory of the picture's size that a decoder holds beside the caller's buffer. Throws `limitExceeded` if they
    /// are not free now: the gate in front of the decoders is what waits, not the decoder.
    func reserve(_ bytes: Int) throws(ImageError) -> ResourceBudget.Reservation {
        if let reservation = try budget.reserve(bytes) { return reservation }
        throw ImageError(
            .limitExceeded, stage: .decode,
            "The decoder needs \(bytes) bytes beside the picture, and other decodes hold them now. Decode fewer pictures at once or raise the budget."
        )
    }
}

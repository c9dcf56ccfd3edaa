/// The download slot of a load, as its loader sees it.
package protocol LoadSlot: Sendable {
    /// Releases the slot while `body` runs, then waits for a slot again. For long waits without transfer, such as a question to
    /// a user. If `body` or the wait fails, the load continues without a slot.
    func putDown<R: Sendable>(
        during body: () async throws(ImageError) -> R
    ) async throws(ImageError) -> R
    /// Bytes of the load have arrived: it does not keep the slot from others for nothing.
    func progressed(by count: Int)
}

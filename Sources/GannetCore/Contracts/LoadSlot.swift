/// The download slot that a load works in, as far as its loader has to do with it.
package protocol LoadSlot: Sendable {
    /// The slot is another load's until `body` has its answer; then it, or another one, is waited for. For what moves no bytes and may
    /// take long, such as a question to a person. Where `body` or the waiting fails, the load goes on to its end without a slot.
    func putDown<R: Sendable>(
        during body: () async throws(ImageError) -> R
    ) async throws(ImageError) -> R
}

package import GannetCore

extension ImageManager {
    /// Runs work on pixels outside of a load, as an encode for a response, in the line of decodes: in a slot, by priority, on the
    /// threads for pixels, and within the budget.
    ///
    /// A caller that holds decoded pixels until then should have a priority above that of decodes: every decode that goes before
    /// it adds an image that waits.
    ///
    /// - Parameter bytes: memory that the work takes besides what it was given, at most: for an encode, a copy of the pixels.
    ///
    /// Throws what `body` throws, `limitExceeded` if the budget is smaller than `bytes`, and `cancelled` while it waits.
    package func pixelWork<R: Sendable>(
        holding bytes: Int, priority: LoadPriority, _ body: @Sendable @escaping () throws(ImageError) -> R
    ) async throws(ImageError) -> R {
        let (budget, executor) = (work.budget, work.executor)
        return try await work.gate.withSlot(priority: LivePriority(priority)) { () throws(ImageError) in
            let room = try await budget.reserveWhenFree(bytes)
            defer { withExtendedLifetime(room) {} }
            return try await executor.run(body)
        }
    }
}

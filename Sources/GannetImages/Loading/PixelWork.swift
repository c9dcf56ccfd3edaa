import GannetCore
import GannetFetch
import GannetPlatform
import Synchronization

/// Work on pixels, which uses the processor: decoding, transforming, resampling, encoding.
///
/// All of it waits in one queue, ordered by live priority, for as many slots as may work at once, and runs on one pool of
/// threads, apart from those of loads: a decode that takes long holds up no task of the program. The pool has a few more threads
/// than slots, for previews, which need none. Images that are known to be small are decoded where their load runs, unless the
/// program has named an executor of its own; see ``ImagePipeline/decodeInTurn(_:_:_:_:of:)``.
///
/// Encodes for the disk wait with the lowest priority. The memory of their pixels is bounded: see ``encode(_:_:)``.
final class PixelWork: Sendable {
    let gate: PriorityGate
    /// Memory for pixels that are being decoded.
    let budget: ResourceBudget
    let executor: BlockingExecutor
    /// Whether small images may be decoded on other threads.
    let isBriefFree: Bool
    /// Bytes of pixels that wait to be encoded.
    private let unencoded = Atomic(0)
    private let unencodedLimit: Int

    init(slots: Int, budget: Int, executor: BlockingExecutor) {
        gate = PriorityGate(limit: slots)
        self.budget = ResourceBudget(capacity: budget)
        self.executor = executor
        isBriefFree = executor === BlockingExecutor.decoding
        unencodedLimit = min(budget / 16, 32 << 20)
    }

    /// True if nothing waits and no other work runs: a library may then start additional threads.
    var isAlone: Bool { gate.runningCount <= 1 && gate.waitingCount == 0 }

    /// Runs `body` in a slot, after waiting for one. Throws `cancelled` if the task is cancelled while it waits.
    func run<R: Sendable>(
        priority: LivePriority, _ body: @Sendable @escaping () throws(ImageError) -> R
    ) async throws(ImageError) -> R {
        try await gate.withSlot(priority: priority) { () throws(ImageError) in try await executor.run(body) }
    }

    /// The same, with room for `bytes` in the budget; see ``ImageManager/pixelWork(holding:priority:_:)``.
    func run<R: Sendable>(
        holding bytes: Int, priority: LoadPriority, _ body: @Sendable @escaping () throws(ImageError) -> R
    ) async throws(ImageError) -> R {
        // Budget first: work that waits for it must not hold a slot that other work could use.
        let room = try await budget.reserveWhenFree(bytes) { priority }
        defer { withExtendedLifetime(room) {} }
        return try await run(priority: LivePriority(priority), body)
    }

    /// Encodes for the disk with the lowest priority. If more than 32 MiB of pixels wait (a sixteenth of a smaller budget), the
    /// newest encode has normal priority: storing then keeps pace with decoding, and no more memory is held.
    func encode<R: Sendable>(
        _ image: DecodedImage, _ body: @Sendable @escaping () throws(ImageError) -> R
    ) async throws(ImageError) -> R {
        let bytes = image.bitmap.encodingBytes
        let isWithinLimit = unencoded.add(bytes, ordering: .relaxed).newValue <= unencodedLimit
        defer { unencoded.subtract(bytes, ordering: .relaxed) }
        return try await run(priority: LivePriority(isWithinLimit ? .veryLow : .normal), body)
    }
}

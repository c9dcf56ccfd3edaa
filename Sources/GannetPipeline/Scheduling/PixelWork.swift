import GannetCore

/// Work on pixels, which burns processor time: decoding, transforming, resampling, encoding.
///
/// All of it waits in one line, ordered by live priority, for as many slots as may work at once, and runs on one pool of threads. Jobs
/// prefer these threads for all that they do (see ``JobGraph``), so a job that has its bytes decodes where it is. The pool has some
/// more threads than slots: what a job does besides, such as taking an answer or looking into a cache, waits for no decode.
///
/// Encodes for the disk stand behind everything that somebody waits for. Pixels that wait for them are bounded: see
/// ``encode(_:_:)``.
final class PixelWork: Sendable {
    let gate: PriorityGate
    /// Of the pixels that are being decoded.
    let budget: ResourceBudget
    let executor: BlockingExecutor
    /// Pixels that wait to be encoded, in bytes.
    private let unencoded: Unencoded

    init(slots: Int, budget: Int, executor: BlockingExecutor) {
        gate = PriorityGate(limit: slots)
        self.budget = ResourceBudget(capacity: budget)
        self.executor = executor
        unencoded = Unencoded(limit: min(budget / 16, 32 << 20))
    }

    /// Nothing waits and nothing else works: a library may use threads of its own.
    var isAlone: Bool { gate.runningCount <= 1 && gate.waitingCount == 0 }

    /// Runs `body` in a slot; waits for one first. Throws `cancelled` if the task is cancelled while it waits.
    func run<R: Sendable>(
        priority: LivePriority, _ body: @Sendable @escaping () throws(ImageError) -> R
    ) async throws(ImageError) -> R {
        try await gate.withSlot(priority: priority) { () throws(ImageError) in try await executor.run(body) }
    }

    /// Encodes for the disk, behind everything that somebody waits for. Where more than 32 MiB of pixels wait for it (a sixteenth of a
    /// smaller budget), the newest is as urgent as a usual load: then storing keeps pace with decoding, and no more memory is held.
    func encode<R: Sendable>(
        _ image: DecodedImage, _ body: @Sendable @escaping () throws(ImageError) -> R
    ) async throws(ImageError) -> R {
        let bytes = image.bitmap.layout.byteCount
        let isBounded = unencoded.enter(bytes)
        defer { unencoded.leave(bytes) }
        return try await run(priority: LivePriority(isBounded ? .veryLow : .normal), body)
    }
}

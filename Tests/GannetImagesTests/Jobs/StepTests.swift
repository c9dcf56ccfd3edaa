import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// Steps: jobs that the task of another job carries out, here a transfer by an image's.
@Suite struct StepTests {
    private let graph = JobGraph()
    private let images: JobTable<Int, Int>
    private let transfers: JobTable<Int, Int>
    /// The transfer waits here.
    private let gate = AsyncGate()
    private let transfer = CacheKey("transfer")

    init() { (images, transfers) = (JobTable(graph), JobTable(graph)) }

    private struct Waiter {
        let task: Task<Result<Int, ImageError>, Never>
        func cancel() { task.cancel() }
        var code: ImageError.Code? { get async { await failureCode { try await task.value.get() } } }
    }

    /// Waits for an image that is made of the transfer; returns once it is among the waiters. `made` receives the result of the transfer.
    private func image(
        _ name: String, _ priority: LivePriority = LivePriority(.normal), listens: Bool = false,
        made: (@Sendable (Result<Int, ImageError>) -> Void)? = nil
    ) async -> Waiter {
        await waiter(images, CacheKey(name), priority, listens: listens) { [transfers, gate, transfer] job throws(ImageError) in
            do throws(ImageError) {
                let (value, _) = try await transfers.step(transfer, of: job, onProgress: { job.publish($0) }) {
                    step throws(ImageError) in
                    await gate.wait()
                    try ImageError.checkCancellation()
                    step.publish(7)
                    return 1
                }
                try ImageError.checkCancellation()
                made?(.success(value))
                return value
            } catch {
                made?(.failure(error))
                throw error
            }
        }
    }

    private func waiter(
        _ table: JobTable<Int, Int>, _ key: CacheKey, _ priority: LivePriority, listens: Bool = false,
        work: @escaping JobTable<Int, Int>.Work
    ) async -> Waiter {
        let joined = AsyncGate()
        let task = Task { () async -> Result<Int, ImageError> in
            do throws(ImageError) {
                return .success(
                    try await table.join(
                        key, priority: priority,
                        isWanted: {
                            joined.open()
                            return true
                        }, onProgress: listens ? { _ in } : nil, work: work
                    ).value)
            } catch { return .failure(error) }
        }
        await joined.wait()
        return Waiter(task: task)
    }

    /// How the work of an image ended.
    private final class Ending: Sendable {
        private let result = Mutex<Result<Int, ImageError>?>(nil)
        private let gate = AsyncGate()

        func note(_ result: Result<Int, ImageError>) {
            self.result.withLock { $0 = result }
            gate.open()
        }

        /// Waits for it; nil: with an image.
        var code: ImageError.Code? {
            get async {
                await gate.wait()
                if case .failure(let error) = result.withLock({ $0 }) { return error.code } else { return nil }
            }
        }
    }

    /// A waiter for an image whose job carries out the transfer, and another waiter for the transfer alone.
    private func ownerAndOther() async -> (owner: Waiter, other: Waiter, ending: Ending) {
        let ending = Ending()
        let owner = await image("a") { ending.note($0) }
        await gate.waitForArrivals(1)
        return (owner, await waiter(transfers, transfer, LivePriority(.low), work: never), ending)
    }

    private func never(_: Job<Int>) async throws(ImageError) -> Int { throw ImageError(.misuse, "begun anew") }

    @Test func `One task carries out both, and one transfer serves two images`() async {
        let first = await image("a")
        await gate.waitForArrivals(1)
        let second = await image("b")
        let bytes = await waiter(transfers, transfer, LivePriority(.low), work: never)
        #expect(await eventually { transfers.waiterCount == 3 })
        gate.open()
        #expect(await first.code == nil)
        #expect(await second.code == nil)
        #expect(await bytes.code == nil)
        #expect(gate.arrivedCount == 1)
    }

    @Test func `A job whose waiters have left continues while another needs its transfer, and ends after it`() async {
        let (owner, other, ending) = await ownerAndOther()
        owner.cancel()
        #expect(await owner.code == .cancelled)
        #expect(images.jobCount == 0 && transfers.jobCount == 1)
        gate.open()
        #expect(await other.code == nil, "the transfer ended with the one who began it")
        #expect(await ending.code == .cancelled, "an image was made for nobody")
    }

    @Test func `Whoever comes back finds the image's job as it runs for another`() async {
        let (owner, other, _) = await ownerAndOther()
        owner.cancel()
        #expect(await owner.code == .cancelled)
        let again = await image("a")
        gate.open()
        #expect(await again.code == nil)
        #expect(await other.code == nil)
        #expect(gate.arrivedCount == 1, "what ran was begun anew")
    }

    @Test func `Once the last of all has left, the task ends`() async {
        let (owner, other, ending) = await ownerAndOther()
        owner.cancel()
        other.cancel()
        // The gate stays closed: it lets only cancelled tasks through.
        #expect(await ending.code == .cancelled)
        #expect(images.jobCount == 0 && transfers.jobCount == 0)
        #expect(!transfers.isRunning(transfer), "its key is not free")
    }

    /// The last waiter leaves after the job has looked whether it is cancelled, and before its step stands in the table.
    @Test func `No step begins in a chain without waiters, so that no other load ends as it does`() async {
        let (mayBegin, ending) = (AsyncGate(), Ending())
        let leaving = Mutex<Waiter?>(nil)
        let begun = Mutex(false)
        let (transfers, transfer) = (transfers, transfer)
        let look = CancellationLook {
            leaving.withLock { $0.take() }?.cancel()
            return false
        }
        let owner = await CancellationLook.$current.withValue(look) {
            await waiter(images, CacheKey("a"), LivePriority(.normal)) { job throws(ImageError) in
                await mayBegin.wait()
                do throws(ImageError) {
                    return try await transfers.step(transfer, of: job) { _ throws(ImageError) in
                        begun.withLock { $0 = true }
                        return 1
                    }.value
                } catch {
                    ending.note(.failure(error))
                    throw error
                }
            }
        }
        await mayBegin.waitForArrivals(1)
        leaving.withLock { $0 = owner }
        mayBegin.open()
        #expect(await owner.code == .cancelled)
        #expect(await ending.code == .cancelled)
        #expect(!begun.withLock { $0 }, "others could join a step that is cancelled")
        let other = await waiter(transfers, transfer, LivePriority(.low)) { _ throws(ImageError) in 2 }
        #expect(await other.code == nil)
    }

    @Test func `A transfer is as urgent as the most urgent of all who need it`() async {
        let (own, other) = (LivePriority(.low), LivePriority(.veryLow))
        let owner = await image("a", own)
        await gate.waitForArrivals(1)
        #expect(transfers.runningPriorities == [.low])
        let second = await image("b", other)
        #expect(await eventually { transfers.waiterCount == 2 })
        other.set(.high)
        #expect(transfers.runningPriorities == [.high])
        #expect(images.runningPriorities.sorted() == [.low, .high], "the images themselves are not")
        own.set(.veryHigh)
        #expect(transfers.runningPriorities == [.veryHigh])
        owner.cancel()
        #expect(await owner.code == .cancelled)
        #expect(transfers.runningPriorities == [.high])
        gate.open()
        #expect(await second.code == nil)
    }

    @Test func `A transfer is watched while anybody listens to an image of it`() async {
        let owner = await image("a")
        await gate.waitForArrivals(1)
        let second = await image("b")
        let bytes = await waiter(transfers, transfer, LivePriority(.low), work: never)
        #expect(await eventually { transfers.waiterCount == 3 })
        #expect(!transfers.isWatched(transfer))
        let late = await image("b", listens: true)
        #expect(await eventually { transfers.isWatched(transfer) })
        gate.open()
        for waiter in [owner, second, bytes, late] { #expect(await waiter.code == nil) }
    }
}

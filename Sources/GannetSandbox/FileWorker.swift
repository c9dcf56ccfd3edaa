import GannetCore
import GannetPlatform
import Synchronization

/// A worker that has a whole file, between two regions of it. What its decoders have learnt of the file stays there: it follows from bytes
/// of others, so nothing of it comes into this process, and no other file's decoder sees it.
final class FileWorker: RegionKnowledge {
    struct Loan: Sendable {
        let worker: SandboxWorker
        /// Of the file.
        let count: Int
        /// The file, and what the decoders have asked for.
        let reservations: [ResourceBudget.Reservation]
    }

    private final class Place: Sendable {
        /// Nil: a session has it, or there is none yet.
        let loan = Mutex<Loan?>(nil)
    }
    private let place = Place()

    /// For one session.
    func take() -> Loan? { place.loan.withLock { $0.take() } }

    /// Where there is one already, this one ends.
    func keep(_ new: Loan) { place.loan.withLock { kept in kept = kept ?? new } }

    var heldBytes: Int { place.loan.withLock { MemoryReservation.heldBytes($0?.reservations ?? []) } }

    deinit {
        // Unstructured, because a process takes milliseconds to end, and whoever drops the file is a view or gives way to another decode.
        // Ends with the process; its memory counts until then. Not among files, whose threads may all wait for pipes.
        Task(executorPreference: BlockingExecutor.decoding) { [place] in
            guard let loan = place.loan.withLock({ $0.take() }) else { return }
            withExtendedLifetime(loan.reservations) { loan.worker.end() }
        }
    }
}

import GannetCore
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

    /// Nil: a session has it, or there is none yet. The worker ends with this object.
    private let loan = Mutex<Loan?>(nil)

    /// For one session.
    func take() -> Loan? { loan.withLock { $0.take() } }

    /// Where there is one already, this one ends.
    func keep(_ new: Loan) { loan.withLock { kept in kept = kept ?? new } }

    var heldBytes: Int { loan.withLock { MemoryReservation.heldBytes($0?.reservations ?? []) } }
}

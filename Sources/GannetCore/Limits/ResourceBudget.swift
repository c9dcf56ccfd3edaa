import Synchronization

/// Bytes that all decodes of a process may hold at once. Reserved before allocation, given back when the reservation ends.
///
/// The budget itself never waits: it says yes or no. Waiting in line is the business of the gate in front of the decoders,
/// so that a blocked thread is never what waits.
public final class ResourceBudget: Sendable {
    public let capacity: Int
    private let used: Mutex<Int>

    public init(capacity: Int) {
        self.capacity = capacity
        self.used = Mutex(0)
    }

    /// No bound.
    public static let unlimited = ResourceBudget(capacity: .max)

    public var usedBytes: Int { used.withLock { $0 } }

    /// Nil if it does not fit now. Throws `limitExceeded` if it could never fit.
    public func reserve(_ bytes: Int) throws(ImageError) -> Reservation? {
        guard bytes <= capacity else {
            throw ImageError(
                .limitExceeded, stage: .decode,
                "The picture needs \(bytes) bytes at once; all decodes together may use \(capacity). Ask for a smaller target size."
            )
        }
        let fits = used.withLock { used in
            guard used <= capacity - bytes else { return false }
            used += bytes
            return true
        }
        return fits ? Reservation(bytes: bytes, budget: self) : nil
    }

    fileprivate func giveBack(_ bytes: Int) { used.withLock { $0 -= bytes } }

    /// Bytes promised to one decode until this object ends.
    public final class Reservation: Sendable {
        public let bytes: Int
        private let budget: ResourceBudget

        fileprivate init(bytes: Int, budget: ResourceBudget) {
            self.bytes = bytes
            self.budget = budget
        }

        deinit { budget.giveBack(bytes) }
    }
}

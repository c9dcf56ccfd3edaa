package import GannetCore
import Synchronization

/// Counts the cancellation checks of blocking work, and reports cancellation from the n-th check on.
package final class CountedLooks: Sendable {
    private let cancelsAt: Int?
    private let looks = Atomic(0)

    /// `cancelsAt`: the check, counted from 1, from which on the work is cancelled; nil only counts.
    package init(cancelsAt: Int? = nil) { self.cancelsAt = cancelsAt }

    package var count: Int { looks.load(ordering: .relaxed) }

    /// The error of `body` with counted checks; nil if it returned.
    package func failure(of body: () throws(ImageError) -> Void) -> ImageError? {
        let look = CancellationLook { [self] in
            looks.add(1, ordering: .relaxed).newValue >= cancelsAt ?? .max
        }
        return CancellationLook.$current.withValue(look) {
            do throws(ImageError) { try body() } catch { return error }
            return nil
        }
    }
}

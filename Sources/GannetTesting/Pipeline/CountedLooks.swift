package import GannetCore
import Synchronization

/// Counts how often blocking work looks whether it was cancelled, and says that it was from the n-th look on.
package final class CountedLooks: Sendable {
    private let cancelsAt: Int?
    private let looks = Atomic(0)

    /// `cancelsAt`: the look, counted from 1, that finds the work cancelled, as all later ones do; nil only counts.
    package init(cancelsAt: Int? = nil) { self.cancelsAt = cancelsAt }

    package var count: Int { looks.load(ordering: .relaxed) }

    /// What `body` throws while its looks are counted; nil if it ended.
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

import GannetCore
import GannetPlatform
import Synchronization

/// A clock that advances by a step each time it is read.
final class StepTimeSource: TimeSource {
    private let step: Duration
    private let looks = Mutex(0)

    init(step: Duration) { self.step = step }

    var now: Timestamp { Timestamp(milliseconds: 0) }
    var uptime: Duration {
        looks.withLock {
            $0 += 1
            return step * $0
        }
    }
    func sleep(for duration: Duration) async throws(ImageError) {}
}

import GannetCore
import GannetTesting
import Synchronization

/// Cancels waiters inside of the library's own checks for cancellation: the check that follows its look at the task says no, and the
/// task is cancelled when it goes on. Between two suspensions, where one thread alone would never meet a cancel.
final class CancelsInside: Sendable {
    private let state: Mutex<(random: SeededGenerator, waiters: [ScheduledWaiter])>

    init(seed: UInt64) { state = Mutex((SeededGenerator(seed: seed), [])) }

    var waiters: [ScheduledWaiter] {
        get { state.withLock { $0.waiters } }
        set { state.withLock { $0.waiters = newValue } }
    }

    /// Cancels one of the waiters at one check of sixteen.
    var look: CancellationLook {
        CancellationLook { [self] in
            let waiter = state.withLock { state -> ScheduledWaiter? in
                state.random.next() % 16 == 0 ? state.waiters.randomElement(using: &state.random) : nil
            }
            waiter?.cancel()
            return false
        }
    }
}

import GannetCore
import GannetPlatform
import Glibc
import Synchronization

/// The workers of a pool that live, idle or not, so that their memory can be measured.
///
/// A worker is removed before the zygote waits for it: a number in here belongs to no other process.
final class WorkerRegister: Sendable {
    private let living = Mutex<[pid_t: Bool]>([:])

    var all: [pid_t] { living.withLock { Array($0.keys) } }

    func add(_ pid: pid_t) { living.withLock { $0[pid] = false } }

    /// True: it was ended because of its memory.
    @discardableResult func remove(_ pid: pid_t) -> Bool { living.withLock { $0.removeValue(forKey: pid) } ?? false }

    /// Kills the worker that has the most memory, if that is more than `bytes`. False: there is none.
    func endLargest(above bytes: Int, _ memory: SystemMemory = SystemMemory()) -> Bool {
        var largest: (pid: pid_t, bytes: Int)?
        for pid in all {
            guard let part = memory.process(String(pid)), part.own + part.shared > largest?.bytes ?? bytes else { continue }
            largest = (pid, part.own + part.shared)
        }
        guard let pid = largest?.pid else { return false }
        return living.withLock { living in
            guard living[pid] == false else { return false }
            living[pid] = true
            return kill(pid, SIGKILL) == 0
        }
    }
}

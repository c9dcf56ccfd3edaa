import GannetPlatform
import Glibc

/// The threads of a worker, as the system counts them. Each takes the number of a process from the whole control group.
struct WorkerThreads {
    /// Libraries start as many as there are processors of the affinity, whatever the quota, or a few more.
    static let most = max(256, 4 * Processors.allowed())

    private let folder: String

    init(of process: pid_t) { folder = "/proc/\(process)/task" }

    /// False also where there is no /proc. Cost: 1 to 2 µs.
    var areTooMany: Bool {
        var facts = stat()
        // A folder has two links, and this one another for each thread.
        return stat(folder, &facts) == 0 && Int(facts.st_nlink) - 2 > Self.most
    }
}

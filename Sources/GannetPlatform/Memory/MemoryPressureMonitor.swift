import GannetCore

/// Polls the kernel for memory pressure: `/proc/pressure/memory` (PSI), and `memory.pressure` and `memory.events` of the
/// process's control group (version 2).
///
/// If none of them exists (old kernels, some containers), it never reports, without an error: caches have their own limits. A
/// poll costs a few microseconds.
package struct MemoryPressureMonitor: Sendable {
    /// Time between two polls, default 2 s.
    package var interval: Duration
    /// Where the kernel's files are.
    package var proc: String
    /// Where control groups are mounted, to honour a container's limit; `/sys/fs/cgroup`.
    package var controlGroups: String
    private let files: any FileSystem
    private let time: any TimeSource
    private let executor: BlockingExecutor

    /// Polls the kernel's files every 2 s on the file threads. Reads nothing before ``run(_:)``.
    package init(
        interval: Duration = .seconds(2), proc: String = "/proc", controlGroups: String = "/sys/fs/cgroup",
        files: any FileSystem = POSIXFileSystem(), time: any TimeSource = SystemTimeSource(), executor: BlockingExecutor = .files
    ) {
        self.interval = interval
        self.proc = proc
        self.controlGroups = controlGroups
        self.files = files
        self.time = time
        self.executor = executor
    }

    /// Calls `onPressure` after each interval with memory pressure. Returns when the task is cancelled, or at once if the
    /// kernel reports nothing.
    package func run(_ onPressure: @Sendable (MemoryPressure) -> Void) async {
        guard var last = await sample(), !last.isEmpty else { return }
        var asked = time.uptime
        while true {
            do throws(ImageError) { try await time.sleep(for: interval) } catch { return }
            // Files that vanish may come back.
            guard let next = await sample(), !next.isEmpty else { continue }
            let now = time.uptime
            let pressure = next.pressure(since: last, after: now - asked)
            (last, asked) = (next, now)
            if pressure > .none { onPressure(pressure) }
        }
    }

    /// Nil: the task was cancelled.
    private func sample() async -> MemoryPressureSample? {
        try? await executor.run { () throws(ImageError) in
            var sample = MemoryPressureSample()
            let memory = SystemMemory(files: files, proc: proc, controlGroups: controlGroups)
            if let text = memory.text(proc + "/pressure/memory") { sample.add(pressure: text) }
            if let group = memory.groupFolder {
                if let text = memory.text(group + "/memory.pressure") { sample.add(pressure: text) }
                if let text = memory.text(group + "/memory.events") { sample.add(events: text) }
            }
            return sample
        }
    }

    /// Equal for monitors that read the same files at the same interval by the system's clock; nil for a monitor with another
    /// clock or other files.
    var poll: MemoryPressurePoll? {
        guard files is POSIXFileSystem, time is SystemTimeSource else { return nil }
        return MemoryPressurePoll(interval: interval, proc: proc, controlGroups: controlGroups)
    }
}

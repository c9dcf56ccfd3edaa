public import GannetCore

/// Asks the kernel now and then whether memory is short: `/proc/pressure/memory` (PSI), and `memory.pressure` and
/// `memory.events` of the process's control group (version 2).
///
/// Where none of them exists (old kernels, some containers) nothing is ever reported, and that is no error: caches have limits
/// of their own. A question costs a few microseconds.
public struct MemoryPressureMonitor: Sendable {
    /// Between two questions, default 2 s.
    public var interval: Duration
    /// Where the kernel's files are.
    public var proc: String
    /// Where control groups are mounted, so that a container's own limit counts; `/sys/fs/cgroup`.
    public var controlGroups: String
    private let files: any FileSystem
    private let time: any TimeSource
    private let executor: BlockingExecutor

    /// Asks the kernel's own files every 2 s, on the threads for files. Nothing is read before ``run(_:)``.
    public init(
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

    /// Calls `onPressure` after each interval in which memory was short. Returns when the task is cancelled, or at once where
    /// the kernel says nothing.
    public func run(_ onPressure: @Sendable (MemoryPressure) -> Void) async {
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
}

/// Tells somebody about memory pressure for as long as it lives.
public final class MemoryPressureWatcher: Sendable {
    private let task: Task<Void, Never>

    /// `onPressure` is called from any thread.
    public init(
        _ monitor: MemoryPressureMonitor = MemoryPressureMonitor(), onPressure: @escaping @Sendable (MemoryPressure) -> Void
    ) {
        // Ends with the watcher, which the task does not hold.
        task = Task { await monitor.run(onPressure) }
    }

    deinit { task.cancel() }
}

extension MemoryCache {
    /// What an application calls that hears of memory pressure by itself. `some` keeps the more recently used half of what is
    /// there, so that lasting pressure empties the cache step by step; `critical` keeps nothing. Pictures that are shown
    /// somewhere are found again in either case. - SDWebImage: didReceiveMemoryWarning
    public func relieve(_ pressure: MemoryPressure) {
        switch pressure {
        case .none: break
        case .some: trim(toBytes: usage.bytes / 2)
        case .critical: trim(toBytes: 0)
        }
    }

    /// Gives memory back whenever the monitor says that it is short, for as long as this cache lives: pictures, then the idle
    /// pixel memory of the pool. Replaces the monitor that was followed before.
    public func followPressure(of monitor: MemoryPressureMonitor = MemoryPressureMonitor(), pool: PixelPool = .shared) {
        follow(
            MemoryPressureWatcher(monitor) { [weak self] pressure in
                self?.relieve(pressure)
                pool.trim()
            })
    }
}

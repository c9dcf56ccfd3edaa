#if CommandLine
    import GannetCore
    import GannetPlatform
    import GannetSandbox
    import Glibc
    import Synchronization

    /// What this process and those of its sandbox use.
    final class WholeUsage: Sendable {
        private let most = Mutex(0)
        private let watching = Mutex<Task<Void, Never>?>(nil)

        /// Begins to look at the memory, every 5 ms.
        init() {
            // Unstructured, because it ends with `end()`.
            let task = Task.detached { [weak self] in
                let clock = SystemTimeSource()
                while !Task.isCancelled, let self {
                    self.look()
                    try? await clock.sleep(for: .milliseconds(5))
                }
            }
            watching.withLock { $0 = task }
        }

        /// Processor time of all of them, those that have ended left out.
        var used: Duration {
            SandboxPool.shared.processes.reduce(ProcessorClock.process(getpid()).used) { $0 + ProcessorClock.process($1).used }
        }

        /// MiB now, and the most at once since this was asked last: the files that are mapped, the program's among them, once. As JSON.
        func memory() -> String {
            let now = look()
            let most = most.withLock { most in
                defer { most = 0 }
                return most
            }
            return "{\"now_mib\": \(now >> 20), \"peak_mib\": \(most >> 20)}"
        }

        /// Looks no more.
        func end() { watching.withLock { $0.take() }?.cancel() }

        @discardableResult private func look() -> Int {
            let memory = SystemMemory()
            var sum = 0
            for number in [getpid()] + SandboxPool.shared.processes {
                guard let part = memory.process(String(number)) else { continue }
                sum += part.own + part.shared + (number == getpid() ? part.files : 0)
            }
            most.withLock { $0 = max($0, sum) }
            return sum
        }
    }

    /// Processor and clock time of decodes, in milliseconds.
    enum Costs {
        typealias One = (processor: Duration, clock: Duration)

        static func json(_ costs: [One]) -> String {
            func numbers(_ times: [Duration]) -> String {
                let sorted = times.sorted()
                let (median, late) = (sorted[sorted.count / 2], sorted[sorted.count * 95 / 100])
                return sorted.count == 1 ? text(median) : "[\(text(median)), \(text(late))]"
            }
            return "{\"processor_ms\": \(numbers(costs.map(\.processor))), \"clock_ms\": \(numbers(costs.map(\.clock)))}"
        }

        private static func text(_ time: Duration) -> String { "\((time / .milliseconds(1) * 10).rounded() / 10)" }
    }
#endif

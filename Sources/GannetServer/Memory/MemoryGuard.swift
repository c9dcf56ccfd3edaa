#if Server
    import GannetCore
    package import GannetPlatform
    import Synchronization

    /// Whether there is memory for new work, by what is used. Pure.
    struct MemoryGuardState: Equatable, Sendable {
        let limit: Int
        private(set) var used = 0
        private(set) var peak = 0
        /// From the high mark on, until the low one: else each freed image would let the next one in at the edge.
        private(set) var isShort = false
        var refused = 0
        var endedWorkers = 0

        private var lastRelief: Duration?

        init(limit: Int) { self.limit = limit }

        var highMark: Int { limit / 100 * 85 }
        var lowMark: Int { limit / 100 * 75 }
        /// Some worker takes more than it has reserved.
        var lastMark: Int { limit / 100 * 96 }

        /// True: memory should be given back now, which costs something, and so once a second at most.
        mutating func note(_ bytes: Int, at now: Duration) -> Bool {
            used = bytes
            peak = max(peak, bytes)
            isShort = bytes >= (isShort ? lowMark : highMark)
            guard isShort, lastRelief.map({ now - $0 >= .seconds(1) }) ?? true else { return false }
            lastRelief = now
            return true
        }
    }

    /// Measures the memory of a service and its workers, refuses new work before the limit, and gives back what a service at rest does not need.
    package final class MemoryGuard: Sendable {
        /// The parts that the limit is divided into.
        package let plan: MemoryPlan
        private let state: Mutex<MemoryGuardState>
        private let measure: @Sendable () -> Int?
        private let relief: Relief
        private let time: any TimeSource

        /// Ways to free memory. All of them may block, shortly.
        package struct Relief: Sendable {
            /// While there is too little.
            package var free: @Sendable () -> Void
            /// When nothing is made any more.
            package var rest: @Sendable () -> Void
            /// At the last mark; false: no worker has too much.
            package var endLargest: @Sendable () -> Bool

            package init(
                free: @escaping @Sendable () -> Void, rest: @escaping @Sendable () -> Void,
                endLargest: @escaping @Sendable () -> Bool
            ) { (self.free, self.rest, self.endLargest) = (free, rest, endLargest) }
        }

        /// `measure`: bytes in use, as ``ServiceMemory`` has them; nil: unknown, and nothing is refused.
        package init(
            _ plan: MemoryPlan, measure: @escaping @Sendable () -> Int?, relief: Relief, time: any TimeSource = SystemTimeSource()
        ) {
            self.plan = plan
            self.measure = measure
            self.relief = relief
            self.time = time
            state = Mutex(MemoryGuardState(limit: plan.limit))
        }

        var current: MemoryGuardState { state.withLock { $0 } }

        /// Throws `cancelled`, with a message for the client, while there is too little.
        func admit() throws(ImageError) {
            let isRefused = state.withLock { state in
                if state.isShort { state.refused += 1 }
                return state.isShort
            }
            guard isRefused else { return }
            var error = ImageError(.cancelled, stage: .resolve, "There is no memory for a new image now; try again.")
            error.retryAfter = .seconds(1)
            throw error
        }

        /// Between two looks while something is made, and while nothing is.
        static let intervals = (busy: Duration.milliseconds(100), quiet: Duration.seconds(1))
        /// Nothing was made for so long: the service rests.
        static let restAfter = Duration.seconds(5)

        /// Looks until the task is cancelled. `work`: requests whose responses are made now, and all that were ever begun.
        package func run(_ work: @Sendable () -> (running: Int, begun: Int)) async {
            var (rested, seen, lastWork) = (work().begun, work().begun, time.uptime)
            while true {
                await look()
                let (running, begun) = work()
                if running > 0 || begun != seen { (seen, lastWork) = (begun, time.uptime) }
                if running == 0, begun != rested, time.uptime - lastWork >= Self.restAfter {
                    rested = begun
                    await blocking(relief.rest)
                }
                let interval = running > 0 ? Self.intervals.busy : Self.intervals.quiet
                do throws(ImageError) { try await time.sleep(for: interval) } catch { return }
            }
        }

        func look() async {
            guard let used = await blocking(measure) ?? nil else { return }
            let uptime = time.uptime
            let (isDue, now) = state.withLock { state in (state.note(used, at: uptime), state) }
            if isDue { await blocking(relief.free) }
            if now.used >= now.lastMark, await blocking(relief.endLargest) == true { state.withLock { $0.endedWorkers += 1 } }
        }

        /// Nil: the task was cancelled.
        @discardableResult private func blocking<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R? {
            try? await BlockingExecutor.files.run { () throws(ImageError) in body() }
        }
    }
#endif

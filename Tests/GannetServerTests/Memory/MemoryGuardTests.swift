#if CommandLine && HTTP && Server && PNG
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetTesting
    import Synchronization
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// New work is refused before the memory is used up.
    struct MemoryGuardTests {
        /// What is used, and what was done about it.
        final class Machine: Sendable {
            private struct State {
                var used: Int? = 0
                var done: [String] = []
                var begun = 0
            }
            private let state = Mutex(State())
            let time = ManualTimeSource()
            let plan: MemoryPlan

            init() throws { plan = try MemoryPlan(MemoryPlan.Wishes(limit: 200 << 20, processors: 1)) }

            var done: [String] { state.withLock { $0.done } }
            /// Requests whose responses were made.
            var begun: Int {
                get { state.withLock { $0.begun } }
                set { state.withLock { $0.begun = newValue } }
            }
            private func note(_ what: String) { state.withLock { $0.done.append(what) } }

            func use(percent: Int?) { state.withLock { $0.used = percent.map { plan.limit / 100 * $0 } } }

            var guarding: MemoryGuard {
                MemoryGuard(
                    plan, measure: { [self] in state.withLock { $0.used } },
                    relief: MemoryGuard.Relief(
                        free: { [self] in note("free") }, rest: { [self] in note("rest") },
                        endLargest: { [self] in
                            note("end")
                            return true
                        }), time: time)
            }
        }

        private func admits(_ guarding: MemoryGuard) -> Bool {
            do throws(ImageError) { try guarding.admit() } catch { return false }
            return true
        }

        @Test func `From the high mark to the low one nothing new begins`() async throws {
            let machine = try Machine()
            let guarding = machine.guarding
            var admitted: [Bool] = []
            for percent in [50, 84, 85, 80, 76, 74, 80, 84, 90] {
                machine.use(percent: percent)
                await guarding.look()
                admitted.append(admits(guarding))
            }
            #expect(admitted == [true, true, false, false, false, true, true, true, false])
            #expect(guarding.current.refused == 4 && guarding.current.peak == machine.plan.limit / 100 * 90)
            #expect(guarding.current.endedWorkers == 0)
        }

        @Test func `Memory is given back once a second while it is short`() async throws {
            let machine = try Machine()
            let guarding = machine.guarding
            machine.use(percent: 90)
            for _ in 0..<5 { await guarding.look() }
            #expect(machine.done == ["free"])
            machine.time.advance(by: .seconds(1))
            await guarding.look()
            #expect(machine.done == ["free", "free"])
        }

        @Test func `At the end the largest worker ends`() async throws {
            let machine = try Machine()
            let guarding = machine.guarding
            machine.use(percent: 97)
            await guarding.look()
            #expect(machine.done == ["free", "end"] && guarding.current.endedWorkers == 1)
        }

        @Test func `What cannot be measured changes nothing`() async throws {
            let machine = try Machine()
            let guarding = machine.guarding
            machine.use(percent: nil)
            await guarding.look()
            #expect(admits(guarding) && guarding.current.used == 0)
        }

        /// Once after each time in which something was made.
        @Test func `A service that has nothing to do rests`() async throws {
            let machine = try Machine()
            let guarding = machine.guarding
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await guarding.run { (0, machine.begun) } }
                func pass(_ seconds: Int) async {
                    for _ in 0..<seconds {
                        await machine.time.waitForSleepers()
                        machine.time.advance(by: .seconds(1))
                    }
                    await machine.time.waitForSleepers()
                }
                await pass(10)
                #expect(machine.done.isEmpty)
                machine.begun = 1
                await pass(3)
                #expect(machine.done.isEmpty)
                await pass(20)
                #expect(machine.done == ["rest"])
                group.cancelAll()
            }
        }

        // NW-16
        @Test func `Refused images are a 503 that says when to come back, and kept answers are sent`() async throws {
            let machine = try Machine()
            let guarding = machine.guarding
            let drawn = try DrawnService(try DrawnService.map()) {
                $0.memory = guarding
                $0.showsMetrics = true
            }
            let first = await drawn.answer("rs:fit:20:20/f:png")
            #expect(first.status == 200)
            machine.use(percent: 90)
            await guarding.look()
            let refused = await drawn.answer("rs:fit:21:21/f:png")
            #expect(refused.status == 503 && refused.headers.contains { $0.0 == "Retry-After" && $0.1 == "1" })
            let kept = await drawn.answer("rs:fit:20:20/f:png")
            #expect(kept.status == 200 && kept.origin == .memory && kept.body == first.body)
            let figures = String(decoding: await drawn.service.respond(to: .init(target: "/metrics")).body, as: UTF8.self)
            for line in [
                "gannet_memory_short 1", "gannet_memory_refused_total 1", "gannet_memory_limit_bytes \(machine.plan.limit)",
                "gannet_memory_part_bytes{part=\"decodes\"} \(machine.plan.decodes)",
            ] { #expect(figures.contains(line + "\n"), "\(line)") }
            machine.use(percent: 60)
            await guarding.look()
            #expect(await drawn.answer("rs:fit:21:21/f:png").status == 200)
        }

        @Test func `Every 503 says when to come back`() {
            let answer = ThumbnailService.response(ImageError(.cancelled, stage: .decode, "There is no room now."))
            #expect(answer.status == 503 && answer.headers.contains { $0.0 == "Retry-After" })
        }
    }
#endif

#if CommandLine && Server && PNG
    import GannetCore
    import GannetImages
    import GannetTesting
    import InMemoryTracing
    import Synchronization
    import Testing
    import Tracing

    @testable import GannetServer
    @testable import gannet

    /// How replicas agree on who makes an answer, without a server and by a test's clock.
    struct LeasedRenderingTests {
        private let time = ManualTimeSource()
        private let lease = ResponseLease(number: 7, token: "7-a")
        private let answer = StoredResponse(mimeType: "image/png", bytes: [1], freshness: .unknown)
        private let other = StoredResponse(mimeType: "image/png", bytes: [2], freshness: .unknown)

        private func key() throws -> ResponseKey {
            let address = try ThumbnailAddress("/1x1/fit?url=http://a.org/")
            return ResponseKey(
                address, FormatChoice(address.options, accept: "", preferred: [], coders: CodersManager([])), of: .plain)
        }

        private func rendering(_ leases: ScriptedLeases) -> LeasedRendering {
            LeasedRendering(leases: leases, time: time, renewal: .milliseconds(300))
        }

        /// Makes it, while the clock goes on by `step` whenever somebody sleeps. What was found, and the numbers of what was made.
        private func run(
            _ leases: ScriptedLeases, finds: [StoredResponse?] = [nil], step: Duration = .milliseconds(1)
        ) async throws -> (made: LeasedRendering.Made, numbers: [Int]) {
            let looks = Mutex(0)
            let numbers = Mutex<[Int]>([])
            let key = try key()
            let clock = Task {
                while !Task.isCancelled {
                    await time.waitForSleepers()
                    time.advance(by: step)
                }
            }
            defer { clock.cancel() }
            let made = try await rendering(leases).make(key) {
                let count = looks.withLock { count in
                    count += 1
                    return count
                }
                return finds[min(count, finds.count) - 1]
            } make: { number in
                numbers.withLock { $0.append(number) }
                return answer
            }
            return (made, numbers.withLock { $0 })
        }

        @Test func theHolderMakesItUnderItsNumber() async throws {
            let leases = ScriptedLeases([.held(lease)])
            let (made, numbers) = try await run(leases)
            #expect(numbers == [7] && !made.isShared && leases.calls.ended == [lease])
        }

        /// Another holder ended between the first look and the lease.
        @Test func theHolderLooksAgain() async throws {
            let leases = ScriptedLeases([.held(lease)])
            let (made, numbers) = try await run(leases, finds: [other])
            #expect(numbers.isEmpty && made.isShared && made.response.bytes == [2] && leases.calls.ended == [lease])
        }

        @Test func withoutLeasesEveryoneWorksAlone() async throws {
            let leases = ScriptedLeases([.unavailable])
            let (made, numbers) = try await run(leases)
            #expect(numbers == [0] && !made.isShared && leases.calls.looks == 0)
        }

        @Test func theOthersWaitForTheAnswer() async throws {
            let held = LeaseState(isHeld: true, number: nil)
            let leases = ScriptedLeases(
                [.taken], states: [held, held, held, LeaseState(isHeld: true, number: 3), LeaseState(isHeld: false, number: 7)])
            // The first one that is stored is an old one, which is looked at once.
            let (made, numbers) = try await run(leases, finds: [nil, other])
            #expect(numbers.isEmpty && made.isShared && made.response.bytes == [2])
            // 5, 7.5, 11.25, 16.875 and 25.3125 ms.
            #expect(leases.calls.looks == 5 && (.milliseconds(65)...(.milliseconds(75))).contains(time.uptime))
        }

        @Test func aLeaseThatEndsWithoutAnAnswerGoesToTheNext() async throws {
            let states = [LeaseState(isHeld: true, number: 3), LeaseState(isHeld: false, number: 3)]
            let next = ScriptedLeases([.taken, .held(lease)], states: states)
            #expect(try await run(next).numbers == [7])
            #expect(next.calls.ended == [lease])
            // Nobody waits a second time.
            let last = ScriptedLeases([.taken, .taken], states: states)
            #expect(try await run(last).numbers == [0])
            #expect(last.calls.looks == 2)
            let gone = ScriptedLeases([.taken, .unavailable], states: [nil])
            #expect(try await run(gone).numbers == [0])
        }

        @Test func nobodyWaitsForEver() async throws {
            let leases = ScriptedLeases([.taken], states: [LeaseState(isHeld: true, number: nil)])
            #expect(try await run(leases, step: .milliseconds(100)).numbers == [0])
            #expect((.seconds(10)...(.seconds(11))).contains(time.uptime))
        }

        @Test func aLeaseIsRenewedUntilTheAnswerIsMade() async throws {
            let (leases, gate, key) = (ScriptedLeases([.held(lease)]), AsyncGate(), try key())
            async let made = rendering(leases).make(key) {
                nil
            } make: { _ in
                await gate.wait()
                return answer
            }
            for count in 1...3 {
                await time.waitForSleepers()
                #expect(leases.calls.renewals == count - 1 && leases.calls.ended.isEmpty)
                time.advance(by: .milliseconds(300))
                #expect(await eventually { leases.calls.renewals == count })
            }
            gate.open()
            #expect(try await made.response.bytes == [1])
            #expect(leases.calls.ended == [lease] && time.sleeperCount == 0)
        }

        /// An answer that is being made is still made, and the former holder does not ask for the lease again.
        @Test func aLostLeaseIsNotRenewedAgain() async throws {
            let (leases, gate, key) = (ScriptedLeases([.held(lease)], renews: false), AsyncGate(), try key())
            async let made = rendering(leases).make(key) {
                nil
            } make: { _ in
                await gate.wait()
                return answer
            }
            await time.waitForSleepers()
            time.advance(by: .milliseconds(300))
            #expect(await eventually { leases.calls.renewals == 1 && time.sleeperCount == 0 })
            gate.open()
            #expect(try await made.response.bytes == [1])
        }

        @Test func theLeaseAndTheWaitForAnothersAreSpans() async throws {
            let tracer = InMemoryTracer()
            let request = tracer.startSpan("request", context: .topLevel)
            var context = request.context
            context.work = TracedWork(tracer, request)
            let held = LeaseState(isHeld: true, number: nil)
            let leases = ScriptedLeases([.taken, .held(lease)], states: [held, LeaseState(isHeld: false, number: nil)])
            try await ServiceContext.$current.withValue(context) { _ = try await run(leases) }
            #expect(tracer.finishedSpans.map(\.operationName) == ["gannet.lease", "gannet.lease.wait"])
            #expect(tracer.finishedSpans.allSatisfy { $0.parentSpanID == request.spanID && $0.errors.isEmpty })
            request.end()
        }

        @Test func aFailureFreesTheLease() async throws {
            let (leases, key) = (ScriptedLeases([.held(lease)]), try key())
            let error = await #expect(throws: ImageError.self) {
                try await rendering(leases).make(key) {
                    nil
                } make: { _ throws(ImageError) in
                    throw ImageError(.network, "away")
                }
            }
            #expect(error?.code == .network && leases.calls.ended == [lease])
        }
    }
#endif

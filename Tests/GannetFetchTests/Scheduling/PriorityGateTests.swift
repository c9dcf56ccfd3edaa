import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTesting
import Synchronization
import Testing

@Suite struct PriorityGateTests {
    /// Work that notes its name when it gets its slot.
    private final class Log: Sendable {
        let names = Mutex<[String]>([])
        func add(_ name: String) { names.withLock { $0.append(name) } }
    }

    @Test func raisingAndLoweringReordersWhatWaits() async throws {  // NK-03, MG-23
        let gate = PriorityGate(limit: 1)
        let door = AsyncGate()
        let log = Log()
        let first = LivePriority(.normal)
        let second = LivePriority(.normal)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await gate.withSlot(priority: .normal) { await door.wait() } }
            await door.waitForArrivals(1)
            group.addTask { try? await gate.withSlot(priority: first) { log.add("first") } }
            #expect(await eventually { gate.waitingCount >= 1 })
            group.addTask { try? await gate.withSlot(priority: second) { log.add("second") } }
            #expect(await eventually { gate.waitingCount >= 2 })
            second.set(.high)
            first.set(.low)
            door.open()
        }
        #expect(log.names.withLock { $0 } == ["second", "first"])
        #expect(gate.runningCount == 0 && gate.waitingCount == 0)
    }

    @Test func cancellingWhatWaitsTakesNoSlot() async {
        let gate = PriorityGate(limit: 1)
        let door = AsyncGate()
        let holder = Task { try? await gate.withSlot(priority: .normal) { await door.wait() } }
        await door.waitForArrivals(1)
        let waiter = Task { () -> ImageError.Code? in
            do throws(ImageError) { try await gate.withSlot(priority: .normal) {} } catch { return error.code }
            return nil
        }
        #expect(await eventually { gate.waitingCount >= 1 })
        waiter.cancel()
        #expect(await waiter.value == .cancelled)
        #expect(gate.waitingCount == 0)
        door.open()
        _ = await holder.value
        #expect(gate.runningCount == 0)
    }

    @Test func lastInFirstOutServesTheNewestFirst() {  // DL-08
        var state = PriorityGateState(limit: 1, order: .lastInFirstOut)
        let entered = state.enterAtOnce()
        #expect(entered)
        for value in 1...3 { state.enqueue(.init(value: UInt64(value)), priority: .normal) }
        state.leave()
        let admitted = state.admit().admitted
        #expect(admitted.map(\.value) == [3])
    }

    // DL-07
    @Test func aSuspendedGateAdmitsNobodyUntilItGoesOn() {
        var state = PriorityGateState(limit: 2)
        state.isSuspended = true
        let entered = state.enterAtOnce()
        #expect(!entered)
        state.enqueue(.init(value: 1), priority: .low)
        let none = state.admit().admitted
        #expect(none.isEmpty)
        state.isSuspended = false
        let admitted = state.admit().admitted
        #expect(admitted.map(\.value) == [1])
    }
}

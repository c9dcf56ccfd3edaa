import FoundationEssentials
import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

@testable import GannetFetch

/// Servers that drip or stand still: they end, and they do not hold up others.
@Suite(.timeLimit(.minutes(2))) struct SlowTransferTests {
    /// Bytes of hosts that begin with `slow` come when the gate opens.
    private static func rig(_ gate: AsyncGate, slots: Int, perOrigin: Int? = nil) -> DownloadRig {
        DownloadRig(
            change: {
                $0.maximumConcurrentDownloads = slots
                $0.maximumPerOrigin = perOrigin
                // The clock of these tests moves while bodies stand still.
                $0.deadlines.lowestRate = nil
            },
            answer: { request, _ throws(ImageError) in
                guard request.url.host?.hasPrefix("slow") == true else { return .fixed(request, body: DownloadRig.picture) }
                let isSent = Mutex(false)
                let body = ByteStream { () async throws(ImageError) -> [UInt8]? in
                    await gate.wait()
                    try ImageError.checkCancellation()
                    return isSent.withLock { $0.exchange(true) } ? nil : DownloadRig.picture
                }
                return HTTPResponse(head: HTTPResponseHead(status: 200, headers: HTTPHeaders(), url: request.url), body: body)
            })
    }

    /// Lets the watch look until the condition holds: it gives up a transfer at the second look after the beginning.
    private static func pass(_ rig: DownloadRig, until condition: () -> Bool) async -> Bool {
        await eventually {
            if condition() { return true }
            if rig.time.sleeperCount > 0 { rig.time.advance(by: .seconds(2)) }
            return false
        }
    }

    @Test func `Twelve sources that stand still hold up no other`() async throws {
        let gate = AsyncGate()
        let rig = Self.rig(gate, slots: 6)
        let slow = (0..<12).map { index in Task { await rig.fetch("https://slow\(index % 2).org/\(index).png") } }
        await gate.waitForArrivals(6)
        let other = Task { await rig.fetch() }
        #expect(await eventually { rig.loader.slots.waitingCount == 7 })
        #expect(await Self.pass(rig) { gate.arrivedCount == 12 && rig.loader.slots.waitingCount == 0 })
        #expect(await other.value.failureCode == nil)
        gate.open()
        for task in slow { #expect(await task.value.failureCode == nil) }
        #expect(rig.loader.slots.runningCount == 0 && rig.loader.slots.waitingCount == 0)
        // A transfer that continued without a slot has left its place.
        let again = Task { await rig.fetch("https://slow0.org/a.png") }
        #expect(await again.value.failureCode == nil)
    }

    @Test func `A slow server gets no more requests for that`() async throws {
        let gate = AsyncGate()
        let rig = Self.rig(gate, slots: 2)
        let slow = (0..<3).map { index in Task { await rig.fetch("https://slow.org/\(index).png") } }
        await gate.waitForArrivals(2)
        #expect(await eventually { rig.loader.slots.waitingCount == 1 })
        // One leaves its slot; then no other server has to wait.
        #expect(await Self.pass(rig) { rig.loader.slots.runningCount == 1 })
        #expect(await rig.fetch().failureCode == nil)
        #expect(gate.arrivedCount == 2 && rig.loader.slots.waitingCount == 1)
        gate.open()
        for task in slow { #expect(await task.value.failureCode == nil) }
    }

    @Test func `A transfer whose bytes come keeps its slot`() async throws {
        let gate = AsyncGate()
        let rig = Self.rig(gate, slots: 1)
        let slot = Mutex<HeldSlot?>(nil)
        let held = Task { @Sendable in
            let held = try await rig.loader.slots.take(for: ImageSource(DownloadRig.url), priority: LivePriority(.normal))
            defer { rig.loader.slots.giveBack(held) }
            slot.withLock { $0 = held }
            await gate.wait()
        }
        await gate.waitForArrivals(1)
        let waiting = Task { await rig.fetch() }
        for _ in 0..<3 {
            #expect(await eventually { rig.loader.slots.waitingCount == 1 && rig.time.sleeperCount == 1 })
            slot.withLock { $0 }?.progressed(by: 4096)
            rig.time.advance(by: .seconds(2))
        }
        #expect(await eventually { rig.time.sleeperCount == 1 })
        #expect(rig.loader.slots.runningCount == 1 && rig.loader.slots.waitingCount == 1)
        gate.open()
        try await held.value
        #expect(await waiting.value.failureCode == nil)
    }

    /// One chunk a second.
    private static func fetch(_ sizes: [Int], _ rate: LowestRate?) async -> ImageError? {
        let clock = Mutex<ManualTimeSource?>(nil)
        let rest = Mutex(sizes)
        let rig = DownloadRig(
            change: { $0.deadlines.lowestRate = rate },
            answer: { request, _ throws(ImageError) in
                let body = ByteStream { () async throws(ImageError) -> [UInt8]? in
                    clock.withLock { $0 }?.advance(by: .seconds(1))
                    return rest.withLock { $0.isEmpty ? nil : [UInt8](repeating: 1, count: $0.removeFirst()) }
                }
                return HTTPResponse(head: HTTPResponseHead(status: 200, headers: HTTPHeaders(), url: request.url), body: body)
            })
        clock.withLock { $0 = rig.time }
        guard case .failure(let error) = await rig.fetch() else { return nil }
        #expect(!rest.withLock { $0.isEmpty }, "read to the end")
        return error
    }

    @Test func `A body that drips is given up`() async throws {
        let drip = Array(repeating: 1, count: 50)
        let error = try #require(await Self.fetch(drip, .standard))
        #expect(error.code == .timedOut && error.message.contains("minimumBytesPerSecond"))
        #expect(await Self.fetch(drip, nil) == nil)
        #expect(await Self.fetch(drip, LowestRate(bytesPerSecond: 1, over: .seconds(10))) == nil)
        #expect(await Self.fetch(drip.map { _ in 300 }, .standard) == nil)
        // It was quick before.
        #expect(await Self.fetch([1 << 20] + drip, .standard)?.code == .timedOut)
        // A pause within the interval is none of its business.
        #expect(await Self.fetch(drip.indices.map { $0 % 9 == 0 ? 8192 : 1 }, .standard) == nil)
    }
}

extension Bool {
    fileprivate mutating func exchange(_ value: Bool) -> Bool {
        defer { self = value }
        return self
    }
}

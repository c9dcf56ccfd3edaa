import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// DL-01, DL-06, DL-07, DL-08, MG-23, MG-24, NK-03, NK-04: which requests may transfer, and when.
@Suite struct DownloadSlotsTests {
    private struct Doorkeeper: CredentialProvider {
        let gate = AsyncGate()
        var answer: Credential? = .basic(user: "u", password: "p")

        func credential(for realm: AuthenticationRealm, rejected: Credential?) async throws -> Credential? {
            await gate.wait()
            return answer
        }
    }

    /// One slot, and a host that wants a password.
    private static func rig(asking keeper: any CredentialProvider, accepts: Bool = true) -> DownloadRig {
        DownloadRig(
            change: {
                $0.credentials = keeper
                $0.maximumConcurrentDownloads = 1
            },
            answer: { request, _ throws(ImageError) in
                let isRefused =
                    request.url.host == "closed.org" && !(accepts && request.headers.contains("Authorization"))
                return .fixed(
                    request, status: isRefused ? 401 : 200, headers: isRefused ? [("WWW-Authenticate", "Basic realm=\"r\"")] : [],
                    body: DownloadRig.picture)
            })
    }

    @Test func `While somebody is asked for a password, others have the slot`() async throws {
        let keeper = Doorkeeper()
        let rig = Self.rig(asking: keeper)
        async let closed = rig.text("https://closed.org/a.png")
        await keeper.gate.waitForArrivals(1)
        #expect(rig.loader.slots.runningCount == 0)
        // It would wait for the answer.
        if rig.loader.slots.runningCount == 0 { #expect(try await rig.text() == "picture") }
        keeper.gate.open()
        #expect(try await closed == "picture")
        #expect(rig.loader.slots.runningCount == 0)
    }

    @Test func `Who has the answer waits for a slot, and who gives up while he is asked leaves none behind`() async throws {
        let keeper = Doorkeeper()
        let rig = Self.rig(asking: keeper)
        let given = Task { await rig.fetch("https://closed.org/a.png") }
        await keeper.gate.waitForArrivals(1)
        given.cancel()
        #expect(await given.value.failureCode == .cancelled)
        #expect(rig.loader.slots.runningCount == 0)
        async let closed = rig.text("https://closed.org:444/a.png")
        await keeper.gate.waitForArrivals(2)
        try #require(rig.loader.slots.runningCount == 0)
        let held = AsyncGate()
        async let other: Void = rig.loader.slots.gate.withSlot(priority: .normal) { () async throws(ImageError) in
            await held.wait()
        }
        await held.waitForArrivals(1)
        keeper.gate.open()
        await eventually { rig.loader.slots.waitingCount == 1 }
        #expect(rig.loader.slots.runningCount == 1)
        held.open()
        try await other
        #expect(try await closed == "picture")
        #expect(rig.loader.slots.runningCount == 0)
    }

    /// One load that asks for a credential after this many requests, and one for the same host that begins meanwhile.
    private static func two(
        _ rig: DownloadRig, _ keeper: Doorkeeper, sent: Int = 1
    ) async -> [Result<FetchedBytes, ImageError>] {
        async let first = rig.fetch("https://closed.org/a.png")
        await keeper.gate.waitForArrivals(1)
        async let second = rig.fetch("https://closed.org/b.png")
        // It takes no slot before it has the answer.
        await eventually { rig.loader.loginWaiterCount == 2 && rig.loader.slots.runningCount == 0 }
        // Nothing was sent that could only be refused.
        #expect(rig.transport.requests.count == sent)
        keeper.gate.open()
        return await [first, second]
    }

    @Test func `Pictures of a host for which somebody is asked wait for the answer, and send it at once`() async throws {
        let keeper = Doorkeeper()
        let rig = Self.rig(asking: keeper)
        for result in await Self.two(rig, keeper) { _ = try result.get() }
        #expect(rig.transport.requests.map { $0.headers.contains("Authorization") } == [false, true, true])
        #expect(keeper.gate.arrivedCount == 1)
        #expect(rig.loader.slots.runningCount == 0)
    }

    @Test func `Who waited for an answer that did not come does not ask again`() async throws {
        let keeper = Doorkeeper(answer: nil)
        let rig = Self.rig(asking: keeper)
        #expect(await Self.two(rig, keeper).map(\.failureCode) == [.httpStatus, .httpStatus])
        #expect(keeper.gate.arrivedCount == 1)
        #expect(rig.loader.slots.runningCount == 0)
    }

    @Test func `Who declines for a credential that is refused is not asked again by those that waited`() async throws {
        let keeper = Doorkeeper(answer: nil)
        let rig = Self.rig(asking: keeper, accepts: false)
        rig.loader.configuration.credential = .basic(user: "old", password: "p")
        // Without a login, and with the one that is refused.
        #expect(await Self.two(rig, keeper, sent: 2).map(\.failureCode) == [.httpStatus, .httpStatus])
        #expect(keeper.gate.arrivedCount == 1)
    }

    /// A credential provider that continues although no caller waits any more.
    private struct Thinker: CredentialProvider {
        let answered = AsyncGate()

        func credential(for realm: AuthenticationRealm, rejected: Credential?) async throws -> Credential? {
            await Task { await answered.wait() }.value
            return .basic(user: "u", password: "p")
        }
    }

    @Test func `A question that its load has given up is asked again by the next`() async throws {
        let thinker = Thinker()
        let rig = Self.rig(asking: thinker)
        let first = Task { await rig.fetch("https://closed.org/a.png") }
        await thinker.answered.waitForArrivals(1)
        first.cancel()
        #expect(await first.value.failureCode == .cancelled)
        async let second = rig.text("https://closed.org/b.png")
        await thinker.answered.waitForArrivals(2)
        thinker.answered.open()
        #expect(try await second == "picture")
    }

    /// Bodies wait at a gate; the order in which transfers began is written down.
    struct Rack {
        let gate = AsyncGate()
        let rig: DownloadRig

        init(_ change: (inout DownloaderConfiguration) -> Void) {
            rig = DownloadRig(change: change) { [gate] request, _ throws(ImageError) in
                await gate.wait()
                try ImageError.checkCancellation(stage: .load)
                return .fixed(request, headers: [("Cache-Control", "no-store")], body: DownloadRig.picture)
            }
        }

        func start(_ path: String, host: String = "example.org", live: LivePriority? = nil) -> Task<ImageError.Code?, Never> {
            let request = rig.request("https://\(host)/\(path)")
            let transfers = JobTable<FetchProgress, FetchedBytes>()
            return Task { [rig] in
                do throws(ImageError) {
                    _ = try await transfers.join(CacheKey(path), priority: live ?? LivePriority(.normal)) {
                        job throws(ImageError) in
                        var request = request
                        request.follower = job
                        return try await rig.fetcher.fetch(request)
                    }
                } catch { return error.code }
                return nil
            }
        }

        /// Returns when this many wait for a slot.
        func waitForWaiters(_ count: Int) async { #expect(await eventually { rig.loader.slots.waitingCount >= count }) }

        func waitForFewerThan(_ count: Int) async { #expect(await eventually { rig.loader.slots.waitingCount < count }) }

        var order: [String] { rig.transport.requests.map { String($0.url.path.dropFirst()) } }
    }

    // DL-01
    @Test func `test05ThatSetAndGetMaxConcurrentDownloadsWorks`() async {
        let rack = Rack { $0.maximumConcurrentDownloads = 2 }
        let tasks = (0..<5).map { rack.start("\($0)") }
        await rack.gate.waitForArrivals(2)
        await rack.waitForWaiters(3)
        #expect(rack.rig.loader.slots.runningCount == 2)
        rack.rig.loader.configuration.maximumConcurrentDownloads = 4
        await rack.gate.waitForArrivals(4)
        #expect(rack.rig.loader.slots.runningCount == 4)
        rack.gate.open()
        for task in tasks { #expect(await task.value == nil) }
        #expect(rack.rig.loader.slots.runningCount == 0)
    }

    // DL-06, DL-07
    @Test(arguments: [QueueOrder.firstInFirstOut, .lastInFirstOut])
    func `test15DownloaderLIFOExecutionOrder`(_ order: QueueOrder) async {
        let rack = Rack {
            $0.maximumConcurrentDownloads = 1
            $0.servesNewestFirst = order == .lastInFirstOut
        }
        rack.gate.open()
        rack.rig.loader.isSuspended = true
        var tasks: [Task<ImageError.Code?, Never>] = []
        for index in 0..<4 {
            tasks.append(rack.start("\(index)"))
            await rack.waitForWaiters(index + 1)
        }
        #expect(rack.order.isEmpty, "something began although the downloader is suspended")
        rack.rig.loader.isSuspended = false
        for task in tasks { #expect(await task.value == nil) }
        #expect(rack.order == (order == .firstInFirstOut ? ["0", "1", "2", "3"] : ["3", "2", "1", "0"]))
    }

    @Test(arguments: [QueueOrder.firstInFirstOut, .lastInFirstOut])
    func `The order holds for each origin too`(_ order: QueueOrder) async {
        let rack = Rack {
            $0.maximumConcurrentDownloads = 3
            $0.maximumPerOrigin = 1
            $0.servesNewestFirst = order == .lastInFirstOut
        }
        var tasks = [rack.start("first")]
        await rack.gate.waitForArrivals(1)
        for index in 0..<3 {
            tasks.append(rack.start("\(index)"))
            await rack.waitForWaiters(index + 1)
        }
        rack.gate.open()
        for task in tasks { #expect(await task.value == nil) }
        #expect(rack.order == ["first"] + (order == .firstInFirstOut ? ["0", "1", "2"] : ["2", "1", "0"]))
    }

    @Test func `A rate of centuries waits`() {
        var limiter = RateLimiter(RateLimit(count: 1, interval: .seconds(1 << 60)))
        #expect(limiter.reserve(now: .zero) == .zero)
        #expect(limiter.reserve(now: .zero) > .seconds(86_400))
    }

    @Test func `A waiting transfer rises, and falls`() async {  // U-17, MG-23, OP-07, DL-35
        let rack = Rack { $0.maximumConcurrentDownloads = 1 }
        let first = rack.start("first")
        await rack.gate.waitForArrivals(1)
        let raised = LivePriority(.low)
        let lowered = LivePriority(.high)
        var tasks = [first, rack.start("low", live: raised)]
        await rack.waitForWaiters(1)
        tasks.append(rack.start("normal", live: LivePriority(.normal)))
        await rack.waitForWaiters(2)
        tasks.append(rack.start("high", live: lowered))
        await rack.waitForWaiters(3)
        raised.set(.veryHigh)
        lowered.set(.veryLow)
        rack.gate.open()
        for task in tasks { #expect(await task.value == nil) }
        #expect(rack.order == ["first", "low", "normal", "high"])
    }

    // DL-01
    @Test func `One origin cannot take every slot`() async {
        let rack = Rack {
            $0.maximumConcurrentDownloads = 3
            $0.maximumPerOrigin = 1
        }
        var tasks = [rack.start("a1", host: "a.example")]
        await rack.gate.waitForArrivals(1)
        tasks += [rack.start("a2", host: "a.example"), rack.start("b1", host: "b.example")]
        await rack.gate.waitForArrivals(2)
        #expect(rack.order == ["a1", "b1"])
        rack.rig.loader.configuration.maximumPerOrigin = 2
        await rack.gate.waitForArrivals(3)
        rack.gate.open()
        for task in tasks { #expect(await task.value == nil) }
    }

    @Test func `Cancelling while waiting gives the place to the next`() async {
        let rack = Rack { $0.maximumConcurrentDownloads = 1 }
        let running = rack.start("running")
        await rack.gate.waitForArrivals(1)
        let cancelled = rack.start("cancelled")
        await rack.waitForWaiters(1)
        let next = rack.start("next")
        await rack.waitForWaiters(2)
        cancelled.cancel()
        #expect(await cancelled.value == .cancelled)
        rack.gate.open()
        #expect(await running.value == nil)
        #expect(await next.value == nil)
        #expect(rack.order == ["running", "next"])
    }

    // MG-24, NK-04
    @Test func `A burst at once, then one by one`() {
        var limiter = RateLimiter(RateLimit(count: 4, interval: .seconds(1)))
        #expect((0..<4).map { _ in limiter.reserve(now: .zero) } == Array(repeating: .zero, count: 4))
        let wait = limiter.reserve(now: .zero)
        #expect(wait > .milliseconds(249) && wait < .milliseconds(251))
        // Asking does not use anything up.
        #expect(limiter.reserve(now: .zero) == wait)
        #expect(limiter.reserve(now: .milliseconds(251)) == .zero)
        #expect(limiter.reserve(now: .milliseconds(251)) > .zero)
        #expect((0..<5).map { _ in limiter.reserve(now: .seconds(60)) }.filter { $0 == .zero }.count == 4)
    }

    // MG-24
    @Test func `The rate holds back what is above it, and cancelling uses no token`() async {
        let rack = Rack { $0.rate = RateLimit(count: 1, interval: .seconds(10)) }
        rack.gate.open()
        #expect(await rack.start("0").value == nil)
        let cancelled = rack.start("cancelled")
        await rack.rig.time.waitForSleepers()
        cancelled.cancel()
        #expect(await cancelled.value == .cancelled)
        let next = rack.start("1")
        await rack.rig.time.waitForSleepers()
        rack.rig.time.advance(by: .seconds(11))
        #expect(await next.value == nil)
        #expect(rack.order == ["0", "1"])
    }

    @Test func `While suspended no turn of the rate is used, and the highest priority has the first`() async {
        let rack = Rack { $0.rate = RateLimit(count: 1, interval: .seconds(10)) }
        rack.gate.open()
        rack.rig.loader.isSuspended = true
        var tasks = [rack.start("normal"), rack.start("high", live: LivePriority(.high))]
        await rack.waitForWaiters(2)
        rack.rig.time.advance(by: .seconds(60))
        rack.rig.loader.isSuspended = false
        await rack.rig.time.waitForSleepers()
        #expect(rack.order == ["high"] || rack.order.isEmpty, "more than one began at once")
        tasks.append(rack.start("urgent", live: LivePriority(.veryHigh)))
        await rack.waitForWaiters(2)
        rack.rig.time.advance(by: .seconds(11))
        #expect(await tasks[2].value == nil)
        await rack.rig.time.waitForSleepers()
        rack.rig.time.advance(by: .seconds(11))
        for task in tasks { #expect(await task.value == nil) }
        #expect(rack.order == ["high", "urgent", "normal"])
        #expect(rack.rig.loader.slots.waitingCount == 0 && rack.rig.loader.slots.runningCount == 0)
    }

    @Test(.timeLimit(.minutes(10))) func `A higher rate holds at once`() async {
        let rack = Rack { $0.rate = RateLimit(count: 1, interval: .seconds(3600)) }
        rack.gate.open()
        let tasks = (0..<12).map { rack.start("\($0)") }
        await rack.waitForWaiters(11)
        rack.rig.loader.configuration.rate = RateLimit(count: 2, interval: .seconds(1))
        await rack.waitForFewerThan(10)
        for _ in 0..<9 {
            await rack.rig.time.waitForSleepers(2)
            rack.rig.time.advance(by: .milliseconds(501))
        }
        for task in tasks { #expect(await task.value == nil) }
        #expect(rack.order.count == 12)
    }

    @Test(.timeLimit(.minutes(10))) func `A limit for each origin counts also those who have begun and who wait`() async {
        let rack = Rack { $0.maximumConcurrentDownloads = 2 }
        var tasks = [rack.start("a1", host: "a.example"), rack.start("a2", host: "a.example")]
        await rack.gate.waitForArrivals(2)
        for name in ["a3", "a4", "b1"] {
            tasks.append(rack.start(name, host: name.prefix(1) + ".example"))
            await rack.waitForWaiters(tasks.count - 2)
        }
        rack.rig.loader.configuration.maximumPerOrigin = 1
        rack.rig.loader.configuration.maximumConcurrentDownloads = 6
        await rack.gate.waitForArrivals(3)
        #expect(rack.order.last == "b1" && rack.rig.loader.slots.waitingCount == 2)
        rack.gate.open()
        for task in tasks { #expect(await task.value == nil) }
    }

    // NK-16
    @Test func `Local sources take no slot`() async throws {
        let rack = Rack { $0.maximumConcurrentDownloads = 1 }
        let running = rack.start("running")
        await rack.gate.waitForArrivals(1)
        let text = try await rack.rig.text("data:text/plain,hello")
        #expect(text == "hello")
        rack.gate.open()
        #expect(await running.value == nil)
    }
}

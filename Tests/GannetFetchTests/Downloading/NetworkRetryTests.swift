import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// Kingfisher's network retry strategy and monitor, by the names of their tests, over files that the tests write. // KF-07, CG-16
@Suite struct NetworkRetryTests {
    /// A machine whose routes the tests write.
    private struct Machine {
        let folder = CacheFolder()
        var time: ManualTimeSource { folder.time }

        init(isConnected: Bool) throws {
            for path in ["", "/proc", "/proc/net"] { try folder.files.makeDirectory(folder.path + path) }
            try write("/proc/net/ipv6_route", Self.localIPv6)
            try connect(isConnected)
        }

        private func write(_ path: String, _ text: String) throws {
            // Written under a new name and renamed, because the monitor may read it at any moment.
            try folder.files.write([Array(text.utf8)], toNew: folder.path + path + ".new", sync: false)
            try folder.files.rename(folder.path + path + ".new", to: folder.path + path)
        }

        func connect(_ isConnected: Bool) throws { try write("/proc/net/route", isConnected ? Self.up : Self.down) }

        func setRoutes(_ lines: String) throws { try write("/proc/net/route", Self.down + lines) }

        func makeBridge(_ name: String) throws {
            var path = ""
            for part in ["sys", "class", "net", name, "bridge"] {
                path += "/" + part
                try? folder.files.makeDirectory(folder.path + path)
            }
            try write(path + "/bridge_id", "8000.0242ac110001\n")
        }

        var monitor: RouteMonitor { RouteMonitor(proc: folder.path + "/proc", sys: folder.path + "/sys", time: time) }

        func strategy(timeout: Duration? = .seconds(30)) -> NetworkRetryStrategy {
            NetworkRetryStrategy(monitor: monitor, timeout: timeout, time: time)
        }

        static let down = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
        static let up = down + "eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n"
        static let localIPv6 = """
            00000000000000000000000000000001 80 00000000000000000000000000000000 00 00000000000000000000000000000000 00000000 1 0 80200001 lo
            fe800000000000000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 1 0 00000001 eth0
            ff000000000000000000000000000000 08 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 1 0 00000001 eth0

            """
    }

    private static let unreachable = ImageError(.connectionFailed, stage: .load, "nobody there")

    @Test func testNetworkRetryStrategyRetriesImmediatelyWhenConnected() async throws {
        let machine = try Machine(isConnected: true)
        #expect(await machine.strategy().delay(before: 2, after: Self.unreachable) == .zero)
        #expect(machine.time.sleeperCount == 0)
        // A host that cannot be reached although a network is available is not retried.
        #expect(await machine.strategy().delay(before: 4, after: Self.unreachable) == .zero)
        #expect(await machine.strategy().delay(before: 5, after: Self.unreachable) == nil)
    }

    @Test(arguments: [ImageError.Code.cancelled, .httpStatus, .notAnImage, .hookRefused, .cacheMiss, .transformFailed])
    func `testNetworkRetryStrategyStopsForNonResponseError and StopsForTaskCancelled`(_ code: ImageError.Code) async throws {
        let machine = try Machine(isConnected: true)
        #expect(await machine.strategy().delay(before: 2, after: ImageError(code, stage: .load, "")) == nil)
    }

    @Test func testNetworkRetryStrategyWithTimeout() async throws {
        let machine = try Machine(isConnected: false)
        let answer = Task { await machine.strategy().delay(before: 2, after: Self.unreachable) }
        await machine.time.waitForSleepers(2)
        machine.time.advance(by: .seconds(30))
        #expect(await answer.value == nil)
        #expect(machine.time.sleeperCount == 0)
    }

    // KF-07
    @Test(arguments: [Duration.seconds(30), nil])
    func testNetworkRetryStrategyWaitsForReconnection(_ timeout: Duration?) async throws {
        let machine = try Machine(isConnected: false)
        let answer = Task { await machine.strategy(timeout: timeout).delay(before: 2, after: Self.unreachable) }
        await machine.time.waitForSleepers(timeout == nil ? 1 : 2)
        try machine.connect(true)
        machine.time.advance(by: .seconds(1))
        #expect(await answer.value == .zero)
        #expect(machine.time.sleeperCount == 0)
    }

    @Test func testNetworkRetryStrategyCancelsPreviousObserver() async throws {
        let machine = try Machine(isConnected: false)
        let strategy = machine.strategy()
        let earlier = Task { await strategy.delay(before: 2, after: Self.unreachable) }
        await machine.time.waitForSleepers(2)
        earlier.cancel()
        #expect(await earlier.value == nil)
        #expect(machine.time.sleeperCount == 0, "somebody still looks at the network for nobody")
        let later = Task { await strategy.delay(before: 2, after: Self.unreachable) }
        await machine.time.waitForSleepers(2)
        try machine.connect(true)
        machine.time.advance(by: .seconds(1))
        #expect(await later.value == .zero)
    }

    @Test func testNetworkObserverDoesNotNotifyAfterCancel() async throws {
        let machine = try Machine(isConnected: false)
        let told = Mutex<[Bool]>([])
        let reader = Task {
            for await isThere in machine.monitor.changes() { told.withLock { $0.append(isThere) } }
        }
        await machine.time.waitForSleepers()
        reader.cancel()
        await reader.value
        try machine.connect(true)
        machine.time.advance(by: .seconds(10))
        #expect(told.withLock { $0 } == [false] && machine.time.sleeperCount == 0)
    }

    @Test func testNetworkObserverNotifiesOnlyOnce() async throws {
        let machine = try Machine(isConnected: false)
        let reader = Task {
            var told: [Bool] = []
            for await isThere in machine.monitor.changes() {
                told.append(isThere)
                if told.count == 3 { break }
            }
            return told
        }
        for isConnected in [false, false, true, true, true, false] {
            await machine.time.waitForSleepers()
            try machine.connect(isConnected)
            machine.time.advance(by: .seconds(1))
        }
        #expect(await reader.value == [false, true, false])
    }

    // KF-07
    @Test func `A load waits for the network, and cancelling ends the wait`() async throws {
        let machine = try Machine(isConnected: false)
        let answer = DownloadRig.failing(1, Self.unreachable)
        let rig = DownloadRig(retry: machine.strategy(), answer: answer)
        let load = Task { await rig.fetch() }
        await machine.time.waitForSleepers(2)
        #expect(rig.loader.slots.runningCount == 0, "a slot is held while nothing moves")
        try machine.connect(true)
        machine.time.advance(by: .seconds(1))
        #expect(try await load.value.get().metrics?.attempts == 2)

        try machine.connect(false)
        let other = DownloadRig(retry: machine.strategy(), answer: answer)
        let cancelled = Task { await other.fetch() }
        await machine.time.waitForSleepers(2)
        cancelled.cancel()
        #expect(await cancelled.value.failureCode == .cancelled)
        #expect(other.transport.requests.count == 1)
    }

    @Test func `Routes that lead out of the machine, and those that do not`() async throws {
        let machine = try Machine(isConnected: false)
        #expect(await !machine.monitor.isConnected())
        try machine.connect(true)
        #expect(await machine.monitor.isConnected())
        let row =
            "20010db8000000000000000000000000 20 00000000000000000000000000000000 00 00000000000000000000000000000000 00000400"
        let cases: [(String?, String?, Bool)] = [
            (nil, nil, true), ("", "", false), (Machine.down, nil, false), (nil, Machine.localIPv6, false),
            (Machine.down + "lo\t0000007F\t00000000\t0001\n", "", false),
            (Machine.down + "eth0\t0000000A\t00000000\t0000\n", "", false),
            (Machine.down + "eth0\t0000000A\t00000000\t0201\n", "", false),
            (Machine.down + "eth0\t0000000A\n", "short line\n", false),
            (Machine.down, "\(row) 1 0 00000001 wlan0\n", true), (nil, "\(row) 1 0 00200200 wlan0\n", false),
        ]
        for (ipv4, ipv6, expected) in cases {
            #expect(RouteMonitor.leadsOut(ipv4: ipv4, ipv6: ipv6) == expected, "\(ipv4 ?? "-") \(ipv6 ?? "-")")
        }
    }

    // KF-07
    @Test func `A machine that is alone with its containers is not connected`() async throws {
        let machine = try Machine(isConnected: false)
        let route = { (interface: String, target: String, flags: String) in
            "\(interface)\t\(target)\t00000000\t\(flags)\t0\t0\t0\t0000FFFF\t0\t0\t0\n"
        }
        let containers = route("docker0", "000011AC", "0001") + route("virbr0", "007AA8C0", "0001")
        for name in ["docker0", "virbr0", "br0"] { try machine.makeBridge(name) }
        try machine.setRoutes(containers)
        #expect(await !machine.monitor.isConnected())
        // A closed network has neighbours, or a way over one of them; a bridge may be the way to everywhere.
        try machine.setRoutes(containers + route("eth0", "0000000A", "0001"))
        #expect(await machine.monitor.isConnected())
        try machine.setRoutes(containers + route("br0", "0000000A", "0003"))
        #expect(await machine.monitor.isConnected())
        try machine.setRoutes(containers + "br0\t00000000\t00000000\t0001\t0\t0\t0\t00000000\t0\t0\t0\n")
        #expect(await machine.monitor.isConnected())

        let rest = "00000000000000000000000000000000 00 00000000000000000000000000000000 00000400 1 0"
        let here = "fd000000000000000000000000000000 40 \(rest) 00000001 docker0\n"
        let own = "fd000000000000000000000000000001 80 \(rest) 80200001 eth0\n"
        let everywhere = "00000000000000000000000000000000 00 \(rest) 00000001 docker0\n"
        for (ipv6, expected) in [(here, false), (own, false), (here + everywhere, true)] {
            #expect(RouteMonitor.leadsOut(ipv4: "", ipv6: ipv6) { $0 == "docker0" } == expected)
        }
    }
}

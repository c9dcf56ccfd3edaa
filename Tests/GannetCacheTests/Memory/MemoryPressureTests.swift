import GannetCache
import GannetCore
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

@testable import GannetPlatform

/// Memory pressure as the kernel reports it, in files that the tests write. // MC-07, MC-08, U-09
@Suite struct MemoryPressureTests {
    /// A machine of our own: `/proc` and `/sys/fs/cgroup`.
    final class Machine: Sendable {
        let folder = CacheFolder()
        let time = ManualTimeSource()
        private let files = POSIXFileSystem()

        init() throws {
            for path in ["", "/proc", "/proc/self", "/proc/pressure", "/group", "/group/app.slice"] {
                try files.makeDirectory(folder.path + path)
            }
            try write("/proc/self/cgroup", "0::/app.slice\n")
        }

        func write(_ path: String, _ text: String) throws {
            try? files.remove(folder.path + path)
            try files.write([Array(text.utf8)], toNew: folder.path + path, sync: false)
        }

        func pressure(_ path: String = "/proc/pressure/memory", some: Int, full: Int) throws {
            try write(
                path,
                """
                some avg10=1.53 avg60=0.87 avg300=0.12 total=\(some)
                full avg10=0.00 avg60=0.00 avg300=0.00 total=\(full)

                """)
        }

        var monitor: MemoryPressureMonitor {
            MemoryPressureMonitor(proc: folder.path + "/proc", controlGroups: folder.path + "/group", time: time)
        }

        /// Lets one interval pass, and returns when the monitor has checked and sleeps again.
        func tick() async {
            await time.waitForSleepers()
            time.advance(by: .seconds(2))
            await time.waitForSleepers()
        }
    }

    /// A cache with 8 images, whose watcher has checked once and sleeps.
    private func filled(_ machine: Machine, count: Int = 8) async throws -> MemoryCache {
        let cache = MemoryCache(limits: MemoryCacheLimits(bytes: 1 << 20))
        for number in 0..<count { cache.store(try Pictures.picture(), for: CacheKey("k\(number)")) }
        cache.followPressure(of: machine.monitor, pool: PixelPool(maximumIdleBytes: 0))
        await machine.time.waitForSleepers()
        return cache
    }

    // MC-07, CG-17, S3-10
    @Test func waitingTasksHalveTheCacheStepByStep() async throws {
        let machine = try Machine()
        try machine.pressure(some: 1000, full: 0)
        let cache = try await filled(machine)
        await machine.tick()
        #expect(cache.usage.count == 8)
        // 9 % of 2 s is nothing, 10 % is pressure.
        try machine.pressure(some: 181_000, full: 0)
        await machine.tick()
        #expect(cache.usage.count == 8)
        try machine.pressure(some: 381_000, full: 0)
        await machine.tick()
        #expect(cache.usage.count == 4)
        #expect(cache.contains(CacheKey("k7")) && !cache.contains(CacheKey("k3")))
        try machine.pressure(some: 800_000, full: 0)
        await machine.tick()
        #expect(cache.usage.count == 2)
        // It is over: nothing more is given back.
        await machine.tick()
        #expect(cache.usage.count == 2)
    }

    // U-09
    @Test func standstillEmptiesTheCacheButNotTheScreen() async throws {
        let machine = try Machine()
        try machine.pressure(some: 0, full: 0)
        let cache = try await filled(machine)
        let shown = try #require(cache.image(for: CacheKey("k2")))
        try machine.pressure(some: 300_000, full: 250_000)
        await machine.tick()
        #expect(cache.usage.count == 0)
        #expect(cache.image(for: CacheKey("k2"))?.image.bitmap.identity == shown.image.bitmap.identity)
        #expect(cache.image(for: CacheKey("k3")) == nil)
    }

    /// The machine is fine, our own group is not.
    // MC-07, S3-10
    @Test func theControlGroupCountsToo() async throws {
        let machine = try Machine()
        try machine.pressure(some: 0, full: 0)
        try machine.pressure("/group/app.slice/memory.pressure", some: 5000, full: 5000)
        let cache = try await filled(machine)
        try machine.pressure("/group/app.slice/memory.pressure", some: 405_000, full: 5000)
        await machine.tick()
        #expect(cache.usage.count == 4)
    }

    /// `memory.events` alone, where the kernel was built without PSI.
    @Test func eventsOfTheGroupCountWithoutPSI() async throws {
        let machine = try Machine()
        try machine.write("/group/app.slice/memory.events", "low 0\nhigh 0\nmax 3\noom 0\noom_kill 0\n")
        let cache = try await filled(machine)
        await machine.tick()
        #expect(cache.usage.count == 8)
        try machine.write("/group/app.slice/memory.events", "low 9\nhigh 0\nmax 4\noom 0\noom_kill 0\n")
        await machine.tick()
        #expect(cache.usage.count == 4)
        try machine.write("/group/app.slice/memory.events", "low 9\nhigh 0\nmax 4\noom 1\noom_kill 0\n")
        await machine.tick()
        #expect(cache.usage.count == 0)
    }

    /// Page cache meets a group's limit all the time: where waiting times are known, they decide.
    @Test func meetingTheLimitIsNoPressureWherePSISaysSo() async throws {
        let machine = try Machine()
        try machine.pressure(some: 0, full: 0)
        try machine.write("/group/app.slice/memory.events", "max 3\noom 0\n")
        let cache = try await filled(machine)
        try machine.write("/group/app.slice/memory.events", "max 900\noom 0\n")
        await machine.tick()
        #expect(cache.usage.count == 8)
    }

    @Test func filesThatVanishOrMakeNoSenseChangeNothing() async throws {
        let machine = try Machine()
        try machine.pressure(some: 0, full: 0)
        let cache = try await filled(machine)
        for text in ["", "some\n", "some total=\nfull total=x\n", "some avg10=0.00 total=99999999999999999999\n", "\0\0"] {
            try machine.write("/proc/pressure/memory", text)
            await machine.tick()
        }
        try POSIXFileSystem().remove(machine.folder.path + "/proc/pressure/memory")
        await machine.tick()
        #expect(cache.usage.count == 8)
        // It is back, and what happened meanwhile counts over the whole time: 10 % of 12 s and more.
        try machine.pressure(some: 1_500_000, full: 0)
        await machine.tick()
        #expect(cache.usage.count == 4)
    }

    /// Without a file to read, the check runs once, and never again.
    @Test func aKernelWithoutAnswersIsNoError() async throws {
        let machine = try Machine()
        let told = Atomic(0)
        await machine.monitor.run { _ in told.add(1, ordering: .relaxed) }
        #expect(told.load(ordering: .relaxed) == 0)
        #expect(machine.time.sleeperCount == 0)
    }

    /// The watcher ends with its cache: no task is left sleeping.
    @Test func theWatcherEndsWithTheCache() async throws {
        let machine = try Machine()
        try machine.pressure(some: 0, full: 0)
        let finished = AsyncGate()
        let monitor = machine.monitor
        let task = Task {
            await monitor.run { _ in }
            finished.open()
        }
        await machine.time.waitForSleepers()
        task.cancel()
        await finished.wait()
        #expect(machine.time.sleeperCount == 0)
        do {
            let cache = try await filled(machine)
            #expect(cache.usage.count == 8)
        }
        #expect(machine.time.sleeperCount == 0)
    }

    /// The application's own hook, for programs that learn of pressure in another way.
    // MC-08
    @Test func theApplicationMaySayIt() throws {
        let cache = MemoryCache(limits: MemoryCacheLimits(bytes: 1 << 20))
        for number in 0..<8 { cache.store(try Pictures.picture(), for: CacheKey("k\(number)")) }
        cache.relieve(.none)
        #expect(cache.usage.count == 8)
        cache.relieve(.some)
        #expect(cache.usage.count == 4)
        cache.relieve(.critical)
        #expect(cache.usage.count == 0)
    }

    @Test func oneTaskPollsForAllThatAskForTheSame() async throws {
        let machine = try Machine()
        try machine.pressure(some: 0, full: 0)
        let polls = MemoryPressurePolls()
        let poll = MemoryPressurePoll(interval: .seconds(2), proc: "/proc", controlGroups: "/sys/fs/cgroup")
        let (first, second) = (CallCount(), CallCount())
        let endFirst = polls.add({ _ in first.add() }, to: poll, of: machine.monitor)
        let endSecond = polls.add({ _ in second.add() }, to: poll, of: machine.monitor)
        await machine.time.waitForSleepers()
        #expect(machine.time.sleeperCount == 1 && polls.listenerCount(poll) == 2)
        try machine.pressure(some: 1_000_000, full: 0)
        await machine.tick()
        #expect(first.count == 1 && second.count == 1)
        endFirst()
        try machine.pressure(some: 2_000_000, full: 0)
        await machine.tick()
        #expect(first.count == 1 && second.count == 2 && polls.isRunning(poll))
        endSecond()
        #expect(!polls.isRunning(poll))
    }

    @Test func watchersShareTheSystemsFilesAndNoOthers() throws {
        let machine = try Machine()
        #expect(machine.monitor.poll == nil)
        let own = MemoryPressureMonitor(interval: .seconds(3600), proc: machine.folder.path + "/proc")
        let poll = try #require(own.poll)
        #expect(poll == MemoryPressureMonitor(interval: .seconds(3600), proc: machine.folder.path + "/proc").poll)
        #expect(poll != MemoryPressureMonitor(interval: .seconds(3600)).poll)
        var watchers = (0..<3).map { _ in MemoryPressureWatcher(own) { _ in } }
        #expect(MemoryPressurePolls.shared.listenerCount(poll) == 3)
        watchers = []
        #expect(watchers.isEmpty && !MemoryPressurePolls.shared.isRunning(poll))
    }

    /// The report of this machine's kernel, if it has one, must be in a format that we read.
    @Test func thisKernelsOwnFileIsUnderstood() async {
        let time = ManualTimeSource()
        let hasPSI = (try? POSIXFileSystem().read("/proc/pressure/memory", maximumBytes: 4096, nofollow: false)) != nil
        let task = Task { await MemoryPressureMonitor(controlGroups: "/nowhere", time: time).run { _ in } }
        if hasPSI { await time.waitForSleepers() }
        task.cancel()
        await task.value
        #expect(time.sleeperCount == 0)
    }
}

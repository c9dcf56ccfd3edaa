import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Glibc

/// One schedule: several waiters through all faces, random cancels, priorities, failures and arrivals, and the invariants that
/// must hold whenever no job is left to run. Everything in it follows from the seed.
struct ManagerSchedule {
    private static let sources = 3
    private static let waiters = 9

    private var random: SeededGenerator
    private let trace = ScheduleTrace()
    private let loader: ScheduledLoader
    private let manager: ImageManager
    private let observer = RecordingObserver()
    private let pool = PixelPool(maximumIdleBytes: 0)
    private var waiters: [ScheduledWaiter] = [] {
        didSet { cancels.waiters = waiters }
    }
    private let cancels: CancelsInside
    private var opened: Set<Int> = []
    private var complaints: [String] = []

    private init(seed: UInt64, folder: CacheFolder?) {
        random = SeededGenerator(seed: seed)
        cancels = CancelsInside(seed: ~seed)
        var failing: Set<Int> = []
        for source in 0..<Self.sources where random.next() % 4 == 0 { failing.insert(source) }
        loader = ScheduledLoader(sources: Self.sources, failing: failing, trace: trace)
        let disk = folder.map { folder in
            DiskCache(
                DiskCacheConfiguration(directory: folder.path, byteLimit: 1 << 20), time: folder.time,
                random: SeededRandomSource(seed: seed), executor: SeededSchedule.executor)
        }
        var configuration = ManagerConfiguration(
            memoryCache: random.next() % 4 == 0 ? nil : MemoryCache(), diskCache: disk, loaders: LoadersManager([loader]),
            coders: CodersManager([FakeImageCoder()]))
        configuration.time = ManualTimeSource()
        configuration.executor = SeededSchedule.executor
        configuration.fileExecutor = SeededSchedule.executor
        configuration.observers = [observer]
        configuration.pool = pool
        configuration.concurrentDecodes = 2
        manager = ImageManager(configuration: configuration)
    }

    struct Report: Sendable {
        var trace: [String] = []
        var complaints: [String] = []
    }

    /// `folder`: with a disk cache there.
    static func run(seed: UInt64, folder: CacheFolder?) async -> Report {
        let files = openFiles()
        var report = Report()
        weak var manager: ImageManager?
        weak var loader: ScheduledLoader?
        var waiters: [Weak] = []
        let pool: PixelPool
        do {
            var schedule = ManagerSchedule(seed: seed, folder: folder)
            await CancellationLook.$current.withValue(schedule.cancels.look) { await schedule.play() }
            manager = schedule.manager
            loader = schedule.loader
            waiters = schedule.waiters.map { Weak($0) }
            pool = schedule.pool
            report = Report(trace: schedule.trace.all, complaints: schedule.complaints)
        }
        await SeededSchedule.settle()
        if manager != nil { report.complaints.append("the manager is kept alive") }
        if loader != nil { report.complaints.append("the loader is kept alive") }
        if waiters.contains(where: { $0.object != nil }) { report.complaints.append("a waiter is kept alive") }
        if pool.livingBytes != 0 { report.complaints.append("\(pool.livingBytes) bytes of pixels are kept alive") }
        let left = openFiles().subtracting(files)
        if !left.isEmpty { report.complaints.append("open: \(left.sorted())") }
        if let folder, let names = try? folder.temporaryFiles(), !names.isEmpty {
            report.complaints.append("half written: \(names)")
        }
        return report
    }

    private struct Weak {
        weak var object: ScheduledWaiter?
        init(_ object: ScheduledWaiter) { self.object = object }
    }

    private mutating func play() async {
        for number in 0..<Self.waiters {
            waiters.append(
                ScheduledWaiter(
                    number, source: Int(random.next() % UInt64(Self.sources)), kind: random.next() % 4,
                    face: ScheduledWaiter.Face(rawValue: random.next() % 3) ?? .events,
                    priority: LoadPriority.allCases.randomElement(using: &random) ?? .normal, manager: manager, trace: trace))
            await disturb()
        }
        for _ in 0..<Self.waiters { await disturb() }
        // The end: no waiter may be left.
        for source in 0..<Self.sources { open(source) }
        await settled()
        for waiter in waiters where waiter.isWaiting { complaints.append("\(waiter.number) never heard") }
        if !manager.isIdle { complaints.append("work goes on for nobody") }
        if !observer.isBalanced { complaints.append("a stage or a load has not ended") }
        if manager.budget.usedBytes != 0 { complaints.append("\(manager.budget.usedBytes) bytes are still reserved") }
    }

    private mutating func disturb() async {
        switch random.next() % 10 {
        case 0, 1, 2: waiters.randomElement(using: &random)?.cancel()
        case 3, 4:
            waiters.randomElement(using: &random)?.priority = LoadPriority.allCases.randomElement(using: &random) ?? .normal
        case 5: open(Int(random.next() % UInt64(Self.sources)))
        case 6: await settled()
        case 7 where random.next() % 8 == 0:
            trace.add("cancel all")
            for waiter in waiters where waiter.isWaiting { waiter.noteCancelled() }
            manager.cancelAll()
        default: for _ in 0..<random.next() % 6 { await Task.yield() }
        }
    }

    private mutating func open(_ source: Int) {
        trace.add("open \(source)")
        opened.insert(source)
        loader.gates[source].open()
    }

    /// No job is left to run: each remaining load has a waiter, exists once, and has the highest priority of its waiters.
    private mutating func settled() async {
        await SeededSchedule.settle()
        trace.add("settled")
        for waiter in waiters { if let complaint = waiter.complaint(failing: loader.failing) { complaints.append(complaint) } }
        for waiter in waiters where waiter.isWaiting {
            if waiter.isCancelled { complaints.append("\(waiter.number) was cancelled and heard nothing") }
            if opened.contains(waiter.source) { complaints.append("\(waiter.number) waits for what is there") }
        }
        let waiting = waiters.filter { $0.isWaiting }
        var perKey: [String: LoadPriority] = [:]
        var perSource: [Int: LoadPriority] = [:]
        for waiter in waiting {
            perKey[waiter.key] = max(perKey[waiter.key] ?? .veryLow, waiter.priority)
            perSource[waiter.source] = max(perSource[waiter.source] ?? .veryLow, waiter.priority)
        }
        let loads = (0..<Self.sources).map { perSource[$0] == nil ? 0 : 1 }
        expect(loader.running, loads, "loads of each source")
        expect(manager.runningCount, perKey.count, "running pictures")
        expect(manager.waiterCount, waiting.count, "waiters")
        expect(manager.runningPriorities.sorted(), perKey.values.sorted(), "priorities of pictures")
        expect(manager.transferPriorities.sorted(), perSource.values.sorted(), "priorities of transfers")
    }

    private mutating func expect<T: Equatable>(_ found: T, _ wanted: T, _ what: String) {
        if found != wanted { complaints.append("\(what): \(found), not \(wanted)") }
    }

    private static func openFiles() -> Set<String> {
        let names = (try? POSIXFileSystem().list("/proc/self/fd")) ?? []
        return Set(
            names.compactMap { name in
                var target = [CChar](repeating: 0, count: 4096)
                guard readlink("/proc/self/fd/" + name, &target, target.count - 1) > 0 else { return nil }
                let path = String(decoding: target.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                // Timers of libdispatch, which come when the first one is needed, are no files of ours.
                return path.hasPrefix("/proc/") || path.hasPrefix("anon_inode:") ? nil : name + " " + path
            })
    }
}

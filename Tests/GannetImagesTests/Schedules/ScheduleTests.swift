import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Glibc
import Testing

/// Thousands of schedules: each waiter gets its result exactly once, nothing leaks, no work continues without a waiter.
@Suite struct ScheduleTests {
    /// The picture, a small one of it, or one of two chains that begin alike and change nothing.
    private static func request(_ index: UInt64, _ random: inout SeededGenerator) -> ImageRequest {
        let request = ImageRequest(ImageSource("https://example.org/\(index).fake"))
        switch random.next() % 4 {
        case 0: return request
        case 1: return request.with(.fit(2, 2))
        case 2: return request.with(.transform(AddTransformer(amount: 0), .flip(horizontal: true)))
        default: return request.with(.transform(AddTransformer(amount: 0), .flip(vertical: true)))
        }
    }

    // KF-22, testRetrieveImageRaceConditionSpecific
    // MG-06, MG-21, DL-48, NK-20, CG-19, PL-10, U-11
    @Test(arguments: 0..<50) func randomCancelsPrioritiesAndFailures(seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let fixture = ManagerFixture()
            for index in 0..<3 {
                let url = "https://example.org/\(index).fake"
                if random.next() % 4 == 0 {
                    fixture.loader.answer(url, with: .failure(ImageError(.network, "down")))
                } else {
                    fixture.serve(url, width: 4, height: 4, red: UInt8(index))
                }
            }
            var tasks: [(index: UInt64, task: ImageTask)] = []
            if random.next() % 2 == 0 { fixture.loader.gate.close() }
            for _ in 0..<8 {
                let index = random.next() % 3
                tasks.append((index, fixture.manager.task(for: Self.request(index, &random))))
                if random.next() % 3 == 0, let (_, task) = tasks.randomElement(using: &random) { task.cancel() }
                if random.next() % 3 == 0, let (_, task) = tasks.randomElement(using: &random) {
                    task.priority = LoadPriority.allCases.randomElement(using: &random) ?? .normal
                }
                if random.next() % 4 == 0 { await Task.yield() }
            }
            fixture.loader.gate.open()
            for (index, task) in tasks {
                var finished = 0
                for await event in task.events {
                    guard case .finished(let result) = event else { continue }
                    finished += 1
                    switch result {
                    case .success(let image): #expect(UInt64(red(image)) == index, "a picture of another source")
                    case .failure(let error): #expect(task.isCancelled || error.code == .network || error.code == .blocked)
                    }
                }
                #expect(finished == 1)
            }
            // A cancelled load ends for its waiter before its job has unwound, and observers are notified last.
            #expect(await eventually { fixture.manager.isIdle && fixture.observer.isBalanced })
        }
    }

    /// With a disk cache below: whatever was cancelled when, every file is closed and nothing half written is left.
    @Test(arguments: 100..<106) func noFileStaysOpen(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            let folder = CacheFolder()
            weak var manager: ImageManager?
            do {
                let fixture = ManagerFixture(diskCache: folder.cache())
                manager = fixture.manager
                for index in 0..<3 { fixture.serve("https://example.org/\(index).fake", width: 4, height: 4) }
                if random.next() % 2 == 0 { fixture.loader.gate.close() }
                var tasks: [ImageTask] = []
                for _ in 0..<8 {
                    tasks.append(fixture.manager.task(for: Self.request(random.next() % 3, &random)))
                    if random.next() % 3 == 0 { tasks.randomElement(using: &random)?.cancel() }
                    if random.next() % 3 == 0 { await Task.yield() }
                }
                fixture.loader.gate.open()
                for task in tasks { _ = await failureCode { try await task.value } }
                #expect(await eventually { fixture.manager.isIdle })
                try await fixture.manager.waitForStores()
            }
            // Jobs hold the cache until they have unwound.
            #expect(await eventually { manager == nil && Self.openFiles(below: folder.path).isEmpty })
            #expect(try folder.temporaryFiles().isEmpty)
        }
    }

    private static func openFiles(below folder: String) -> [String] {
        let names = (try? POSIXFileSystem().list("/proc/self/fd")) ?? []
        return names.compactMap { name in
            var target = [CChar](repeating: 0, count: 4096)
            guard readlink("/proc/self/fd/" + name, &target, target.count - 1) > 0 else { return nil }
            let path = String(decoding: target.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return path.hasPrefix(folder) ? path : nil
        }
    }

    // MG-26, S3-02
    @Test func nothingIsKeptAliveByAFinishedLoad() async throws {
        weak var manager: ImageManager?
        weak var task: ImageTask?
        do {
            let fixture = ManagerFixture()
            fixture.serve()
            let made = fixture.manager.task(for: ImageSource(ManagerFixture.url))
            _ = try await made.value
            #expect(await eventually { fixture.manager.isIdle })
            manager = fixture.manager
            task = made
        }
        await eventually { manager == nil && task == nil }
        #expect(manager == nil)
        #expect(task == nil)
    }
}

import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Glibc
import Testing

/// Thousands of schedules of one manager, each the same whenever it runs: one thread, one order, chosen by the seed. In separate
/// processes, because that needs the whole runtime. `ScheduleTests` has the same with real threads, for the thread sanitizer.
@Suite struct SeededScheduleTests {
    /// Through every face, each waiter gets its result exactly once, nothing leaks (objects, pixels, open files), no work
    /// continues without a waiter, and each job is as urgent as its most urgent waiter. KF-22, MG-06, MG-22, MG-23, MG-26
    // MG-07, U-10, S3-02
    @Test func `Whatever is cancelled, changed or fails, each hears once and nothing is left`() async {
        await #expect(processExitsWith: .success) {
            await Self.play(seeds: 0..<Self.count) { _ in nil }
        }
    }

    /// The same over a folder: every file is closed and none is half written.
    @Test func `With a disk cache below, no file stays open`() async {
        await #expect(processExitsWith: .success) {
            await Self.play(seeds: 1_000_000..<1_000_000 + Self.count / 5) { _ in CacheFolder() }
        }
    }

    // S3-12
    @Test func `The same seed is the same schedule`() async {
        await #expect(processExitsWith: .success) {
            let differing = await SeededSchedule.onOwnThread {
                (20_000..<20_200).filter { seed in
                    let runs = (0..<2).map { _ in
                        SeededSchedule.run(seed: UInt64(seed)) { await ManagerSchedule.run(seed: UInt64(seed), folder: nil) }
                    }
                    return runs[0].steps != runs[1].steps || runs[0].result?.trace != runs[1].result?.trace
                        || runs[0].result == nil
                }
            }
            Self.end(differing.map { "seed \($0): two runs differ" })
        }
    }

    /// A task that waits forever is found without a time limit.
    @Test func `A schedule that cannot end is seen`() async {
        await #expect(processExitsWith: .success) {
            let isSeen = await SeededSchedule.onOwnThread {
                SeededSchedule.run(seed: 1) { await AsyncGate().wait() }.result == nil
            }
            Self.end(isSeen ? [] : ["it ended"])
        }
    }

    /// `scripts/check-all.sh` plays more of them.
    private static let count = getenv("GANNET_SCHEDULES").flatMap { UInt64(String(cString: $0)) } ?? 2_000

    private static func play(seeds: Range<UInt64>, folder: @escaping @Sendable (UInt64) -> CacheFolder?) async {
        let complaints = await SeededSchedule.onOwnThread {
            seeds.flatMap { seed -> [String] in
                let folder = folder(seed)
                let report = SeededSchedule.run(seed: seed) { await ManagerSchedule.run(seed: seed, folder: folder) }.result
                guard let report else { return ["seed \(seed): somebody waits for ever"] }
                return report.complaints.map { "seed \(seed): \($0)" }
            }
        }
        end(complaints)
    }

    /// The child's own end: complaints go to standard error.
    private static func end(_ complaints: [String]) {
        for complaint in complaints.prefix(20) {
            let line = complaint + "\n"
            _ = write(STDERR_FILENO, line, line.utf8.count)
            Issue.record(Comment(rawValue: complaint))
        }
        exit(complaints.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE)
    }
}

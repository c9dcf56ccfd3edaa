import Glibc
import Testing

@testable import GannetPlatform

/// How many processors the process may use, by the files of its control groups and by affinity.
@Suite struct ProcessorsTests {
    @Test func `The second version: the tightest quota up to the root, rounded up`() throws {
        let files = try KernelFiles([
            "proc/self/cgroup": "0::/a/b\n", "group/a/b/cpu.max": "max 100000\n", "group/a/cpu.max": "50000 100000\n",
            "group/cpu.max": "400000 100000\n",
        ])
        #expect(files.processors.quota == 0.5 && files.processors.count == 1)
    }

    @Test func `The first version, whose quota is negative where there is none`() throws {
        let files = try KernelFiles([
            "proc/self/cgroup": "5:cpu,cpuacct:/box\n4:memory:/box\n", "group/cpu/box/cpu.cfs_quota_us": "150000\n",
            "group/cpu/box/cpu.cfs_period_us": "100000\n", "group/cpu/cpu.cfs_quota_us": "-1\n",
            "group/cpu/cpu.cfs_period_us": "100000\n",
        ])
        #expect(files.processors.quota == 1.5 && files.processors.count == min(2, Processors.allowed()))
    }

    @Test(
        "Without a quota, or with nonsense for one, affinity decides",
        arguments: [
            "max 100000\n", "max\n", "\n", "0 100000\n", "5 0\n", "many 5\n", "7\n", "1 2 3\n", "99999999999999999999 1\n",
        ])
    func none(text: String) throws {
        let files = try KernelFiles(["proc/self/cgroup": "0::/\n", "group/cpu.max": text])
        #expect(files.processors.quota == nil && files.processors.count == Processors.allowed())
    }

    @Test func `A quota of very many processors is as many as there are`() throws {
        let files = try KernelFiles(["proc/self/cgroup": "0::/\n", "group/cpu.max": "9000000000000000000 1\n"])
        #expect(files.processors.count == Processors.allowed())
    }

    @Test func `The program counts its processors so`() {
        #expect(BlockingExecutor.processorCount == Processors().count)
        #expect((1...Int(sysconf(Int32(_SC_NPROCESSORS_CONF)))).contains(BlockingExecutor.processorCount))
    }

    /// Two functions of the C library that Swift's module of it leaves out: of a thread, 0 is this one, and a set of so many bytes.
    private typealias Affinity = @convention(c) (Int32, Int, UnsafeMutableRawPointer) -> Int32

    private func function(_ name: String) throws -> Affinity {
        unsafeBitCast(try #require(dlsym(nil, name)), to: Affinity.self)
    }

    /// Of this thread alone, and only until the end of the test, which never leaves it.
    @Test func `A thread that may run on one processor has one`() throws {
        let (get, set) = (try function("sched_getaffinity"), try function("sched_setaffinity"))
        var before = [UInt8](repeating: 0, count: 1024)
        let known = get(0, before.count, &before)
        try #require(known == 0)
        defer { _ = set(0, before.count, &before) }
        let first = try #require(before.firstIndex { $0 != 0 })
        var one = [UInt8](repeating: 0, count: before.count)
        one[first] = before[first] & (~before[first] &+ 1)
        let isSet = set(0, one.count, &one)
        try #require(isSet == 0)
        #expect(Processors.allowed(toThisThread: true) == 1)
        let isBack = set(0, before.count, &before)
        #expect(isBack == 0 && Processors.allowed(toThisThread: true) == before.reduce(0) { $0 + $1.nonzeroBitCount })
    }
}

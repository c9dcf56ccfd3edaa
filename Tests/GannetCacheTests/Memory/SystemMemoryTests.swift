import GannetCore
import GannetTestSupport
import Testing

@testable import GannetPlatform

/// The limits and the use of memory, in files as the kernel writes them.
@Suite struct SystemMemoryTests {
    private static let machine = "MemTotal:        8000000 kB\nMemFree: 1 kB\n"

    @Test func `The second version: the tightest limit up to the root, and its use without file cache`() throws {
        let machine = try KernelFiles([
            "proc/meminfo": Self.machine, "proc/self/cgroup": "0::/a/b\n", "group/a/b/memory.max": "max\n",
            "group/a/memory.max": "536870912\n", "group/memory.max": "1073741824\n", "group/a/memory.current": "400000000\n",
            "group/a/memory.stat": "anon 100\nfile 900\nactive_file 40000000\ninactive_file 60000000\n",
        ])
        let limit = try #require(machine.memory.groupLimit)
        #expect(limit.bytes == 536_870_912 && machine.memory.availableBytes == 536_870_912)
        #expect(machine.memory.usedBytes(of: limit) == 300_000_000)
    }

    @Test func `The first version, whose number for no limit is no limit`() throws {
        let none = "9223372036854771712\n"
        let unlimited = try KernelFiles([
            "proc/meminfo": Self.machine, "proc/self/cgroup": "5:cpu:/x\n4:memory:/box\n",
            "group/memory/memory.limit_in_bytes": none,
            "group/memory/box/memory.limit_in_bytes": none,
        ])
        #expect(unlimited.memory.groupLimit == nil && unlimited.memory.availableBytes == 8_000_000 * 1024)
        let limited = try KernelFiles([
            "proc/meminfo": Self.machine, "proc/self/cgroup": "4:memory:/box\n", "group/memory/memory.limit_in_bytes": none,
            "group/memory/box/memory.limit_in_bytes": "268435456\n", "group/memory/box/memory.usage_in_bytes": "100000000\n",
            "group/memory/box/memory.stat": "cache 7\nactive_file 1\ntotal_active_file 2000000\ntotal_inactive_file 3000000\n",
        ])
        let limit = try #require(limited.memory.groupLimit)
        #expect(limit.bytes == 268_435_456 && limited.memory.usedBytes(of: limit) == 95_000_000)
    }

    /// The path in `/proc/self/cgroup` is the machine's, and the group is mounted as the root.
    @Test func `A container sees its own group as the root`() throws {
        let machine = try KernelFiles(["proc/self/cgroup": "0::/machine/box\n", "group/memory.max": "134217728\n"])
        #expect(machine.memory.groupLimit?.bytes == 134_217_728)
    }

    @Test func `Nothing is known where nothing is said`() throws {
        let machine = try KernelFiles(["proc/self/cgroup": "nonsense\n0::/\n", "group/memory.max": "many\n"])
        #expect(machine.memory.groupLimit == nil && machine.memory.availableBytes == nil && machine.memory.process("7") == nil)
    }

    @Test func `The memory of a process is its own, that of others too, and that of files`() throws {
        let status = "Name:\tgannet\nVmRSS:\t  600 kB\nRssAnon:\t     100 kB\nRssFile:\t     200 kB\nRssShmem:\t     300 kB\n"
        let machine = try KernelFiles(["proc/7/status": status])
        let part = SystemMemory.ProcessPart(own: 100 << 10, shared: 300 << 10, files: 200 << 10)
        #expect(machine.memory.process("7") == part)
    }
}

#if CommandLine && Server
    import GannetCommandTestSupport
    import GannetCore
    import GannetPlatform
    import GannetSupport
    import Testing

    @testable import GannetServer

    /// The memory of a service and its workers, and the limit where none is named.
    struct ServiceMemoryTests {
        private let folder: TemporaryFolder
        private let files = POSIXFileSystem()

        init() throws { folder = try TemporaryFolder() }

        private func machine(_ contents: [String: String]) throws -> SystemMemory {
            for (name, text) in contents {
                var made = folder.path
                for part in name.split(separator: "/").dropLast() {
                    made += "/" + part
                    try? files.makeDirectory(made)
                }
                try files.write([Array(text.utf8)], toNew: folder.path + "/" + name, sync: false)
            }
            return SystemMemory(proc: folder.path + "/proc", controlGroups: folder.path + "/group")
        }

        private func status(own: Int, files: Int, shared: Int) -> String {
            "RssAnon:\t\(own) kB\nRssFile:\t\(files) kB\nRssShmem:\t\(shared) kB\n"
        }

        @Test func `Workers count, the files of the program once, and shared pages once`() throws {
            let system = try machine([
                "proc/self/status": status(own: 100, files: 50, shared: 30),
                "proc/8/status": status(own: 10, files: 40, shared: 20),
                "proc/9/status": status(own: 5, files: 40, shared: 40),
            ])
            let memory = ServiceMemory(limit: 1 << 30, system: system) { [8, 9, 10] }
            #expect(memory.used == (100 + 50 + 10 + 5 + 60) << 10)
            #expect(ServiceMemory(limit: 1 << 30, system: system).used == (100 + 50 + 30) << 10)
        }

        @Test func `What others of the control group have is missing here`() throws {
            let system = try machine([
                "proc/self/status": status(own: 1000, files: 0, shared: 0), "proc/self/cgroup": "0::/\n",
                "group/memory.max": "500000000\n", "group/memory.current": "450000000\n",
                "group/memory.stat": "inactive_file 10000000\n",
            ])
            // 60,000,000 are free.
            #expect(ServiceMemory(limit: 400_000_000, system: system).used == 340_000_000)
        }

        @Test func `Nothing is measured without a process file`() throws {
            #expect(ServiceMemory(limit: 1, system: try machine([:])).used == nil)
        }

        @Test func `The limit is nearly that of the control group, else most of the machine's memory`() throws {
            let group = try machine([
                "proc/meminfo": "MemTotal: 8388608 kB\n", "proc/self/cgroup": "0::/\n", "group/memory.max": "536870912\n",
            ])
            #expect(try #require(MemoryPlan.limit(of: group)) == (480 << 20, "the control group"))
            let alone = SystemMemory(proc: folder.path + "/proc", controlGroups: folder.path + "/nowhere")
            #expect(try #require(MemoryPlan.limit(of: alone)) == (6 << 30, "the machine"))
            #expect(MemoryPlan.limit(of: SystemMemory(proc: folder.path + "/no", controlGroups: folder.path)) == nil)
        }
    }
#endif

#if Server
    import GannetCore
    import GannetPlatform
    import Glibc

    /// The kernel's statistics of this process and its decoding workers, for `/metrics` (proc(5)).
    struct ProcessStatistics: Sendable {
        /// Of this process and of all that it started, ended ones included.
        var processorSeconds = 0.0
        /// The part of those that it started.
        var workerSeconds = 0.0
        var residentBytes = 0
        /// Of the processes that it started and that run. They share memory with each other, which is counted for each.
        var workerResidentBytes = 0
        var virtualBytes = 0
        var openFiles = 0
        /// The soft limit.
        var maximumFiles = 0
        /// Since 1970.
        var startSeconds = 0.0

        /// Blocks: reads a file for each process of the machine. Nil where there is no `/proc`.
        static func read(from folder: String = "/proc") -> ProcessStatistics? {
            let files = POSIXFileSystem()
            // These files have no size.
            func text(_ name: String, _ count: Int = 4096) -> String? {
                (try? files.readHead("\(folder)/\(name)", count: count, nofollow: false)).map {
                    String(decoding: $0, as: UTF8.self)
                }
            }
            let own = Int(getpid())
            guard let me = text("self/stat").flatMap(ProcessStatus.init(parsing:)), let names = try? files.list(folder) else {
                return nil
            }
            var all: [Int: ProcessStatus] = [:]
            for name in names {
                guard let number = Int(name), number != own else { continue }
                all[number] = text("\(name)/stat").flatMap(ProcessStatus.init(parsing:))
            }
            let ticks = Double(max(sysconf(Int32(_SC_CLK_TCK)), 1))
            let page = max(sysconf(Int32(_SC_PAGESIZE)), 1)
            var statistics = ProcessStatistics()
            let workers = ProcessStatus.descendants(of: own, in: all)
            statistics.workerSeconds = Double(me.endedTicks + workers.reduce(0) { $0 + $1.ownTicks + $1.endedTicks }) / ticks
            statistics.processorSeconds = Double(me.ownTicks) / ticks + statistics.workerSeconds
            (statistics.residentBytes, statistics.virtualBytes) = (me.residentPages * page, me.virtualBytes)
            statistics.workerResidentBytes = workers.reduce(0) { $0 + $1.residentPages } * page
            statistics.openFiles = (try? files.list("\(folder)/self/fd").count) ?? 0
            var limit = rlimit()
            if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
                statistics.maximumFiles = Int(clamping: limit.rlim_cur)
            }
            let boot = text("stat", 1 << 20)?.split(separator: "\n").first { $0.hasPrefix("btime ") }.flatMap {
                Double($0.dropFirst(6))
            }
            statistics.startSeconds = (boot ?? 0) + Double(me.startTicks) / ticks
            return statistics
        }
    }

    /// The fields of `/proc/PID/stat` that are used here.
    struct ProcessStatus: Equatable, Sendable {
        var parent: Int
        /// Processor time in the program and in the kernel.
        var ownTicks: Int
        /// That of its children that have ended and were waited for, and of theirs.
        var endedTicks: Int
        /// After the machine's start.
        var startTicks: Int
        var virtualBytes: Int
        var residentPages: Int

        /// Nil for any other text. The name of a process may contain blanks and parentheses: fields are counted from the last one.
        init?(parsing text: String) {
            guard let end = text.lastIndex(of: ")") else { return nil }
            // The first of these is the third of proc(5), the state.
            let fields = text[text.index(after: end)...].split(whereSeparator: \.isWhitespace)
            guard fields.count > 21 else { return nil }
            let numbers = [1, 11, 12, 13, 14, 19, 20, 21].compactMap { Int(fields[$0]) }
            guard numbers.count == 8 else { return nil }
            (parent, ownTicks, endedTicks) = (numbers[0], numbers[1] + numbers[2], numbers[3] + numbers[4])
            (startTicks, virtualBytes, residentPages) = (numbers[5], numbers[6], numbers[7])
        }

        /// Children of `root`, and theirs.
        static func descendants(of root: Int, in all: [Int: ProcessStatus]) -> [ProcessStatus] {
            var children = Dictionary(grouping: all.keys) { all[$0]?.parent ?? 0 }
            var (found, next) = ([ProcessStatus](), [root])
            while let parent = next.popLast() {
                // They are read one after the other, so a process number may have been reused meanwhile.
                for child in children.removeValue(forKey: parent) ?? [] where child != root {
                    if let status = all[child] { found.append(status) }
                    next.append(child)
                }
            }
            return found
        }
    }
#endif

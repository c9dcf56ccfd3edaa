#if CommandLine && PNG
    import GannetCommandTestSupport
    import GannetCore
    import GannetPlatform
    import GannetSupport
    import Glibc
    import Testing

    @testable import gannet

    /// Leftovers of a process that ends at once.
    struct EndingTests {
        /// Of the process that has the test and of the one that ends.
        private static func folder(_ process: pid_t) -> String { "/tmp/gannet-ending-\(process)" }

        @Test func noHalfFilesWhereNobodyReadsTheOutput() async throws {
            let folder = Self.folder(getpid())
            try OutputFile.makeFolder(folder)
            defer { rmdir(folder) }
            await #expect(processExitsWith: .exitCode(1)) {
                signal(SIGPIPE, SIG_IGN)
                var ends: [Int32] = [-1, -1]
                guard pipe(&ends) == 0, close(ends[0]) == 0, dup2(ends[1], 1) == 1 else { exit(2) }
                try WholeFile.write(to: Self.folder(getppid()) + "/a") { put throws(ImageError) in
                    try put([1])
                    // Another thread, mostly.
                    Console.print("nobody reads this")
                }
            }
            #expect(try POSIXFileSystem().list(folder) == [])
        }

        @Test func noFoldersOfItsOwn() async throws {
            let folder = Self.folder(getpid()) + "-own"
            try OutputFile.makeFolder(folder)
            defer { rmdir(folder) }
            await #expect(processExitsWith: .exitCode(3)) {
                setenv("TMPDIR", Self.folder(getppid()) + "-own", 1)
                let own = try TemporaryFolder()
                try OutputFile.makeFolder(own.path + "/cache")
                try OutputFile.write([[1]], to: own.path + "/cache/a")
                Ending.now(3)
            }
            #expect(try POSIXFileSystem().list(folder) == [])
        }

        /// Between the question to the terminal and its answer, when nothing is loading yet.
        @Test(.timeLimit(.minutes(10))) func aSignalLeavesTheTerminalAsItWas() async throws {
            let tool = try Tool()
            let path = try tool.write(try Samples.png(), "a.png")
            let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            defer { close(terminal) }
            var (lock, number): (Int32, UInt32) = (0, 0)
            // TIOCSPTLCK and TIOCGPTN: what `unlockpt` and `ptsname` do, which Swift does not see.
            try #require(ioctl(terminal, 0x4004_5431, &lock) == 0 && ioctl(terminal, 0x8004_5430, &number) == 0)
            let name = "/dev/pts/\(number)"
            let side = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
            defer { close(side) }
            var before = termios()
            #expect(tcgetattr(side, &before) == 0 && before.c_lflag & tcflag_t(ECHO) != 0)
            // The first terminal that the leader of a session opens is its own.
            let process = try Self.start([Tool.binary, "show", "--no-cache", path], on: name)
            try await BlockingExecutor.files.run { () throws(ImageError) in
                var bytes = [UInt8](repeating: 0, count: 1)
                // The question; it is silent from before that on.
                #expect(read(terminal, &bytes, 1) == 1)
                kill(process, SIGINT)
                var status: Int32 = 0
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
            }
            var after = termios()
            #expect(tcgetattr(side, &after) == 0 && after.c_lflag == before.c_lflag)
        }

        private static func start(_ arguments: [String], on terminal: String) throws -> pid_t {
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            for number in 0..<3 as Range<Int32> {
                posix_spawn_file_actions_addopen(&actions, number, terminal, O_RDWR, 0)
            }
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            // POSIX_SPAWN_SETSID, which the headers only define with _GNU_SOURCE.
            posix_spawnattr_setflags(&attributes, 0x80)
            let argv = arguments.map { strdup($0) }
            let variables = [String](["PATH=/usr/bin:/bin", "TERM=xterm"])
            let envp = variables.map { strdup($0) }
            defer { for pointer in argv + envp { free(pointer) } }
            var process: pid_t = 0
            let failure = posix_spawn(&process, arguments[0], &actions, &attributes, argv + [nil], envp + [nil])
            try #require(failure == 0)
            return process
        }
    }
#endif

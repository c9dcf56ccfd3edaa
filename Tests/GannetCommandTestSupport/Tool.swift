#if CommandLine
    import Foundation
    import GannetCore
    import GannetPlatform
    package import GannetSupport
    package import Glibc
    import Synchronization

    /// The built `gannet`, run as users run it: in a separate process with a temporary home folder, which is removed with this
    /// object.
    package final class Tool: Sendable {
        package let folder: TemporaryFolder
        private let processes = Mutex<[pid_t]>([])

        package init() throws { folder = try TemporaryFolder() }

        /// A test that failed may have left processes: no zombie may stay, which would hold up tests that wait for another process.
        deinit {
            for process in processes.withLock({ $0 }) where waitpid(process, nil, WNOHANG) == 0 {
                kill(process, SIGKILL)
                _ = Self.status(of: process)
            }
            folder.remove()
        }

        /// The result of a run.
        package struct Outcome: Sendable {
            /// The exit code; negative: the signal that ended it.
            package var status: Int32
            package var output: [UInt8]
            package var errors: String

            package var text: String { String(decoding: output, as: UTF8.self) }

            /// Standard output as JSON lines; an empty list if any line is something else.
            package var objects: [[String: Any]] {
                let lines = text.split(separator: "\n")
                let parsed = lines.compactMap {
                    (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
                }
                return parsed.count == lines.count ? parsed : []
            }
        }

        /// A file of this run's folder.
        package func path(_ name: String) -> String { folder.path + "/" + name }

        /// Writes a file, into a folder that is made.
        @discardableResult
        package func write(_ bytes: [UInt8], _ name: String) throws -> String {
            if let slash = name.lastIndex(of: "/") {
                try FileManager.default.createDirectory(
                    atPath: path(String(name[..<slash])), withIntermediateDirectories: true)
            }
            try Self.write(bytes, to: path(name))
            return path(name)
        }

        private static func write(_ bytes: [UInt8], to path: String) throws(ImageError) {
            try WholeFile.write(to: path) { put throws(ImageError) in try put(bytes) }
        }

        package func read(_ name: String) throws -> [UInt8] {
            try POSIXFileSystem().read(path(name), maximumBytes: 1 << 28, nofollow: false)
        }

        package func names(_ name: String) -> [String] { ((try? POSIXFileSystem().list(path(name))) ?? []).sorted() }

        package func run(_ arguments: String..., input: [UInt8] = [], variables: [String: String] = [:]) async throws -> Outcome {
            try await start(arguments, input: input, variables: variables).wait()
        }

        /// A run of `gannet-lab`.
        package func lab(_ arguments: String..., input: [UInt8] = []) async throws -> Outcome {
            try await start(arguments, program: Tool.lab, input: input).wait()
        }

        /// Started, not waited for.
        package func start(
            _ arguments: [String], program: String = Tool.binary, input: [UInt8] = [], variables: [String: String] = [:]
        ) throws -> Running {
            let number = UInt32.random(in: 0 ... .max)
            let files = ["in", "out", "err"].map { path("\(number).\($0)") }
            try Self.write(input, to: files[0])
            let process = try spawn(arguments, program: program, variables: variables) { actions in
                posix_spawn_file_actions_addopen(&actions, 0, files[0], O_RDONLY, 0)
                posix_spawn_file_actions_addopen(&actions, 1, files[1], O_WRONLY | O_CREAT, 0o600)
                posix_spawn_file_actions_addopen(&actions, 2, files[2], O_WRONLY | O_CREAT, 0o600)
            }
            return Running(tool: self, process: process, output: files[1], errors: files[2])
        }

        /// - Parameter streams: configures the standard streams.
        package func spawn(
            _ arguments: [String], program: String = Tool.binary, variables: [String: String] = [:],
            _ streams: (inout posix_spawn_file_actions_t) -> Void
        ) throws -> pid_t {
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            streams(&actions)
            var environment = ProcessInfo.processInfo.environment
            environment["HOME"] = folder.path
            environment["XDG_CACHE_HOME"] = nil
            environment["COLORTERM"] = nil
            for name in environment.keys where name.lowercased().hasSuffix("_proxy") { environment[name] = nil }
            for (name, value) in variables { environment[name] = value }
            let argv = ([program] + arguments).map { strdup($0) }
            let envp = environment.map { strdup("\($0.key)=\($0.value)") }
            defer { for pointer in argv + envp { free(pointer) } }
            var process: pid_t = 0
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            // As when a shell starts a program; the process that runs the tests may ignore the signal.
            var defaults = sigset_t()
            sigemptyset(&defaults)
            sigaddset(&defaults, SIGPIPE)
            posix_spawnattr_setsigdefault(&attributes, &defaults)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
            let failure = posix_spawn(&process, program, &actions, &attributes, argv + [nil], envp + [nil])
            guard failure == 0 else {
                throw ImageError(.io, "\(program) cannot be run: \(String(cString: strerror(failure)))")
            }
            processes.withLock { $0.append(process) }
            return process
        }

        /// A line for `sh`, in this run's folder; `$0` is `gannet`.
        package func shell(_ line: String) async throws -> Outcome {
            try await start(["-c", "cd '\(folder.path)' || exit; " + line, Self.binary], program: "/bin/sh").wait()
        }

        package struct Running: Sendable {
            /// Its folder stays until the run is over.
            package let tool: Tool
            package let process: pid_t
            /// Files that grow while it runs.
            package let output: String
            package let errors: String

            package init(tool: Tool, process: pid_t, output: String, errors: String) {
                (self.tool, self.process, self.output, self.errors) = (tool, process, output, errors)
            }

            package func signal(_ number: Int32) { kill(process, number) }

            package func wait() async throws -> Outcome {
                let running = self
                return try await BlockingExecutor.files.run { () throws(ImageError) in
                    let status = Tool.status(of: running.process)
                    let files = POSIXFileSystem()
                    return Outcome(
                        status: status,
                        output: try files.read(running.output, maximumBytes: 1 << 28, nofollow: false),
                        errors: String(
                            decoding: try files.read(running.errors, maximumBytes: 1 << 28, nofollow: false), as: UTF8.self))
                }
            }
        }

        /// Waits until it has ended, and blocks. The exit code; negative: the signal that ended it.
        package static func status(of process: pid_t) -> Int32 {
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
        }

        /// Beside the program that runs the tests.
        package static let binary = products + "/gannet"

        package static let lab = products + "/gannet-lab"

        private static let products: String = {
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
            let own = String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? own
            return bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        }()
    }
#endif

#if Redis
    import Foundation
    import GannetCore
    import GannetPlatform
    import GannetTesting
    import Glibc
    import Testing

    /// A real `redis-server` on a Unix socket, with nothing on disk but its log. Ends with this object.
    final class RedisProcess: Sendable {
        private static let program = "/usr/bin/redis-server"
        static var isThere: Bool { access(program, X_OK) == 0 }

        private let folder: String
        private let process: pid_t

        var url: String { "unix:\(folder)/redis.sock" }

        /// Returns when it answers.
        init() async throws {
            let random = SystemRandomSource()
            folder = "/tmp/gannet-test-" + Digest128(high: random.next(), low: random.next()).hex
            try POSIXFileSystem().makeDirectory(folder)
            let log = folder + "/log"
            let words: [String] = [
                Self.program, "--port", "0", "--unixsocket", "\(folder)/redis.sock", "--logfile", log, "--save", "",
            ]
            // Copied for the new process.
            let arguments = words.map { strdup($0) }
            defer { for argument in arguments { free(argument) } }
            var process: pid_t = 0
            let failure = posix_spawn(&process, Self.program, nil, nil, arguments + [nil], [nil])
            try #require(failure == 0)
            self.process = process
            let isReady = await eventually {
                ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").contains("eady to accept")
            }
            try #require(isReady)
        }

        deinit {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
            for name in ["log", "redis.sock"] { unlink("\(folder)/\(name)") }
            rmdir(folder)
        }
    }
#endif

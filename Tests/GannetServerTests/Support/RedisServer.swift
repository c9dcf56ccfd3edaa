#if CommandLine && Server
    import GannetCommandTestSupport
    import GannetCore
    import GannetPlatform
    import GannetTesting
    import Glibc
    import Testing

    @testable import GannetServer
    @testable import GannetSharedCaches
    @testable import gannet

    /// A real `redis-server` on a Unix socket, with nothing on disk. Ends with this object.
    final class RedisServer: Sendable {
        private let tool: Tool
        private let running: Tool.Running
        let address: RedisAddress

        /// Returns when it answers. `at`: the socket of an earlier one, which has ended.
        init(at socket: String? = nil, _ options: [String] = []) async throws {
            tool = try Tool()
            let path = socket ?? tool.path("redis.sock")
            address = RedisAddress(.socket(path: path))
            let arguments = ["--port", "0", "--unixsocket", path, "--save", "", "--appendonly", "no"] + options
            running = try tool.start(arguments, program: "/usr/bin/redis-server")
            let plain = address
            let isUp = await eventually {
                (try? RedisConnection(plain.endpoints[0], login: plain, connect: .seconds(60), command: .seconds(60)).ask([
                    Array("PING".utf8)
                ])) != nil
            }
            try #require(isUp)
        }

        deinit { kill() }

        private func kill() {
            running.signal(SIGKILL)
            _ = Tool.status(of: running.process)
        }

        /// Ends it as if the machine had gone.
        func end() { running.signal(SIGKILL) }

        /// It keeps its connections, takes new ones, and answers nothing.
        func stop() { running.signal(SIGSTOP) }
        func goOn() { running.signal(SIGCONT) }

        /// Never in a hurry: what a test finds out does not depend on how busy the machine is.
        func responses(
            _ time: any TimeSource = SystemTimeSource(), lease: Duration = .seconds(600)
        ) -> RedisResponseStore {
            RedisResponseStore(address, limits: .patient, time: time, leaseLength: lease)
        }

        static var isThere: Bool { access("/usr/bin/redis-server", X_OK) == 0 }
    }

    extension RedisLimits {
        /// Never in a hurry.
        static var patient: RedisLimits {
            var limits = RedisLimits()
            (limits.connect, limits.command) = (.seconds(600), .seconds(600))
            limits.waiting = .max - limits.connections
            return limits
        }
    }
#endif

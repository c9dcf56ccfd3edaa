#if CommandLine && Server && PNG
    import Foundation
    import GannetCommandTestSupport
    import GannetCore
    import GannetFetch
    import GannetHTTP
    import GannetTesting
    import Glibc
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// Socket activation: whoever starts the service has its socket already.
    struct PassedSocketTests {
        let tool: Tool

        init() throws { tool = try Tool() }

        /// `serve` with `files` from number 3 on, as its service manager would have it.
        private func start(_ files: [CInt], count: Int? = nil) throws -> Tool.Running {
            let number = UInt32.random(in: 0 ... .max)
            let (output, errors) = (tool.path("\(number).out"), tool.path("\(number).err"))
            let line = "LISTEN_PID=$$ LISTEN_FDS=\(count ?? files.count) exec \"$0\" serve --no-cache --allow a.example.org"
            let process = try tool.spawn(["-c", line, Tool.binary], program: "/bin/sh") { actions in
                posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
                posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT, 0o600)
                for (index, file) in files.enumerated() { posix_spawn_file_actions_adddup2(&actions, file, CInt(3 + index)) }
            }
            return Tool.Running(tool: tool, process: process, output: output, errors: errors)
        }

        /// On a port of the loopback that the system chose.
        private func listener() throws -> (socket: CInt, port: UInt16) {
            let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(descriptor, address, length) == 0 && listen(descriptor, 8) == 0
                        && getsockname(descriptor, address, &length) == 0
                }
            }
            try #require(isOpen)
            return (descriptor, UInt16(bigEndian: address.sin_port))
        }

        /// A client that comes before the service is up waits, and is answered.
        @Test(.timeLimit(.minutes(10))) func aPassedSocketIsServed() async throws {
            let (socket, port) = try listener()
            let url = try #require(URL(string: "http://127.0.0.1:\(port)/health"))
            async let early = CURLTransport().send(HTTPRequest(url: url)).head.status
            let service = try start([socket])
            close(socket)
            #expect(try await early == 200)
            service.signal(SIGTERM)
            let outcome = try await service.wait()
            #expect(outcome.status == 0 && outcome.text.contains("the socket that was passed"))
        }

        @Test(.timeLimit(.minutes(10))) func otherDescriptorsAreRefused() async throws {
            let (socket, _) = try listener()
            defer { close(socket) }
            let null = open("/dev/null", O_RDWR)
            defer { close(null) }
            let file = try await start([null]).wait()
            #expect(file.status == 1 && file.errors.contains("no listening socket"))
            let two = try await start([socket, socket]).wait()
            #expect(two.status == 1 && two.errors.contains("2 sockets were passed"))
        }
    }
#endif

#if CommandLine && HTTP && PNG
    import Foundation
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetPlatform
    import GannetTesting
    import Glibc
    import Testing

    @testable import gannet

    /// Where `gannet serve` connects, without options and with them.
    struct AddressOptionTests {
        let tool: Tool
        let source: PictureServer
        let port: String

        init() throws {
            tool = try Tool()
            let picture = PictureServer.picture(try Samples.png())
            source = PictureServer { head in
                guard head.contains(" /away?") else { return picture(head) }
                let place = head.split(separator: " ")[1].split(separator: "?")[1]
                return PictureServer.response("302 Found", ["Location: http://\(place)/"])
            }
            port = String(source.url("").split(separator: ":").last ?? "")
        }

        /// The status for each path of the source, and the error's name.
        private func statuses(_ paths: [String], _ options: String...) async throws -> [String] {
            let pipe = Pipe()
            let (reading, writing) = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
            _ = fcntl(reading.fileDescriptor, F_SETFD, FD_CLOEXEC)
            let arguments = ["serve", "--port", "0", "--no-cache", "--allow", "127.0.0.1", "--allow", "127.0.0.2"] + options
            let process = try tool.spawn(arguments) { actions in
                posix_spawn_file_actions_adddup2(&actions, writing.fileDescriptor, 1)
                posix_spawn_file_actions_addclose(&actions, writing.fileDescriptor)
            }
            try writing.close()
            defer {
                kill(process, SIGTERM)
                _ = Tool.status(of: process)
            }
            let line = try await BlockingExecutor.files.run { () throws(ImageError) -> String in
                var line: [UInt8] = []
                var byte: UInt8 = 0
                while read(reading.fileDescriptor, &byte, 1) == 1, byte != 10 { line.append(byte) }
                return String(decoding: line, as: UTF8.self)
            }
            let address = try #require(line.split(separator: " ").last, "\(line)")
            let transport = try CURLTransport()
            var statuses: [String] = []
            for path in paths {
                let url = try #require(URL(string: "\(address)/12x12/fit?url=\(source.url(path))"))
                let head = try await transport.send(HTTPRequest(url: url)).head
                statuses.append("\(head.status) \(head.headers["X-Gannet-Code"] ?? "")")
            }
            return statuses
        }

        @Test(.timeLimit(.minutes(10))) func innerAddressesAreRefused() async throws {
            #expect(try await statuses(["/a.png"]) == ["502 "])
            // The port alone, and the address alone, are not enough.
            #expect(try await statuses(["/a.png"], "--allow-port", port) == ["502 "])
            #expect(try await statuses(["/a.png"], "--allow-network", "127.0.0.0/8") == ["502 "])
            #expect(source.requests.isEmpty)
        }

        @Test(.timeLimit(.minutes(10))) func whatIsAllowedIsReachedAndNothingElse() async throws {
            let inner = RawServer(host: 2, port: try #require(Int(port))) { connection in _ = connection.readHead() }
            let options = ["--allow-network", "10.0.0.0/8", "--allow-network", "127.0.0.1/32", "--allow-port", port]
            let statuses = try await statuses(
                ["/a.png", "/away?127.0.0.2:\(port)", "/away?127.0.0.1:\(port)"], options[0], options[1], options[2],
                options[3], options[4], options[5])
            #expect(statuses == ["200 ", "502 ", "200 "])
            #expect(inner.connectionCount == 0 && source.requests.count == 4)
        }

        @Test(arguments: [
            ["--allow-network", "10.0.0.0/33"], ["--allow-network", "localhost"], ["--allow-network", ""],
            ["--allow-port", "0"], ["--allow-port", "65536"], ["--allow-port", "http"],
        ])
        func textThatIsNoNetworkOrPort(_ options: [String]) async throws {
            let outcome = try await tool.run("serve", "--allow", "a.example", options[0], options[1])
            #expect(outcome.status == 64 && outcome.errors.contains(options[0]), "\(outcome.errors)")
        }
    }
#endif

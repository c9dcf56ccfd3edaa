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

    /// SIGHUP: a service reads its files again, and serves on.
    struct ReloadTests {
        let tool: Tool
        let source: PictureServer

        init() throws {
            tool = try Tool()
            source = PictureServer(PictureServer.picture(try Samples.png()))
        }

        private func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

        private func status(_ address: String, _ key: String) async throws -> Int {
            let keys = SigningKeys(keys: [SigningKeys.Key(secret: Array(key.utf8))])
            let target = try keys.sign("/_/rs:fit:6:6/f:png/plain/\(source.url("/a.png"))")
            let url = try #require(URL(string: address + target))
            return try await CURLTransport().send(HTTPRequest(url: url)).head.status
        }

        @Test(.timeLimit(.minutes(10))) func keysAreExchangedWithoutAGap() async throws {
            let (old, new) = ("0123456789abcdef-old", "0123456789abcdef-new")
            let key = try tool.write(Array(old.utf8), "key")
            let port = String(source.url("").split(separator: ":").last ?? "")
            let options = "key-file \(key)\nport 0\nno-cache\nallow-network 127.0.0.0/8\nallow-port \(port)\n"
            let service = try tool.start(["serve", "--config", try tool.write(Array(options.utf8), "options")])
            #expect(await eventually { text(service.output).hasSuffix("\n") })
            let address = try #require(text(service.output).split(whereSeparator: \.isWhitespace).last.map { String($0) })
            #expect(try await status(address, old) == 200)
            #expect(try await status(address, new) == 403)

            _ = try tool.write(Array(new.utf8), "key")
            kill(service.process, SIGHUP)
            #expect(await eventually { text(service.errors).contains("was read again") })
            #expect(try await status(address, old) == 403)
            #expect(try await status(address, new) == 200)

            _ = try tool.write(Array("short".utf8), "key")
            kill(service.process, SIGHUP)
            #expect(await eventually { text(service.errors).contains("stays as it was") })
            #expect(try await status(address, new) == 200)

            kill(service.process, SIGTERM)
            #expect(try await service.wait().status == 0)
        }
    }
#endif

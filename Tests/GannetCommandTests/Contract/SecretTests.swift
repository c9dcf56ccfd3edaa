#if CommandLine && HTTP && PNG
    import GannetCommandTestSupport
    import GannetCore
    import Testing

    @testable import gannet

    /// Passwords in URLs and secrets in header fields appear in no output.
    struct SecretTests {
        private static let secret = "s3cr3tw0rd"
        private let tool: Tool
        private let server: PictureServer

        init() throws {
            tool = try Tool()
            let picture = PictureServer.picture(try Samples.png())
            server = PictureServer { head in
                head.contains("/missing") ? PictureServer.response("404 Not Found") : picture(head)
            }
        }

        private func url(_ path: String) -> String {
            server.url(path).replacing("http://", with: "http://me:\(Self.secret)@")
        }

        private func expectNoSecret(_ arguments: [String], _ statuses: ClosedRange<Int32> = 0...1) async throws {
            let outcome = try await tool.start(arguments).wait()
            #expect(statuses.contains(outcome.status), "\(arguments): \(outcome.errors)")
            #expect(!(outcome.text + outcome.errors).contains(Self.secret), "\(arguments): \(outcome.text)\n\(outcome.errors)")
            #expect(!(outcome.text + outcome.errors).isEmpty, "\(arguments)")
        }

        @Test(arguments: [
            ["fetch"], ["fetch", "--explain"], ["fetch", "--progress", "always"], ["fetch", "--log-level", "debug"],
            ["fetch", "--refresh", "--thumbnail", "8x8", "--log-level", "debug"], ["info"], ["show", "--graphics", "blocks"],
            ["show", "--allow-partial"], ["prefetch"], ["prefetch", "--progress", "always"],
            ["prefetch", "--thumbnail", "8x8", "--log-level", "debug"], ["fetch", "-O", "out"],
            ["convert", "--log-level", "debug"],
        ])
        func passwordsInURLsAreNotShown(_ command: [String]) async throws {
            var command = command
            if command.last == "out" { command[command.count - 1] = tool.path("out") }
            for json in [[], ["--json"]] {
                for path in ["/a.png", "/missing", ""] {
                    let output = command[0] == "convert" ? [tool.path("a.png")] : []
                    try await expectNoSecret(command + json + [url(path)] + output)
                }
            }
            #expect(tool.names("out").allSatisfy { !$0.contains(Self.secret) })
        }

        /// Even if the address cannot be loaded at all.
        @Test(arguments: [
            "ftp://me:s3cr3tw0rd@host/a", "http://me:s3cr3tw0rd@[::1/a", "http://me:x s3cr3tw0rd@host.invalid/a",
            "http://me:x/s3cr3tw0rd@host.invalid/a", "HTTP://me:s3cr3tw0rd@host.invalid", "http://s3cr3tw0rd@host.invalid/a\"b",
            "http://me:\"s3cr3tw0rd\"@host.invalid/", "data://s3cr3tw0rd@x",
        ])
        func passwordsInWrongAddressesAreNotShown(_ source: String) async throws {
            let list = try tool.write(Array(source.utf8), "list")
            for command in [
                ["fetch", source], ["fetch", "--list", list], ["info", source], ["show", source],
                ["convert", source, tool.path("b.png")],
                ["decode", source], ["prefetch", source], ["prefetch", "--list", list], ["cache", "info", source],
                ["cache", "path", source],
            ] {
                try await expectNoSecret(command)
                try await expectNoSecret(command + ["--json"])
            }
        }

        @Test func theCacheShowsNoPasswords() async throws {
            #expect(try await tool.run("fetch", "--thumbnail", "8x8", url("/a.png")).status == 0)
            for command in [["list"], ["info", url("/a.png")], ["path", url("/a.png")], ["verify"], ["clear"]] {
                try await expectNoSecret(["cache"] + command + ["--json"])
                try await expectNoSecret(["cache"] + command)
            }
        }

        /// A key as it is listed still finds its entry.
        @Test func listedKeysAreFound() async throws {
            #expect(try await tool.run("fetch", url("/a.png")).status == 0)
            let keys = try await tool.run("cache", "list", "--json").objects.compactMap { $0["key"] as? String }
            #expect(!keys.isEmpty)
            for key in keys { #expect(try await tool.run("cache", "info", key).status == 0, "\(key)") }
        }

        @Test(arguments: ["X-Token: s3cr3tw0rd", "Authorization: Bearer s3cr3tw0rd", "Cookie: a=s3cr3tw0rd"])
        func headerValuesAreNotShown(_ header: String) async throws {
            for command in [["fetch"], ["info"], ["prefetch"], ["show"]] {
                for source in [server.url("/a.png"), server.url("/missing")] {
                    try await expectNoSecret(command + ["--log-level", "debug", "--header", header, source])
                }
            }
            // Equal transfers that run at once are reported by the key that they share.
            let equal = [String](repeating: server.url("/b.png"), count: 8)
            try await expectNoSecret(["info", "--log-level", "debug", "--header", header] + equal)
            try await expectNoSecret(["cache", "list"])
        }

        @Test(arguments: [
            ["fetch", "--header", "s3cr3tw0rd", "a"], ["fetch", "--header", "Authorization Bearer s3cr3tw0rd", "a"],
            ["fetch", "--user", "s3cr3tw0rd", "a"], ["fetch", "--proxy", "ftp://me:s3cr3tw0rd@host", "a"],
            ["fetch", "--list", "a", "--thumbnail", "http://me:s3cr3tw0rd@host"], ["decode", "a", "http://me:s3cr3tw0rd@host"],
        ])
        func wrongUsageShowsNoSecrets(_ arguments: [String]) async throws {
            try await expectNoSecret(arguments, 64...64)
        }
    }
#endif

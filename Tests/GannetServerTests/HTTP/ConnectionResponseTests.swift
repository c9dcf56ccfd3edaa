#if CommandLine && Server
    import FoundationEssentials
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetFetch
    import GannetHTTP
    import GannetTesting
    import Glibc
    import NIOCore
    import NIOPosix
    import NIOSSL
    import Synchronization
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// What every connection gets, and what the operator learns of it.
    struct ConnectionResponseTests {
        private let tool: Tool

        init() throws { tool = try Tool() }

        private func service() -> ThumbnailService {
            let manager = ImageManager(
                configuration: ManagerConfiguration(
                    memoryCache: nil, diskCache: nil, loaders: LoadersManager(), coders: CodersManager()))
            return ThumbnailService(ThumbnailService.Configuration(policy: SourcePolicy(hosts: [])), manager: manager)
        }

        /// All that a server says until it closes, and the lines of its log.
        private func exchange(_ text: String, front: ThumbnailServer.Front = .init()) async throws -> (String, [AccessLog.Entry])
        {
            let entries = Mutex<[AccessLog.Entry]>([])
            let server = try await ThumbnailServer.start(
                service(), at: .host("127.0.0.1", port: 0), limits: .patient, certificate: nil, front: front
            ) { entry in entries.withLock { $0.append(entry) } }
            async let end: Void = server.run(grace: .seconds(9999))
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: server.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                    }
                }
            let answer = try await channel.executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(string: text))
                var all = ByteBuffer()
                for try await var piece in inbound { all.writeBuffer(&piece) }
                return String(buffer: all)
            }
            server.stop()
            try await end
            return (answer, entries.withLock { $0 })
        }

        @Test(
            .timeLimit(.minutes(10)),
            arguments: [
                "GET /health", "GET /ready", "GET /nothing", "POST /health", "GET /4x4/fit?url=http://a.example.org/a.png",
                "GET  /",
            ])
        func typesAreNotGuessed(request: String) async throws {
            let (answer, _) = try await exchange("\(request) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(answer.lowercased().contains("\r\nx-content-type-options: nosniff\r\n"), "\(answer)")
        }

        /// A request that is none is answered and logged as others are, without what the client sent.
        @Test(
            .timeLimit(.minutes(10)),
            arguments: [
                "GET  /secret HTTP/1.1\r\n\r\n", "GET /a HTTP/1.1\r\nHost: a\r\nsecret\r\n\r\n", "\u{16}\u{3}secret\r\n\r\n",
            ])
        func unreadableRequestsAreLogged(text: String) async throws {
            let right = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
            let (answer, entries) = try await exchange(right + text + right)
            #expect(answer.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) } == ["200", "400"], "\(answer)")
            #expect(entries.map(\.response.status) == [200, 400])
            let entry = try #require(entries.last)
            for log in AccessLog.allCases {
                let line = log.line(entry, presets: Presets())
                #expect(line.contains("400") && line.contains("127.0.0.1") && !line.contains("secret"), "\(line)")
            }
            #expect(entry.response.failure?.hasPrefix("The request cannot be read") == true)
        }

        @Test(.timeLimit(.minutes(10))) func theLogHasTheClientBehindAProxy() async throws {
            let request = "GET /health HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 6.6.6.6, 1.2.3.4\r\nConnection: close\r\n\r\n"
            #expect(try await exchange(request).1.map(\.client) == ["127.0.0.1"])
            var front = ThumbnailServer.Front()
            front.proxies = try TrustedProxies(["127.0.0.0/8"])
            #expect(try await exchange(request, front: front).1.map(\.client) == ["1.2.3.4"])
        }

        @Test(.timeLimit(.minutes(10)), arguments: [nil, 0o660] as [mode_t?])
        func aSocketLetsOthersIn(mode: mode_t?) async throws {
            var front = ThumbnailServer.Front()
            if let mode { front.access.mode = mode }
            front.access.group = getegid()
            let path = tool.path("socket")
            let server = try await ThumbnailServer.start(
                service(), at: .unixSocket(path), limits: .patient, certificate: nil, front: front, log: nil)
            async let end: Void = server.run()
            var status = stat()
            #expect(stat(path, &status) == 0)
            #expect(status.st_mode & 0o777 == mode ?? 0o666 && status.st_gid == getegid())
            server.stop()
            try await end
        }

        /// Authenticated encryption with forward secrecy, and nothing else.
        @Test(
            .enabled(if: access("/usr/bin/openssl", X_OK) == 0, "there is no /usr/bin/openssl"), .timeLimit(.minutes(10)),
            arguments: [
                (NIOTLSCipher.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, true), (.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, true),
                (.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, true), (.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, false),
                (.TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA, false),
            ])
        func ciphersOfTLS12(cipher: NIOTLSCipher, isAccepted: Bool) async throws {
            try tool.makeCertificate("one")
            let certificate = try ServerCertificate(chain: tool.path("one.pem"), key: tool.path("one.key"))
            let server = try await ThumbnailServer.start(
                service(), at: .host("127.0.0.1", port: 0), limits: .patient, certificate: certificate)
            async let end: Void = server.run()
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.certificateVerification = .none
            configuration.maximumTLSVersion = .tlsv12
            configuration.cipherSuiteValues = [cipher]
            let context = try NIOSSLContext(configuration: configuration)
            let request = ByteBuffer(string: "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: server.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLClientHandler(context: context, serverHostname: nil))
                        return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                    }
                }
            let answer = try? await channel.executeThenClose { inbound, outbound in
                try await outbound.write(request)
                var all = ByteBuffer()
                for try await var piece in inbound { all.writeBuffer(&piece) }
                return String(buffer: all)
            }
            #expect((answer?.hasPrefix("HTTP/1.1 200 ") == true) == isAccepted)
            server.stop()
            try await end
        }
    }
#endif

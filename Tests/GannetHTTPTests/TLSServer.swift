#if Server
    import FoundationEssentials
    import Glibc
    import NIOCore
    import NIOPosix
    import NIOSSL
    import Testing

    /// Certificates made by openssl, once for all tests: an authority, and the certificates that it signs.
    struct Certificates: Sendable {
        let folder: String

        static let shared = Result { try Certificates() }
        static let isAvailable = access("/usr/bin/openssl", X_OK) == 0

        private init() throws {
            var template = Array("/tmp/gannet-tls-XXXXXX".utf8CString)
            folder = try #require(
                template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } })
            try run("req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 30 -subj /CN=GannetTestAuthority")
            try sign("good", "DNS:localhost,IP:127.0.0.1", "-days 30")
            try sign("other", "DNS:other.example", "-days 30")
            try sign("expired", "DNS:localhost,IP:127.0.0.1", "-not_before 20200101000000Z -not_after 20200201000000Z")
            try run(
                "req -x509 -newkey rsa:2048 -nodes -keyout self.key -out self.pem -days 30 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1"
            )
        }

        private func sign(_ name: String, _ names: String, _ dates: String) throws {
            try run("req -newkey rsa:2048 -nodes -keyout \(name).key -out \(name).csr -subj /CN=\(name)")
            try Data("subjectAltName=\(names)\n".utf8).write(to: URL(filePath: folder + "/\(name).ext"))
            if dates.hasPrefix("-days") {
                try run(
                    "x509 -req -in \(name).csr -CA ca.pem -CAkey ca.key -CAcreateserial -out \(name).pem -extfile \(name).ext \(dates)"
                )
            } else {
                // Only the small authority of openssl can date certificates back.
                let settings = """
                    [ca]
                    default_ca=a
                    [a]
                    database=index.txt
                    serial=serial.txt
                    new_certs_dir=.
                    default_md=sha256
                    policy=p
                    [p]
                    commonName=supplied
                    """
                try Data(settings.utf8).write(to: URL(filePath: folder + "/ca.cnf"))
                try Data().write(to: URL(filePath: folder + "/index.txt"))
                try Data("1000\n".utf8).write(to: URL(filePath: folder + "/serial.txt"))
                try run(
                    "ca -batch -config ca.cnf -in \(name).csr -cert ca.pem -keyfile ca.key -out \(name).pem -extfile \(name).ext -notext -startdate 20200101000000Z -enddate 20200201000000Z"
                )
            }
        }

        /// Base64 of the SHA-256 of the certificate's public key.
        func publicKey(_ name: String) throws -> String {
            try run(
                "x509 -in \(name).pem -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | openssl base64 -A -out \(name).pin"
            )
            return try String(contentsOf: URL(filePath: folder + "/\(name).pin"), encoding: .utf8)
        }

        private func run(_ arguments: String) throws {
            var pid = pid_t()
            let words = ["/bin/sh", "-c", "cd '\(folder)' && openssl \(arguments) >openssl.log 2>&1"]
            var pointers = words.map { strdup($0) } + [nil]
            defer { for pointer in pointers { free(pointer) } }
            try #require(posix_spawn(&pid, "/bin/sh", nil, nil, &pointers, environ) == 0)
            var status: Int32 = 0
            waitpid(pid, &status, 0)
            try #require(status == 0, "openssl \(arguments)")
        }
    }

    /// TLS on the loopback interface; each test defines the protocol inside.
    final class TLSServer: Sendable {
        let port: Int
        private let channel: any Channel

        init(
            _ name: String, protocols: [String] = ["http/1.1"], maximum: TLSVersion? = nil,
            _ handler: @escaping @Sendable () -> any ChannelInboundHandler
        ) async throws {
            let folder = try Certificates.shared.get().folder
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile("\(folder)/\(name).pem").map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: "\(folder)/\(name).key", format: .pem)))
            configuration.applicationProtocols = protocols
            if let maximum {
                configuration.minimumTLSVersion = .tlsv1
                configuration.maximumTLSVersion = maximum
            }
            let context = try NIOSSLContext(configuration: configuration)
            channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                        try channel.pipeline.syncOperations.addHandler(handler())
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            port = try #require(channel.localAddress?.port)
        }

        func url(_ host: String = "localhost") -> String { "https://\(host):\(port)/a.png" }

        deinit { channel.close(promise: nil) }
    }

    /// Answers the first bytes, and may then close.
    final class FixedReply: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let bytes: [UInt8]
        private let closes: Bool
        private var didAnswer = false

        init(_ bytes: [UInt8], closes: Bool = false) {
            self.bytes = bytes
            self.closes = closes
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if didAnswer { return }
            didAnswer = true
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
            if closes { context.close(promise: nil) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    /// Speaks enough HTTP/2 to answer with frames of the test's: the greeting first, an answer when a request is there.
    final class FrameReply: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let greeting: [UInt8]
        private let answer: (_ number: Int, _ stream: UInt32) -> [UInt8]?
        private let closes: Bool
        private let ended: (@Sendable () -> Void)?
        private var received: [UInt8] = []
        /// Where the next frame begins, after the client's preface of 24 bytes.
        private var offset = 24
        private var didGreet = false
        /// Requests so far.
        private var number = 0

        /// One answer, for the first request.
        convenience init(greeting: [UInt8], answer: [UInt8], closes: Bool = false) {
            self.init(greeting: greeting, closes: closes) { number, _ in number == 1 ? answer : [] }
        }

        /// `ended` is called when the connection has ended; `answer` with the requests' numbers, from 1, and their streams. Nil ends
        /// the connection.
        init(
            greeting: [UInt8], closes: Bool = false, ended: (@Sendable () -> Void)? = nil,
            answer: @escaping (_ number: Int, _ stream: UInt32) -> [UInt8]?
        ) {
            self.greeting = greeting
            self.closes = closes
            self.ended = ended
            self.answer = answer
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received += Array(unwrapInboundIn(data).readableBytesView)
            if !didGreet {
                didGreet = true
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: greeting)), promise: nil)
            }
            while received.count >= offset + 9 {
                func value(_ range: Range<Int>) -> Int {
                    received[offset + range.lowerBound..<offset + range.upperBound].reduce(0) { $0 << 8 | Int($1) }
                }
                let (length, isHeaders, stream) = (value(0..<3), received[offset + 3] == 1, UInt32(value(5..<9)))
                offset += 9 + length
                guard isHeaders else { continue }
                number += 1
                guard let bytes = answer(number, stream) else { return context.close(promise: nil) }
                guard !bytes.isEmpty else { continue }
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
                if closes { context.close(promise: nil) }
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            ended?()
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
#endif

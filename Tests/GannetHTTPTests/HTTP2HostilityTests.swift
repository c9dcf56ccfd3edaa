#if Server
    import FoundationEssentials
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetTesting
    import Synchronization
    import Testing

    @testable import GannetHTTP

    /// Attacks on one connection, and their isolation from other connections to the same server. OP-06
    @Suite(.enabled(if: Certificates.isAvailable, "there is no /usr/bin/openssl"), .serialized)
    struct HTTP2HostilityTests {
        typealias Answer = @Sendable (_ number: Int, _ stream: UInt32) -> [UInt8]?

        static func frame(_ type: UInt8, flags: UInt8 = 0, _ stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8] {
            TLSTests.frame(type, flags: flags, stream: stream, payload)
        }

        static func hello(_ stream: UInt32) -> [UInt8] {
            frame(1, flags: 4, stream, [0x88]) + frame(0, flags: 1, stream, Array("hello".utf8))
        }

        static func refusal(_ stream: UInt32) -> [UInt8] { frame(3, stream, [0, 0, 0, 7]) }

        /// GOAWAY: nothing after stream `last` was processed.
        static func goodbye(_ last: UInt8) -> [UInt8] { frame(7, 0, [0, 0, 0, last, 0, 0, 0, 0]) }

        /// Connections and requests of a server, and the ends of connections.
        final class Log: Sendable {
            private let state = Mutex((connections: 0, requests: 0))
            private let told: AsyncStream<Int>.Continuation
            let ends: AsyncStream<Int>

            init() { (ends, told) = AsyncStream.makeStream(of: Int.self) }

            func connection() -> Int {
                state.withLock { state in
                    state.connections += 1
                    return state.connections
                }
            }

            func request() { state.withLock { $0.requests += 1 } }
            func end(_ connection: Int) { told.yield(connection) }
            var connections: Int { state.withLock { $0.connections } }
            var requests: Int { state.withLock { $0.requests } }
        }

        /// Connections are numbered from 1.
        static func server(_ log: Log, closes: Bool = false, _ answer: @escaping @Sendable (_ connection: Int) -> Answer)
            async throws
            -> TLSServer
        {
            try await TLSServer("good", protocols: ["h2"]) {
                let connection = log.connection()
                let answer = answer(connection)
                return FrameReply(greeting: TLSTests.settings, closes: closes && connection == 1, ended: { log.end(connection) })
                {
                    log.request()
                    return answer($0, $1)
                }
            }
        }

        static let violations: [(name: String, bytes: [UInt8])] = [
            ("field compression", frame(1, flags: 4, 1, [0x88, 0x80])),
            // Allowed until the server has agreed to settings that forbid it.
            ("a promise", frame(4, flags: 1) + frame(5, flags: 4, 1, [0, 0, 0, 2, 0x82, 0x84, 0x87, 0x41, 1, 97])),
            ("a stream of its own", frame(0, flags: 1, 9, [1])), ("a giant frame", [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1]),
            ("an answer to no settings", frame(4, flags: 1) + frame(4, flags: 1)),
            ("no window", frame(8, 0, [0, 0, 0, 0])), ("too much window", frame(8, 0, [0x7F, 0xFF, 0xFF, 0xFF])),
            ("questions without end", Array(repeating: frame(6, 0, Array(repeating: 0, count: 8)), count: 2000).flatMap { $0 }),
            ("settings without end", Array(repeating: frame(4), count: 2000).flatMap { $0 }),
            ("nothing without end", frame(1, flags: 4, 1, [0x88]) + Array(repeating: frame(0, 1), count: 2000).flatMap { $0 }),
            (
                "fields without end",
                frame(1, 1, [0x88]) + Array(repeating: frame(9, 1, [0, 1, 97, 1, 98]), count: 2000).flatMap { $0 }
            ),
            ("a promise of less", goodbye(1) + goodbye(99)),
        ]

        /// Its request fails, or is sent once more over another one, as libcurl sees what happened.
        @Test(arguments: violations.map(\.name))
        func `A connection that breaks the rules is not used again`(_ name: String) async throws {
            let bytes = try #require(Self.violations.first { $0.name == name }).bytes
            let log = Log()
            let server = try await Self.server(log) { connection in { connection == 1 ? bytes : Self.hello($1) } }
            let transport = try TLSTests.transport()
            // On a machine under load, the handshake may take longer than what comes after it.
            let deadlines = LoadDeadlines(connect: .seconds(20), idle: .milliseconds(500), total: .seconds(30))
            // libcurl says of most that the answer was empty, and waits after frames that are useless but allowed.
            let codes: [ImageError.Code] = [.protocolViolation, .network, .timedOut]
            switch await (try Rig(transport, deadlines: deadlines)).fetch(server.url()) {
            case .success(let fetched): #expect(fetched.encoded?.bytes.contiguous() == Array("hello".utf8))
            case .failure(let error): try #require(codes.contains(error.code), "\(error)")
            }
            #expect(try await Rig(transport).bytes(server.url()) == Array("hello".utf8))
            // libcurl 8.14 sends over some of them once more, and this request then goes over a third one.
            let (connections, requests) = (log.connections, log.requests)
            #expect(2...3 ~= connections)
            #expect(try await Rig(transport).bytes(server.url()) == Array("hello".utf8))
            #expect(log.connections == connections && log.requests == requests + 1)
        }

        /// Each would cost as much as all before it together.
        @Test(.timeLimit(.minutes(10))) func `A hundred thousand tiny frames are a body as any other`() async throws {
            let (log, count) = (Log(), 100_000)
            let server = try await Self.server(log) { _ in
                { _, stream in
                    let frames = (0..<count).flatMap { Self.frame(0, stream, [UInt8(truncatingIfNeeded: $0)]) }
                    return Self.frame(1, flags: 4, stream, [0x88]) + frames + Self.frame(0, flags: 1, stream)
                }
            }
            let bytes = try await Rig(try TLSTests.transport()).bytes(server.url())
            #expect(bytes == (0..<count).map { UInt8(truncatingIfNeeded: $0) })
        }

        /// As after a laptop has slept: the connection is dead, but its end was never received.
        @Test func `A kept connection that was silent until the deadline is not used again`() async throws {
            let log = Log()
            let server = try await Self.server(log) { connection in
                { number, stream in connection == 1 && number > 1 ? [] : Self.hello(stream) }
            }
            let transport = try TLSTests.transport()
            #expect(try await Rig(transport).bytes(server.url()) == Array("hello".utf8))
            let error = await #expect(throws: ImageError.self) {
                try await Rig(transport, deadlines: Rig.hasty).bytes(server.url())
            }
            #expect(error?.code == .timedOut && log.connections == 1)
            #expect(try await Rig(transport).bytes(server.url()) == Array("hello".utf8))
            #expect(log.connections == 2)
        }

        @Test func `A length with a sign is none`() async throws {
            // Without indexing: content-length, by the static table, and its value.
            let server = try await Self.server(Log()) { _ in
                { _, stream in
                    Self.frame(1, flags: 4, stream, [0x88, 0x0F, 0x0D, 2] + Array("+5".utf8))
                        + Self.frame(0, flags: 1, stream, Array("hello".utf8))
                }
            }
            let error = await #expect(throws: ImageError.self) { try await Rig(try TLSTests.transport()).bytes(server.url()) }
            #expect([.protocolViolation, .network].contains(error?.code), "\(String(describing: error))")
        }

        // Of a POST after a goodbye libcurl does not say whether it was looked at.
        @Test(
            arguments: [("GET", "refusal"), ("GET", "goodbye"), ("GET", "goodbye and end")]
                + (CURLTarget.sendsBodiesOverHTTP2 ? [("POST", "refusal")] : []))
        func `What a server has not looked at is asked again`(_ method: String, _ how: String) async throws {
            let log = Log()
            let server = try await Self.server(log, closes: how == "goodbye and end") { connection in
                { number, stream in
                    guard connection == 1, number == 1 else { return Self.hello(stream) }
                    return how == "refusal" ? Self.refusal(stream) : Self.goodbye(0)
                }
            }
            var request = HTTPRequest(url: try #require(URL(string: server.url())))
            request.method = method
            if method == "POST" { request.body = [1, 2, 3] }
            request.deadlines = Rig.patient
            let response = try await (try TLSTests.transport()).send(request)
            var bytes: [UInt8] = []
            while let piece = try await response.body.next() { bytes += piece }
            #expect(bytes == Array("hello".utf8))
            #expect(log.requests == 2)
        }

        @Test func `What came before a goodbye is answered, and the rest by another connection`() async throws {
            let log = Log()
            let server = try await Self.server(log) { connection in
                { number, stream in
                    guard connection == 1 else { return Self.hello(stream) }
                    // All eight are there: the first two are answered.
                    return number == 8 ? Self.goodbye(3) + Self.hello(1) + Self.hello(3) : []
                }
            }
            let rig = try Rig(try TLSTests.transport()) { $0.maximumConcurrentDownloads = 8 }
            try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for number in 0..<8 { group.addTask { try await rig.bytes(server.url() + "?\(number)") } }
                for try await bytes in group { #expect(bytes == Array("hello".utf8)) }
            }
            #expect(log.connections >= 2 && log.requests == 14)
        }

        @Test func `Refusals without end are an error, soon`() async throws {
            let log = Log()
            let server = try await Self.server(log) { _ in { Self.refusal($1) } }
            let error = await #expect(throws: ImageError.self) { try await Rig(try TLSTests.transport()).bytes(server.url()) }
            #expect(error?.code == .network, "\(String(describing: error))")
            #expect((2...8).contains(log.requests))
        }

        @Test(arguments: CURLTarget.sendsBodiesOverHTTP2 ? ["GET", "POST"] : ["GET"])
        func `A kept connection that ends instead of an answer is replaced where asking again is safe`(_ method: String)
            async throws
        {
            let log = Log()
            let server = try await Self.server(log) { connection in
                { number, stream in connection == 1 && number == 2 ? nil : Self.hello(stream) }
            }
            let transport = try TLSTests.transport()
            var request = HTTPRequest(url: try #require(URL(string: server.url())))
            request.deadlines = Rig.patient
            let first = try await transport.send(request)
            while try await first.body.next() != nil {}
            request.method = method
            if method == "GET" {
                let second = try await transport.send(request)
                while try await second.body.next() != nil {}
                #expect(log.connections == 2 && log.requests == 3)
            } else {
                // Over a connection of its own.
                request.body = [1]
                let second = try await transport.send(request)
                while try await second.body.next() != nil {}
                #expect(log.connections == 2 && log.requests == 2)
            }
        }

        /// Joined and single ones, against everything at once; afterwards there is room for others, and no socket is left.
        @Test(.timeLimit(.minutes(10)))
        func `Hundreds that are cancelled at random leave nothing behind`() async throws {
            let log = Log()
            let isCalm = Mutex(false)
            let server = try await Self.server(log) { connection in
                { number, stream in
                    if isCalm.withLock({ $0 }) { return Self.hello(stream) }
                    switch (connection * 7 + number * 5) % 9 {
                    case 0: return []
                    case 1: return Self.refusal(stream)
                    case 2: return Self.frame(3, stream, [0, 0, 0, 8])
                    case 3: return Self.frame(1, flags: 4, stream, [0x88]) + Self.frame(0, stream, Array("hel".utf8))
                    case 4 where number > 3: return Self.goodbye(1)
                    case 5 where number > 6: return Self.frame(0, flags: 1, 9999, [1])
                    case 6 where number > 5: return nil
                    default: return Self.hello(stream)
                    }
                }
            }
            try await Self.storm(server.url(), isCalm: { isCalm.withLock { $0 = true } })
            var ended = 0
            while ended < log.connections {
                for await _ in log.ends {
                    ended += 1
                    break
                }
            }
        }

        private static func storm(_ url: String, isCalm: () -> Void) async throws {
            var downloads = DownloaderConfiguration()
            downloads.maximumConcurrentDownloads = 16
            let loader = HTTPLoader(transport: try TLSTests.transport(), configuration: downloads)
            var configuration = ManagerConfiguration(
                memoryCache: nil, diskCache: nil, loaders: LoadersManager([loader]), coders: CodersManager([]))
            configuration.slots = loader.slots
            let manager = ImageManager(configuration: configuration)
            var random = SeededGenerator(seed: 1)
            var tasks: [Task<Void, Never>] = []
            for _ in 0..<400 {
                var request = ImageRequest(source: ImageSource(url + "?\(Int.random(in: 0..<150, using: &random))"))
                request.download.deadlines = Rig.hasty
                request.schedule.retryFailedSources = true
                tasks.append(Task { [request] in _ = try? await manager.fetchBytes(for: request) })
                for _ in 0..<Int.random(in: 0..<20, using: &random) { await Task.yield() }
                if Bool.random(using: &random) { tasks.randomElement(using: &random)?.cancel() }
            }
            for task in tasks { await task.value }
            isCalm()
            await withTaskGroup(of: Result<FetchedBytes, ImageError>.self) { group in
                for number in 0..<32 {
                    group.addTask {
                        do throws(ImageError) {
                            return .success(
                                try await manager.fetchBytes(for: ImageRequest(source: ImageSource(url + "?calm\(number)"))))
                        } catch { return .failure(error) }
                    }
                }
                for await result in group { #expect(throws: Never.self) { try result.get() } }
            }
        }

        @Test func `A connection that is reset costs nobody else his picture`() async throws {
            let proxy = RawServer { connection in
                guard connection.count != 3 else { return connection.reset() }
                guard let greeting = connection.read(2), connection.read(Int(greeting[1])) != nil else { return }
                connection.write([5, 0])
                guard let start = connection.read(5), connection.read(Int(start[4]) + 2) != nil else { return }
                connection.write([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
                while connection.readHead() != nil { connection.write(AuthenticationTests.ok) }
            }
            let rig = try Rig(try Self.transport(through: proxy)) { $0.maximumConcurrentDownloads = 16 }
            await withTaskGroup(of: Result<FetchedBytes, ImageError>.self) { group in
                for number in 0..<16 { group.addTask { await rig.fetch("http://pictures.invalid/\(number).png") } }
                var failures: [ImageError.Code] = []
                for await result in group { if case .failure(let error) = result { failures.append(error.code) } }
                #expect(failures == [.connectionFailed] || failures == [.network], "\(failures)")
            }
        }

        static func transport(through proxy: RawServer) throws -> CURLTransport {
            var options = CURLTransport.Options()
            options.proxies = .init(CURLTransport.Proxy(kind: .socks, host: "127.0.0.1", port: proxy.port))
            return try CURLTransport(options: options)
        }

        /// The client library keeps an attempt to connect after the requests for it are gone, and lets later ones wait for it.
        @Test func `An attempt to connect that is never answered ends, and another one begins`() async throws {
            let proxy = RawServer { connection in
                guard connection.count > 1 else { return connection.waitForClose() }
                guard let greeting = connection.read(2), connection.read(Int(greeting[1])) != nil else { return }
                connection.write([5, 0])
                guard let start = connection.read(5), connection.read(Int(start[4]) + 2) != nil else { return }
                connection.write([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
                while connection.readHead() != nil { connection.write(AuthenticationTests.ok) }
            }
            let transport = try Self.transport(through: proxy)
            let hasty = await (try Rig(transport, deadlines: Rig.hasty)).fetch("http://pictures.invalid/a.png")
            let error = #expect(throws: ImageError.self) { try hasty.get() }
            #expect(error?.code == .timedOut)
            #expect(try await Rig(transport).bytes("http://pictures.invalid/b.png") == Array("hello".utf8))
            // A slow machine may need a third.
            #expect(proxy.connectionCount >= 2)
        }
    }
#endif

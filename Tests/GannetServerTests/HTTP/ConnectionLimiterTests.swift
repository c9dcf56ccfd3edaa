#if CommandLine && Server && PNG
    import FoundationEssentials
    import Gannet
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetTesting
    import NIOCore
    import NIOPosix
    import Synchronization
    import Testing

    @testable import GannetServer
    @testable import gannet

    struct ConnectionLimiterTests {
        @Test func theOneThatIsIdleLongestMakesRoom() {
            var limiter = ConnectionLimiterState(maximum: 3, reserve: 2)
            let places = (0..<3).map { limiter.enter(at: .seconds($0)) }
            #expect(places.filter(\.isReserve).isEmpty)
            // The first one is being answered, the second was answered last.
            limiter.setBusy(true, places[0].id, at: .seconds(3))
            limiter.setBusy(true, places[1].id, at: .seconds(3))
            limiter.setBusy(false, places[1].id, at: .seconds(4))
            let fourth = limiter.enter(at: .seconds(5))
            #expect(fourth.removed == places[2].id && !fourth.isReserve && limiter.count == 3)
            let fifth = limiter.enter(at: .seconds(5))
            #expect(fifth.removed == places[1].id && !fifth.isReserve)
            // What is left is busy, or has just come.
            for _ in 0..<2 {
                #expect(limiter.isOpen(at: .seconds(5)))
                let more = limiter.enter(at: .seconds(5))
                #expect(more.removed == nil && more.isReserve)
            }
            // Where there is no place at all, those that wait have less patience, and some.
            #expect(!limiter.isOpen(at: .seconds(5)) && limiter.isOpen(at: .milliseconds(5100)))
            let instead = limiter.enter(at: .milliseconds(5100))
            #expect(instead.isReserve && instead.removed != nil && instead.removed != places[0].id && limiter.count == 5)
            // Once they have been idle for a while they go; the busy one never does.
            let later = limiter.enter(at: .seconds(7))
            #expect(later.removed != nil && later.removed != places[0].id && later.removed != instead.id)
            limiter.leave(places[0].id)
            limiter.setBusy(true, places[2].id, at: .seconds(8))
            #expect(limiter.count == 4)
        }

        @Test func whereAllAreBusyTheRoomIsNotOpen() {
            var limiter = ConnectionLimiterState(maximum: 1, reserve: 1)
            for _ in 0..<2 {
                let place = limiter.enter(at: .zero)
                limiter.setBusy(true, place.id, at: .zero)
            }
            #expect(!limiter.isOpen(at: .seconds(5)))
            // A server accepts several at once: what has been accepted is let in, and is told.
            let further = limiter.enter(at: .seconds(5))
            #expect(further.isReserve && further.removed == nil && limiter.count == 3)
        }

        private func service(
            _ hosts: [String], _ change: (inout ThumbnailService.Configuration) -> Void = { _ in }
        ) throws -> ThumbnailService {
            var options = StandardOptions()
            options.cacheDirectory = nil
            let manager = try Assembly.manager(options, policy: ThumbnailService.policy(defaultLifetime: .seconds(1000)))
            var configuration = ThumbnailService.Configuration(policy: SourcePolicy(hosts: hosts))
            configuration.deadlines = LoadDeadlines(connect: .seconds(9999), idle: .seconds(9999), total: .seconds(9999))
            change(&configuration)
            return ThumbnailService(configuration, manager: manager)
        }

        /// Clients that go have time to do so in order, as long as they are few.
        @Test func fewLeaveInOrder() {
            var limiter = ConnectionLimiterState(maximum: 1, reserve: 2)
            var removed = (0..<4).map { limiter.enter(at: .seconds($0)) }
            #expect(removed.map(\.hasTime) == [true, true, true, false])
            #expect(removed.dropFirst().allSatisfy { $0.removed != nil })
            // The first one has been closed.
            limiter.leave(removed[0].id)
            removed.append(limiter.enter(at: .seconds(9)))
            #expect(removed[4].hasTime && limiter.count == 1)
        }

        /// Notes what a client was told.
        private final class Told: ChannelInboundHandler, Sendable {
            typealias InboundIn = ByteBuffer

            private let pieces = Mutex<[String]>([])
            var all: [String] { pieces.withLock { $0 } }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                let piece = String(buffer: unwrapInboundIn(data))
                pieces.withLock { $0.append(piece) }
            }
        }

        private func client(_ port: Int, _ text: String = "", _ told: Told = Told()) async throws -> any Channel {
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(told) }
                }
                .connect(host: "127.0.0.1", port: port).get()
            // It may be closed already, where there is no place.
            if !text.isEmpty { try? await channel.writeAndFlush(ByteBuffer(string: text)) }
            return channel
        }

        private func status(_ port: Int, _ target: String = "/health") async throws -> Int {
            let url = try #require(URL(string: "http://127.0.0.1:\(port)\(target)"))
            let headers = HTTPHeaders([("Connection", "close")])
            return try await CURLTransport().send(HTTPRequest(url: url, headers: headers)).head.status
        }

        /// Clients that drip their heads, and such that say nothing: as many as there is room for, twice. Those that have to go get a 503.
        @Test(.timeLimit(.minutes(10)), arguments: ["", "GET / HTTP/1.1\r\nHost: a\r\nX: "])
        func idleClientsExcludeNobody(_ text: String) async throws {
            var limits = ThumbnailServer.Limits.patient
            limits.connections = 20
            let server = try await ThumbnailServer.start(try service([]), at: .host("127.0.0.1", port: 0), limits: limits)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try? await server.run() }
                defer { group.cancelAll() }
                var clients: [any Channel] = []
                let told = Told()
                for _ in 0..<40 { clients.append(try await client(server.port, text, told)) }
                // A connection may have to go before its request has come. There are 36 places, of which 16 are for words alone.
                var answers = 0
                while answers < 40 || told.all.count < 4 {
                    guard let status = try? await status(server.port) else { continue }
                    #expect(status == 200 || status == 503)
                    if status == 200 { answers += 1 }
                }
                #expect(told.all.allSatisfy { $0.hasPrefix("HTTP/1.1 503 ") && $0.contains("\r\nRetry-After: 1\r\n") })
                for client in clients { try? await client.close() }
            }
        }

        /// All room is taken by requests whose source never answers: a health check is answered, and others are told to come back.
        @Test(.timeLimit(.minutes(10))) func healthHasRoomOfItsOwn() async throws {
            let asked = Mutex(0)
            let all = AsyncGate()
            let source = RawServer { connection in
                guard connection.readHead() != nil else { return }
                let count = asked.withLock { count in
                    count += 1
                    return count
                }
                if count == 3 { all.open() }
                connection.waitForClose()
            }
            var limits = ThumbnailServer.Limits.patient
            limits.connections = 3
            let service = try service(["127.0.0.1", "localhost"])
            let server = try await ThumbnailServer.start(service, at: .host("127.0.0.1", port: 0), limits: limits)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try? await server.run() }
                defer { group.cancelAll() }
                for number in 0..<3 {
                    let target = "/4x4/fit?url=\(source.url("/\(number)"))"
                    _ = try await client(server.port, "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
                }
                await all.wait()
                #expect(try await status(server.port) == 200)
                #expect(try await status(server.port, "/ready") == 200)
                #expect(try await status(server.port, "/4x4/fit?url=\(source.url("/more"))") == 503)
                #expect(asked.withLock { $0 } == 3)
            }
        }
    }
#endif

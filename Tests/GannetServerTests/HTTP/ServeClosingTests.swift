#if CommandLine && Server && PNG && BMP
    import Dispatch
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetImages
    import GannetPlatform
    import GannetTesting
    import Synchronization
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// Answers on connections that are closed behind them, to clients that read slowly; RFC 9112 §9.6.
    struct ServeClosingTests {
        private let tool: Tool
        private let manager: ImageManager

        /// Answers that the server has written, as far as it knows.
        private final class Count: Sendable {
            private let number = Atomic(0)
            func increment() { number.add(1, ordering: .relaxed) }
            var value: Int { number.load(ordering: .relaxed) }
        }

        /// Small at the source; served as BMP it is larger than what the system buffers without a reader.
        private static let side = 1600
        private static let bytes = side * side * 3 + 54

        init() throws {
            tool = try Tool()
            var options = StandardOptions()
            options.cacheDirectory = tool.path("cache")
            manager = try Assembly.manager(options, policy: ThumbnailService.policy(defaultLifetime: .seconds(1000)))
        }

        private func source(
            _ before: @escaping @Sendable () -> Void = {}
        ) throws -> (server: PictureServer, request: @Sendable (_ version: String, _ fields: String) -> String) {
            let picture = try TestImages.still(TestImages.flat(width: Self.side, height: Self.side))
            let answer = PictureServer.picture(try picture.blockingEncoded(EncodeOptions(format: .png)).bytes.contiguous())
            let server = PictureServer { head in
                before()
                return answer(head)
            }
            let target = "/\(Self.side)x\(Self.side)/fit?format=bmp&url=\(server.url("/a.png"))"
            return (server, { "GET \(target) HTTP/\($0)\r\nHost: a\r\n\($1)\r\n" })
        }

        /// The answers that a slow client gets. It reads the rest once the server has written `count` answers, and would close.
        private func answers(
            _ count: Int, to requests: String, endingItsSide: Bool = false,
            meanwhile: @Sendable @escaping (ThumbnailServer, SlowClient) -> Void = { _, _ in }
        ) async throws -> SlowClient.Answers {
            let written = Count()
            let service = ThumbnailService(
                ThumbnailService.Configuration(policy: SourcePolicy(hosts: ["127.0.0.1"], allowsCostly: true)), manager: manager)
            let server = try await ThumbnailServer.start(service, at: .host("127.0.0.1", port: 0), limits: .patient) { _ in
                written.increment()
            }
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try? await server.run(grace: .seconds(9999)) }
                defer { group.cancelAll() }
                return try await BlockingExecutor.files.run { () throws(ImageError) in
                    let client = try SlowClient(port: server.port)
                    client.send(requests)
                    if endingItsSide { client.endItsSide() }
                    meanwhile(server, client)
                    return client.answers { written.value >= count }
                }
            }
        }

        @Test(.timeLimit(.minutes(10)), arguments: [("1.0", ""), ("1.1", "Connection: close\r\n")])
        func theLastAnswerIsWhole(version: String, fields: String) async throws {
            let (server, request) = try source()
            let answers = try await answers(1, to: request(version, fields))
            #expect(answers.bodies == [Self.bytes] && answers.rest == 0 && answers.endedInOrder, "\(answers)")
            #expect(server.requests.count == 1)
        }

        /// Every answer is in the access log, the last one of a connection too.
        @Test(.timeLimit(.minutes(10)), arguments: ["", "Connection: close\r\n"])
        func theLastAnswerIsLogged(fields: String) async throws {
            let written = Count()
            let service = ThumbnailService(
                ThumbnailService.Configuration(policy: SourcePolicy(hosts: ["127.0.0.1"])), manager: manager)
            let server = try await ThumbnailServer.start(service, at: .host("127.0.0.1", port: 0), limits: .patient) { _ in
                written.increment()
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try? await server.run(grace: .seconds(9999)) }
                defer { group.cancelAll() }
                let port = server.port
                let bodies = try await BlockingExecutor.files.run { () throws(ImageError) in
                    let client = try SlowClient(port: port)
                    client.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\nGET /health HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
                    if fields.isEmpty { client.endItsSide() }
                    return client.answers { true }.bodies
                }
                #expect(bodies == [3, 3])
                #expect(await eventually { written.value == 2 })
            }
        }

        @Test(.timeLimit(.minutes(10))) func aClientThatEndsItsSideGetsTheWholeAnswer() async throws {
            let (server, request) = try source()
            let answers = try await answers(1, to: request("1.1", ""), endingItsSide: true)
            #expect(answers.bodies == [Self.bytes] && answers.rest == 0 && answers.endedInOrder, "\(answers)")
            #expect(server.requests.count == 1)
        }

        /// Requests behind the last one are not answered, and do not cost the answers before.
        @Test(.timeLimit(.minutes(10))) func answersInAPipelineAreWhole() async throws {
            let (server, request) = try source()
            let behind = String(repeating: request("1.1", ""), count: 500)
            let all = request("1.1", "") + request("1.1", "Connection: close\r\n") + behind
            let answers = try await answers(2, to: all)
            #expect(answers.bodies == [Self.bytes, Self.bytes] && answers.rest == 0 && answers.endedInOrder, "\(answers)")
            #expect(server.requests.count == 1)
        }

        /// The server stops while an answer is made, and further requests lie unread in the system.
        @Test(.timeLimit(.minutes(10))) func theAnswerUnderWayIsWholeWhenTheServerStops() async throws {
            let (asked, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let (server, request) = try source {
                asked.signal()
                goOn.wait()
            }
            let answers = try await answers(1, to: request("1.1", "")) { server, client in
                asked.wait()
                client.send(String(repeating: request("1.1", ""), count: 500))
                server.stop()
                goOn.signal()
            }
            #expect(answers.bodies == [Self.bytes] && answers.rest == 0 && answers.endedInOrder, "\(answers)")
            #expect(server.requests.count == 1)
        }
    }
#endif

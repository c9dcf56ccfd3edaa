#if HTTP
    import Dispatch
    import FoundationEssentials
    import GannetCore
    import GannetHTTP
    import GannetTesting
    import Synchronization
    import Testing

    /// The form of a request on the wire, and content that must not get there.
    @Suite struct RequestTests {
        private final class Heads: Sendable {
            private let heads = Mutex<[String]>([])
            var all: [String] { heads.withLock { $0 } }
            func add(_ head: String) { heads.withLock { $0.append(head) } }
        }

        @Test func aMethodIsOneWord() async throws {
            let heads = Heads()
            let server = RawServer { connection in
                while let head = connection.readHead() {
                    heads.add(head)
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                }
            }
            let transport = try CURLTransport()
            let url = try #require(URL(string: server.url("/a")))
            for method in ["GET / HTTP/1.1\r\nHost: h\r\n\r\nGET", "GET ", "", "GET\n", "GÉT", "a:b"] {
                let error = await #expect(throws: ImageError.self) {
                    try await transport.send(HTTPRequest(method: method, url: url))
                }
                #expect(error?.code == .misuse, "\(method)")
            }
            #expect(try await transport.send(HTTPRequest(method: "M-SEARCH", url: url)).head.status == 200)
            #expect(heads.all.map { $0.prefix(16) } == ["M-SEARCH /a HTTP"])
        }

        /// Servers would see the next request begin elsewhere.
        @Test(
            arguments: [
                ("POST", [UInt8](repeating: 1, count: 3), "Content-Length", "2"), ("POST", [1], "Transfer-Encoding", "chunked"),
                ("GET", nil, "Content-Length", "5"), ("HEAD", [1], "X-A", "b"),
            ] as [(String, [UInt8]?, String, String)])
        func `A request that says another length than it has is not sent`(
            _ method: String, _ body: [UInt8]?, _ name: String, _ value: String
        ) async throws {
            var request = HTTPRequest(method: method, url: try #require(URL(string: "http://127.0.0.1:1/")))
            request.body = body
            request.headers.add(name, value)
            let transport = try CURLTransport()
            let error = await #expect(throws: ImageError.self) { try await transport.send(request) }
            #expect(error?.code == .misuse)
        }

        /// The client would end the process for some of these, and ask the usual port for the last. Where Foundation is linked, it takes brackets
        /// for no URL unless they are escaped.
        @Test(arguments: [
            "%5B", "%5D", "%5B%5D", "%5B@%5D", "[]", "a%5Bb", "127.0.0.1:65536", "127.0.0.1:99999999999999999999",
        ])
        func `A request to nowhere is not sent`(_ authority: String) async throws {
            let url = try #require(URL(string: "http://\(authority)/a.png"))
            let transport = try CURLTransport()
            let error = await #expect(throws: ImageError.self) { try await transport.send(HTTPRequest(url: url)) }
            #expect(error?.code == .misuse)
        }

        /// The server takes twice the permitted silence to read the body: it reads one piece each time that an unanswered request
        /// has timed out. The system's buffers hold two pieces at most.
        @Test(.timeLimit(.minutes(10))) func aLongBodyOnItsWayIsNoSilence() async throws {
            let (pieces, size, silence) = (16, 4 << 20, 4000)
            let heads = Heads()
            let taken = DispatchSemaphore(value: 0)
            let server = RawServer { connection in
                guard let head = connection.readHead() else { return }
                guard head.hasPrefix("PUT") else {
                    _ = connection.readHead()
                    return
                }
                heads.add(head)
                connection.limitReceiving(to: size / 4)
                for _ in 0..<pieces {
                    guard connection.read(size) != nil else { return }
                    taken.wait()
                }
                connection.write("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
            }
            let url = try #require(URL(string: server.url("/a")))
            let transport = try CURLTransport()
            let request = HTTPRequest(
                method: "PUT", url: url, body: [UInt8](repeating: 7, count: pieces * size),
                deadlines: LoadDeadlines(idle: .milliseconds(silence)))
            let silent = HTTPRequest(url: url, deadlines: LoadDeadlines(idle: .milliseconds(2 * silence / pieces)))
            async let answer = transport.send(request)
            for _ in 0..<pieces {
                let error = await #expect(throws: ImageError.self) { try await transport.send(silent) }
                #expect(error?.code == .timedOut)
                taken.signal()
            }
            #expect(try await answer.head.status == 201)
            #expect(heads.all.first?.lowercased().contains("content-length: \(pieces * size)\r\n") == true)
        }

        /// A program that was suspended: all its deadlines have passed when it continues, and the bytes sent meanwhile are
        /// unread. Here a reader that does not wake up holds the thread that reads and judges.
        @Test(.timeLimit(.minutes(10))) func whatWasSentDuringAPauseIsReadBeforeTheDeadlineIsJudged() async throws {
            let goOn = DispatchSemaphore(value: 0)
            let sleeper = Sleeper()
            let server = RawServer { connection in
                guard let head = connection.readHead() else { return }
                if head.hasPrefix("GET /sleeper") {
                    sleeper.executor.holds.store(true, ordering: .sequentiallyConsistent)
                    connection.write("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello")
                } else {
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
                    goOn.wait()
                    connection.write("world")
                    _ = connection.readHead()
                }
            }
            let idle = Duration.seconds(6)
            let transport = try CURLTransport()
            let url = try #require(URL(string: server.url("/a")))
            let body = try await transport.send(HTTPRequest(url: url, deadlines: LoadDeadlines(idle: idle))).body
            var bytes: [UInt8] = []
            while bytes.count < 5, let more = try await body.next() { bytes += more }
            let other = try #require(URL(string: server.url("/sleeper")))
            async let end: Void = sleeper.hold(with: other, over: transport)
            await sleeper.executor.held.wait()
            goOn.signal()
            try await Task.sleep(for: idle + .milliseconds(200))
            sleeper.executor.release.signal()
            while let more = try await body.next() { bytes += more }
            #expect(String(decoding: bytes, as: UTF8.self) == "helloworld")
            try await end
        }

        private actor Sleeper {
            final class Executor: SerialExecutor {
                let (held, release) = (AsyncGate(), DispatchSemaphore(value: 0))
                let holds = Atomic(false)
                private let queue = DispatchQueue(label: "sleeper")

                func enqueue(_ job: consuming ExecutorJob) {
                    let job = UnownedJob(job)
                    if holds.exchange(false, ordering: .sequentiallyConsistent) {
                        held.open()
                        release.wait()
                    }
                    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
                }
            }

            nonisolated let executor = Executor()
            nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

            /// Until an answer comes later than the reader that waits for it.
            func hold(with url: URL, over transport: CURLTransport) async throws {
                repeat {
                    _ = try await transport.send(HTTPRequest(url: url, deadlines: Rig.patient))
                } while executor.holds.exchange(false, ordering: .sequentiallyConsistent)
            }
        }

        /// The server closes without notice, so the next request on that connection is lost.
        @Test(.timeLimit(.minutes(10)), arguments: [1, 5]) func serversThatCloseAfterSomeAnswersFailNobody(_ answers: Int)
            async throws
        {
            let server = RawServer { connection in
                for _ in 0..<answers {
                    guard connection.readHead() != nil else { return }
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                }
                _ = connection.readHead()
            }
            let transport = try CURLTransport()
            let failures = await withTaskGroup(of: String?.self) { group in
                func load(_ number: Int) {
                    let url = URL(string: server.url("/\(number)"))
                    group.addTask {
                        do {
                            let response = try await transport.send(HTTPRequest(url: try #require(url)))
                            return response.head.status == 200 ? nil : "\(response.head.status)"
                        } catch { return "\(error)" }
                    }
                }
                for number in 0..<16 { load(number) }
                var failures: [String] = []
                var next = 16
                for await failure in group {
                    if let failure { failures.append(failure) }
                    if next < 400 { load(next) }
                    next += 1
                }
                return failures
            }
            #expect(failures == [])
        }
    }
#endif

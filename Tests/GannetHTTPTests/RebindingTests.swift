#if HTTP
    import Dispatch
    import FoundationEssentials
    import GannetCore
    import GannetFetch
    import GannetHTTP
    import GannetImages
    import GannetTesting
    import Synchronization
    import Testing

    /// Names whose addresses change, are several, or never come, and the connections to checked addresses.
    struct RebindingTests {
        /// Ends each connection, so that the next request needs another one.
        static let closing = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello"

        @Test func `A name with another address at the next question`() async throws {
            let servers = TwoServers { _ in Self.closing }
            let names = Names(["rebound.example": [["127.0.0.1"], ["127.0.0.2"]]])
            let rig = try Rig(names.transport(allowing: TwoServers.allowed))
            let url = "http://rebound.example:\(servers.port)/"
            #expect(try await rig.bytes(url) == TwoServers.hello)
            #expect(names.asked == ["rebound.example"])
            let error = await #expect(throws: ImageError.self) { try await rig.bytes(url) }
            #expect(error?.code == .blocked)
            #expect(
                error?.message
                    == "rebound.example leads to 127.0.0.2, which is a loopback address, and is not connected to. Allow the network 127.0.0.2/32 in the AddressPolicy (--allow-network) if it should be."
            )
            #expect(names.asked.count == 2 && servers.inner.connectionCount == 0)
            // The inner server answers to a transport that may reach it.
            let open = try Rig(names.transport(allowing: ["127.0.0.0/8"]))
            #expect(try await open.bytes(url) == Array("secret".utf8))
        }

        /// It was checked when it was made, and leads where it led then.
        @Test func `A kept connection asks for no name again`() async throws {
            let servers = TwoServers()
            let names = Names(["kept.example": [["127.0.0.1"], ["127.0.0.2"]]])
            let rig = try Rig(names.transport(allowing: TwoServers.allowed))
            for path in ["a", "b", "c"] {
                #expect(try await rig.bytes("http://kept.example:\(servers.port)/\(path)") == TwoServers.hello)
            }
            #expect(names.asked.count == 1 && servers.outer.connectionCount == 1 && servers.inner.connectionCount == 0)
        }

        @Test func `A name that changes between two hops of a redirect`() async throws {
            let servers = TwoServers { path in
                path == "/a"
                    ? "HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n" : Self.closing
            }
            let names = Names(["hop.example": [["127.0.0.1"], ["127.0.0.2"]]])
            let rig = try Rig(names.transport(allowing: TwoServers.allowed))
            let error = await #expect(throws: ImageError.self) { try await rig.bytes("http://hop.example:\(servers.port)/a") }
            #expect(error?.code == .blocked && servers.inner.connectionCount == 0)
        }

        @Test func `Of several addresses only the allowed ones`() async throws {
            let servers = TwoServers()
            let names = Names(["many.example": [["127.0.0.2", "10.0.0.1", "127.0.0.1", "::1"]]])
            let rig = try Rig(names.transport(allowing: TwoServers.allowed))
            #expect(try await rig.bytes("http://many.example:\(servers.port)/") == TwoServers.hello)
            #expect(servers.inner.connectionCount == 0)
        }

        /// Nobody listens at 127.0.0.3 and 127.0.0.4.
        @Test func `An address that refuses connections is followed by the next`() async throws {
            let servers = TwoServers()
            let names = Names(["refusing.example": [["127.0.0.3", "127.0.0.4", "127.0.0.1"]], "deaf.example": [["127.0.0.3"]]])
            let transport = try names.transport(allowing: ["127.0.0.0/8"], keeps: .seconds(9999))
            let url = try #require(URL(string: "http://refusing.example:\(servers.port)/"))
            for _ in 0..<3 {
                let answer = try await transport.send(HTTPRequest(url: url))
                #expect(answer.head.status == 200 && answer.head.url == url)
                while try await answer.body.next() != nil {}
            }
            #expect(names.asked == ["refusing.example"] && servers.outer.connectionCount == 1)
            let error = await #expect(throws: ImageError.self) {
                try await Rig(transport).bytes("http://deaf.example:\(servers.port)/")
            }
            #expect(error?.code == .connectionFailed)
        }

        /// Nobody listens at 127.0.0.3.
        @Test func `A refused address does not hide why another one failed`() async throws {
            let servers = TwoServers()
            let names = Names(["half.example": [["127.0.0.2", "127.0.0.3"]]])
            let rig = try Rig(names.transport(allowing: ["127.0.0.3/32"]))
            let error = await #expect(throws: ImageError.self) { try await rig.bytes("http://half.example:\(servers.port)/") }
            #expect(error?.code == .connectionFailed && servers.inner.connectionCount == 0)
        }

        /// The server sees the host's name, and one connection for all requests to it.
        @Test func `Requests keep their host, and answers of the resolver are used again`() async throws {
            let asked = ConnectionTests.Asked()
            let server = RawServer { connection in
                while let head = connection.readHead() {
                    asked.note(head)
                    connection.write(AuthenticationTests.ok)
                }
            }
            let names = Names(["named.example": [["127.0.0.1"], ["10.0.0.1"]]])
            let rig = try Rig(names.transport(allowing: TwoServers.allowed, keeps: .seconds(9999)))
            for path in ["/", "//b/ä%2F;c?d=%20&e=[f]", "/Named.Example"] {
                #expect(try await rig.bytes("http://u:p@Named.example:\(server.port)\(path)") == TwoServers.hello)
            }
            #expect(names.asked == ["named.example"] && server.connectionCount == 1)
            let lines = asked.all.map { $0.prefix { $0 != "\r\n" } }
            #expect(
                lines == ["GET / HTTP/1.1", "GET //b/%C3%A4%2F;c?d=%20&e=%5Bf%5D HTTP/1.1", "GET /Named.Example HTTP/1.1"]
                    || lines == ["GET / HTTP/1.1", "GET //b/%C3%A4%2F;c?d=%20&e=[f] HTTP/1.1", "GET /Named.Example HTTP/1.1"])
            for head in asked.all {
                #expect(AuthenticationTests.field("Host", head)?.lowercased() == "named.example:\(server.port)")
                #expect(head.split(separator: "\r\n").count { $0.lowercased().hasPrefix("host:") } == 1)
            }
        }

        /// Other loads of the same transport go on meanwhile.
        @Test func `A question without an answer ends with the time for connecting, or with the caller`() async throws {
            let goOn = DispatchSemaphore(value: 0)
            defer { for _ in 0..<8 { goOn.signal() } }
            let servers = TwoServers()
            let transport = try Names(["silent.example": [["127.0.0.1"]]], gate: goOn).transport(allowing: TwoServers.allowed)
            let url = try #require(URL(string: "http://silent.example:\(servers.port)/"))
            let task = Task {
                await #expect(throws: ImageError.self) {
                    try await transport.send(HTTPRequest(url: url, deadlines: Rig.patient))
                }
            }
            let late = await #expect(throws: ImageError.self) {
                try await transport.send(HTTPRequest(url: url, deadlines: Rig.hasty))
            }
            #expect(late?.code == .timedOut)
            #expect(try await Rig(transport).bytes("http://127.0.0.1:\(servers.port)/") == TwoServers.hello)
            task.cancel()
            #expect(await task.value?.code == .cancelled)
            #expect(try await Rig(transport).bytes("http://127.0.0.1:\(servers.port)/") == TwoServers.hello)
        }

        /// An address policy is no property of a source.
        @Test func `Refusals are neither retried nor remembered`() async throws {
            let servers = TwoServers()
            let names = Names(["refused.example": [["127.0.0.2"], ["127.0.0.1"]]])
            let retry = DelayRetryStrategy(maximumCount: 3, interval: .seconds(0))
            let rig = try Rig(names.transport(allowing: TwoServers.allowed), retry: retry)
            let url = "http://refused.example:\(servers.port)/"
            let error = try #require(await #expect(throws: ImageError.self) { try await rig.bytes(url) })
            #expect(error.code == .blocked && names.asked.count == 1)
            let failed = FailedSources()
            failed.note(ImageSource(url), error)
            #expect(failed.count == 0)
            #expect(try await rig.bytes(url) == TwoServers.hello)
        }
    }
#endif

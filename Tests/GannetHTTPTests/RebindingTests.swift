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
        @Test func `A name with another address at the next question`() async throws {
            let servers = TwoServers()
            let names = Names(["a.example": [["127.0.0.1"], ["127.0.0.2"]]])
            let rig = try Rig(names.transport(allowing: TwoServers.allowed))
            let url = "http://a.example:\(servers.port)/"
            #expect(try await rig.bytes(url) == TwoServers.hello)
            // One question: the connection was to what had been checked.
            #expect(names.asked == ["a.example"])
            let error = await #expect(throws: ImageError.self) { try await rig.bytes(url) }
            #expect(error?.code == .blocked)
            #expect(
                error?.message
                    == "a.example leads to 127.0.0.2, which is a loopback address, and is not connected to. Allow the network 127.0.0.2/32 in the AddressPolicy (--allow-network) if it should be."
            )
            #expect(names.asked.count == 2 && servers.inner.connectionCount == 0)
            // The inner server answers to a transport that may reach it.
            let open = try Rig(names.transport(allowing: ["127.0.0.0/8"]))
            #expect(try await open.bytes(url) == Array("secret".utf8))
        }

        @Test func `A name that changes between two hops of a redirect`() async throws {
            let servers = TwoServers { path in path == "/a" ? HostileRedirectTests.redirect("/b") : AuthenticationTests.ok }
            let names = Names(["a.example": [["127.0.0.1"], ["127.0.0.2"]]])
            let rig = try Rig(names.transport(allowing: TwoServers.allowed))
            let error = await #expect(throws: ImageError.self) { try await rig.bytes("http://a.example:\(servers.port)/a") }
            #expect(error?.code == .blocked && servers.inner.connectionCount == 0)
        }

        @Test func `Of several addresses only the allowed ones`() async throws {
            let servers = TwoServers()
            let names = Names(["a.example": [["127.0.0.2", "10.0.0.1", "127.0.0.1", "::1"]]])
            let rig = try Rig(names.transport(allowing: TwoServers.allowed))
            #expect(try await rig.bytes("http://a.example:\(servers.port)/") == TwoServers.hello)
            #expect(servers.inner.connectionCount == 0)
        }

        /// Nobody listens at 127.0.0.3 and 127.0.0.4.
        @Test func `An address that refuses connections is followed by the next`() async throws {
            let servers = TwoServers()
            let names = Names(["a.example": [["127.0.0.3", "127.0.0.4", "127.0.0.1"]], "b.example": [["127.0.0.3"]]])
            let transport = try names.transport(allowing: ["127.0.0.0/8"], keeps: .seconds(9999))
            let url = try #require(URL(string: "http://a.example:\(servers.port)/"))
            for _ in 0..<3 {
                let answer = try await transport.send(HTTPRequest(method: "POST", url: url, body: [1]))
                #expect(answer.head.status == 200 && answer.head.url == url)
                while try await answer.body.next() != nil {}
            }
            #expect(names.asked == ["a.example"] && servers.outer.connectionCount == 1)
            let error = await #expect(throws: ImageError.self) {
                try await Rig(transport).bytes("http://b.example:\(servers.port)/")
            }
            #expect(error?.code == .connectionFailed)
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
            let names = Names(["a.example": [["127.0.0.1"], ["10.0.0.1"]]])
            let rig = try Rig(names.transport(allowing: TwoServers.allowed, keeps: .seconds(9999)))
            for path in ["/", "//b/ä%2F;c?d=%20&e=[f]", "/A.Example"] {
                #expect(try await rig.bytes("http://u:p@A.example:\(server.port)\(path)") == TwoServers.hello)
            }
            #expect(names.asked == ["a.example"] && server.connectionCount == 1)
            let lines = asked.all.map { $0.prefix { $0 != "\r\n" } }
            #expect(
                lines == ["GET / HTTP/1.1", "GET //b/%C3%A4%2F;c?d=%20&e=%5Bf%5D HTTP/1.1", "GET /A.Example HTTP/1.1"]
                    || lines == ["GET / HTTP/1.1", "GET //b/%C3%A4%2F;c?d=%20&e=[f] HTTP/1.1", "GET /A.Example HTTP/1.1"])
            for head in asked.all {
                #expect(AuthenticationTests.field("Host", head)?.lowercased() == "a.example:\(server.port)")
                #expect(head.split(separator: "\r\n").count { $0.lowercased().hasPrefix("host:") } == 1)
            }
        }

        @Test func `Equal questions at one time are one`() async throws {
            let servers = TwoServers()
            let names = Names(["a.example": [["127.0.0.1"], ["10.0.0.1"]]])
            let rig = try Rig(names.transport(allowing: TwoServers.allowed, keeps: .seconds(9999)))
            await withTaskGroup(of: [UInt8]?.self) { group in
                for number in 0..<40 {
                    group.addTask { try? await rig.bytes("http://a.example:\(servers.port)/\(number)") }
                }
                for await bytes in group { #expect(bytes == TwoServers.hello) }
            }
            #expect(names.asked == ["a.example"])
        }

        @Test func `A question without an answer ends with the time for connecting, or with the caller`() async throws {
            let (asked, goOn) = (AsyncGate(), DispatchSemaphore(value: 0))
            defer { goOn.signal() }
            var options = AsyncHTTPTransport.Options()
            options.addressPolicy = AddressPolicy()
            let resolver = HostResolver { _ in
                asked.open()
                goOn.wait()
                return .success([])
            }
            let transport = try AsyncHTTPTransport(options: options, resolver: resolver, keepsAddresses: .seconds(10))
            let url = try #require(URL(string: "http://a.example/"))
            let late = await #expect(throws: ImageError.self) {
                try await transport.send(HTTPRequest(url: url, deadlines: Rig.hasty))
            }
            #expect(late?.code == .timedOut)
            let task = Task {
                await #expect(throws: ImageError.self) {
                    try await transport.send(HTTPRequest(url: url, deadlines: Rig.patient))
                }
            }
            await asked.wait()
            task.cancel()
            #expect(await task.value?.code == .cancelled)
        }

        /// An address policy is no property of a source.
        @Test func `Refusals are neither retried nor remembered`() async throws {
            let servers = TwoServers()
            let names = Names(["a.example": [["127.0.0.2"], ["127.0.0.1"]]])
            let retry = DelayRetryStrategy(maximumCount: 3, interval: .seconds(0))
            let rig = try Rig(names.transport(allowing: TwoServers.allowed), retry: retry)
            let url = "http://a.example:\(servers.port)/"
            let error = try #require(await #expect(throws: ImageError.self) { try await rig.bytes(url) })
            #expect(error.code == .blocked && names.asked.count == 1)
            let failed = FailedSources()
            failed.note(ImageSource(url), error)
            #expect(failed.count == 0)
            #expect(try await rig.bytes(url) == TwoServers.hello)
        }
    }
#endif

#if Server
    import GannetCore
    import GannetHTTP
    import GannetImages
    import GannetTesting
    import Synchronization
    import Testing

    /// Secure connections that break or stop at any byte: from the first one of the handshake to the last one of the body. U-13, OP-06
    @Suite(.enabled(if: Certificates.isAvailable, "there is no /usr/bin/openssl"), .serialized)
    struct HostileHandshakeTests {
        static let body = [UInt8](repeating: 7, count: 3000)

        /// How the answer says where its body ends.
        enum Framing: String, CaseIterable, Sendable {
            /// Whole only with the proper end of TLS.
            case none
            case length, chunks

            var reply: [UInt8] {
                let field =
                    switch self {
                    case .none: ""
                    case .length: "Content-Length: \(body.count)\r\n"
                    case .chunks: "Transfer-Encoding: chunked\r\n"
                    }
                let head = Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\(field)\r\n".utf8)
                guard self == .chunks else { return head + body }
                return head + Array("\(String(body.count, radix: 16))\r\n".utf8) + body + Array("\r\n0\r\n\r\n".utf8)
            }
        }

        enum End: CaseIterable, Sendable { case close, reset, silence }

        /// The number of bytes that a complete transfer sends over the wire.
        static func count(_ server: TLSServer) async throws -> Int {
            let count = Mutex(0)
            let isOver = AsyncGate()
            let relay = RawServer { connection in
                let back = connection.relay(to: server.port)
                count.withLock { $0 = max($0, back) }
                isOver.open()
            }
            #expect(try await Rig(try TLSTests.transport()).bytes("https://localhost:\(relay.port)/a.png") == body)
            await isOver.wait()
            return count.withLock { $0 }
        }

        static let codes: [ImageError.Code] = [.network, .tlsFailed, .connectionFailed, .timedOut]

        @Test(arguments: Framing.allCases, End.allCases)
        func `Whatever byte it ends at, nothing is delivered that is not whole`(_ framing: Framing, _ end: End) async throws {
            let reply = framing.reply
            let server = try await TLSServer("good") { FixedReply(reply, closes: true) }
            let whole = try await Self.count(server)
            // The first records, then every hundred bytes, and the last ones singly. The body is in the last 3 KB, followed by
            // the end of TLS, in a record of 24 bytes.
            let isUnframed = framing == .none
            let last = isUnframed ? whole : whole - 24 - reply.count / 2
            var limits =
                (end == .silence ? [0, 6] : [0, 1, 4, 5, 6, 11])
                + Array(stride(from: 100, to: last, by: end == .silence ? 2000 : 300))
            if isUnframed, end != .silence { limits += [whole - 25, whole - 24, whole - 23, whole - 1] }
            for limit in limits where limit < last {
                let relay = RawServer { connection in
                    connection.relay(to: server.port, limit: limit)
                    switch end {
                    case .close: break
                    case .reset: connection.reset()
                    case .silence: connection.waitForClose()
                    }
                }
                let transport = try TLSTests.transport()
                let rig = try Rig(transport, deadlines: end == .silence ? Rig.hasty : Rig.patient)
                let result = await rig.fetch("https://localhost:\(relay.port)/a.png")
                guard case .failure(let error) = result else {
                    Issue.record("delivered after \(limit) of \(whole) bytes")
                    continue
                }
                #expect(Self.codes.contains(error.code), "\(limit) of \(whole): \(error)")
                #expect(rig.cache.keys.isEmpty)
            }
        }

        struct Case: Sendable, CustomTestStringConvertible {
            var name: String
            var codes: [ImageError.Code] = [.tlsFailed]
            var isHasty = false
            var serve: @Sendable (RawConnection) -> Void
            var testDescription: String { name }
        }

        /// A record of TLS 1.2.
        static func record(_ type: UInt8, _ payload: [UInt8], length: Int? = nil) -> [UInt8] {
            let count = length ?? payload.count
            return [type, 3, 3, UInt8(count >> 8 & 255), UInt8(count & 255)] + payload
        }

        static let answers: [Case] = [
            Case(name: "an alert") { connection in
                _ = connection.read(5)
                connection.write(record(21, [2, 40]))
            },
            Case(name: "a warning, and the end", codes: [.tlsFailed, .network, .connectionFailed]) { connection in
                _ = connection.read(5)
                connection.write(record(21, [1, 0]))
            },
            Case(name: "a record that is too long") { connection in
                _ = connection.read(5)
                connection.write(record(22, [UInt8](repeating: 1, count: 100), length: 65_535))
                connection.waitForClose()
            },
            Case(name: "an unknown record") { connection in
                _ = connection.read(5)
                connection.write(record(99, [1, 2, 3]))
                connection.waitForClose()
            },
            Case(name: "data before the handshake") { connection in
                _ = connection.read(5)
                connection.write(record(23, Array("HTTP/1.1 200 OK\r\n\r\n".utf8)))
                connection.waitForClose()
            },
            Case(name: "the client's own words") { connection in
                guard let head = connection.read(5), let rest = connection.read(Int(head[3]) << 8 | Int(head[4])) else { return }
                connection.write(head + rest)
                connection.waitForClose()
            },
            Case(name: "empty records without end", codes: [.tlsFailed, .timedOut, .network], isHasty: true) { connection in
                _ = connection.read(5)
                while connection.write(record(22, [])) {}
            },
            Case(name: "warnings without end", codes: [.tlsFailed, .timedOut, .network], isHasty: true) { connection in
                _ = connection.read(5)
                while connection.write(record(21, [1, 90])) {}
            },
            Case(name: "a handshake that drips", codes: [.timedOut], isHasty: true) { connection in
                _ = connection.read(5)
                guard connection.write([22, 3, 3, 64, 0, 2, 0, 63, 252]) else { return }
                while connection.write([0]) {
                    guard connection.dawdle(milliseconds: 30) || connection.read(1) != nil else { return }
                }
            },
        ]

        @Test(arguments: answers)
        func `A handshake that is none`(_ example: Case) async throws {
            let server = RawServer(example.serve)
            let transport = try TLSTests.transport()
            let rig = try Rig(transport, deadlines: example.isHasty ? Rig.hasty : Rig.patient)
            let result = await rig.fetch("https://localhost:\(server.port)/a.png")
            guard case .failure(let error) = result else {
                Issue.record("it is secure")
                return
            }
            #expect(example.codes.contains(error.code), "\(error)")
            withExtendedLifetime(server) {}
        }
    }
#endif

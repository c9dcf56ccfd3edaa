#if Server
    import FoundationEssentials
    import GannetFetch
    import GannetCore
    import GannetHTTP
    import GannetImages
    import GannetTesting
    import NIOSSL
    import Testing

    /// OP-06, and every way a secure connection fails.
    @Suite(.enabled(if: Certificates.isAvailable, "there is no /usr/bin/openssl"), .serialized)
    struct TLSTests {
        static let hello = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8)

        static func transport() throws -> CURLTransport {
            var options = CURLTransport.Options()
            options.additionalTrustRoots = [try Certificates.shared.get().folder + "/ca.pem"]
            return try CURLTransport(options: options)
        }

        // DL-04
        @Test func `A good certificate of a trusted authority`() async throws {
            let server = try await TLSServer("good") { FixedReply(Self.hello) }
            let fetched = try await Rig(try Self.transport()).fetch(server.url()).get()
            #expect(fetched.encoded?.bytes.contiguous() == Array("hello".utf8))
            #expect(try #require(fetched.metrics).securing > .zero)
        }

        @Test func `A body over TLS`() async throws {
            let server = try await TLSServer("good", protocols: ["http/1.1"]) { FixedReply(Self.hello) }
            let transport = try Self.transport()
            let url = try #require(URL(string: server.url()))
            for _ in 0..<3 {
                let response = try await transport.send(HTTPRequest(method: "POST", url: url, body: [1], deadlines: Rig.patient))
                #expect(try await response.body.next() == Array("hello".utf8))
            }
        }

        @Test(arguments: [("expired", "has expired"), ("self", "signed by itself"), ("other", "for another host")])
        func `A certificate that proves nothing`(_ name: String, _ reason: String) async throws {
            let server = try await TLSServer(name) { FixedReply(Self.hello) }
            let error = await #expect(throws: ImageError.self) { try await Rig(try Self.transport()).bytes(server.url()) }
            #expect(error?.code == .tlsFailed, "\(String(describing: error))")
            Self.expectSentence(error, reason)
        }

        /// None of the client's own words, which name files of where it was built.
        private static func expectSentence(_ error: ImageError?, _ reason: String) {
            let message = error?.message ?? ""
            #expect(message.contains(reason) && !message.contains("SSL") && !message.contains("/"), "\(message)")
        }

        @Test func `TLS where none is spoken`() async throws {
            let plain = RawServer { connection in _ = connection.write(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)) }
            let error = await #expect(throws: ImageError.self) { try await Rig().bytes("https://127.0.0.1:\(plain.port)/a.png") }
            #expect(error?.code == .tlsFailed, "\(String(describing: error))")
            Self.expectSentence(error, "TLS on this port")
        }

        @Test func `An authority that nobody knows`() async throws {
            let server = try await TLSServer("good") { FixedReply(Self.hello) }
            let error = await #expect(throws: ImageError.self) { try await Rig().bytes(server.url()) }
            #expect(error?.code == .tlsFailed, "\(String(describing: error))")
        }

        @Test func `Old versions of TLS are refused`() async throws {
            let server = try await TLSServer("good", maximum: .tlsv11) { FixedReply(Self.hello) }
            let error = await #expect(throws: ImageError.self) { try await Rig(try Self.transport()).bytes(server.url()) }
            #expect(error?.code == .tlsFailed, "\(String(describing: error))")
            Self.expectSentence(error, "too old")
        }

        @Test func `No TLS where TLS is expected`() async throws {
            let server = try await TLSServer("good") { FixedReply(Self.hello) }
            let error = await #expect(throws: ImageError.self) {
                try await Rig(try Self.transport()).bytes("http://localhost:\(server.port)/a.png")
            }
            #expect([.protocolViolation, .network].contains(error?.code), "\(String(describing: error))")
        }

        // OP-06
        @Test func `Blind trust is given per host, and not to the next one`() async throws {
            let server = try await TLSServer("self") { FixedReply(Self.hello) }
            let rig = try Rig(try Self.transport()) { $0.hostsTrustedBlindly = ["localhost"] }
            #expect(try await rig.bytes(server.url()) == Array("hello".utf8))
            let error = await #expect(throws: ImageError.self) { try await rig.bytes(server.url("127.0.0.1")) }
            #expect(error?.code == .tlsFailed, "\(String(describing: error))")
        }

        @Test func `A body without length needs the proper end of TLS`() async throws {
            let reply = Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello".utf8)
            let server = try await TLSServer("good") { FixedReply(reply, closes: true) }
            #expect(try await Rig(try Self.transport()).bytes(server.url()) == Array("hello".utf8))
        }

        // MARK: Handwritten HTTP/2: 9 bytes of frame header, then the payload

        static func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8] {
            let count = payload.count
            return [UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255), type, flags]
                + withUnsafeBytes(of: stream.bigEndian) { Array($0) } + payload
        }

        static let settings = frame(4)
        /// `:status: 200` has index 8 in HPACK's static table.
        static let okHead = frame(1, flags: 4, stream: 1, [0x88])

        /// `:status` written out, in the answer's head.
        static func head(_ status: String, flags: UInt8 = 4) -> [UInt8] {
            frame(1, flags: flags, stream: 1, [0x08, UInt8(status.utf8.count)] + Array(status.utf8))
        }

        static let helloFrame = frame(0, flags: 1, stream: 1, Array("hello".utf8))

        struct Example: Sendable, CustomTestStringConvertible {
            var name: String
            var greeting = settings
            var answer: [UInt8] = []
            var closes = false
            /// Empty: it works.
            var codes: [ImageError.Code] = []
            var testDescription: String { name }
        }

        static let broken: [ImageError.Code] = [.network, .protocolViolation]

        static let http2: [Example] = [
            Example(name: "whole", answer: okHead + helloFrame),
            Example(name: "reset before the head", answer: frame(3, stream: 1, [0, 0, 0, 2]), codes: broken),
            Example(
                name: "reset inside the body",
                answer: okHead + frame(0, stream: 1, Array("hel".utf8)) + frame(3, stream: 1, [0, 0, 0, 2]), codes: broken),
            Example(
                name: "GOAWAY that never saw the request", answer: frame(7, [0, 0, 0, 0, 0, 0, 0, 0]), closes: true, codes: broken
            ),
            Example(
                name: "the connection ends inside the body", answer: okHead + frame(0, stream: 1, Array("hel".utf8)),
                closes: true,
                codes: broken),
            Example(
                name: "interim responses come first",
                answer: head("103") + head("100") + okHead + helloFrame),
            Example(
                name: "trailers", answer: okHead + frame(0, stream: 1, Array("hello".utf8)) + frame(1, flags: 5, stream: 1, [])),
            Example(
                name: "padding",
                answer: okHead + frame(0, flags: 9, stream: 1, [3] + Array("hello".utf8) + [0, 0, 0])),
            Example(name: "a body before its answer", answer: frame(0, flags: 1, stream: 1, Array("hello".utf8)), codes: broken),
            Example(name: "interim response with a body", answer: head("103") + helloFrame, codes: broken),
            Example(name: "interim response that is the end", answer: head("100", flags: 5), codes: broken),
            Example(name: "a change of protocol", answer: head("101") + okHead + helloFrame, codes: broken),
            Example(name: "empty status", answer: head("") + helloFrame, codes: broken),
            Example(name: "status 000", answer: head("000") + helloFrame, codes: broken),
            Example(name: "status 099", answer: head("099") + helloFrame, codes: broken),
            Example(name: "negative status", answer: head("-20") + helloFrame, codes: broken),
            Example(name: "status of a word", answer: head("fine") + helloFrame, codes: broken),
            Example(name: "giant status", answer: head("99999999999999999999") + helloFrame, codes: broken),
            Example(name: "two heads", answer: okHead + okHead + helloFrame, codes: broken),
            Example(
                name: "trailers, and more", answer: okHead + frame(1, flags: 4, stream: 1, []) + helloFrame, codes: broken),
            Example(
                name: "length that is not kept",
                answer: frame(1, flags: 4, stream: 1, [0x88, 0x0F, 0x0D, 2, 0x39, 0x39]) + helloFrame, codes: broken),
            Example(name: "a stream that nobody opened", answer: frame(0, stream: 9, Array("hello".utf8)), codes: broken),
            Example(
                name: "a pushed picture", answer: frame(5, flags: 4, stream: 1, [0, 0, 0, 2, 0x82]), codes: broken + [.timedOut]),
            // The client waits for a greeting: the deadline ends it.
            Example(name: "garbage instead of frames", greeting: Array(repeating: 0xFF, count: 64), codes: broken + [.timedOut]),
            Example(
                name: "broken field compression", answer: frame(1, flags: 4, stream: 1, [0xFF, 0xFF, 0xFF]), codes: broken),
        ]

        // DL-16
        @Test(arguments: http2)
        func `HTTP 2 that misbehaves`(_ example: Example) async throws {
            let server = try await TLSServer("good", protocols: ["h2"]) {
                FrameReply(greeting: example.greeting, answer: example.answer, closes: example.closes)
            }
            let deadlines = example.codes.contains(.timedOut) ? Rig.hasty : Rig.patient
            switch await (try Rig(try Self.transport(), deadlines: deadlines)).fetch(server.url()) {
            case .success(let fetched):
                #expect(example.codes.isEmpty)
                #expect(fetched.encoded?.bytes.contiguous() == Array("hello".utf8))
                #expect(fetched.head?.version == "2")
            case .failure(let error): #expect(example.codes.contains(error.code), "\(error)")
            }
        }
    }
#endif

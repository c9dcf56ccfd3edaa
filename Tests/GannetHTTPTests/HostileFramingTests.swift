#if HTTP
    import GannetCore
    import GannetTesting
    import Testing

    /// How long a body is, said in every wrong way. U-05
    @Suite struct HostileFramingTests {
        typealias Case = HostileCase

        static let violation: HostileCase.Outcome = .fails([.protocolViolation])
        static let hello: HostileCase.Outcome = .delivers(Array("hello".utf8))

        static func length(_ value: String, _ outcome: HostileCase.Outcome) -> Case {
            Case(name: "Content-Length: \(value)", outcome: outcome) {
                HostileCase.once($0, HostileCase.ok + "Content-Length: \(value)\r\n\r\nhello")
            }
        }

        static func codings(_ values: String..., outcome: HostileCase.Outcome) -> Case {
            Case(name: "Transfer-Encoding: \(values.joined(separator: " | "))", outcome: outcome) {
                let fields = values.map { "Transfer-Encoding: \($0)\r\n" }.joined()
                HostileCase.once($0, HostileCase.ok + fields + "\r\n5\r\nhello\r\n0\r\n\r\n")
            }
        }

        static func chunks(_ name: String, _ body: String, _ outcome: HostileCase.Outcome) -> Case {
            Case(name: "chunks: \(name)", outcome: outcome) {
                HostileCase.once($0, HostileCase.ok + "Transfer-Encoding: chunked\r\n\r\n" + body)
            }
        }

        static let lengths = [
            length("5, 5", hello), length("5,5,5", hello), length("5, 6", violation), length("5,", violation),
            length("+5", violation),
            length("-0", violation), length("0x5", violation), length("5 5", violation), length("5.0", violation),
            length("", violation), length("5;5", violation), length("٥", violation), length("00000000000000000000000005", hello),
            length("18446744073709551621", violation),
            length("9223372036854775808", .fails([.protocolViolation, .limitExceeded])),
            length("9223372036854775807", .fails([.limitExceeded])),
        ]

        static let transfers = [
            codings("chunked", "chunked", outcome: violation), codings("chunked", "identity", outcome: violation),
            codings("identity", "chunked", outcome: hello), codings("chunked", "gzip", outcome: violation),
            codings("gzip", "chunked", outcome: violation), codings("chunked;q=1", outcome: violation),
            codings("\"chunked\"", outcome: violation), codings("CHUNKED", outcome: hello),
            codings("deflate", outcome: violation),
            codings("xchunked", "chunked", outcome: violation), codings("\u{B}chunked", outcome: violation),
        ]

        static let pieces = [
            chunks("an extension", "5;name=value\r\nhello\r\n0\r\n\r\n", hello),
            chunks("an extension in quotes", "5;name=\"a\\\";b\"\r\nhello\r\n0;last\r\n\r\n", hello),
            chunks("zeros in front", "0000005\r\nhello\r\n000\r\n\r\n", hello),
            chunks("trailers", "5\r\nhello\r\n0\r\nX-Sum: 1\r\nSet-Cookie: a=b\r\n\r\n", hello),
            chunks("a length behind the body", "5\r\nhello\r\n0\r\nContent-Length: 99\r\n\r\n", violation),
            chunks("trailers without their end", "5\r\nhello\r\n0\r\nX-Sum: 1\r\n", .fails([.network])),
            chunks("no empty line at the end", "5\r\nhello\r\n0\r\n", .fails([.network])),
            chunks("a length beyond all numbers", "FFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n", violation),
            chunks("a length just beyond", "10000000000000005\r\nhello\r\n0\r\n\r\n", violation),
            chunks("the greatest length", "FFFFFFFFFFFFFFFF\r\nhello", .fails([.network, .protocolViolation])),
            chunks("a great length", "7FFFFFFFFFFFFFFF\r\nhello", .fails([.network, .protocolViolation])),
            chunks("a negative length", "-5\r\nhello\r\n0\r\n\r\n", violation),
            chunks("a length with a sign", "+5\r\nhello\r\n0\r\n\r\n", violation),
            // What stands between a length and the end of its line is an extension to libcurl, whatever it is.
            chunks("a length as programmers write it", "0x5\r\nhello\r\n0\r\n\r\n", violation),
            chunks("no length", "\r\nhello\r\n0\r\n\r\n", violation),
            chunks("more than the length", "5\r\nhello!\r\n0\r\n\r\n", violation),
            chunks("less than the length", "7\r\nhello\r\n0\r\n\r\n", violation),
            chunks("line feeds alone", "5\nhello\n0\n\n", hello),
            chunks("NUL behind the length", "5\0\r\nhello\r\n0\r\n\r\n", hello),
        ]

        static let endless: [Case] = [
            Case(name: "an extension without end", outcome: .fails([.protocolViolation, .timedOut]), isHasty: true) {
                connection in
                HostileCase.once(connection, HostileCase.ok + "Transfer-Encoding: chunked\r\n\r\n5;x=")
                let block = String(repeating: "x", count: 65_536)
                while connection.write(block) {}
            },
            Case(name: "a length of zeros without end", outcome: .fails([.protocolViolation, .timedOut]), isHasty: true) {
                connection in
                HostileCase.once(connection, HostileCase.ok + "Transfer-Encoding: chunked\r\n\r\n")
                let block = String(repeating: "0", count: 65_536)
                while connection.write(block) {}
            },
            Case(name: "trailers without end", outcome: violation) { connection in
                HostileCase.once(connection, HostileCase.ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n")
                let block = String(repeating: "X-Trailer: 0123456789012345678901234567890123456789\r\n", count: 1000)
                while connection.write(block) {}
            },
            Case(name: "one trailer without end", outcome: violation) { connection in
                HostileCase.once(connection, HostileCase.ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: ")
                let block = String(repeating: "x", count: 65_536)
                while connection.write(block) {}
            },
        ]

        @Test(arguments: lengths + transfers + pieces + endless)
        func `A server says badly how long the body is`(_ example: HostileCase) async throws { try await example.check() }
    }
#endif

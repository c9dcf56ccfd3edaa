#if HTTP
    import GannetCore
    import GannetTesting
    import Testing

    /// Status lines and fields that are none. U-05
    @Suite struct HostileHeadTests {
        typealias Case = HostileCase

        static let violation: HostileCase.Outcome = .fails([.protocolViolation])
        static let hello: HostileCase.Outcome = .delivers(Array("hello".utf8))

        static func status(_ line: String, _ outcome: HostileCase.Outcome) -> Case {
            Case(name: line, outcome: outcome) { HostileCase.once($0, line + "\r\nContent-Length: 5\r\n\r\nhello") }
        }

        static func field(_ name: String, _ field: [UInt8], _ outcome: HostileCase.Outcome) -> Case {
            Case(name: name, outcome: outcome) {
                HostileCase.once(
                    $0, Array(HostileCase.ok.utf8) + field + Array("\r\nContent-Length: 5\r\n\r\nhello".utf8))
            }
        }

        static func field(_ text: String, _ outcome: HostileCase.Outcome) -> Case { field(text, Array(text.utf8), outcome) }

        static let statuses = [
            status("HTTP/1.1 200", hello), status("HTTP/1.1 200 ", hello), status("HTTP/1.1 200 Ça va", hello),
            status("HTTP/1.0 200 OK", hello), status("HTTP/1.1 299 Whatever", hello),
            status("HTTP/1.1 600 More", .fails([.httpStatus])),
            status("HTTP/1.1 999 Most", .fails([.httpStatus])), status("HTTP/1.1 99 Less", violation),
            status("HTTP/1.1 1000 Beyond", violation), status("HTTP/1.1 -200 OK", violation),
            status("HTTP/1.1 2OO OK", violation),
            status("HTTP/1.1 20 OK", violation), status("HTTP/1.1 OK", violation), status("HTTP/1.1", violation),
            status("HTTP/0.9 200 OK", violation), status("HTTP/2.0 200 OK", violation), status("HTTP/3 200 OK", violation),
            status("HTTP/1.1200 OK", violation), status("http/1.1 200 OK", violation), status("HTTP/11.1 200 OK", violation),
            status("ICY 200 OK", violation), status("GET / HTTP/1.1", violation),
            status("HTTP/1.1 204 No Content", .fails([.empty])), status("HTTP/1.1 205 Reset", hello),
            status("HTTP/1.1 102 Processing", .fails([.protocolViolation, .network])),
        ]

        static let fields = [
            field("X-A: a\0b", violation), field("X-\0A: b", violation), field("no colon", violation),
            field(": no name", violation),
            field("X A: b", violation), field("X-A : b", violation), field("X-A: a\rb", violation), field("X-Ä: b", violation),
            field("X-A: a\u{1}b", violation), field("X-A: a\u{7F}b", violation), field("X-A:", hello), field("X-A: ä", hello),
            field("bytes that are no text", Array("X-A: ".utf8) + [0xFF, 0xFE], hello),
            field("Content-Type: image/png; charset=\"", hello), field("Content-Type: ", hello),
            field("Set-Cookie: =; =; Domain=; Path", hello),
            field("Date: yesterday\r\nExpires: -1\r\nAge: -9\r\nLast-Modified: 0", hello),
            field("Cache-Control: max-age=99999999999999999999999999", hello), field("ETag: \"", hello),
            field("Vary: ,,,", hello),
            field("Link: <\(String(repeating: "x", count: 70_000))>", hello),
        ]

        static let interim: [Case] = [
            Case(name: "flood of 100", outcome: violation) { connection in
                guard connection.readHead() != nil else { return }
                let flood = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 1000)
                while connection.write(flood) {}
            },
            Case(name: "flood of 199", outcome: violation) { connection in
                guard connection.readHead() != nil else { return }
                while connection.write("HTTP/1.1 199 Odd\r\nX: y\r\n\r\n") {}
            },
            Case(name: "interim responses of all kinds, then the answer", outcome: hello) { connection in
                let interim = [100, 102, 103, 104, 199].map { "HTTP/1.1 \($0) Wait\r\nX-Number: \($0)\r\n\r\n" }.joined()
                HostileCase.once(connection, interim + HostileCase.ok + "Content-Length: 5\r\n\r\nhello")
            },
            Case(name: "interim responses, and the end", outcome: .fails([.network])) {
                HostileCase.once($0, "HTTP/1.1 103 Early Hints\r\n\r\n")
            },
            Case(name: "an interim response without end", outcome: violation) { connection in
                HostileCase.once(connection, "HTTP/1.1 103 Early Hints\r\n")
                let block = String(repeating: "Link: </0123456789012345678901234567890123456789>\r\n", count: 1000)
                while connection.write(block) {}
            },
            Case(name: "a status line without end", outcome: violation) { connection in
                HostileCase.once(connection, "HTTP/1.1 200 ")
                let block = String(repeating: "O", count: 65_536)
                while connection.write(block) {}
            },
            Case(name: "empty lines without end", outcome: .fails([.protocolViolation, .timedOut]), isHasty: true) { connection in
                guard connection.readHead() != nil else { return }
                let block = String(repeating: "\r\n", count: 32_768)
                while connection.write(block) {}
            },
            Case(name: "a head in single bytes", outcome: hello) { connection in
                guard connection.readHead() != nil else { return }
                for byte in (HostileCase.ok + "Content-Length: 5\r\n\r\nhello").utf8 {
                    guard connection.write([byte]) else { return }
                }
            },
        ]

        @Test(arguments: statuses + fields + interim)
        func `A server begins badly`(_ example: HostileCase) async throws { try await example.check() }
    }
#endif

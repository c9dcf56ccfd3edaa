#if CommandLine && Server
    import NIOHPACK
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// Heads of HTTP/2 requests that no browser sends; RFC 9113 §8.3.1 and §8.5.
    struct PseudoHeaderTests {
        typealias Fields = [(String, String)]

        private static let plain: Fields = [
            (":method", "GET"), (":scheme", "https"), (":authority", "a"), (":path", "/health"),
        ]

        private static func plain(_ name: String, _ value: String) -> Fields {
            plain.map { $0.0 == name ? (name, value) : $0 }
        }

        @Test(
            arguments: [
                (plain, true), (plain + [("host", "A")], true), (plain + [("host", "b")], false),
                (plain + [("host", "a"), ("host", "b")], false), (plain(":method", ""), false),
                (plain(":method", "GET / HTTP/1.1\r\nx:"), false), (plain(":path", "/he alth"), false),
                (plain(":path", "/health\r\nx: y"), false), (plain(":path", "/health\0"), false),
                (plain(":path", "/health\t"), false), (plain(":path", "/health\u{7F}"), false),
                (plain(":path", "/gr\u{FC}n"), true), (plain(":scheme", "https\r\n"), false),
                (plain(":authority", "a\r\nx: y"), false), (plain + [("content-length", "0")], true),
                (plain + [("content-length", "")], false), (plain + [("content-length", "+0")], false),
                (plain + [("content-length", "0, 0")], false), (plain + [("content-length", "0x0")], false),
                (plain + [("x", "any thing")], true),
            ] as [(Fields, Bool)])
        func onlyRightHeadsArePassedOn(_ fields: Fields, _ isRight: Bool) {
            #expect(PseudoHeaderFields.isRight(HPACKHeaders(fields)) == isRight)
        }

        @Test func whatIsMissingIsAdded() {
            func completed(_ fields: Fields, _ name: String) -> [String] {
                PseudoHeaderFields.completed(HPACKHeaders(fields))[name]
            }
            let bare: Fields = [(":method", "GET"), (":scheme", "http"), (":path", "/a")]
            #expect(completed(bare, ":authority") == [""])
            #expect(completed(bare + [("host", "a b")], ":authority") == [""])
            #expect(completed(Self.plain + [("host", "a")], ":authority") == ["a"])
            let tunnel: Fields = [(":method", "CONNECT"), (":authority", "a:80")]
            #expect(completed(tunnel, ":scheme") == ["https"] && completed(tunnel, ":path") == ["a:80"])
            #expect(completed(Self.plain, ":path") == ["/health"])
        }
    }
#endif

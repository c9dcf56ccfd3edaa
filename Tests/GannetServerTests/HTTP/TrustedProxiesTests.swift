#if CommandLine && Server
    import GannetCore
    import NIOHTTP1
    import Testing

    @testable import GannetServer

    /// Whose address a log has.
    struct TrustedProxiesTests {
        private func client(
            _ trusted: [String], at peer: String?, _ fields: [(String, String)]
        ) throws -> String { try TrustedProxies(trusted).client(at: peer, HTTPHeaders(fields)) }

        @Test(arguments: [
            // Nobody is believed who is not named.
            ([], "10.0.0.1", "1.2.3.4", "10.0.0.1"),
            (["10.0.0.0/8"], "192.0.2.7", "1.2.3.4", "192.0.2.7"),
            (["10.0.0.0/8"], "10.0.0.1", "1.2.3.4", "1.2.3.4"),
            // What the client wrote itself stands to the left.
            (["10.0.0.0/8"], "10.0.0.1", "6.6.6.6, 1.2.3.4", "1.2.3.4"),
            (["10.0.0.0/8"], "10.0.0.1", "6.6.6.6, 1.2.3.4, 10.0.0.2,10.0.0.3", "1.2.3.4"),
            (["10.0.0.0/8"], "10.0.0.1", "10.0.0.9, 10.0.0.2", "10.0.0.9"),
            (["10.0.0.0/8"], "10.0.0.1", "6.6.6.6, nonsense", "10.0.0.1"),
            (["10.0.0.0/8"], "10.0.0.1", "6.6.6.6, unknown, 10.0.0.2", "10.0.0.2"),
            (["10.0.0.0/8"], "10.0.0.1", "", "10.0.0.1"),
            (["10.0.0.0/8"], "10.0.0.1", "1.2.3.4:5678", "1.2.3.4"),
            (["10.0.0.0/8"], "10.0.0.1", "[2001:DB8::1]:80", "2001:db8::1"),
            (["10.0.0.0/8"], "10.0.0.1", "2001:db8::1", "2001:db8::1"),
            (["10.0.0.0/8"], "::ffff:10.0.0.1", "::ffff:1.2.3.4", "1.2.3.4"),
            (["fd00::/8"], "fd00::2", "1.2.3.4", "1.2.3.4"),
            (["127.0.0.1", "fd00::/8"], "127.0.0.2", "1.2.3.4", "127.0.0.2"),
        ])
        func forwardedFor(trusted: [String], peer: String, field: String, expected: String) throws {
            #expect(try client(trusted, at: peer, [("X-Forwarded-For", field)]) == expected)
        }

        @Test(arguments: [
            ("for=1.2.3.4", "1.2.3.4"), ("For=\"1.2.3.4:80\";proto=https;by=10.0.0.1", "1.2.3.4"),
            ("for=6.6.6.6, for=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17"),
            ("for=6.6.6.6, proto=http; for = 1.2.3.4 , for=10.0.0.2", "1.2.3.4"),
            ("for=6.6.6.6, for=_hidden", "10.0.0.1"), ("for=6.6.6.6, for=unknown", "10.0.0.1"),
            ("for=6.6.6.6, by=10.0.0.1", "10.0.0.1"), ("for=\"6.6.6.6", "10.0.0.1"),
            ("by=\"a,for=6.6.6.6\";for=1.2.3.4", "1.2.3.4"), ("by=\"\\\",for=6.6.6.6,\";for=1.2.3.4", "1.2.3.4"),
        ])
        func forwarded(field: String, expected: String) throws {
            #expect(try client(["10.0.0.0/8"], at: "10.0.0.1", [("Forwarded", field)]) == expected)
        }

        /// A proxy writes one of the two, and may pass on the other as the client wrote it.
        @Test func fieldsThatDifferCountForNothing() throws {
            let same = [("X-Forwarded-For", "1.2.3.4"), ("Forwarded", "for=1.2.3.4")]
            #expect(try client(["10.0.0.0/8"], at: "10.0.0.1", same) == "1.2.3.4")
            let other = [("X-Forwarded-For", "1.2.3.4"), ("Forwarded", "for=6.6.6.6")]
            #expect(try client(["10.0.0.0/8"], at: "10.0.0.1", other) == "10.0.0.1")
        }

        @Test func fieldsThatAreRepeatedAreOneList() throws {
            let fields = [("X-Forwarded-For", "6.6.6.6"), ("x-forwarded-for", "1.2.3.4, 10.0.0.2")]
            #expect(try client(["10.0.0.0/8"], at: "10.0.0.1", fields) == "1.2.3.4")
        }

        @Test func aSocketInTheFileSystemHasNoAddress() throws {
            let fields = [("X-Forwarded-For", "1.2.3.4")]
            #expect(try client(["10.0.0.0/8"], at: nil, fields) == "-")
            #expect(try client(["unix"], at: nil, fields) == "1.2.3.4")
            #expect(try client(["unix"], at: "10.0.0.1", fields) == "10.0.0.1")
            #expect(try client(["unix"], at: nil, []) == "-")
        }

        @Test(arguments: ["10.0.0.0/33", "example.org", "", "10.0.0/8", "unix:"])
        func otherTextIsRefused(text: String) {
            #expect(throws: ImageError.self) { try TrustedProxies([text]) }
        }
    }
#endif

#if CommandLine && Server
    import GannetCore
    import Testing

    @testable import GannetServer
    @testable import gannet

    struct AccessLogTests {
        private func entry(_ target: String, agent: String = "curl/8") -> AccessLog.Entry {
            AccessLog.Entry(
                time: Timestamp(milliseconds: 784_111_777_250), client: "10.0.0.1", method: "GET", target: target, version: "1.1",
                agent: agent,
                response: ThumbnailService.Response(status: 200, headers: [], body: [1, 2, 3], failure: "It broke."),
                duration: .milliseconds(12))
        }

        @Test func linesAreThoseOfWebServers() {
            let line = AccessLog.combined.line(entry("/4x3/fit?url=http://a.org/b", agent: "a\"b\\\n\u{E4}"), presets: Presets())
            #expect(
                line
                    == #"10.0.0.1 - - [06/Nov/1994:08:49:37 +0000] "GET /4x3/fit?url=http://a.org/b HTTP/1.1" 200 3 "-" "a\x22b\x5C\x0A\xC3\xA4""#
            )
        }

        @Test func objectsNameEverything() {
            let line = AccessLog.json.line(entry("/_/w:5/plain/http://a.org/b"), presets: Presets())
            #expect(
                line
                    == #"{"time":784111777.25,"client":"10.0.0.1","method":"GET","target":"/_/w:5/plain/http://a.org/b","status":200,"bytes":3,"ms":12,"origin":"service","agent":"curl/8","error":"It broke."}"#
            )
        }

        /// Neither what signs an address, nor what its source's address may contain.
        @Test(arguments: [
            "/4x3/fit?url=http://a.org/b%3Ftoken%3Dsecret&sig=secret", "/secret/w:5/plain/http://a.org/b%3Ftoken%3Dsecret",
            "/secret/w:5/plain/b%3Ftoken%3Dsecret", "/4x3/fit?url=b%3Ftoken%3Dsecret&sig=secret",
            "/secret/w:5/plain/local:///a.png",
            "/secret/w:5/plain/s3://bucket/a.png",
            "/info/secret/plain/http://a.org/b%3Ftoken%3Dsecret", "/nonsense?token=secret",
            "/4x3/fit?url=http://me:secret@a.org/",
            "http://me:secret@a.org/",
        ])
        func secretsAreLeftOut(target: String) {
            for log in AccessLog.allCases {
                let line = log.line(entry(target), presets: Presets())
                #expect(!line.contains("secret"), "\(line)")
            }
        }
    }
#endif

#if CommandLine && Server
    import Testing

    @testable import GannetServer
    @testable import gannet

    private let trace = "0af7651916cd43dd8448eb211c80319c"
    private let span = "b7ad6b7169203331"

    /// The fields of W3C Trace Context.
    struct TraceContextTests {
        @Test func `A field is read and written alike`() throws {
            for flags in ["00", "01"] {
                let text = "00-\(trace)-\(span)-\(flags)"
                let context = try #require(TraceContext(parent: text))
                #expect(context.parent == text && context.isSampled == (flags == "01") && context.isRemote)
                #expect(context.traceText == trace && context.spanText == span)
            }
            let small = "00-00000000000000000000000000000001-000000000000000a-01"
            #expect(TraceContext(parent: small)?.parent == small)
        }

        @Test(arguments: [
            // Other flags are for later levels.
            ("00-\(trace)-\(span)-03", true), ("00-\(trace)-\(span)-ff", true), ("00-\(trace)-\(span)-02", false),
            // Of later versions the beginning is understood.
            ("01-\(trace)-\(span)-01", true), ("fe-\(trace)-\(span)-00", false), ("cc-\(trace)-\(span)-01-more.of=it", true),
        ])
        func `Unknown flags and versions are read as far as they are known`(text: String, isSampled: Bool) throws {
            let context = try #require(TraceContext(parent: text))
            #expect(context.parent == "00-\(trace)-\(span)-0\(isSampled ? 1 : 0)")
        }

        @Test(arguments: [
            "", "-", "00", "00-", "00-\(trace)", "00-\(trace)-\(span)", "00-\(trace)-\(span)-", "00-\(trace)-\(span)-1",
            "00-\(trace)-\(span)-0g", "00-\(trace)-\(span)-0A", "00-\(trace)-\(span)-011", "00-\(trace)-\(span)-01-",
            "00-\(trace)-\(span)-01-more", " 00-\(trace)-\(span)-01", "00-\(trace)-\(span)-01 ", "ff-\(trace)-\(span)-01",
            "FF-\(trace)-\(span)-01", "0-\(trace)-\(span)-01", "000-\(trace)-\(span)-01", "0x-\(trace)-\(span)-01",
            "01-\(trace)-\(span)-01.more", "01-\(trace)-\(span)-01more", "00-00000000000000000000000000000000-\(span)-01",
            "00-\(trace)-0000000000000000-01", "00-0AF7651916CD43DD8448EB211C80319C-\(span)-01",
            "00-\(trace)-B7AD6B7169203331-01", "00-0af7651916cd43dd8448eb211c80319-\(span)-01",
            "00-0af7651916cd43dd8448eb211c80319c0-\(span)-01", "00-\(trace)-b7ad6b716920333-01",
            "00-\(trace)-b7ad6b71692033310-01", "00_\(trace)_\(span)_01", "00-\(trace)-\(span)_01",
            "00-.af7651916cd43dd8448eb211c80319c-\(span)-01", "00-+af7651916cd43dd8448eb211c80319c-\(span)-01",
            "00-\(trace)-\(span)-01, 00-\(trace)-\(span)-01", "00-0af7651916cd43dd8448eb211c8031é-\(span)-01",
            "00--\(trace)\(span)-01", "\0\0-\(trace)-\(span)-01",
        ])
        func `Everything else begins a new trace`(text: String) {
            #expect(TraceContext(parent: text) == nil)
        }

        private func state(_ text: String) -> String? {
            TraceContext(parent: "00-\(trace)-\(span)-01", state: text)?.state
        }

        @Test func `What other systems wrote is handed on as it came`() {
            for text in [
                "a=1", "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", "a=1, b=2 ,\tc=3",
                "fw529a3039@dt=FfffQ",
                "a=1,,b=2", "0a=x", "a/b*c-d_e=~!", "a=" + String(repeating: "v", count: 256),
                (0..<32).map { "k\($0)=v" }.joined(separator: ","),
            ] { #expect(state(text) == text) }
        }

        @Test func `Lists that are wrong or too long are left out, and the trace goes on`() {
            for text in [
                "", ",", "a", "=1", "a=", "A=1", "a=1=2", "a=1,a=2", "a b=1", "a@b@c=1", "@b=1", "a@=1", "a=\u{E9}", "a=\u{7F}",
                "-a=1", "a=" + String(repeating: "v", count: 257), String(repeating: "k", count: 257) + "=1",
                (0..<33).map { "k\($0)=v" }.joined(separator: ","),
                (0..<3).map { "k\($0)=" + String(repeating: "v", count: 200) }.joined(separator: ","),
            ] { #expect(state(text) == "", "\(text)") }
        }
    }
#endif

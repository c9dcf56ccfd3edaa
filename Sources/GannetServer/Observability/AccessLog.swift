#if Server
    package import GannetCore
    import GannetFetch
    import GannetSupport
    import Glibc

    /// A line for each response. It leaves out signatures and the values of sources' queries, so that readers of a log cannot repeat its
    /// requests.
    package enum AccessLog: String, CaseIterable, Sendable {
        /// The combined format of web servers.
        case combined
        /// An object: time, client, method, target, status, bytes, ms, origin, agent, and error; and trace_id and span_id, if the request
        /// is recorded in a trace.
        case json

        /// One request and its response.
        package struct Entry: Sendable {
            /// When the response was sent.
            package var time: Timestamp
            /// The client's address; of a proxy in front, if there is one.
            package var client: String
            /// Of the request line.
            package var method: String
            /// As received: with signature and secrets.
            package var target: String
            /// Of HTTP, as 1.1.
            package var version: String
            /// The field `User-Agent`, or a dash.
            package var agent: String
            /// With its status, origin and body.
            package var response: ThumbnailService.Response
            /// Until the response was written.
            package var duration: Duration
        }

        /// One line, without its end.
        package func line(_ entry: Entry, presets: Presets) -> String {
            let target = Self.shown(entry.target, presets)
            let bytes = entry.method == "HEAD" ? 0 : entry.response.body.count
            switch self {
            case .combined:
                let request = Self.quoted("\(entry.method) \(target) HTTP/\(entry.version)")
                return
                    "\(entry.client) - - [\(Self.date(entry.time))] \(request) \(entry.response.status) \(bytes) \"-\" \(Self.quoted(entry.agent))"
            case .json:
                let trace = entry.response.trace.map {
                    [("trace_id", JSON.string($0.traceText)), ("span_id", JSON.string($0.spanText))]
                }
                return JSON.object(
                    [
                        ("time", .number(Double(entry.time.milliseconds) / 1000)), ("client", .string(entry.client)),
                        ("method", .string(entry.method)), ("target", .string(target)),
                        ("status", .integer(entry.response.status)),
                        ("bytes", .integer(bytes)), ("ms", .number(Readable.milliseconds(entry.duration))),
                        ("origin", .string(entry.response.origin.rawValue)), ("agent", .string(entry.agent)),
                        ("error", .optional(entry.response.failure)),
                    ] + (trace ?? [])
                ).redacted.text
            }
        }

        /// The target without its signature and the source's secrets.
        static func shown(_ target: String, _ presets: Presets) -> String {
            (try? ThumbnailAddress(target, presets: presets, sources: nil))?.shown ?? ThumbnailAddress.shown(target)
        }

        /// As in logs of Apache and nginx: control characters, quotation marks and backslashes are escaped.
        private static func quoted(_ text: String) -> String {
            var result: [UInt8] = [UInt8(ascii: "\"")]
            for byte in text.utf8 {
                if byte < 32 || byte > 126 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                    let digits = Array("0123456789ABCDEF".utf8)
                    result += [UInt8(ascii: "\\"), UInt8(ascii: "x"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                } else {
                    result.append(byte)
                }
            }
            return String(decoding: result + [UInt8(ascii: "\"")], as: UTF8.self)
        }

        /// `10/Oct/2000:13:55:36 +0000`.
        private static func date(_ time: Timestamp) -> String {
            // `Sun, 06 Nov 1994 08:49:37 GMT`
            let parts = HTTPDate.format(time).split(separator: " ")
            guard parts.count == 6 else { return "-" }
            return "\(parts[1])/\(parts[2])/\(parts[3]):\(parts[4]) +0000"
        }
    }
#endif

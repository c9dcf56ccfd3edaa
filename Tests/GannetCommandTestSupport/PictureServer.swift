#if CommandLine && HTTP
    import GannetTesting
    import Synchronization

    /// Answers every request for a path with the same response, and remembers the requests.
    package final class PictureServer: Sendable {
        private final class Log: Sendable {
            let heads = Mutex<[String]>([])
        }

        private let log = Log()
        private let server: RawServer

        /// `respond` gets the head of a request and gives a whole response; an empty one is followed by silence.
        package init(_ respond: @escaping @Sendable (_ head: String) -> [UInt8]) {
            let log = log
            server = RawServer { connection in
                while let head = connection.readHead() {
                    log.heads.withLock { $0.append(head) }
                    let response = respond(head)
                    guard !response.isEmpty else { return connection.waitForClose() }
                    guard connection.write(response) else { return }
                }
            }
        }

        package func url(_ path: String) -> String { server.url(path) }

        package var requests: [String] { log.heads.withLock { $0 } }

        package static func response(_ status: String = "200 OK", _ headers: [String] = [], _ body: [UInt8] = []) -> [UInt8] {
            let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + headers + ["", ""]
            return Array(head.joined(separator: "\r\n").utf8) + body
        }

        /// `body` with an ETag, fresh for an hour or at once stale; a request that has the ETag gets a 304.
        package static func picture(_ body: [UInt8], fresh: Bool = true) -> @Sendable (String) -> [UInt8] {
            { head in
                let headers = ["Content-Type: image/png", "ETag: \"1\"", "Cache-Control: max-age=\(fresh ? 3600 : 0)"]
                if head.lowercased().contains("if-none-match: \"1\"") { return response("304 Not Modified", headers) }
                return response("200 OK", headers, body)
            }
        }
    }
#endif

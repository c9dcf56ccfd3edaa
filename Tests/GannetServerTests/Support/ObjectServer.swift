#if CommandLine && Server
    import Foundation
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetPlatform
    import GannetTesting
    import Synchronization

    @testable import GannetServer
    @testable import GannetSharedCaches
    @testable import gannet

    /// A small server with S3's GET, PUT and DELETE of objects and its listings, which checks each signature by the published rules on its own: with another
    /// SHA-256, another HMAC, and from the bytes of the request alone.
    final class ObjectServer: Sendable {
        /// The behaviour towards requests that are signed rightly.
        enum Mood: Sendable {
            case well
            /// Says nothing.
            case hangs
            case answers(String)
            /// Promises a byte more than it sends.
            case cutsShort
            /// To this URL.
            case redirects(String)
        }

        struct State {
            var objects: [String: [UInt8]] = [:]
            var mood = Mood.well
            /// Of listings.
            var pageSize = 1000
            var requests: [String] = []
            /// Bytes of objects in answers.
            var sent = 0
            /// The entity tag of all objects; nil: none.
            var tag: String?
            /// The last request's lines.
            var lines: [String] = []
            /// Why requests were refused.
            var refusals: [String] = []
        }

        private final class Shared: Sendable {
            let state = Mutex(State())
        }

        static let credentials = S3Credentials(identifier: "AKIDTEST", secret: "se/cret+", token: "to=ken")
        private let shared = Shared()
        private let server: RawServer

        init() {
            let shared = shared
            server = RawServer { connection in
                while let head = connection.readHead() {
                    let lines = head.split(separator: "\r\n").map { String($0) }
                    let length = Self.field("content-length", lines).flatMap { Int($0) } ?? 0
                    guard let body = connection.read(length) else { return }
                    guard Self.answer(lines, body, shared.state, connection) else { return }
                }
            }
        }

        var state: State { shared.state.withLock { $0 } }
        func change(_ body: (inout State) -> Void) { shared.state.withLock { body(&$0) } }

        /// As a machine has it that shares this bucket.
        func cache(
            limits: S3Limits = .patient, credentials: S3Credentials = ObjectServer.credentials,
            time: any TimeSource = SystemTimeSource(), report: @escaping @Sendable (String) -> Void = { _ in }
        ) throws -> S3Cache {
            let location = try S3Location("pictures/small", endpoint: server.url(""), region: "eu-test-1")
            return S3Cache(location, credentials, transport: try CURLTransport(), limits: limits, time: time, report: report)
        }

        /// As a service has it whose sources are in these buckets.
        func loader(_ buckets: [String] = ["pictures"], credentials: S3Credentials = ObjectServer.credentials) throws -> S3Loader
        {
            try S3Loader(
                buckets, region: "eu-test-1", endpoint: server.url(""), credentials, transport: try CURLTransport())
        }

        var endpoint: String { server.url("") }

        /// False: the connection ends.
        private static func answer(
            _ lines: [String], _ body: [UInt8], _ state: borrowing Mutex<State>, _ connection: RawConnection
        ) -> Bool {
            let words = (lines.first ?? "").split(separator: " ").map { String($0) }
            let (method, path) = (words[0], words[1])
            let problem = problem(method, path, lines, body)
            let (mood, object, tag) = state.withLock { state -> (Mood, [UInt8]?, String?) in
                state.requests.append("\(method) \(path)")
                state.lines = lines
                if let problem { state.refusals.append(problem) }
                if problem == nil, case .well = state.mood {
                    if method == "PUT" { state.objects[path] = body }
                    if method == "DELETE" { state.objects[path] = nil }
                    if path.contains("?") { return (state.mood, listing(path, state), state.tag) }
                }
                let found = part(state.objects[path], field("range", lines))
                state.sent += method == "GET" ? found?.count ?? 0 : 0
                return (state.mood, found, state.tag)
            }
            if problem != nil { return connection.write(PictureServer.response("403 Forbidden")) }
            switch mood {
            case .well where method == "PUT": return connection.write(PictureServer.response())
            case .well where method == "DELETE": return connection.write(PictureServer.response("204 No Content"))
            case .well:
                let headers = tag.map { ["ETag: \($0)"] } ?? []
                if let tag, object != nil, field("if-none-match", lines) == tag {
                    return connection.write(PictureServer.response("304 Not Modified", headers))
                }
                return connection.write(
                    object.map { PictureServer.response("200 OK", headers, $0) } ?? PictureServer.response("404 Not Found"))
            case .redirects(let url):
                return connection.write(PictureServer.response("307 Temporary Redirect", ["Location: \(url)"]))
            case .hangs:
                connection.waitForClose()
                return false
            case .answers(let status): return connection.write(PictureServer.response(status))
            case .cutsShort:
                connection.write(Array(PictureServer.response("200 OK", [], object ?? [0]).dropLast()))
                return false
            }
        }

        /// `bytes=0-LAST`.
        private static func part(_ object: [UInt8]?, _ range: String?) -> [UInt8]? {
            guard let object, let range, let last = range.split(separator: "-").last.flatMap({ Int($0) }) else { return object }
            return Array(object.prefix(last + 1))
        }

        /// The names in order, a page of them; the token is the last one's name.
        private static func listing(_ target: String, _ state: State) -> [UInt8] {
            var query: [String: String] = [:]
            for part in target.split(separator: "?")[1].split(separator: "&") {
                let words = part.split(separator: "=", omittingEmptySubsequences: false).map { String($0) }
                query[words[0]] = words[1].removingPercentEncoding
            }
            let names = state.objects.keys.map { String($0.dropFirst("/pictures/".count)) }.sorted()
            let all = names.filter { $0.hasPrefix(query["prefix"] ?? "") && $0 > (query["continuation-token"] ?? "") }
            let page = all.prefix(state.pageSize)
            let items = page.map { name in
                "<Contents><Key>\(name.split(separator: "&").joined(separator: "&amp;"))</Key><LastModified>x</LastModified>"
                    + "<Size>\(state.objects["/pictures/" + name]?.count ?? 0)</Size></Contents>"
            }
            let isCut = page.count < all.count
            let next = isCut ? "<NextContinuationToken>\(page.last ?? "")</NextContinuationToken>" : ""
            return Array(
                ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                    + "<Name>pictures</Name><IsTruncated>\(isCut)</IsTruncated>" + items.joined() + next + "</ListBucketResult>")
                    .utf8)
        }

        private static func field(_ name: String, _ lines: [String]) -> String? {
            lines.first { $0.lowercased().hasPrefix(name + ":") }.map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
        }

        /// Nil: the signature is right.
        private static func problem(_ method: String, _ path: String, _ lines: [String], _ body: [UInt8]) -> String? {
            guard let authorization = field("authorization", lines), let date = field("x-amz-date", lines),
                let payload = field("x-amz-content-sha256", lines)
            else { return "a field is missing" }
            guard payload == hex(hash(body)) else { return "the body is another one" }
            guard field("x-amz-security-token", lines) == credentials.token else { return "the token is missing" }
            let names = "host;x-amz-content-sha256;x-amz-date;x-amz-security-token"
            let fields = names.split(separator: ";").map { "\($0):\(field(String($0), lines) ?? "")\n" }.joined()
            let day = String(date.prefix(8))
            let target = path.split(separator: "?", maxSplits: 1)
            let query = (target.count > 1 ? target[1] : "").split(separator: "&").sorted().joined(separator: "&")
            let request = "\(method)\n\(target[0])\n\(query)\n\(fields)\n\(names)\n\(payload)"
            let text = "AWS4-HMAC-SHA256\n\(date)\n\(day)/eu-test-1/s3/aws4_request\n" + hex(hash(Array(request.utf8)))
            var key = Array("AWS4se/cret+".utf8)
            for part in [day, "eu-test-1", "s3", "aws4_request", text] { key = code(Array(part.utf8), key) }
            let expected =
                "AWS4-HMAC-SHA256 Credential=AKIDTEST/\(day)/eu-test-1/s3/aws4_request, SignedHeaders=\(names), Signature=\(hex(key))"
            return authorization == expected ? nil : "\(authorization) instead of \(expected)"
        }

        private static func hash(_ bytes: [UInt8]) -> [UInt8] {
            var digest = SHA256()
            digest.update(bytes)
            return digest.finish()
        }

        /// RFC 2104.
        private static func code(_ message: [UInt8], _ key: [UInt8]) -> [UInt8] {
            let key = (key.count > 64 ? hash(key) : key) + [UInt8](repeating: 0, count: 64)
            let block = key.prefix(64)
            return hash(block.map { $0 ^ 0x5C } + hash(block.map { $0 ^ 0x36 } + message))
        }

        private static func hex(_ bytes: [UInt8]) -> String {
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    extension S3Limits {
        /// Never in a hurry.
        static var patient: S3Limits {
            var limits = S3Limits()
            (limits.head, limits.whole) = (.seconds(600), .seconds(600))
            return limits
        }
    }
#endif

package import FoundationEssentials
import GannetCore
import GannetFetch
package import GannetPlatform
import Synchronization

/// Runs one conformance test against a bridge; returns what was wrong, nil for a pass.
package struct ConformanceChecker {
    package let test: ConformanceSuite.Test
    /// Part of the test's URLs.
    private let identifier: String
    private let origin: String

    /// `identifier` is part of the test's URLs, and the default body of its responses.
    package init(_ test: ConformanceSuite.Test, identifier: String? = nil, origin: String = "http://cache-tests.example") {
        self.test = test
        self.identifier = identifier ?? Self.body(of: test)
        self.origin = origin
    }

    static func body(of test: ConformanceSuite.Test) -> String { "body-of-" + test.id }

    /// A line to the bridge.
    package struct Question: Encodable, Sendable {
        /// A distinct number for each concurrent question.
        package var n: Int
        var url: String
        var method: String
        var headers: [[String]] = []
        var body: String?
        var cache: String?
        var redirect: String?

        package init(_ method: String, _ url: String, body: String? = nil) {
            n = 1
            self.method = method
            self.url = url
            self.body = body
        }
    }

    /// A line from the bridge.
    package struct Reply: Decodable, Sendable {
        package var n: Int
        package var status: Int?
        package var error: String?
        var headers: [[String]]?
        var body: String?

        var fields: HTTPHeaders { HTTPHeaders((headers ?? []).map { ($0[0], $0[1]) }) }
        package var bytes: Data { body.flatMap { Data(base64Encoded: $0) } ?? Data() }
        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// Runs without sockets. A pause calls `advance` with the suite's three seconds.
    package func run(
        _ bridge: HTTPBridge, _ server: ConformanceServer, time: any TimeSource, advance: (Duration) -> Void
    ) async throws -> String? {
        try await run(time: time) { question in
            let line = String(decoding: try JSONEncoder().encode(question), as: UTF8.self)
            let answer = Mutex("")
            await bridge.respond(to: line) { text in answer.withLock { $0 = text } }
            return try JSONDecoder().decode(Reply.self, from: Data(answer.withLock { $0 }.utf8))
        } pause: {
            advance($0)
        } seen: {
            server.requests
        }
    }

    /// - Parameter seen: called once, at the end.
    package func run(
        time: any TimeSource, ask: (Question) async throws -> Reply, pause: (Duration) async throws -> Void,
        seen: () async throws -> [ConformanceServer.Seen]
    ) async throws -> String? {
        var replies: [Reply] = []
        for (index, request) in test.requests.enumerated() {
            let reply = try await ask(question(request, number: index + 1, previous: replies.last?.fields, time))
            if let error = reply.error, request.disconnect != true { return "request \(index + 1): \(error)" }
            if let problem = check(request, number: index + 1, reply, time) { return problem }
            replies.append(reply)
            if request.pauseAfter == true { try await pause(.seconds(3)) }
        }
        return checkServer(replies, try await seen())
    }

    private func question(
        _ request: ConformanceSuite.Request, number: Int, previous: HTTPHeaders?, _ time: any TimeSource
    ) -> Question {
        var url = origin + "/test/" + identifier
        if let filename = request.filename { url += "/" + filename }
        if let query = request.queryArg { url += "?" + query }
        var question = Question(request.requestMethod ?? "GET", url, body: request.requestBody)
        question.cache = request.cache
        question.redirect = request.redirect
        for field in request.requestHeaders ?? [] {
            var moment = time.now
            if request.magicIms == true, let text = previous?["Server-Now"], let milliseconds = Int64(text) {
                moment = Timestamp(milliseconds: milliseconds)
            }
            question.headers.append([field.name, ConformanceServer.value(of: field, request, now: moment, base: "")])
        }
        question.headers += [["Test-ID", identifier], ["Test-Name", test.name], ["Req-Num", String(number)]]
        return question
    }

    private func check(
        _ request: ConformanceSuite.Request, number: Int, _ reply: Reply, _ time: any TimeSource
    ) -> String? {
        let headers = reply.fields
        let count = headers["Server-Request-Count"].flatMap { Int($0) }
        if request.expectedType == "cached", !(reply.status == 304 && count == nil), count ?? .max >= number {
            return "response \(number) does not come from the cache"
        }
        if request.expectedType == "not_cached", count != number { return "response \(number) comes from the cache" }
        if request.expectedStatusGiven {
            if let wanted = request.expectedStatus, reply.status != wanted {
                return "status \(reply.status ?? 0) instead of \(wanted)"
            }
        } else if let wanted = request.responseStatus?.code {
            if reply.status != wanted { return "status \(reply.status ?? 0) instead of \(wanted)" }
        } else if reply.status != 200 {
            return reply.status == 999 ? "request \(number) was not conditional" : "status \(reply.status ?? 0) instead of 200"
        }
        for field in request.expectedResponseHeaders ?? [] {
            guard let value = headers.combined(field.name) else { return "\(field.name) is missing" }
            switch (field.values.first, field.values.dropFirst().first) {
            case (.text("="), .text(let other)):
                if value != headers.combined(other) { return "\(field.name) differs from \(other)" }
            case (.text(">"), .number(let bound)):
                if Int(value) ?? 0 <= bound { return "\(field.name) is \(value), not above \(bound)" }
            case (.some, _):
                let now = headers["Server-Now"].flatMap { Int64($0) }.map { Timestamp(milliseconds: $0) } ?? time.now
                let base = headers["Server-Base-Url"] ?? ""
                let wanted = ConformanceServer.value(of: field, request, now: now, base: base)
                if value != wanted { return "\(field.name) is “\(value)”, not “\(wanted)”" }
            default: break
            }
        }
        for field in request.expectedResponseHeadersMissing ?? [] where headers.contains(field.name) {
            guard case .text(let part) = field.values.first else { return "\(field.name) is there" }
            if headers.combined(field.name)?.contains(part) == true { return "\(field.name) still has \(part)" }
        }
        if request.expectedInterimResponses != nil { return "interim responses are not passed on" }
        return checkBody(request, number, reply)
    }

    private func checkBody(_ request: ConformanceSuite.Request, _ number: Int, _ reply: Reply) -> String? {
        if request.checkBody == false { return nil }
        var wanted: String?
        if request.expectedResponseTextGiven {
            wanted = request.expectedResponseText
        } else if let body = request.responseBody {
            wanted = body
        } else if ![204, 304].contains(reply.status ?? 0), request.requestMethod != "HEAD" {
            wanted = identifier
        }
        if let wanted, reply.text != wanted { return "body \(number) is “\(reply.text)”, not “\(wanted)”" }
        return nil
    }

    private func checkServer(_ replies: [Reply], _ seen: [ConformanceServer.Seen]) -> String? {
        var position = 0
        for (index, request) in test.requests.enumerated() {
            if request.expectedType == "cached" { continue }
            let entry = position < seen.count ? seen[position] : nil
            position += 1
            if request.expectedType == "not_cached", entry?.number != index + 1 { return "request \(index + 1) was not sent" }
            if request.expectedType == "etag_validated", entry?.headers.contains("If-None-Match") != true {
                return "request \(index + 1) has no If-None-Match"
            }
            if request.expectedType == "lm_validated", entry?.headers.contains("If-Modified-Since") != true {
                return "request \(index + 1) has no If-Modified-Since"
            }
            for field in request.expectedRequestHeaders ?? [] {
                guard let value = entry?.headers.combined(field.name) else { return "request \(index + 1) has no \(field.name)" }
                if case .text(let wanted) = field.values.first, value != wanted { return "request \(field.name) is \(value)" }
            }
            for field in request.expectedRequestHeadersMissing ?? [] where entry?.headers.contains(field.name) == true {
                return "request \(index + 1) has \(field.name)"
            }
            if let entry {
                for (name, value) in entry.sent where !HTTPHeaders.equal(name, "Date") {
                    let received = replies[index].fields.combined(name)
                    if received != value { return "response \(index + 1): \(name) is “\(received ?? "-")”, not “\(value)”" }
                }
            }
            if let method = request.expectedMethod, entry?.method != method { return "method \(entry?.method ?? "-")" }
        }
        return nil
    }
}

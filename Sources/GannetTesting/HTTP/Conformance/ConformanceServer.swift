import FoundationEssentials
package import GannetCore
import GannetFetch
package import GannetPlatform
import Synchronization

/// The server of one conformance test: answers by the test's definition and records requests. As a transport it needs no
/// sockets; ``ConformanceSite`` uses them.
package final class ConformanceServer: HTTPTransport {
    /// One received request, in the form of `/state/`.
    package struct Seen: Codable, Sendable {
        var number: Int
        var method: String
        private var fields: [[String]]
        private var kept: [[String]]

        init(number: Int, method: String, headers: HTTPHeaders, sent: [(name: String, value: String)]) {
            self.number = number
            self.method = method
            fields = headers.fields.map { [$0.name, $0.value] }
            kept = sent.map { [$0.name, $0.value] }
        }

        var headers: HTTPHeaders { HTTPHeaders(fields.map { ($0[0], $0[1]) }) }
        /// Fields that must reach the client unchanged.
        var sent: [(name: String, value: String)] { kept.map { ($0[0], $0[1]) } }
    }

    /// The response; nil in ``answer(_:_:_:base:)`` for an undefined request.
    struct Answer {
        var definition: ConformanceSuite.Request
        var status: Int
        var headers: HTTPHeaders
        /// Empty if the status or the method allows none.
        var body: String
    }

    private let definitions: [ConformanceSuite.Request]
    private let time: any TimeSource
    private let seen = Mutex<[Seen]>([])
    private let body: String

    /// - Parameter body: the default body of responses.
    package convenience init(_ test: ConformanceSuite.Test, time: any TimeSource) {
        self.init(test.requests, body: ConformanceChecker.body(of: test), time: time)
    }

    init(_ definitions: [ConformanceSuite.Request], body: String, time: any TimeSource) {
        self.definitions = definitions
        self.body = body
        self.time = time
    }

    package var requests: [Seen] { seen.withLock { $0 } }

    package func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse {
        guard let answer = answer(request.method, request.headers, base: request.url.absoluteString) else {
            return .fixed(request, status: 409)
        }
        if answer.definition.disconnect == true { throw ImageError(.network, "The server closed the connection.") }
        return HTTPResponse(
            head: HTTPResponseHead(status: answer.status, headers: answer.headers, url: request.url),
            body: .chunks(answer.body.isEmpty ? [] : [Array(answer.body.utf8)]))
    }

    /// - Parameter base: the base of relative locations.
    func answer(_ method: String, _ fields: HTTPHeaders, base: String) -> Answer? {
        let number = fields["Req-Num"].flatMap { Int($0) } ?? 1
        guard number > 0, number <= definitions.count else { return nil }
        let definition = definitions[number - 1]
        let now = time.now
        var status = definition.responseStatus?.code ?? 200
        if definition.expectedType?.hasSuffix("validated") == true { status = isValidated(fields) ? 304 : 999 }
        var headers = HTTPHeaders([
            ("Server-Base-Url", base), ("Client-Request-Count", String(number)), ("Server-Now", String(now.milliseconds)),
        ])
        var sent: [(name: String, value: String)] = []
        for field in definition.responseHeaders ?? [] {
            let value = Self.value(of: field, definition, now: now, base: base)
            headers.add(field.name, value)
            if field.values.count < 2 || field.values[1] == .flag(true) {
                sent.removeAll { HTTPHeaders.equal($0.name, field.name) }
                sent.append((field.name, headers.combined(field.name) ?? ""))
            }
        }
        if !headers.contains("Date") { headers.add("Date", HTTPDate.format(now)) }
        if !headers.contains("Content-Type") { headers.add("Content-Type", "text/plain") }
        let numbers = seen.withLock { seen in
            seen.append(Seen(number: number, method: method, headers: fields, sent: sent))
            return seen.map(\.number)
        }
        headers.add("Server-Request-Count", String(numbers.count))
        headers.add("Request-Numbers", numbers.map { String($0) }.joined(separator: " "))
        let text = status == 204 || status == 304 || method == "HEAD" ? "" : definition.responseBody ?? body
        return Answer(definition: definition, status: status, headers: headers, body: text)
    }

    private func isValidated(_ fields: HTTPHeaders) -> Bool {
        for (validator, condition) in [("Last-Modified", "If-Modified-Since"), ("ETag", "If-None-Match")] {
            // The date was computed when it was sent: use the value that the client received.
            let value = requests.last { $0.number < definitions.count }?.sent.first { HTTPHeaders.equal($0.name, validator) }?
                .value
            if let value, fields[condition] == value { return true }
        }
        return false
    }

    /// Numbers in date fields are seconds from now; locations may be relative to the request.
    static func value(
        of field: ConformanceSuite.Field, _ definition: ConformanceSuite.Request, now: Timestamp, base: String
    ) -> String {
        let name = field.name.lowercased()
        switch field.values.first {
        case .number(let seconds)
        where ["date", "expires", "last-modified", "if-modified-since", "if-unmodified-since"].contains(name):
            let moment = now + .seconds(seconds)
            return definition.rfc850date?.contains(name) == true ? rfc850(moment) : HTTPDate.format(moment)
        case .number(let number): return String(number)
        case .text(let text) where ["location", "content-location"].contains(name) && definition.magicLocations == true:
            return text.isEmpty ? base : base + "/" + text
        case .text(let text): return text
        default: return ""
        }
    }

    private static func rfc850(_ moment: Timestamp) -> String {
        let words = HTTPDate.format(moment).split(separator: " ")
        let weekdays = [
            "Mon": "Monday", "Tue": "Tuesday", "Wed": "Wednesday", "Thu": "Thursday", "Fri": "Friday", "Sat": "Saturday",
            "Sun": "Sunday",
        ]
        let weekday = weekdays[String(words[0].prefix(3))] ?? ""
        return "\(weekday), \(words[1])-\(words[2])-\(words[3].suffix(2)) \(words[4]) GMT"
    }
}

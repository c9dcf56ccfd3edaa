import FoundationEssentials
package import GannetCore
import GannetPipeline
import Synchronization

/// Plays the server of one conformance test, without sockets: answers as the test's definition says and remembers what came.
package final class ConformanceServer: HTTPTransport {
    struct Seen {
        var number: Int
        var method: String
        var headers: HTTPHeaders
        /// What must reach the client unchanged.
        var sent: [(name: String, value: String)]
    }

    private let test: ConformanceSuite.Test
    private let time: any TimeSource
    private let seen = Mutex<[Seen]>([])
    let body: String

    package init(_ test: ConformanceSuite.Test, time: any TimeSource) {
        self.test = test
        self.time = time
        body = "body-of-" + test.id
    }

    var requests: [Seen] { seen.withLock { $0 } }

    package func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse {
        let number = request.headers["Req-Num"].flatMap { Int($0) } ?? 1
        guard number <= test.requests.count else { return .fixed(request, status: 409) }
        let definition = test.requests[number - 1]
        let count = requests.count + 1
        let now = time.now
        var status = definition.responseStatus?.code ?? 200
        if definition.expectedType?.hasSuffix("validated") == true {
            status = isValidated(request, previous: test.requests[number - 2], now) ? 304 : 999
        }
        var headers = HTTPHeaders([
            ("Server-Base-Url", request.url.absoluteString), ("Server-Request-Count", String(count)),
            ("Client-Request-Count", String(number)), ("Server-Now", String(now.milliseconds)),
        ])
        var sent: [(name: String, value: String)] = []
        for field in definition.responseHeaders ?? [] {
            let value = Self.value(of: field, definition, now: now, base: request.url.absoluteString)
            headers.add(field.name, value)
            if field.values.count < 2 || field.values[1] == .flag(true) {
                sent.removeAll { HTTPHeaders.equal($0.name, field.name) }
                sent.append((field.name, headers.combined(field.name) ?? ""))
            }
        }
        if !headers.contains("Date") { headers.add("Date", HTTPDate.format(now)) }
        if !headers.contains("Content-Type") { headers.add("Content-Type", "text/plain") }
        let numbers = seen.withLock { seen in
            seen.append(Seen(number: number, method: request.method, headers: request.headers, sent: sent))
            return seen.map { String($0.number) }.joined(separator: " ")
        }
        headers.add("Request-Numbers", numbers)
        if definition.disconnect == true { throw ImageError(.network, "The server closed the connection.") }
        let text = status == 204 || status == 304 || request.method == "HEAD" ? "" : definition.responseBody ?? body
        return HTTPResponse(
            head: HTTPResponseHead(status: status, headers: headers, url: request.url),
            body: .chunks(text.isEmpty ? [] : [Array(text.utf8)]))
    }

    private func isValidated(_ request: HTTPRequest, previous: ConformanceSuite.Request, _ now: Timestamp) -> Bool {
        for (validator, condition) in [("Last-Modified", "If-Modified-Since"), ("ETag", "If-None-Match")] {
            // The date was made when it was sent: what counts is what the client got then.
            let value = requests.last { $0.number < test.requests.count }?.sent.first { HTTPHeaders.equal($0.name, validator) }?
                .value
            if let value, request.headers[condition] == value { return true }
        }
        return false
    }

    /// Numbers in date fields are seconds from now; places may be relative to the request.
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

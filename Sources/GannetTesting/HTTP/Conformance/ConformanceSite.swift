import FoundationEssentials
import GannetCore
import GannetFetch
import GannetPlatform
import Synchronization

/// The conformance tests' server over real sockets: `PUT /config/ID` sets the requests of a test, `/test/ID` answers by them,
/// `GET /state/ID` returns the received requests.
package final class ConformanceSite: Sendable {
    private final class Shared: Sendable {
        let tests = Mutex<[String: ConformanceServer]>([:])
    }

    private let server: RawServer

    /// `http://127.0.0.1:port`.
    package var origin: String { server.url("") }

    package init() {
        let shared = Shared()
        server = RawServer { connection in
            while let request = Request(connection), Self.serve(request, connection, shared) {}
        }
    }

    private struct Request {
        var method: String
        /// The path without the query.
        var path: [Substring]
        var headers: HTTPHeaders
        var body: [UInt8]

        init?(_ connection: RawConnection) {
            guard let head = connection.readHead() else { return nil }
            let lines = head.split(separator: "\r\n")
            let words = (lines.first ?? "").split(separator: " ")
            guard words.count == 3, let target = words[1].split(separator: "?").first else { return nil }
            method = String(words[0])
            path = target.split(separator: "/")
            headers = HTTPHeaders(
                lines.dropFirst().compactMap { line in
                    let halves = line.split(separator: ":", maxSplits: 1)
                    return halves.count == 2 ? (String(halves[0]), String(halves[1]).trimmedOWS()) : nil
                })
            guard let body = connection.read(headers["Content-Length"].flatMap { Int($0) } ?? 0) else { return nil }
            self.body = body
        }
    }

    /// False: the connection ends.
    private static func serve(_ request: Request, _ connection: RawConnection, _ shared: Shared) -> Bool {
        guard request.path.count > 1 else { return write(404, to: request, connection) }
        let identifier = String(request.path[1])
        let test = shared.tests.withLock { $0[identifier] }
        switch (request.path[0], test) {
        case ("config", _) where request.method == "PUT":
            guard let requests = try? ConformanceSuite.requests(request.body) else { return write(400, to: request, connection) }
            let test = ConformanceServer(requests, body: identifier, time: SystemTimeSource())
            shared.tests.withLock { $0[identifier] = test }
            return write(201, to: request, connection)
        case ("state", let test?):
            return write(200, body: (try? JSONEncoder().encode(test.requests)).map { Array($0) } ?? [], to: request, connection)
        case ("test", let test?):
            let base = "/" + request.path.joined(separator: "/")
            guard let answer = test.answer(request.method, request.headers, base: base) else {
                return write(409, to: request, connection)
            }
            return write(answer, to: request, connection)
        default: return write(404, to: request, connection)
        }
    }

    private static func write(_ answer: ConformanceServer.Answer, to request: Request, _ connection: RawConnection) -> Bool {
        if answer.definition.disconnect == true { return false }
        for interim in answer.definition.interimResponses ?? [] {
            let fields = interim.headers.map { "\($0[0]): \($0[1])\r\n" }.joined()
            connection.write("HTTP/1.1 \(interim.status) Interim\r\n\(fields)\r\n")
        }
        if let seconds = answer.definition.responsePause, !connection.dawdle(milliseconds: Int32(seconds) * 1000) { return false }
        return write(
            answer.status, answer.definition.responseStatus?.phrase ?? "Some", answer.headers, body: Array(answer.body.utf8),
            to: request, connection)
    }

    private static func write(
        _ status: Int, _ phrase: String = "Some", _ headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [],
        to request: Request, _ connection: RawConnection
    ) -> Bool {
        var head = "HTTP/1.1 \(status) \(phrase)\r\n"
        for field in headers.fields { head += "\(field.name): \(field.value)\r\n" }
        let hasBody = ![204, 304].contains(status) && request.method != "HEAD"
        // A defined length is sent as it is; the client must drop bytes beyond it.
        let hasLength = headers.contains("Content-Length") || !hasBody
        if !hasLength { head += "Content-Length: \(body.count)\r\n" }
        return connection.write(Array((head + "\r\n").utf8) + (hasBody ? body : []))
    }
}

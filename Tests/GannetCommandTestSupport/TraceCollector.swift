#if CommandLine && Server
    import Foundation
    import GannetTesting
    import Synchronization

    /// A small collector of traces, which reads the requests on its own.
    package final class TraceCollector: Sendable {
        package enum Mood: Sendable {
            case takes
            /// Says nothing.
            case hangs
            case answers(String)
        }

        package struct Span: Sendable {
            package var name = ""
            package var trace = ""
            package var span = ""
            package var parent = ""
            package var state = ""
            package var kind = 0
            package var flags = 0
            package var start: UInt64 = 0
            package var end: UInt64 = 0
            package var attributes: [String: String] = [:]
            package var links: [String] = []
            package var status = 0
        }

        package struct State {
            package var mood = Mood.takes
            package var heads: [String] = []
            package var bodies: [String] = []
            package var batches: [[Span]] = []
            package var resource: [String: String] = [:]
        }

        private final class Shared: Sendable {
            let state = Mutex(State())
        }

        private let shared = Shared()
        private let server: RawServer

        package init(_ mood: Mood = .takes) {
            let shared = shared
            shared.state.withLock { $0.mood = mood }
            server = RawServer { connection in
                while let head = connection.readHead() {
                    let length = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
                        .flatMap { Int($0.dropFirst(15).filter { $0 != " " }) }
                    guard let length, let body = connection.read(length) else { return }
                    let mood = shared.state.withLock { state in
                        state.heads.append(head)
                        if case .takes = state.mood { state.take(body) }
                        return state.mood
                    }
                    let status =
                        switch mood {
                        case .takes: "200 OK"
                        case .answers(let status): status
                        case .hangs: ""
                        }
                    guard !status.isEmpty else { return connection.waitForClose() }
                    guard connection.write(PictureServer.response(status, ["Content-Type: application/json"], [0x7B, 0x7D]))
                    else {
                        return
                    }
                }
            }
        }

        package var url: String { server.url("") }
        package var state: State { shared.state.withLock { $0 } }
        package var spans: [Span] { state.batches.flatMap { $0 } }
        package func change(_ mood: Mood) { shared.state.withLock { $0.mood = mood } }
    }

    extension TraceCollector.State {
        fileprivate mutating func take(_ body: [UInt8]) {
            bodies.append(String(decoding: body, as: UTF8.self))
            let root = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]
            for service in root?["resourceSpans"] as? [[String: Any]] ?? [] {
                resource = Self.attributes((service["resource"] as? [String: Any])?["attributes"])
                for scope in service["scopeSpans"] as? [[String: Any]] ?? [] {
                    batches.append((scope["spans"] as? [[String: Any]] ?? []).map(Self.span))
                }
            }
        }

        private static func span(_ fields: [String: Any]) -> TraceCollector.Span {
            var span = TraceCollector.Span()
            span.name = fields["name"] as? String ?? ""
            span.trace = fields["traceId"] as? String ?? ""
            span.span = fields["spanId"] as? String ?? ""
            span.parent = fields["parentSpanId"] as? String ?? ""
            span.state = fields["traceState"] as? String ?? ""
            span.kind = fields["kind"] as? Int ?? 0
            span.flags = fields["flags"] as? Int ?? 0
            span.start = (fields["startTimeUnixNano"] as? String).flatMap { UInt64($0) } ?? 0
            span.end = (fields["endTimeUnixNano"] as? String).flatMap { UInt64($0) } ?? 0
            span.attributes = attributes(fields["attributes"])
            span.links = (fields["links"] as? [[String: Any]] ?? []).map { "\($0["traceId"] ?? "")/\($0["spanId"] ?? "")" }
            span.status = (fields["status"] as? [String: Any])?["code"] as? Int ?? 0
            return span
        }

        private static func attributes(_ list: Any?) -> [String: String] {
            var all: [String: String] = [:]
            for field in list as? [[String: Any]] ?? [] {
                guard let (kind, value) = (field["value"] as? [String: Any])?.first else { continue }
                all[field["key"] as? String ?? ""] = kind == "boolValue" ? "\(value as? Bool == true)" : "\(value)"
            }
            return all
        }
    }
#endif

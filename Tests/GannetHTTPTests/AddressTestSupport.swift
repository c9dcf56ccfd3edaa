#if HTTP
    import GannetCore
    import GannetFetch
    import GannetHTTP
    import GannetTesting
    import Synchronization

    /// A resolver that answers each question of a name with the next of its answers, and the last one from then on.
    final class Names: Sendable {
        private struct State {
            var answers: [String: [[String]]]
            var asked: [String] = []
        }

        private let state: Mutex<State>

        init(_ answers: [String: [[String]]]) { state = Mutex(State(answers: answers)) }

        /// The names that were asked for, in order.
        var asked: [String] { state.withLock { $0.asked } }

        private func answer(_ host: String) -> Result<[HostAddress], ImageError> {
            state.withLock { state in
                state.asked.append(host)
                guard let answers = state.answers[host], let first = answers.first else {
                    return .failure(ImageError(.hostNotFound, stage: .load, "The test knows no \(host)."))
                }
                if answers.count > 1 { state.answers[host] = Array(answers.dropFirst()) }
                return .success(first.compactMap { HostAddress($0) })
            }
        }

        /// - Parameter keeps: how long the transport uses an answer.
        func transport(
            allowing networks: [String] = [], ports: Set<Int>? = nil, keeps: Duration = .zero,
            _ change: (inout AsyncHTTPTransport.Options) -> Void = { _ in }
        ) throws -> AsyncHTTPTransport {
            var options = AsyncHTTPTransport.Options()
            options.addressPolicy = try AddressPolicy(allowing: networks, ports: ports)
            change(&options)
            return try AsyncHTTPTransport(options: options, resolver: HostResolver { self.answer($0) }, keepsAddresses: keeps)
        }
    }

    /// Loopback servers on one port: what a policy allows at 127.0.0.1, and what it should not reach at 127.0.0.2.
    struct TwoServers {
        let outer: RawServer
        let inner: RawServer

        /// - Parameter answer: by path, from the outer one. The inner one says `secret`.
        init(_ answer: @escaping @Sendable (_ path: String) -> String = { _ in AuthenticationTests.ok }) {
            outer = RawServer { connection in
                while let head = connection.readHead() {
                    let path = head.split(separator: " ").dropFirst().first.map { String($0) } ?? ""
                    guard connection.write(answer(path)) else { return }
                }
            }
            inner = RawServer(host: 2, port: outer.port) { connection in
                while connection.readHead() != nil {
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret")
                }
            }
        }

        var port: Int { outer.port }
        static let allowed = ["127.0.0.1/32"]
        static let hello = Array("hello".utf8)
    }
#endif

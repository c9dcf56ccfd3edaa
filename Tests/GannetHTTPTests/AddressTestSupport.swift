#if HTTP
    import CTestNames
    import Dispatch
    import GannetCore
    import GannetFetch
    import GannetHTTP
    import GannetTesting
    import Synchronization

    /// Answers the system's questions for names, also libcurl's, with the next of each name's answers, and the last one from then
    /// on. Tests that count questions, or whose answers change, have names of their own.
    final class Names: Sendable {
        private struct State {
            var answers: [String: [[String]]]
            var asked: [String] = []
        }

        private let state: Mutex<State>
        /// Holds each question until a test lets it go on. Nil: answers at once.
        private let gate: DispatchSemaphore?

        private static let all = Mutex<[String: Names]>([:])
        private static let install: Void = test_names_install { name, isForIPv6, addresses, capacity in
            guard let name, let addresses else { return -1 }
            let host = String(cString: name).lowercased()
            guard let names = all.withLock({ $0[host] }) else { return -1 }
            let text = names.answer(host, isForIPv6: isForIPv6).utf8.prefix(Int(capacity))
            for (index, byte) in text.enumerated() { addresses[index] = CChar(bitPattern: byte) }
            return Int32(text.count)
        }

        init(_ answers: [String: [[String]]], gate: DispatchSemaphore? = nil) {
            state = Mutex(State(answers: answers))
            self.gate = gate
            Self.install
            Self.all.withLock { for name in answers.keys { $0[name] = self } }
        }

        /// The names that were asked for, in order.
        var asked: [String] { state.withLock { $0.asked } }

        /// A question for IPv6 stands beside another one, and is not counted.
        private func answer(_ host: String, isForIPv6: Bool) -> String {
            let addresses = state.withLock { state -> [String] in
                if !isForIPv6 { state.asked.append(host) }
                guard let answers = state.answers[host], let first = answers.first else { return [] }
                if isForIPv6 { return first }
                if answers.count > 1 { state.answers[host] = Array(answers.dropFirst()) }
                return first
            }
            if !isForIPv6 { gate?.wait() }
            return addresses.joined(separator: " ")
        }

        /// - Parameter keeps: how long the transport uses an answer.
        func transport(
            allowing networks: [String] = [], ports: Set<Int>? = nil, keeps: Duration = .zero,
            _ change: (inout CURLTransport.Options) -> Void = { _ in }
        ) throws -> CURLTransport {
            var options = CURLTransport.Options()
            options.addressPolicy = try AddressPolicy(allowing: networks, ports: ports)
            options.keepsNames = keeps
            change(&options)
            return try CURLTransport(options: options)
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

#if CommandLine && Server
    import GannetCommandTestSupport
    import GannetCore
    import GannetPlatform
    import GannetTesting
    import Glibc
    import Testing

    @testable import GannetServer
    @testable import GannetSharedCaches
    @testable import gannet

    /// Three real `redis-server` that share the slots of a cluster, on 127.0.0.1, with nothing on disk but their own files. End with
    /// this object. No node is ever declared dead by the others, however long it says nothing.
    final class RedisCluster: Sendable {
        struct Node: Sendable {
            let port: Int
            let running: Tool.Running

            var endpoint: RedisAddress.Endpoint { .network(host: "127.0.0.1", port: port) }

            /// Asks this node, also for keys of others.
            func ask(_ command: String...) throws(RedisConnection.Failure) -> RedisReply {
                try ask(command)
            }

            func ask(_ command: [String]) throws(RedisConnection.Failure) -> RedisReply {
                let connection = try RedisConnection(
                    endpoint, login: RedisAddress(endpoint), connect: .seconds(60), command: .seconds(60))
                return try connection.ask(command.map { Array($0.utf8) })
            }

            /// By which the others know it.
            var name: String {
                get throws { text(try ask("CLUSTER", "MYID")) }
            }

            /// Refusals so far that begin with this word.
            func refusals(_ word: String) throws -> Int {
                let line = text(try ask("INFO", "errorstats")).split(separator: "\r\n").first {
                    $0.hasPrefix("errorstat_\(word):")
                }
                return line.flatMap { $0.split(separator: "=").last.flatMap { Int($0) } } ?? 0
            }

            /// Ends it as if the machine had gone.
            func end() { running.signal(SIGKILL) }

            private func text(_ reply: RedisReply) -> String {
                if case .bytes(let bytes) = reply { return String(decoding: bytes, as: UTF8.self) }
                return ""
            }
        }

        private let tool: Tool
        /// With the first, the second and the last third of the slots.
        let nodes: [Node]

        /// Returns when all of them agree that the cluster works.
        init() async throws {
            tool = try Tool()
            var nodes: [Node] = []
            for port in Self.freePorts(3) {
                let folder = tool.path("node\(port)")
                try POSIXFileSystem().makeDirectory(folder)
                let arguments = [
                    "--port", "\(port)", "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "no",
                    "--cluster-enabled", "yes", "--cluster-node-timeout", "600000", "--cluster-require-full-coverage", "no",
                ]
                nodes.append(Node(port: port, running: try tool.start(arguments, program: "/usr/bin/redis-server")))
            }
            self.nodes = nodes
            let all = nodes
            try #require(await eventually { all.allSatisfy { (try? $0.ask("PING")) != nil } })
            let ends = [0, 5461, 10_923, RedisSlot.count]
            for (index, node) in all.enumerated() {
                // Different from the beginning, so that the nodes need not settle it.
                for command in [
                    ["CLUSTER", "SET-CONFIG-EPOCH", "\(index + 1)"],
                    ["CLUSTER", "ADDSLOTSRANGE", "\(ends[index])", "\(ends[index + 1] - 1)"],
                ] {
                    try #require(try node.ask(command) == .bytes(Array("OK".utf8)))
                }
            }
            for node in all.dropFirst() { _ = try all[0].ask("CLUSTER", "MEET", "127.0.0.1", "\(node.port)") }
            try #require(
                await eventually {
                    all.allSatisfy { node in
                        guard case .bytes(let info)? = try? node.ask("CLUSTER", "INFO") else { return false }
                        let text = String(decoding: info, as: UTF8.self)
                        return text.contains("cluster_state:ok") && text.contains("cluster_slots_assigned:16384")
                            && text.contains("cluster_known_nodes:3")
                    }
                })
        }

        deinit {
            for node in nodes {
                node.end()
                _ = Tool.status(of: node.running.process)
            }
        }

        /// All of them as the start; others find out more.
        var address: RedisAddress { address(nodes.map(\.endpoint)) }

        func address(_ endpoints: [RedisAddress.Endpoint]) -> RedisAddress {
            var address = RedisAddress()
            address.endpoints = endpoints
            return address
        }

        /// Never in a hurry. Starts at the first node alone.
        func responses(
            _ time: any TimeSource = SystemTimeSource(), limits: RedisLimits = .patient,
            report: @escaping @Sendable (String) -> Void = { _ in }
        ) -> RedisResponseStore {
            RedisResponseStore(address([nodes[0].endpoint]), limits: limits, time: time, report: report)
        }

        func node(of key: String) -> Node {
            let slot = RedisSlot.of(key)
            return nodes[slot < 5461 ? 0 : slot < 10_923 ? 1 : 2]
        }

        /// Nobody has them now, nor the ports 10,000 above them, on which nodes talk to each other.
        private static func freePorts(_ count: Int) -> [Int] {
            var ports: [Int] = []
            while ports.count < count {
                let port = Int.random(in: 20_000..<32_000)
                if !ports.contains(port), isFree(port), isFree(port + 10_000) { ports.append(port) }
            }
            return ports
        }

        private static func isFree(_ port: Int) -> Bool {
            let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            defer { close(number) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            address.sin_port = in_port_t(port).bigEndian
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
        }
    }
#endif

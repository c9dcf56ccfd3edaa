#if Redis
    package import GannetCore

    /// Where a Redis or Valkey is, and how to log in: `redis://[user:password@]host[:port][,host[:port]…][/database]`, or
    /// `unix:/path[?db=N]`.
    package struct RedisAddress: Equatable, Sendable {
        enum Endpoint: Hashable, Sendable {
            case network(host: String, port: Int)
            case socket(path: String)
        }

        /// More than one are nodes of one cluster, of which those that answer name the others.
        var endpoints: [Endpoint]
        var user: String?
        var password: String?
        var database = 0

        init(_ endpoints: Endpoint...) { self.endpoints = endpoints }

        /// Throws `misuse`, with words that repeat nothing of a password.
        package init(parsing text: String) throws(ImageError) {
            if text.hasPrefix("unix:") {
                try self.init(socket: text.dropFirst(5))
            } else if text.lowercased().hasPrefix("redis://") {
                try self.init(network: text.dropFirst(8))
            } else if text.lowercased().hasPrefix("rediss://") {
                throw Self.wrong("TLS is not spoken to Redis; use a Unix socket, a private network or a tunnel.")
            } else {
                throw Self.wrong("an address is written like redis://host:6379/0 or unix:/run/redis/redis.sock.")
            }
        }

        private init(socket text: Substring) throws(ImageError) {
            let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            var path = parts[0]
            if path.hasPrefix("//") { path = path.dropFirst(2) }
            // sun_path of unix(7), with its last zero.
            guard path.hasPrefix("/"), path.utf8.count > 1, path.utf8.count < 108, !path.utf8.contains(0) else {
                throw Self.wrong("a socket is written with its whole path, like unix:/run/redis/redis.sock.")
            }
            self.init(.socket(path: String(path)))
            if parts.count > 1 {
                guard parts[1].hasPrefix("db=") else { throw Self.wrong("after the ? of a socket stands db= and a number.") }
                database = try Self.database(parts[1].dropFirst(3))
            }
        }

        private init(network text: Substring) throws(ImageError) {
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard !text.contains("?"), !text.contains("#") else {
                throw Self.wrong("a ? or # in a password is written %3F or %23.")
            }
            var login: Substring?
            var host = parts[0]
            if let at = host.lastIndex(of: "@") { (login, host) = (host[..<at], host[host.index(after: at)...]) }
            let hosts = host.split(separator: ",", omittingEmptySubsequences: false)
            guard hosts.count <= 16 else { throw Self.wrong("16 nodes are named at most; they name the others.") }
            self.init()
            for host in hosts { endpoints.append(try Self.endpoint(host)) }
            if parts.count > 1, !parts[1].isEmpty { database = try Self.database(parts[1]) }
            guard endpoints.count == 1 || database == 0 else { throw Self.wrong("a cluster has no databases.") }
            guard let login else { return }
            let words = login.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2, let user = PercentEncoding.strictlyDecoded(words[0]),
                let password = PercentEncoding.strictlyDecoded(words[1]), !password.isEmpty
            else { throw Self.wrong("before the @ stands user:password, or :password, percent-encoded.") }
            self.user = user.isEmpty ? nil : user
            self.password = password
        }

        private static func endpoint(_ text: Substring) throws(ImageError) -> Endpoint {
            var (host, port) = (text, 6379)
            if let end = host.lastIndex(of: ":"), !host.hasSuffix("]") {
                guard let number = Int(host[host.index(after: end)...]), (1...65_535).contains(number) else {
                    throw wrong("the port is 1 to 65535.")
                }
                (host, port) = (host[..<end], number)
            }
            if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
            guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "@") }) else {
                throw wrong("a host is missing, like in redis://host:6379/0.")
            }
            return .network(host: String(host), port: port)
        }

        private static func database(_ text: Substring) throws(ImageError) -> Int {
            guard let number = Int(text), (0...9999).contains(number) else { throw wrong("the database is a number from 0.") }
            return number
        }

        private static func wrong(_ text: String) -> ImageError { ImageError(.misuse, stage: .resolve, text) }
    }

    extension RedisAddress.Endpoint {
        var text: String {
            switch self {
            case .network(let host, let port): "\(host.contains(":") ? "[\(host)]" : host):\(port)"
            case .socket(let path): path
            }
        }
    }

    extension RedisAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// Without user and password.
        package var description: String { endpoints.map(\.text).joined(separator: ",") }
        package var debugDescription: String { description }
        package var customMirror: Mirror { GannetCore.Redaction.mirror(of: self) }
    }
#endif

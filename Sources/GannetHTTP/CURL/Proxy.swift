#if HTTP
    import FoundationEssentials
    public import GannetCore

    extension CURLTransport {
        /// A server that connections go through.
        ///
        /// An HTTP proxy, over TLS or not, receives the whole address of `http:` URLs, over connections that all such hosts
        /// share: many proxies refuse tunnels to port 80. For `https:` URLs it opens a tunnel (`CONNECT`) and cannot read the
        /// traffic. A SOCKS proxy receives the host name, never an address, and resolves it itself.
        public struct Proxy: Hashable, Sendable {
            /// The protocol of a proxy.
            package enum Kind: Hashable, Sendable {
                /// HTTP, over a connection without TLS.
                case http
                /// HTTP, over TLS.
                case https
                /// SOCKS version 5.
                case socks
            }

            /// The proxy's protocol.
            package var kind: Kind
            /// A name or an address, without brackets.
            public var host: String
            /// 1 … 65535.
            public var port: Int
            /// Shown to the proxy and never to servers: basic or bearer to HTTP proxies, as `Proxy-Authorization`; a name and a
            /// password (basic) to SOCKS proxies.
            public var credential: Credential?

            /// HTTP, over a connection without TLS. Values are checked when a transport is created.
            public static func http(host: String, port: Int, credential: Credential? = nil) -> Proxy {
                Proxy(kind: .http, host: host, port: port, credential: credential)
            }

            /// HTTP, over TLS. Values are checked when a transport is created.
            public static func https(host: String, port: Int, credential: Credential? = nil) -> Proxy {
                Proxy(kind: .https, host: host, port: port, credential: credential)
            }

            /// SOCKS version 5. Values are checked when a transport is created.
            public static func socks(host: String, port: Int, credential: Credential? = nil) -> Proxy {
                Proxy(kind: .socks, host: host, port: port, credential: credential)
            }

            package init(kind: Kind = .http, host: String, port: Int, credential: Credential? = nil) {
                self.kind = kind
                self.host = host
                self.port = port
                self.credential = credential
            }

            /// A proxy from an address in curl's syntax: `[scheme://][name:password@]host[:port]`.
            ///
            /// The scheme is `http` (also the default), `https`, `socks`, `socks5` or `socks5h`; the proxy resolves names with
            /// each of them. Name and password are percent-decoded. The default port is 1080, with `https` 443. A path is
            /// ignored.
            ///
            /// Throws `misuse` for an invalid address, and `unsupported` for other schemes. Error messages never contain the
            /// password.
            public init(_ text: String) throws(ImageError) {
                var rest = text.drop { $0.isWhitespace }
                while rest.last?.isWhitespace == true { rest.removeLast() }
                var scheme = "http"
                if let end = rest.firstRange(of: "://") {
                    scheme = rest[..<end.lowerBound].lowercased()
                    rest = rest[end.upperBound...]
                }
                rest = rest.prefix { !"/?#".contains($0) }
                if let at = rest.lastIndex(of: "@") {
                    let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                    credential = .basic(
                        user: Self.percentDecoded(parts[0]), password: parts.count > 1 ? Self.percentDecoded(parts[1]) : "")
                    rest = rest[rest.index(after: at)...]
                } else {
                    credential = nil
                }
                kind = try Self.kind(scheme)
                (host, port) = try Self.endpoint(rest, standardPort: kind == .https ? 443 : 1080)
            }

            private static func kind(_ scheme: String) throws(ImageError) -> Kind {
                switch scheme {
                case "http": .http
                case "socks5", "socks5h", "socks": .socks
                case "https": .https
                case "socks4", "socks4a": throw unsupported("of the SOCKS proxies, those of version 5 are known (socks5://).")
                default: throw misuse("it begins with neither http:// nor socks5://.")
                }
            }

            private static func endpoint(_ text: Substring, standardPort: Int) throws(ImageError) -> (host: String, port: Int) {
                var name = text
                var port: Substring?
                if text.first == "[", let end = text.firstIndex(of: "]") {
                    name = text[text.index(after: text.startIndex)..<end]
                    let rest = text[text.index(after: end)...]
                    guard rest.isEmpty || rest.first == ":" else { throw misuse("what follows the ] is no port.") }
                    if !rest.isEmpty { port = rest.dropFirst() }
                    guard HostAddress(String(name))?.isVersion6 == true else { throw misuse("between [ and ] is no address.") }
                } else if let colon = text.lastIndex(of: ":") {
                    name = text[..<colon]
                    port = text[text.index(after: colon)...]
                    guard !name.contains(":") else { throw misuse("an address with colons stands in brackets, [::1].") }
                }
                guard !name.isEmpty else { throw misuse("it names no host.") }
                guard let host = name.contains(":") ? String(name) : HostName.ascii(String(name)) else {
                    throw misuse("no host has this name.")
                }
                guard let port, !port.isEmpty else { return (host, standardPort) }
                guard port.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(port), (1...65_535).contains(number)
                else { throw misuse("its port is no number from 1 to 65535.") }
                return (host, number)
            }

            private static func misuse(_ why: String) -> ImageError {
                ImageError(.misuse, stage: .resolve, "This is no address of a proxy: \(why)")
            }

            private static func unsupported(_ why: String) -> ImageError {
                ImageError(.unsupported, stage: .resolve, "This proxy cannot be used: \(why)")
            }

            private static func percentDecoded(_ text: Substring) -> String {
                String(decoding: PercentEncoding.decoded(text.utf8), as: UTF8.self)
            }

            /// Throws `misuse` for a host or port that cannot be, and `unsupported` for a credential that cannot be shown.
            func check() throws(ImageError) {
                guard (1...65_535).contains(port) else {
                    throw ImageError(.misuse, stage: .resolve, "There is no port \(port) for a proxy.")
                }
                guard URL(string: "http://\(shown)/")?.host?.isEmpty == false, HostName.isWritable(host) else {
                    throw ImageError(
                        .misuse, stage: .resolve, "A proxy's host is a name or an address; this is neither.")
                }
                switch (kind, credential) {
                case (_, nil), (_, .basic): break
                case (.http, .bearer(let token)), (.https, .bearer(let token)):
                    guard HTTPHeaders.Field(name: "Proxy-Authorization", value: token).isAllowed else {
                        throw ImageError(.misuse, stage: .resolve, "The token for a proxy has a line end inside.")
                    }
                default:
                    throw ImageError(
                        .unsupported, stage: .resolve,
                        "HTTP proxies are shown a name and a password (basic) or a token (bearer), SOCKS proxies a name and a password."
                    )
                }
            }

            /// The address for messages, without the credential.
            var shown: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
        }
    }
#endif

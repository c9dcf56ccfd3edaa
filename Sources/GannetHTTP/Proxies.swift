#if HTTP
    public import FoundationEssentials
    public import GannetCore
    import Glibc

    extension AsyncHTTPTransport {
        /// Which proxy a URL goes through: one for each scheme, and hosts that are reached without.
        ///
        /// ```swift
        /// var options = StandardOptions()
        /// options.proxies = .fromEnvironment
        /// options.proxies = AsyncHTTPTransport.Proxies(try AsyncHTTPTransport.Proxy("proxy.example.org:3128"), except: "localhost,.lan")
        /// ```
        public struct Proxies: Hashable, Sendable {
            private enum Way: Hashable, Sendable {
                case direct
                case through(Proxy)
                /// A variable has no proxy's address: told to those loads that would have gone through it.
                case unusable(ImageError.Code, String)

                var proxy: Proxy? {
                    if case .through(let proxy) = self { proxy } else { nil }
                }
            }

            private var http: Way
            private var https: Way
            private var exclusions: ProxyExclusions

            /// Every server is reached directly.
            public static let none = Proxies(http: nil, https: nil)

            /// One proxy for `http:` and `https:` URLs.
            ///
            /// - Parameter list: hosts that are reached directly, as ``init(environment:)`` reads `no_proxy`.
            public init(_ proxy: Proxy, except list: String = "") { self.init(http: proxy, https: proxy, except: list) }

            /// A proxy for each scheme; nil: these servers are reached directly.
            public init(http: Proxy?, https: Proxy?, except list: String = "") {
                self.http = http.map { .through($0) } ?? .direct
                self.https = https.map { .through($0) } ?? .direct
                exclusions = ProxyExclusions(list)
            }

            /// By the rules of curl.
            ///
            /// - `http_proxy` is for `http:` URLs. Its name in capitals is not read: a web server sets `HTTP_PROXY` to what a request's
            ///   `Proxy` field says when it runs a program for it.
            /// - `https_proxy` or `HTTPS_PROXY` is for `https:` URLs.
            /// - `all_proxy` or `ALL_PROXY` is for those of the two that have none. Names in small letters come first, and empty
            ///   variables count as missing.
            /// - `no_proxy` or `NO_PROXY` lists, separated by commas or spaces, what is reached directly: names, which stand for all
            ///   hosts below them too, with or without a dot at the beginning; addresses; ranges of them (`10.0.0.0/8`, `fd00::/8`);
            ///   each with a port or for all; `*` for everything. This machine (`localhost`) is no exception unless it is listed.
            ///
            /// What the values may be is told by ``Proxy/init(_:)``. One that is no proxy's address fails the loads that would have
            /// gone through it, with an error that names the variable.
            public init(environment: [String: String]) {
                func find(_ names: String...) -> (name: String, value: String)? {
                    for name in names { if let value = environment[name], !value.isEmpty { return (name, value) } }
                    return nil
                }
                http = Self.way(find("http_proxy", "all_proxy", "ALL_PROXY"))
                https = Self.way(find("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"))
                exclusions = ProxyExclusions(find("no_proxy", "NO_PROXY")?.value ?? "")
            }

            /// ``init(environment:)`` with the variables that this process has now.
            public static var fromEnvironment: Proxies {
                let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]
                var environment: [String: String] = [:]
                for name in names { environment[name] = getenv(name).map { String(cString: $0) } }
                return Proxies(environment: environment)
            }

            private static func way(_ variable: (name: String, value: String)?) -> Way {
                guard let variable else { return .direct }
                do throws(ImageError) { return .through(try Proxy(variable.value)) } catch {
                    return .unusable(
                        error.code, "The variable \(variable.name) names no proxy that can be used. \(error.message)")
                }
            }

            /// The same exclusions with this proxy for both schemes.
            public func replacing(with proxy: Proxy) -> Proxies {
                var copy = self
                (copy.http, copy.https) = (.through(proxy), .through(proxy))
                return copy
            }

            /// Nil: the server is reached directly. Throws what is wrong with the environment's value, `misuse` or `unsupported`.
            public func proxy(for url: URL) throws(ImageError) -> Proxy? {
                if http == .direct, https == .direct { return nil }
                let isSecure = url.scheme?.lowercased() == "https"
                let way = isSecure ? https : http
                if way == .direct { return nil }
                if !exclusions.isEmpty, let host = HostName.ascii(url).host,
                    exclusions.contains(host, port: url.port ?? (isSecure ? 443 : 80))
                {
                    return nil
                }
                switch way {
                case .direct: return nil
                case .through(let proxy): return proxy
                case .unusable(let code, let message): throw ImageError(code, stage: .resolve, message)
                }
            }

            /// Every one that ``proxy(for:)`` may answer with.
            var all: Set<Proxy> { Set([http.proxy, https.proxy].compactMap { $0 }) }
        }
    }
#endif

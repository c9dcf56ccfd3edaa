#if HTTP
    public import FoundationEssentials
    public import GannetCore
    import Glibc

    extension CURLTransport {
        /// The choice of a proxy for each URL: one for each scheme, and a list of hosts that are reached directly.
        ///
        /// ```swift
        /// var options = StandardOptions()
        /// options.proxies = .fromEnvironment
        /// options.proxies = CURLTransport.Proxies(try CURLTransport.Proxy("proxy.example.org:3128"), except: "localhost,.lan")
        /// ```
        public struct Proxies: Hashable, Sendable {
            private enum Way: Hashable, Sendable {
                case direct
                case through(Proxy)
                /// A variable does not hold a proxy address. Loads that would use it fail with this error.
                case unusable(ImageError.Code, String)

                var proxy: Proxy? {
                    if case .through(let proxy) = self { proxy } else { nil }
                }
            }

            private var http: Way
            private var https: Way
            private var exclusions: ProxyExclusions

            /// No proxies: every server is reached directly.
            public static let none = Proxies(http: nil, https: nil)

            /// One proxy for `http:` and `https:` URLs.
            ///
            /// - Parameter list: hosts that are reached directly, in the syntax of `no_proxy`; see ``init(environment:)``.
            public init(_ proxy: Proxy, except list: String = "") { self.init(http: proxy, https: proxy, except: list) }

            /// A proxy for each scheme; servers of a scheme with nil are reached directly.
            public init(http: Proxy?, https: Proxy?, except list: String = "") {
                self.http = http.map { .through($0) } ?? .direct
                self.https = https.map { .through($0) } ?? .direct
                exclusions = ProxyExclusions(list)
            }

            /// Proxies from environment variables, by the rules of curl.
            ///
            /// - `http_proxy` is for `http:` URLs. `HTTP_PROXY` is ignored: a web server that runs a program sets it from the
            ///   request's `Proxy` field.
            /// - `https_proxy` or `HTTPS_PROXY` is for `https:` URLs.
            /// - `all_proxy` or `ALL_PROXY` is for either scheme without a proxy. Lower-case names come first; empty variables
            ///   count as missing.
            /// - `no_proxy` or `NO_PROXY` lists hosts that are reached directly, separated by commas or spaces. An item is a
            ///   name, an address, a range of addresses (`10.0.0.0/8`, `fd00::/8`) or `*` for everything. A name covers all
            ///   hosts below it, with or without a leading dot. Each item may have a port. `localhost` is no exception unless
            ///   it is listed.
            ///
            /// ``Proxy/init(_:)`` documents the values. Loads that would use an invalid proxy address fail with an error that
            /// names the variable.
            public init(environment: [String: String]) {
                func find(_ names: String...) -> (name: String, value: String)? {
                    for name in names { if let value = environment[name], !value.isEmpty { return (name, value) } }
                    return nil
                }
                http = Self.way(find("http_proxy", "all_proxy", "ALL_PROXY"))
                https = Self.way(find("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"))
                exclusions = ProxyExclusions(find("no_proxy", "NO_PROXY")?.value ?? "")
            }

            /// ``init(environment:)`` with the current variables of this process.
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

            /// A copy with the same exclusions and this proxy for both schemes.
            public func replacing(with proxy: Proxy) -> Proxies {
                var copy = self
                (copy.http, copy.https) = (.through(proxy), .through(proxy))
                return copy
            }

            /// The proxy for a URL; nil: reached directly. Throws `misuse` or `unsupported` for an invalid value in the
            /// environment.
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

            /// Every proxy that ``proxy(for:)`` may return.
            var all: Set<Proxy> { Set([http.proxy, https.proxy].compactMap { $0 }) }
        }
    }
#endif

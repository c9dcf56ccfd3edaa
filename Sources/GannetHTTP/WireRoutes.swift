#if HTTP
    import AsyncHTTPClient
    import FoundationEssentials
    import GannetCore
    import NIOHTTP1

    /// The lanes of each proxy, and those without a proxy: a client has one proxy for all its requests.
    final class WireRoutes: Sendable {
        /// The route of one request.
        struct Route {
            let lanes: WireLanes
            let proxy: AsyncHTTPTransport.Proxy?
            /// The request goes to the proxy itself, with the whole address (RFC 9112 §3.2.2).
            let isAskedForTargets: Bool

            /// The URL that the client connects to; adds the fields that only the proxy needs.
            func address(for url: URL, _ headers: inout NIOHTTP1.HTTPHeaders) -> URL {
                guard isAskedForTargets, let proxy, let address = URL(string: "http://\(proxy.shown)/") else { return url }
                let authority = WireRoutes.authority(of: url)
                headers.replaceOrAdd(name: WireGuards.target, value: "http://\(authority)\(url.parts.target)")
                if !headers.contains(name: "host") { headers.add(name: "Host", value: authority) }
                if let field = WireRoutes.authorization(proxy.credential)?.headerValue {
                    headers.replaceOrAdd(name: "Proxy-Authorization", value: field)
                }
                return address
            }

            /// Names the proxy in the error: it may be the host that is unreachable.
            func explained(_ error: ImageError) -> ImageError {
                guard let proxy, [.connectionFailed, .hostNotFound, .timedOut].contains(error.code) else { return error }
                var error = error
                error.message += " It was asked for through the proxy \(proxy.shown)."
                return error
            }
        }

        private let proxies: AsyncHTTPTransport.Proxies
        private let direct: WireLanes
        /// For secure requests to checked addresses; nil without an ``AddressPolicy``.
        let pinned: PinnedLanes?
        private let proxied: [AsyncHTTPTransport.Proxy: WireLanes]

        init(
            _ configuration: HTTPClient.Configuration, proxies: AsyncHTTPTransport.Proxies, connectionsPerHost limit: Int,
            pinsAddresses: Bool
        ) throws(ImageError) {
            var plain = configuration
            WireGuards.install(in: &plain)
            // Build all first: no client exists yet that would need a shutdown.
            var tunnels: [AsyncHTTPTransport.Proxy: HTTPClient.Configuration.Proxy] = [:]
            for proxy in proxies.all { tunnels[proxy] = try Self.tunnel(proxy) }
            var proxied: [AsyncHTTPTransport.Proxy: WireLanes] = [:]
            for (proxy, tunnel) in tunnels {
                var tunnelling = plain
                tunnelling.proxy = tunnel
                proxied[proxy] = WireLanes(
                    secure: tunnelling, plain: proxy.kind == .http ? plain : tunnelling, connectionsPerHost: limit)
            }
            self.proxies = proxies
            self.proxied = proxied
            direct = WireLanes(secure: plain, plain: plain, connectionsPerHost: limit)
            pinned = pinsAddresses ? PinnedLanes(plain, connectionsPerHost: limit) : nil
        }

        /// Throws `misuse` or `unsupported` if the variable that names this URL's proxy is invalid.
        func route(for url: URL) throws(ImageError) -> Route {
            guard let proxy = try proxies.proxy(for: url), let lanes = proxied[proxy] else {
                return Route(lanes: direct, proxy: nil, isAskedForTargets: false)
            }
            // The host is part of the proxy's request line, where a space or line end would be syntax.
            guard let host = url.host, HostName.isWritable(host) else {
                throw ImageError(.hostNotFound, stage: .load, "No host has the name that the URL gives.")
            }
            let isAsked = proxy.kind == .http && url.scheme?.lowercased() == "http"
            return Route(lanes: lanes, proxy: proxy, isAskedForTargets: isAsked)
        }

        /// Takes a moment on the event loops; the clients live until it is done.
        func shutDown() {
            direct.shutDown()
            for lanes in proxied.values { lanes.shutDown() }
            pinned?.shutDown()
        }

        private static func tunnel(_ proxy: AsyncHTTPTransport.Proxy) throws(ImageError) -> HTTPClient.Configuration.Proxy {
            guard (1...65_535).contains(proxy.port) else {
                throw ImageError(.misuse, stage: .resolve, "There is no port \(proxy.port) for a proxy.")
            }
            guard URL(string: "http://\(proxy.shown)/")?.host?.isEmpty == false else {
                throw ImageError(.misuse, stage: .resolve, "A proxy's host is a name or an address; this is neither.")
            }
            switch (proxy.kind, proxy.credential) {
            case (.socks, nil): return .socksServer(host: proxy.host, port: proxy.port)
            case (.http, nil): return .server(host: proxy.host, port: proxy.port)
            case (.http, let credential?):
                if let shown = authorization(credential) {
                    return .server(host: proxy.host, port: proxy.port, authorization: shown)
                }
            case (.socks, _?): break
            }
            throw ImageError(
                .unsupported, stage: .resolve,
                "HTTP proxies are shown a name and a password (basic) or a token (bearer), SOCKS proxies nothing.")
        }

        /// Of an `http:` URL, as its `Host` field has it.
        static func authority(of url: URL) -> String {
            let host = url.host ?? ""
            return (host.contains(":") ? "[\(host)]" : host) + (url.port.map { $0 == 80 ? "" : ":\($0)" } ?? "")
        }

        private static func authorization(_ credential: Credential?) -> HTTPClient.Authorization? {
            switch credential {
            case .basic(let user, let password): .basic(username: user, password: password)
            case .bearer(let token): .bearer(tokens: token)
            case .digest, nil: nil
            }
        }
    }
#endif

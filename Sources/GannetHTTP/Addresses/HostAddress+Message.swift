#if HTTP
    import AsyncHTTPClient
    import FoundationEssentials
    import NIOHTTP1

    extension HostAddress {
        /// The URL that the client connects with, so that it resolves nothing. Plain HTTP gets the address itself, and the host as a
        /// field (RFC 9112 §3.2): all hosts share one client. TLS needs the host's name; see ``PinnedLanes``.
        func place(in url: URL, _ headers: inout NIOHTTP1.HTTPHeaders) -> URL {
            guard url.scheme?.lowercased() == "http", let host = url.host, HostAddress(host) != self,
                var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
            else { return url }
            if !headers.contains(name: "host") {
                let authority = host.contains(":") ? "[\(host)]" : host
                headers.add(name: "Host", value: authority + (parts.port.map { $0 == 80 ? "" : ":\($0)" } ?? ""))
            }
            (parts.user, parts.password) = (nil, nil)
            parts.percentEncodedHost = textInURL
            return parts.url ?? url
        }

        /// Whether the client connects to this address without a question.
        func isHost(of message: HTTPClient.Request) -> Bool {
            let host = message.host
            return HostAddress(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host) == self
        }
    }
#endif

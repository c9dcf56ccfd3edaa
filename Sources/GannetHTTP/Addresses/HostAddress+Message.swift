#if HTTP
    import AsyncHTTPClient
    import FoundationEssentials
    import GannetCore
    import NIOHTTP1

    extension HostAddress {
        /// The URL that the client connects with, so that it resolves nothing. Plain HTTP gets the address itself, and the host as a
        /// field (RFC 9112 §3.2): all hosts share one client. TLS needs the host's name; see ``PinnedLanes``.
        func place(in url: URL, _ headers: inout NIOHTTP1.HTTPHeaders) -> URL {
            guard url.scheme?.lowercased() == "http", let host = url.host, HostAddress(host) != self else { return url }
            if !headers.contains(name: "host") { headers.add(name: "Host", value: WireRoutes.authority(of: url)) }
            var parts = url.parts
            parts.userInfo = nil
            parts.host = textInURL[...]
            return URL(parts) ?? url
        }

        /// Whether the client connects to this address without a question.
        func isHost(of message: HTTPClient.Request) -> Bool {
            let host = message.host
            return HostAddress(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host) == self
        }
    }
#endif

#if HTTP
    import CCurl
    import CGannetCURL
    import FoundationEssentials
    import GannetCore

    /// Where a request goes: the URL as libcurl gets it, and the proxy.
    struct CURLTarget: Sendable {
        struct Proxy: Sendable {
            /// The address with its scheme.
            var address: String
            /// Name and password, which libcurl shows to the proxy.
            var user: String?
            var password: String?
            /// Fields for the proxy alone.
            var fields: HTTPHeaders?
            /// For messages.
            var shown: String
        }

        let text: String
        /// In ASCII, without brackets.
        let host: String
        let isSecure: Bool
        let proxy: Proxy?
        let pinnedKeys: String?

        /// The connection, to the server or to the proxy, is of TLS.
        var isEncrypted: Bool { isSecure || proxy?.address.hasPrefix("https") == true }

        /// The proxy gets the request itself, with the whole address (RFC 9112 §3.2.2).
        var isAskedOfProxy: Bool { !isSecure && proxy?.address.hasPrefix("http") == true }

        /// Throws `hostNotFound` for a host that is no name, `blocked` for what the policy refuses before anything is dialled, and
        /// `misuse` or `unsupported` if the variable that names the proxy is invalid.
        init(_ url: URL, _ options: CURLTransport.Options) throws(ImageError) {
            let url = HostName.ascii(url.baseURL == nil ? url : url.absoluteURL)
            guard let host = url.host, HostName.isWritable(host), options.addressPolicy == nil || !host.contains("%") else {
                throw ImageError(.hostNotFound, stage: .load, "No host has the name that the URL gives.")
            }
            let scheme = url.scheme?.lowercased()
            guard scheme == "http" || scheme == "https" else {
                throw HTTPRequest.misuse("its URL begins with neither http:// nor https://")
            }
            self.host = host
            isSecure = scheme == "https"
            text = Self.text(of: url)
            proxy = try options.proxies.proxy(for: url).map { Proxy($0) }
            pinnedKeys =
                options.pinnedPublicKeys.isEmpty
                ? nil : options.pinnedPublicKeys[Self.pinName(host)].map { $0.joined(separator: ";") }
            guard let policy = options.addressPolicy else { return }
            try policy.check(port: url.port ?? (isSecure ? 443 : 80), of: host)
            // A proxy resolves names; addresses in URLs are checked here.
            if proxy != nil, let address = HostResolver.literal(host), let refusal = policy.refusalError(of: address, host: host)
            {
                throw refusal
            }
        }

        /// Hosts are equal that differ in case, in their form beyond ASCII, or in a dot at the end.
        private static func pinName(_ host: String) -> String {
            let name = HostName.ascii(host) ?? host.lowercased()
            return name.last == "." ? String(name.dropLast()) : name
        }

        /// Pinned keys as they are looked up. Throws `misuse` for what is no hash of a key: libcurl would take it for a file.
        static func checked(_ pinned: [String: [String]]) throws(ImageError) -> [String: [String]] {
            guard pinned.values.allSatisfy({ $0.allSatisfy { $0.hasPrefix("sha256//") && !$0.contains(";") } }) else {
                throw ImageError(.misuse, stage: .resolve, "A pinned key is the base64 of its SHA-256, after sha256//.")
            }
            return Dictionary(pinned.map { (pinName($0.key), $0.value) }, uniquingKeysWith: +)
        }

        /// The `Host` field for requests to a proxy: libcurl 7 omits the brackets of an IPv6 address there. Nil if its own is
        /// right.
        func hostField(of url: URL) -> String? {
            guard isAskedOfProxy, host.contains(":") else { return nil }
            return "[\(host)]" + (url.port.map { $0 == 80 ? "" : ":\($0)" } ?? "")
        }

        /// The URL as written, without name, password and fragment.
        private static func text(of url: URL) -> String {
            var parts = url.parts
            (parts.userInfo, parts.fragment) = (nil, nil)
            return parts.text
        }

        /// The request's target, where libcurl must not make its own of ``text``; nil: it may. Version 8.22 writes the digits of
        /// escapes in capitals, which is the same URL (RFC 3986 §6.2.2.1), and not the one that a signature covers.
        var requestTarget: String? {
            let bytes = text.utf8
            let hasSmallDigits = zip(bytes, zip(bytes.dropFirst(), bytes.dropFirst(2))).contains { first, digits in
                let small = UInt8(ascii: "a")...UInt8(ascii: "f")
                return first == UInt8(ascii: "%") && (small.contains(digits.0) || small.contains(digits.1))
            }
            guard hasSmallDigits else { return nil }
            if isAskedOfProxy { return text }
            let parts = URLParts(text)
            return (parts.path.isEmpty ? "/" : parts.path) + (parts.query.map { "?" + $0 } ?? "")
        }

        /// HTTP/2 where the server offers it, over TLS alone.
        func httpVersion(_ options: CURLTransport.Options, hasBody: Bool) -> Int {
            guard isSecure, options.allowsHTTP2, !hasBody || Self.sendsBodiesOverHTTP2 else { return Int(CURL_HTTP_VERSION_1_1) }
            return options.allowsHTTP3 && CURLTransport.hasHTTP3 ? Int(CURL_HTTP_VERSION_3) : Int(CURL_HTTP_VERSION_2TLS)
        }

        /// Up to 8.0, libcurl waits for ever if a response is complete before the request's body is sent.
        static let sendsBodiesOverHTTP2 = gannet_curl_is_at_least(8, 1)

        /// Whether the method is idempotent (RFC 9110 §9.2.2). libcurl repeats a request if a kept connection closes before a
        /// response, so other methods always get a new connection.
        func isRepeatable(_ method: String) -> Bool { ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(method) }

        /// Names the proxy in the error: it may be the host that is unreachable.
        func explained(_ error: ImageError) -> ImageError {
            guard let proxy, [.connectionFailed, .hostNotFound, .timedOut].contains(error.code) else { return error }
            var error = error
            error.message += " It was asked for through the proxy \(proxy.shown)."
            return error
        }
    }

    extension CURLTarget.Proxy {
        init(_ proxy: CURLTransport.Proxy) {
            shown = proxy.shown
            switch proxy.kind {
            case .http: address = "http://" + shown
            case .https: address = "https://" + shown
            case .socks: address = "socks5h://" + shown
            }
            switch proxy.credential {
            case .basic(let user, let password): (self.user, self.password) = (user, password)
            case .bearer(let token): fields = HTTPHeaders([("Proxy-Authorization", "Bearer " + token)])
            case .digest, nil: break
            }
        }
    }
#endif

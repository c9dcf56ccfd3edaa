#if Server
    package import GannetCore
    import GannetFetch
    import GannetHTTP
    import NIOHTTP1

    /// The proxies that may state the address of a client, in `X-Forwarded-For` or `Forwarded` (RFC 7239).
    ///
    /// Each proxy appends the address of its peer on the right. So the client is the right-most address that is no proxy's, and entries that
    /// clients write themselves are to the left of it. If both fields are present and differ, neither counts: a proxy writes one of them and
    /// passes on the other unchanged.
    package struct TrustedProxies: Sendable {
        private var networks: [AddressNetwork] = []
        /// Those behind the server's socket in the file system.
        private var trustsSocket = false

        package init() {}

        /// `networks`: as `10.0.0.0/8`, `fd00::/8` or `127.0.0.1`, and `unix` for clients of a socket in the file system. Throws `misuse` for
        /// other text.
        package init(_ networks: [String]) throws(ImageError) {
            for text in networks {
                if text == "unix" {
                    trustsSocket = true
                } else if let network = AddressNetwork(text) {
                    self.networks.append(network)
                } else {
                    throw ImageError(
                        .misuse, stage: .resolve,
                        "A network is written as 10.0.0.0/8, fd00::/8 or 127.0.0.1, or unix, which this is not: \(text.prefix(64))"
                    )
                }
            }
        }

        /// The address of the client of a connection from `peer`, which is nil for a socket in the file system. A dash: there is none.
        func client(at peer: String?, _ headers: NIOHTTP1.HTTPHeaders) -> String {
            let address = peer.flatMap { HostAddress($0)?.withoutMapping }
            let own = address?.text ?? "-"
            guard address.map(isTrusted) ?? (peer == nil && trustsSocket) else { return own }
            let chains = [Self.forwardedFor(headers["X-Forwarded-For"]), Self.forwarded(headers["Forwarded"])].compactMap { $0 }
            let clients = Set(chains.map { client(in: $0) ?? own })
            return clients.count == 1 ? clients.first ?? own : own
        }

        /// The right-most address that is no proxy's. An entry that is no address ends the chain.
        private func client(in chain: [String]) -> String? {
            var last: String?
            for word in chain.reversed() {
                guard let address = Self.address(word) else { return last }
                last = address.text
                if !isTrusted(address) { return last }
            }
            return last
        }

        private func isTrusted(_ address: HostAddress) -> Bool { networks.contains { $0.contains(address) } }

        /// `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`.
        private static func address(_ word: String) -> HostAddress? {
            var text = word[...]
            if text.first == "[" {
                guard let end = text.firstIndex(of: "]") else { return nil }
                text = text[text.index(after: text.startIndex)..<end]
            } else if let colon = text.firstIndex(of: ":"), text[text.index(after: colon)...].firstIndex(of: ":") == nil {
                text = text[..<colon]
            }
            return HostAddress(String(text))?.withoutMapping
        }

        /// Nil: the field is not there.
        private static func forwardedFor(_ values: [String]) -> [String]? {
            if values.isEmpty { return nil }
            return values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map { $0.trimmedOWS() }
        }

        /// The `for` of each element; empty for an element without one.
        private static func forwarded(_ values: [String]) -> [String]? {
            if values.isEmpty { return nil }
            return values.flatMap { pieces($0, ",") }.map { element in
                for pair in pieces(element, ";") {
                    let parts = pair.split(separator: "=", maxSplits: 1).map { $0.trimmedOWS() }
                    if parts.count == 2, parts[0].lowercased() == "for" { return unquoted(parts[1]) }
                }
                return ""
            }
        }

        /// The parts between separators that stand outside of quoted strings.
        private static func pieces(_ text: String, _ separator: Character) -> [String] {
            var (pieces, isQuoted, isEscaped) = ([""], false, false)
            for character in text {
                if character == separator, !isQuoted {
                    pieces.append("")
                    continue
                }
                if character == "\"", !isEscaped { isQuoted.toggle() }
                isEscaped = isQuoted && character == "\\" && !isEscaped
                pieces[pieces.count - 1].append(character)
            }
            return pieces
        }

        private static func unquoted(_ text: String) -> String {
            guard text.count >= 2, text.first == "\"", text.last == "\"" else { return text }
            // No address has an escaped character.
            return String(text.dropFirst().dropLast())
        }
    }
#endif

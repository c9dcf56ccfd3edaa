#if HTTP
    /// Hosts that are reached without a proxy, as `NO_PROXY` lists them.
    struct ProxyExclusions: Hashable, Sendable {
        private struct Rule: Hashable, Sendable {
            enum Target: Hashable, Sendable {
                case everything
                /// The host and all hosts below it. Lower case, no dot at either end.
                case name(String)
                case addresses(HostAddress, bits: Int)
            }

            var target: Target
            /// Nil: any port.
            var port: Int?
        }

        private var rules: [Rule] = []

        var isEmpty: Bool { rules.isEmpty }

        /// Items are separated by commas or white space. An item that is neither a name nor an address excludes nothing.
        init(_ list: String) {
            rules = list.split { $0 == "," || $0.isWhitespace }.compactMap { Self.rule(String($0)) }
        }

        private static func rule(_ text: String) -> Rule? {
            if text == "*" { return Rule(target: .everything) }
            if let addresses = addresses(text[...]) { return Rule(target: addresses) }
            guard let colon = text.lastIndex(of: ":") else { return name(text[...]).map { Rule(target: $0) } }
            guard let port = Int(text[text.index(after: colon)...]), (1...65_535).contains(port) else { return nil }
            let host = text[..<colon]
            if host == "*" { return Rule(target: .everything, port: port) }
            return (addresses(host) ?? name(host)).map { Rule(target: $0, port: port) }
        }

        /// `10.0.0.1`, `10.0.0.0/8`, `::1`, `[::1]`, `fd00::/8`.
        private static func addresses(_ text: Substring) -> Rule.Target? {
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            var name = parts[0]
            if name.first == "[", name.last == "]" { name = name.dropFirst().dropLast() }
            guard let address = HostAddress(String(name)) else { return nil }
            let all = address.bytes.count * 8
            guard parts.count == 2 else { return .addresses(address, bits: all) }
            guard let bits = Int(parts[1]), (0...all).contains(bits) else { return nil }
            return .addresses(address, bits: bits)
        }

        /// `example.org`, `.example.org` and `*.example.org` mean the same.
        private static func name(_ text: Substring) -> Rule.Target? {
            var text = text.hasPrefix("*.") ? text.dropFirst(2) : text
            if text.first == "." { text = text.dropFirst() }
            if text.last == "." { text = text.dropLast() }
            guard !text.isEmpty, let name = HostName.ascii(String(text)) else { return nil }
            return .name(name)
        }

        /// - Parameter host: as in a URL, in ASCII; brackets around an address do not matter.
        func contains(_ host: String, port: Int) -> Bool {
            guard !rules.isEmpty else { return false }
            var name = host.lowercased()
            if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
            if name.hasSuffix(".") { name.removeLast() }
            let address = HostAddress(name)
            return rules.contains { rule in
                guard rule.port == nil || rule.port == port else { return false }
                switch rule.target {
                case .everything: return true
                case .name(let suffix):
                    return address == nil && (name == suffix || name.hasSuffix("." + suffix))
                case .addresses(let other, let bits): return address?.agrees(with: other, bits: bits) == true
                }
            }
        }
    }
#endif

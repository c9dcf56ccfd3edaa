#if HTTP
    public import GannetCore

    /// Where a transport may connect: public addresses, and the networks that it names.
    ///
    /// For programs that fetch URLs of strangers from inside a network. Each address is checked when it is about to be dialled, for
    /// each request and each hop of a redirect. A name that has another address a moment later changes nothing. Kept connections
    /// were checked when they were opened, and are never shared with a transport that has another policy.
    ///
    /// Without an exception, these are refused: loopback, private, link-local (with 169.254.169.254), unique local, multicast,
    /// broadcast, carrier-grade NAT, 0.0.0.0/8, documentation, benchmarks, everything else in IANA's special-purpose registries,
    /// and IPv6 addresses that contain an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo). An ISATAP address in a public
    /// network is refused if the IPv4 address at its end is. Translators with a network-specific prefix (RFC 6052) cannot be
    /// recognised.
    ///
    /// A proxy resolves names itself: behind a proxy only ports, and addresses written in URLs, are checked. The proxy's own
    /// address is not checked.
    public struct AddressPolicy: Hashable, Sendable {
        private var networks: [AddressNetwork] = []
        /// The ports that may be connected to. Nil, the default: all.
        public var ports: Set<Int>?

        /// Public addresses on all ports.
        public init() {}

        /// Public addresses and these networks.
        ///
        /// - Parameter networks: in the notation of RFC 4632 and RFC 4291: `10.0.0.0/8`, `fd00::/8`, `127.0.0.1`. A network of IPv6
        ///   addresses that contain IPv4 addresses allows only those whose IPv4 address is allowed as well, unless it names a part
        ///   of the IPv4 address: `64:ff9b::/96` allows no private address, `64:ff9b::10.0.0.0/104` does.
        /// - Parameter ports: nil allows all.
        ///
        /// Throws `misuse` for text that is no network.
        public init(allowing networks: [String], ports: Set<Int>? = nil) throws(ImageError) {
            self.ports = ports
            for text in networks {
                guard let network = AddressNetwork(text) else {
                    throw ImageError(
                        .misuse, stage: .resolve,
                        "A network is written as 10.0.0.0/8, fd00::/8 or 127.0.0.1, which this is not: \(text.prefix(64))")
                }
                self.networks.append(network)
            }
        }

        /// Why this address may not be connected to, for the end of "10.0.0.1 is …". Nil: it may.
        package func refusal(of address: HostAddress) -> String? {
            if let kind = refusal(ofRange: address) { return kind }
            // A router of ISATAP sends what it gets to this address, whatever the network before it is.
            guard let inner = address.isatap, !networks.contains(where: { $0.bits > 96 && $0.contains(address) }) else {
                return nil
            }
            return refusal(of: inner).map { "an ISATAP address that leads to \(inner.text), \($0)" }
        }

        private func refusal(ofRange address: HostAddress) -> String? {
            guard let special = SpecialAddresses(of: address) else { return nil }
            let named = networks.filter { $0.contains(address) }
            if named.isEmpty { return special.kind }
            guard let carried = special.carried, !named.contains(where: { $0.bits > carried.start * 8 }) else { return nil }
            let inner = carried.address(in: address)
            return refusal(of: inner).map { "\(special.kind) that leads to \(inner.text), \($0)" }
        }

        /// Throws `blocked` for a port that is not listed.
        func check(port: Int, of host: String) throws(ImageError) {
            guard let ports, !ports.contains(port) else { return }
            let list = ports.sorted().map(String.init).joined(separator: ", ")
            throw ImageError(
                .blocked, stage: .load,
                "\(host) is not asked on port \(port): \(list.isEmpty ? "no port is" : "only \(list) may be") connected to. Add the port to the AddressPolicy (--allow-port)."
            )
        }

        /// Why nothing is connected to this address of a host. Nil: it may be.
        func refusalError(of address: HostAddress, host: String) -> ImageError? {
            guard let kind = refusal(of: address) else { return nil }
            let text = address.text
            let subject = HostAddress(host) == address ? text : "\(host) leads to \(text), which"
            return ImageError(
                .blocked, stage: .load,
                "\(subject) is \(kind), and is not connected to. Allow the network \(text)/\(address.bytes.count * 8) in the AddressPolicy (--allow-network) if it should be."
            )
        }
    }
#endif

#if HTTP
    /// Addresses that are not on the public internet, or that lead elsewhere than they say: the special-purpose registries of
    /// IANA (RFC 6890) for IPv4 and IPv6, multicast, and everything that is not assigned.
    struct SpecialAddresses: Sendable {
        let network: AddressNetwork
        /// The end of a sentence like "10.0.0.1 is …".
        let kind: String
        /// Where an IPv4 address is contained, which the packets are then sent to.
        let carried: Carried?

        struct Carried: Sendable {
            /// The index of the first of its four bytes.
            let start: Int
            /// Teredo inverts the bits (RFC 4380 §4).
            var isInverted = false

            func address(in outer: HostAddress) -> HostAddress {
                HostAddress(version4: outer.bytes[start..<start + 4].map { isInverted ? ~$0 : $0 })
            }
        }

        /// Nil: a public address.
        init?(of address: HostAddress) {
            if let found = Self.all.first(where: { $0.network.contains(address) }) {
                self = found
            } else if address.isVersion6, !Self.global.contains(address) {
                self = Self.unassigned
            } else {
                return nil
            }
        }

        private init(_ network: String, _ kind: String, _ carried: Carried? = nil) {
            guard let network = AddressNetwork(network) else { preconditionFailure("\(network) is no network") }
            self.network = network
            self.kind = kind
            self.carried = carried
        }

        /// The part of IPv6 from which public addresses are assigned.
        private static let global = SpecialAddresses("2000::/3", "").network
        private static let unassigned = SpecialAddresses("::/0", "not a public address")

        /// Narrower ranges come before those that contain them.
        private static let all = [
            SpecialAddresses("0.0.0.0/8", "an address of this machine (0.0.0.0/8)"),
            SpecialAddresses("10.0.0.0/8", "a private address"),
            SpecialAddresses("100.64.0.0/10", "a provider's inner address (100.64.0.0/10)"),
            SpecialAddresses("127.0.0.0/8", "a loopback address"),
            SpecialAddresses("169.254.0.0/16", "a link-local address"),
            SpecialAddresses("172.16.0.0/12", "a private address"),
            SpecialAddresses("192.0.0.0/24", "an address for protocols (192.0.0.0/24)"),
            SpecialAddresses("192.0.2.0/24", "an address for documentation"),
            SpecialAddresses("192.31.196.0/24", "an address for protocols (192.31.196.0/24)"),
            SpecialAddresses("192.52.193.0/24", "an address for protocols (192.52.193.0/24)"),
            SpecialAddresses("192.88.99.0/24", "a relay's address (192.88.99.0/24)"),
            SpecialAddresses("192.168.0.0/16", "a private address"),
            SpecialAddresses("192.175.48.0/24", "an address for protocols (192.175.48.0/24)"),
            SpecialAddresses("198.18.0.0/15", "an address for benchmarks"),
            SpecialAddresses("198.51.100.0/24", "an address for documentation"),
            SpecialAddresses("203.0.113.0/24", "an address for documentation"),
            SpecialAddresses("224.0.0.0/4", "a multicast address"),
            SpecialAddresses("255.255.255.255", "the broadcast address"),
            SpecialAddresses("240.0.0.0/4", "a reserved address"),

            SpecialAddresses("::", "an address of this machine (::)"),
            SpecialAddresses("::1", "a loopback address"),
            SpecialAddresses("::/96", "an IPv4-compatible address", Carried(start: 12)),
            SpecialAddresses("::ffff:0:0/96", "an IPv4-mapped address", Carried(start: 12)),
            SpecialAddresses("::ffff:0:0:0/96", "an IPv4-translated address", Carried(start: 12)),
            SpecialAddresses("64:ff9b::/96", "a translated IPv4 address (NAT64)", Carried(start: 12)),
            // The position of the IPv4 address is the network's own choice (RFC 8215).
            SpecialAddresses("64:ff9b:1::/48", "a translated IPv4 address (NAT64)"),
            SpecialAddresses("100::/63", "an address that discards (100::/63)"),
            SpecialAddresses("2001::/32", "a Teredo address", Carried(start: 12, isInverted: true)),
            SpecialAddresses("2001::/23", "an address for protocols (2001::/23)"),
            SpecialAddresses("2001:db8::/32", "an address for documentation"),
            SpecialAddresses("2002::/16", "a 6to4 address", Carried(start: 2)),
            SpecialAddresses("2620:4f:8000::/48", "an address for protocols (2620:4f:8000::/48)"),
            SpecialAddresses("3fff::/20", "an address for documentation"),
            SpecialAddresses("5f00::/16", "an address of segment routing"),
            SpecialAddresses("fc00::/7", "a unique local address"),
            SpecialAddresses("fe80::/10", "a link-local address"),
            SpecialAddresses("fec0::/10", "a site-local address"),
            SpecialAddresses("ff00::/8", "a multicast address"),
        ]
    }
#endif

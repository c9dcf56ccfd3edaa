#if Server
    import GannetCore
    import Glibc

    /// The client to which a request is charged, where clients share a limit.
    enum ClientShare {
        /// An IPv4 address, or the network of 64 bits of an IPv6 address: one client has all addresses of that (RFC 4291 §2.5.4). Nil for other
        /// text: a client at a socket in the file system has no address.
        static func name(ofAddress text: String) -> String? {
            var short = in_addr()
            if inet_pton(AF_INET, text, &short) == 1 { return Hexadecimal.text(of: withUnsafeBytes(of: &short) { Array($0) }) }
            var long = in6_addr()
            guard inet_pton(AF_INET6, text, &long) == 1 else { return nil }
            let bytes = withUnsafeBytes(of: &long) { Array($0) }
            let isMapped = bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
            return Hexadecimal.text(of: isMapped ? bytes.suffix(4) : bytes.prefix(8))
        }
    }
#endif

#if HTTP
    import Glibc

    /// Reads addresses in every form that the system reads.
    enum HostResolver {
        /// The address that a host is: also `127.1`, `0x7f.0.0.1`, `017700000001` and `2130706433`. Nil: a name. Never blocks.
        static func literal(_ host: String) -> HostAddress? {
            if let address = HostAddress(host) { return address }
            var hints = addrinfo()
            hints.ai_family = AF_UNSPEC
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
            hints.ai_flags = AI_NUMERICHOST
            var list: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(host, nil, &hints, &list) == 0 else { return nil }
            defer { freeaddrinfo(list) }
            return list?.pointee.ai_addr.flatMap { HostAddress(UnsafePointer($0)) }
        }
    }
#endif

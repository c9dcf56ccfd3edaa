#if HTTP
    package import GannetCore
    import Glibc

    /// Answers which addresses a host has. Tests have their own.
    package struct HostResolver: Sendable {
        /// Called on a thread that may block, with a name that is no address. The best address comes first.
        package var addresses: @Sendable (_ host: String) -> Result<[HostAddress], ImageError>

        package init(_ addresses: @escaping @Sendable (_ host: String) -> Result<[HostAddress], ImageError>) {
            self.addresses = addresses
        }

        /// The system's, as configured in `nsswitch.conf`.
        package static let system = HostResolver { host in
            let (found, failure) = ask(host, flags: 0)
            if !found.isEmpty { return .success(found) }
            return .failure(
                ImageError(
                    .hostNotFound, stage: .load,
                    "The host name \(host) cannot be resolved: \(failure == 0 ? "it has no address" : String(cString: gai_strerror(failure)))."
                ))
        }

        /// The address that a host is, in any form that the system reads as one: also `127.1`, `0x7f.0.0.1`, `017700000001`
        /// and `2130706433`. Nil: a name. Never blocks.
        static func literal(_ host: String) -> HostAddress? { HostAddress(host) ?? ask(host, flags: AI_NUMERICHOST).found.first }

        private static func ask(_ host: String, flags: Int32) -> (found: [HostAddress], failure: Int32) {
            var hints = addrinfo()
            hints.ai_family = AF_UNSPEC
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
            hints.ai_flags = flags
            var list: UnsafeMutablePointer<addrinfo>?
            let failure = getaddrinfo(host, nil, &hints, &list)
            guard failure == 0 else { return ([], failure) }
            defer { freeaddrinfo(list) }
            var found: [HostAddress] = []
            var next = list
            while let entry = next?.pointee {
                next = entry.ai_next
                if let address = entry.ai_addr.flatMap({ HostAddress(UnsafePointer($0)) }), !found.contains(address) {
                    found.append(address)
                }
            }
            return (found, 0)
        }
    }
#endif

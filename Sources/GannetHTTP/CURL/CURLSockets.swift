#if HTTP
    import CCurl
    import CGannetCURL
    import Glibc

    /// The sockets of a thread's connections, by which a kept connection is looked at before it is used again.
    ///
    /// Bytes that came after the end of a response would become the start of the next one (RFC 9112 §9.2). libcurl gives up such
    /// connections since 8.1; before, it does not see them. Under TLS they cannot be seen here either.
    final class CURLSockets {
        private var isOpen: Set<Int32> = []
        /// The sockets by the ports of this side.
        private var ports: [Int32: Int32] = [:]
        private let isNeeded = !gannet_curl_is_at_least(8, 1)

        func open(_ address: UnsafePointer<curl_sockaddr>) -> Int32 {
            let socket = gannet_curl_socket(address)
            if isNeeded, socket >= 0 { isOpen.insert(socket) }
            return socket
        }

        func close(_ socket: Int32) {
            Glibc.close(socket)
            if isOpen.remove(socket) != nil { ports = ports.filter { $0.value != socket } }
        }

        /// Whether nothing waits on the connection with this port.
        func isClean(_ port: Int32, isNew: Bool) -> Bool {
            guard isNeeded else { return true }
            if isNew || ports[port] == nil { ports[port] = isOpen.first { gannet_curl_port($0) == port } }
            guard let socket = ports[port], !isNew else { return true }
            var byte: UInt8 = 0
            return recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) <= 0
        }
    }
#endif

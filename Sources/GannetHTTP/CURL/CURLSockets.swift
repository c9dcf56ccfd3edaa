#if HTTP
    import CCurl
    import CGannetCURL
    import GannetCore
    import Glibc

    /// The sockets of a thread's connections, by which a kept connection is looked at before it is used again.
    ///
    /// Bytes that came after the end of a response would become the start of the next one (RFC 9112 §9.2). libcurl gives up such
    /// connections since 8.1; before, it does not see them. Under TLS they cannot be seen here either.
    final class CURLSockets {
        /// Identifies a connection.
        struct Place: Hashable {
            /// The address of the server or proxy, as libcurl writes it.
            var address: String
            var port: Int32
            /// The local port, which several connections may share.
            var ownPort: Int32
        }

        private var isOpen: Set<Int32> = []
        private var known: [Place: Int32] = [:]
        private let isNeeded = !gannet_curl_is_at_least(8, 1)

        /// - Parameter patience: how long the peer may confirm nothing.
        func open(_ address: UnsafePointer<curl_sockaddr>, patience: Duration) -> Int32 {
            let socket = gannet_curl_socket(address, UInt32(clamping: patience.wholeMilliseconds))
            if isNeeded, socket >= 0 { isOpen.insert(socket) }
            return socket
        }

        func close(_ socket: Int32) {
            Glibc.close(socket)
            if isOpen.remove(socket) != nil { known = known.filter { $0.value != socket } }
        }

        /// Whether nothing waits on this connection.
        func isClean(_ place: @autoclosure () -> Place, isNew: Bool) -> Bool {
            guard isNeeded else { return true }
            let place = place()
            if isNew || known[place] == nil {
                known[place] = isOpen.first { gannet_curl_joins($0, place.address, place.port, place.ownPort) }
            }
            guard let socket = known[place], !isNew else { return true }
            var byte: UInt8 = 0
            return recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) <= 0
        }
    }
#endif

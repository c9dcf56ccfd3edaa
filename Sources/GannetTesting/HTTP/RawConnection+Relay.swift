import Glibc

extension RawConnection {
    /// Relays bytes to another loopback server and back, until either ends or `limit` bytes have come back. Returns how many
    /// came back.
    @discardableResult
    package func relay(to port: Int, limit: Int = .max) -> Int {
        Self.connected(to: port) { server in
            var back = 0
            while back < limit {
                var descriptors = [number, server.number].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                let ready = poll(&descriptors, 2, -1)
                if ready < 0, errno == EINTR { continue }
                guard ready > 0 else { break }
                if descriptors[1].revents != 0 {
                    guard let count = Self.pass(from: server.number, to: number, atMost: limit - back) else { break }
                    back += count
                }
                if descriptors[0].revents != 0, Self.pass(from: number, to: server.number, atMost: .max) == nil { break }
            }
            return back
        } ?? 0
    }

    /// Runs `body` with a connection to a loopback server, as its client, and closes it then. Nil if the server does not accept it.
    package static func connected<Result>(to port: Int, _ body: (RawConnection) -> Result) -> Result? {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return nil }
        defer { close(number) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        return isConnected ? body(RawConnection(number, count: 1)) : nil
    }

    /// Passes the available bytes; nil when either has ended.
    private static func pass(from source: Int32, to target: Int32, atMost limit: Int) -> Int? {
        var buffer = [UInt8](repeating: 0, count: min(limit, 16_384))
        var got = recv(source, &buffer, buffer.count, 0)
        while got < 0, errno == EINTR { got = recv(source, &buffer, buffer.count, 0) }
        guard got > 0 else { return nil }
        return Self.write(buffer[..<got], to: target) ? got : nil
    }
}

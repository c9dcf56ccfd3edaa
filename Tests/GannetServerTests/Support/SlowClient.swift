#if CommandLine && HTTP
    import GannetCore
    import Glibc

    /// A client on the loopback that takes its answer as slowly as a test wants: plain sockets with a small receive buffer.
    struct SlowClient: Sendable {
        /// Everything that came until the end of the connection.
        struct Answers: Sendable {
            /// Whole answers, in their order: bytes of the body.
            var bodies: [Int] = []
            /// Bytes behind the last whole answer.
            var rest: Int
            /// The server ended its side in order; false: it reset the connection.
            var endedInOrder: Bool

            fileprivate init(_ bytes: [UInt8], endedInOrder: Bool) {
                self.endedInOrder = endedInOrder
                var left = bytes[...]
                while let end = Self.endOfHead(left) {
                    let head = String(decoding: left[..<end], as: UTF8.self).lowercased()
                    let field = head.split(separator: "\r\n").first { $0.hasPrefix("content-length: ") }
                    guard let count = field.flatMap({ Int($0.dropFirst(16)) }), left.endIndex - end >= count else { break }
                    bodies.append(count)
                    left = left[(end + count)...]
                }
                rest = left.count
            }

            private static func endOfHead(_ bytes: ArraySlice<UInt8>) -> Int? {
                let start = Array(bytes.prefix(4096))
                let end = start.indices.first { start[$0...].prefix(4).elementsEqual([13, 10, 13, 10]) }
                return end.map { bytes.startIndex + $0 + 4 }
            }
        }

        private let number: Int32

        init(port: Int) throws(ImageError) {
            number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var size: Int32 = 4096
            setsockopt(number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(port).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let number = number
            let result = withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard result == 0 else { throw ImageError(.connectionFailed, "The server on port \(port) cannot be reached.") }
        }

        /// As much as the system takes without waiting.
        @discardableResult
        func send(_ text: String) -> Int {
            Array(text.utf8).withUnsafeBytes { Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) }
        }

        func endItsSide() { shutdown(number, Int32(SHUT_WR)) }

        /// Reads a little at a time until `isReady`, then the rest. Closes its socket. Blocks.
        func answers(until isReady: () -> Bool) -> Answers {
            var bytes: [UInt8] = []
            while !isReady(), let more = read(4096) { bytes += more }
            while let more = read(1 << 16) { bytes += more }
            let endedInOrder = errno == 0
            close(number)
            return Answers(bytes, endedInOrder: endedInOrder)
        }

        /// Nil at the end; `errno` says which one.
        private func read(_ count: Int) -> [UInt8]? {
            var chunk = [UInt8](repeating: 0, count: count)
            while true {
                errno = 0
                let got = recv(number, &chunk, count, 0)
                if got < 0, errno == EINTR { continue }
                return got > 0 ? Array(chunk[..<got]) : nil
            }
        }
    }
#endif

#if Server
    import GannetCore
    import GannetFetch
    import GannetImages
    import NIOHTTP1

    /// The `Host` field, RFC 9112 §3.2 and RFC 9110 §7.2.
    enum HostHeader {
        /// Required once in HTTP/1.1; never repeated, and never with an impossible host.
        static func isRight(in head: HTTPRequestHead) -> Bool {
            let values = head.headers["Host"]
            guard let value = values.first else { return head.version != .http1_1 }
            return values.count == 1 && isHost(value)
        }

        /// `host`, `host:port` or nothing, with a host as in URLs (RFC 3986 §3.2.2).
        static func isHost(_ text: String) -> Bool {
            let bytes = Array(text.trimmedOWS().utf8)
            var port: ArraySlice<UInt8>
            if bytes.first == UInt8(ascii: "[") {
                guard let end = bytes.firstIndex(of: UInt8(ascii: "]")), end > 1,
                    bytes[1..<end].allSatisfy({ isPlain($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "%") })
                else { return false }
                port = bytes[(end + 1)...]
            } else {
                let name = bytes.prefix { $0 != UInt8(ascii: ":") }
                guard isName(name) else { return false }
                port = bytes[name.count...]
            }
            guard let colon = port.popFirst() else { return true }
            return colon == UInt8(ascii: ":") && port.allSatisfy(isDigit)
        }

        private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
            var rest = bytes
            while let byte = rest.popFirst() {
                if isPlain(byte) { continue }
                guard byte == UInt8(ascii: "%"), rest.count >= 2, rest.prefix(2).allSatisfy({ Hexadecimal.digit($0) != nil })
                else { return false }
                rest = rest.dropFirst(2)
            }
            return true
        }

        /// Characters that need no percent-encoding.
        private static func isPlain(_ byte: UInt8) -> Bool {
            isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || "-._~!$&'()*+,;=".utf8.contains(byte)
        }

        private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    }
#endif

#if HTTP
    import Glibc

    /// An address of a host: version 4 or 6, without port and zone.
    package struct HostAddress: Hashable, Sendable {
        /// 4 or 16 bytes.
        let bytes: [UInt8]

        var isVersion6: Bool { bytes.count == 16 }

        init(version4 bytes: some Sequence<UInt8>) {
            self.bytes = Array(bytes)
            assert(self.bytes.count == 4)
        }

        /// The usual forms only: four decimal numbers, or hexadecimal groups. Nil for anything else, such as `127.1`.
        package init?(_ text: String) {
            var version4 = in_addr()
            var version6 = in6_addr()
            // C reads up to the first zero byte.
            guard !text.utf8.contains(0) else { return nil }
            if inet_pton(AF_INET, text, &version4) == 1 {
                bytes = withUnsafeBytes(of: version4) { Array($0) }
            } else if inet_pton(AF_INET6, text, &version6) == 1 {
                bytes = withUnsafeBytes(of: version6) { Array($0) }
            } else {
                return nil
            }
        }

        /// Nil for families other than IPv4 and IPv6.
        init?(_ address: UnsafePointer<sockaddr>) {
            let start = UnsafeRawPointer(address)
            switch Int32(address.pointee.sa_family) {
            case AF_INET:
                bytes = withUnsafeBytes(of: start.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) }
            case AF_INET6:
                bytes = withUnsafeBytes(of: start.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) }
            default: return nil
            }
        }

        /// The form for messages and for the client, without brackets.
        package var text: String {
            var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            _ = bytes.withUnsafeBytes {
                inet_ntop(isVersion6 ? AF_INET6 : AF_INET, $0.baseAddress, &buffer, socklen_t(buffer.count))
            }
            return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        /// The IPv4 address at the end of an interface identifier of ISATAP (RFC 5214 §6.1): behind 0000:5efe, or behind 0200:5efe where
        /// it is unique in the world. Nil: it is none.
        var isatap: HostAddress? {
            guard isVersion6, bytes[8] & ~2 == 0, bytes[9] == 0, bytes[10] == 0x5E, bytes[11] == 0xFE else { return nil }
            return HostAddress(version4: bytes[12...])
        }

        /// That of version 4 which version 6 contains, `::ffff:10.0.0.1` (RFC 4291 §2.5.5.2); else the same.
        package var withoutMapping: HostAddress {
            let isMapped = isVersion6 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10..<12].allSatisfy { $0 == 255 }
            return isMapped ? HostAddress(version4: bytes[12...]) : self
        }

        /// Whether the first `count` bits are equal.
        func agrees(with other: HostAddress, bits count: Int) -> Bool {
            guard bytes.count == other.bytes.count else { return false }
            for (index, (own, others)) in zip(bytes, other.bytes).enumerated() {
                let rest = count - index * 8
                if rest <= 0 { return true }
                let mask = rest >= 8 ? UInt8.max : ~(UInt8.max >> UInt8(rest))
                if (own ^ others) & mask != 0 { return false }
            }
            return true
        }
    }

    /// A range of addresses with a common beginning.
    package struct AddressNetwork: Hashable, Sendable {
        let first: HostAddress
        /// The length of the common beginning.
        let bits: Int

        /// `10.0.0.0/8`, `fd00::/8`, or one address.
        package init?(_ text: String) {
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = HostAddress(String(parts[0])) else { return nil }
            let all = first.bytes.count * 8
            self.first = first
            guard parts.count == 2 else {
                bits = all
                return
            }
            guard !parts[1].isEmpty, parts[1].utf8.allSatisfy({ (48...57).contains($0) }), let bits = Int(parts[1]), bits <= all
            else { return nil }
            self.bits = bits
        }

        package func contains(_ address: HostAddress) -> Bool { first.agrees(with: address, bits: bits) }
    }
#endif

package import FoundationEssentials

extension URL {
    /// Why no server can have this address, for the end of a sentence; nil if one could.
    ///
    /// Foundation accepts addresses that cannot exist: names with brackets, and ports of any length. The HTTP client would end
    /// the process for the former, and use a default port for the latter.
    package var authorityFault: String? {
        guard let host = host(percentEncoded: false), !host.isEmpty else { return "there is no host in its URL" }
        // Foundation omits the brackets of an IPv6 address.
        if host.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }) {
            return "the host in its URL is neither a name nor an address"
        }
        if let port { return (1...65_535).contains(port) ? nil : "there is no port \(port)" }
        // Foundation reports no port if its number is too long.
        guard let digits = parts.port, !digits.isEmpty,
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return "there is no port \(digits.prefix(32))"
    }
}

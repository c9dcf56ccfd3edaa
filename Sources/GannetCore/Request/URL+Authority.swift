package import FoundationEssentials

extension URL {
    /// Why no server has this address, for the end of a sentence; nil if one may have it.
    ///
    /// Foundation takes more than there is: brackets that are part of a name, and ports of any length. The client that sends requests would
    /// end the process for the first, and take a usual port for the second.
    package var authorityFault: String? {
        guard let host = host(percentEncoded: false), !host.isEmpty else { return "there is no host in its URL" }
        // Those of an address of IPv6 are no part of what Foundation says.
        if host.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }) {
            return "the host in its URL is neither a name nor an address"
        }
        if let port { return (0...65_535).contains(port) ? nil : "there is no port \(port)" }
        // One that is too long for a number is none to Foundation.
        let digits = writtenPort
        return digits.isEmpty ? nil : "there is no port \(digits.prefix(32))"
    }

    /// What stands behind the colon of the authority.
    private var writtenPort: Substring {
        let text = absoluteString
        guard let start = text.firstRange(of: "//")?.upperBound else { return "" }
        let authority = text[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":")) else { return "" }
        let digits = authority[authority.utf8.index(after: colon)...]
        return digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? digits : ""
    }
}

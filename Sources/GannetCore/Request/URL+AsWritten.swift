package import FoundationEssentials

extension URL {
    /// The URL that people and servers mean by `text`, as browsers read it (WHATWG URL, §4.4): spaces and control characters around it
    /// are trimmed, tabs and line ends removed, other characters that no URL may contain percent-encoded, and existing escapes stay.
    /// Foundation alone would encode the escapes again in a component that has both: `a%20b ä` becomes `a%2520b…`, another image.
    /// O(n); nil if Foundation cannot parse the URL.
    package init?(asWritten text: String, relativeTo base: URL? = nil) {
        self.init(string: URLEscapes.completed(text), relativeTo: base)
    }
}

package enum URLEscapes {
    /// Unreserved and reserved characters except `#`, `[` and `]`, which are allowed only in certain places (RFC 3986 §2).
    private static let plain: [Bool] = (UInt8.min...UInt8.max).map { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~:/?@!$&'()*+,;=".utf8.contains(byte)
        }
    }

    /// Spaces and control characters at both ends belong to the text around a URL; tabs and line ends belong to none.
    package static func trimmed(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 <= 32 }) else { return text }
        let isAround = { (byte: UInt8) in byte <= 32 }
        var bytes = Array(text.utf8.drop(while: isAround))[...]
        while let last = bytes.last, isAround(last) { bytes.removeLast() }
        return String(decoding: bytes.filter { ![9, 10, 13].contains($0) }, as: UTF8.self)
    }

    static func completed(_ text: String) -> String {
        var text = text
        // Most URLs are complete: one look at each byte.
        if text.withUTF8({ escapedPlaces($0).isEmpty }) { return text }
        return ByteText.bytes(of: trimmed(text)).withUnsafeBufferPointer { bytes in
            let escaped = escapedPlaces(bytes)
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count + 2 * escaped.count)
            var next = 0
            for place in escaped {
                result.append(contentsOf: bytes[next..<place])
                result += PercentEncoding.escape(bytes[place])
                next = place + 1
            }
            result.append(contentsOf: bytes[next...])
            return String(decoding: result, as: UTF8.self)
        }
    }

    private static func escapedPlaces(_ bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
        var places: [Int] = []
        // Computed on demand: most URLs have no brackets.
        var authorityEnd: Int?
        var hasFragment = false
        for (place, byte) in bytes.enumerated() where !plain[Int(byte)] {
            switch byte {
            case UInt8(ascii: "%") where isEscape(bytes[place...]): continue
            case UInt8(ascii: "#") where !hasFragment: hasFragment = true
            case UInt8(ascii: "["), UInt8(ascii: "]"):
                let end = authorityEnd ?? self.authorityEnd(bytes)
                authorityEnd = end
                if place >= end { places.append(place) }
            default: places.append(place)
            }
        }
        return places
    }

    private static func isEscape(_ rest: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        rest.count >= 3 && rest.dropFirst().prefix(2).allSatisfy { Hexadecimal.digit($0) != nil }
    }

    /// The start of the path, after an authority that may contain an IPv6 address.
    private static func authorityEnd(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let beforePath = bytes.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard bytes[beforePath.endIndex...].starts(with: "//".utf8),
            beforePath.isEmpty || beforePath.last == UInt8(ascii: ":")
        else { return 0 }
        let authority = bytes[(beforePath.endIndex + 2)...]
        return authority.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
            ?? bytes.endIndex
    }
}

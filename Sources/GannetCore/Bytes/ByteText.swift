import Glibc

/// Text that keeps every byte: names of files and escapes of URLs need not be UTF-8.
///
/// A byte that is no UTF-8 becomes one scalar of a private plane, which only such bytes have, and becomes that byte again wherever
/// the text leaves this program. So a path is a `String` everywhere, and still names exactly its file.
package enum ByteText {
    /// Where bytes that are no UTF-8 lie: U+10F780 to U+10F7FF, whose UTF-8 has F4 8F and 9E or 9F at its beginning.
    private static let base: UInt32 = 0x10F700

    /// O(n). Texts without such bytes are what `String(decoding:as:)` makes of them.
    package static func text(of bytes: some Collection<UInt8>) -> String {
        let bytes = Array(bytes)
        if let text = String(validating: bytes, as: UTF8.self), !mayHaveBytes(text) { return text }
        var result = String.UnicodeScalarView()
        var decoder = UTF8()
        var rest = bytes[...]
        while !rest.isEmpty {
            var source = rest.prefix(4).makeIterator()
            if case .scalarValue(let scalar) = decoder.decode(&source), byte(of: scalar) == nil {
                result.append(scalar)
                rest = rest.dropFirst(UTF8.width(scalar))
            } else {
                result.append(Unicode.Scalar(base + UInt32(rest.removeFirst())) ?? "\u{FFFD}")
            }
            decoder = UTF8()
        }
        return String(result)
    }

    /// A path from a C function; the bytes are copied.
    package static func text(ofPath path: UnsafePointer<CChar>) -> String {
        text(of: UnsafeRawBufferPointer(start: path, count: strlen(path)))
    }

    /// The bytes that ``text(of:)`` was given. O(n).
    package static func bytes(of text: String) -> [UInt8] {
        guard mayHaveBytes(text) else { return Array(text.utf8) }
        return text.unicodeScalars.flatMap { scalar in byte(of: scalar).map { [$0] } ?? Array(String(scalar).utf8) }
    }

    /// For people: `\xE9` for a byte that is no UTF-8.
    package static func shown(_ text: String) -> String { marked(text, "\\x") }

    /// For URLs: `%E9` for a byte that is no UTF-8; the rest stays as it is.
    package static func escaped(_ text: String) -> String { marked(text, "%") }

    private static func marked(_ text: String, _ mark: String) -> String {
        guard mayHaveBytes(text) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if let byte = byte(of: scalar) {
                result += mark + String(byte, radix: 16, uppercase: true)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }

    private static func byte(of scalar: Unicode.Scalar) -> UInt8? {
        (base + 0x80...base + 0xFF).contains(scalar.value) ? UInt8(scalar.value - base) : nil
    }

    /// Few other texts have such a first byte: cheap for all others.
    fileprivate static func mayHaveBytes(_ text: String) -> Bool {
        // The pointer is the string's own, and ends with the closure.
        text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 0xF4, bytes.count) != nil } ?? false
        } ?? text.utf8.contains(0xF4)
    }
}

extension String {
    /// Calls `body` with the path as the system knows it, ended by a zero, which lives as long as the call.
    package func withPath<R>(_ body: (UnsafePointer<CChar>) -> R) -> R {
        guard ByteText.mayHaveBytes(self) else { return withCString(body) }
        return (ByteText.bytes(of: self) + [0]).withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { chars in
                // Not nil: there is a zero at least.
                chars.baseAddress.map(body) ?? withCString(body)
            }
        }
    }
}

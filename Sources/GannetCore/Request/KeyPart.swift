extension String {
    /// The text as one part of a key: what separates parts is escaped. Almost every text stays as it is.
    ///
    /// - Parameter separators: ASCII characters that separate parts here, beside the separator of all keys.
    package func keyPart(_ separators: StaticString = "") -> String {
        func isSpecial(_ byte: UInt8) -> Bool {
            byte == 1 || byte == 2 || (0..<separators.utf8CodeUnitCount).contains { separators.utf8Start[$0] == byte }
        }
        guard utf8.contains(where: isSpecial) else { return self }
        var result: [UInt8] = []
        for byte in utf8 {
            // All of them are ASCII: no other character has such a byte. The digits of a byte below 16 are one.
            if isSpecial(byte) { result += [2] + Array(String(byte, radix: 16).utf8) + [2] } else { result.append(byte) }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

/// The tEXt chunks of a PNG file (PNG, third edition, 11.3.3.2). Damaged files have no texts.
package enum PNGTextChunks {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// Signature and IHDR, which is always first and has 13 bytes.
    private static let headCount = 8 + 12 + 13

    /// The texts before the pixels, by keyword; `head` may end anywhere. Latin-1 becomes Unicode; chunks without a zero are left out.
    package static func texts(in head: [UInt8]) -> [String: String] {
        guard head.starts(with: signature) else { return [:] }
        var texts: [String: String] = [:]
        var index = signature.count
        while index + 12 <= head.count {
            let count = head[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
            let type = head[index + 4..<index + 8]
            guard !type.elementsEqual("IDAT".utf8), count <= head.count - index - 12 else { break }
            let body = head[index + 8..<index + 8 + count]
            if type.elementsEqual("tEXt".utf8), let zero = body.firstIndex(of: 0) {
                texts[latin1(body[..<zero])] = latin1(body[(zero + 1)...])
            }
            index += 12 + count
        }
        return texts
    }

    private static func latin1(_ bytes: ArraySlice<UInt8>) -> String {
        var text = ""
        for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
        return text
    }

    /// The file with these texts behind its header; nil: it is no PNG. Texts are ASCII.
    package static func adding(_ texts: [(keyword: String, text: String)], to file: [UInt8]) -> [UInt8]? {
        guard file.count > headCount, file.starts(with: signature), file[12..<16].elementsEqual("IHDR".utf8) else { return nil }
        var chunks: [UInt8] = []
        for (keyword, text) in texts {
            let body = Array(keyword.utf8) + [0] + Array(text.utf8)
            let checked = Array("tEXt".utf8) + body
            chunks += bigEndian(UInt32(body.count)) + checked + bigEndian(checksum(checked))
        }
        return Array(file[..<headCount]) + chunks + Array(file[headCount...])
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    /// CRC-32 (PNG, annex D), bit by bit: texts have some hundred bytes.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
    }
}

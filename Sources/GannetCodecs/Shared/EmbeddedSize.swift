#if SVG || Lottie
    /// The size of an image inside of a document, by its first bytes.
    enum EmbeddedSize {
        /// Of PNG, GIF, JPEG and WebP; nil for other kinds, and where the bytes end before the size.
        static func size(of bytes: [UInt8]) -> (width: Int, height: Int)? {
            func big(_ offset: Int, _ count: Int) -> Int { (0..<count).reduce(0) { $0 << 8 | Int(bytes[offset + $1]) } }
            func little(_ offset: Int, _ count: Int) -> Int {
                (0..<count).reversed().reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
            }
            if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]), bytes.count >= 24 { return (big(16, 4), big(20, 4)) }
            if bytes.starts(with: "GIF8".utf8), bytes.count >= 10 { return (little(6, 2), little(8, 2)) }
            if bytes.starts(with: [0xFF, 0xD8]) {
                var position = 2
                while position + 9 < bytes.count {
                    guard bytes[position] == 0xFF else { return nil }
                    let marker = bytes[position + 1]
                    if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                        return (big(position + 7, 2), big(position + 5, 2))
                    }
                    position += marker == 0xFF ? 1 : 2 + big(position + 2, 2)
                }
                return nil
            }
            if bytes.starts(with: "RIFF".utf8), bytes.count >= 30, bytes[8..<12].elementsEqual("WEBP".utf8) {
                switch bytes[15] {
                case UInt8(ascii: "X"): return (little(24, 3) + 1, little(27, 3) + 1)
                case UInt8(ascii: "L"): return (little(21, 4) & 0x3FFF + 1, little(21, 4) >> 14 & 0x3FFF + 1)
                default: return (little(26, 2) & 0x3FFF, little(28, 2) & 0x3FFF)
                }
            }
            return nil
        }
    }
#endif

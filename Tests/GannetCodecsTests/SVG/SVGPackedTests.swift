#if SVG
    import GannetCodecs
    import GannetCore
    import GannetImages
    import Testing

    /// Documents packed with gzip (RFC 1952). The packed bytes are written here: stored blocks, and one bomb of repeated spaces.
    @Suite("Packed SVG") struct SVGPackedTests {
        private let plain = Array(
            ##"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4" fill="#f00"/></svg>"##.utf8
        )

        private func decode(_ bytes: [UInt8], limits: DecodeLimits = .standard) throws(ImageError) -> DecodedImage {
            var options = DecodeOptions()
            options.limits = limits
            return try ImageDecoding(coders: CodersManager([SVGCoder()])).decode(
                ByteRope(bytes), options: ResolvedDecodeOptions(options))
        }

        private func code(_ bytes: [UInt8], limits: DecodeLimits = .standard) -> ImageError.Code? {
            do throws(ImageError) {
                _ = try decode(bytes, limits: limits)
                return nil
            } catch { return error.code }
        }

        @Test("A packed document is drawn like the plain one") func drawn() throws {
            let image = try decode(Gzip.stored(plain))
            #expect(image.size == PixelSize(width: 4, height: 4))
            #expect(image.bitmap.packedBytes() == (try decode(plain)).bitmap.packedBytes())
        }

        @Test("It is recognised by what is inside, from few bytes") func recognised() {
            let packed = Gzip.stored(plain)
            #expect(SVGCoder().recognizes(packed.span) == .yes(.svg))
            let few = Array(packed.prefix(60))
            #expect(SVGCoder().recognizes(few.span) == .yes(.svg))
            for count in [1, 2, 3, 9, 10, 17] {
                let fewer = Array(packed.prefix(count))
                guard case .needsMoreBytes = SVGCoder().recognizes(fewer.span) else {
                    Issue.record("\(count) bytes are enough to tell")
                    continue
                }
            }
            let letter = Gzip.stored(Array("A letter to a friend, not a picture.".utf8))
            #expect(SVGCoder().recognizes(letter.span) == .no)
            let compressed: [UInt8] = [0x1F, 0x9D, 0x90, 0, 0, 0, 0, 0, 0, 0, 0]
            #expect(SVGCoder().recognizes(compressed.span) == .no)
        }

        @Test("Too short, damaged, wrong checksum") func damaged() {
            let packed = Gzip.stored(plain)
            #expect(code(Array(packed.dropLast(20))) == .truncated)
            #expect(code(Array(packed.dropLast(1))) == .truncated)
            var wrong = packed
            wrong[packed.count - 6] ^= 1
            #expect(code(wrong) == .corrupt)
            var type = packed
            type[10] = 7
            #expect(SVGCoder().recognizes(type.span) == .no)
        }

        // S3-05
        @Test("A bomb is stopped at the limit") func bomb() {
            var limits = DecodeLimits.standard
            limits.maximumEncodedBytes = 1 << 17
            #expect(code(Gzip.repeating(plain, spaces: 140_000), limits: limits) == .limitExceeded)
            #expect(code(Gzip.repeating(plain, spaces: 1 << 16), limits: limits) == nil)
        }
    }

    /// The smallest writer of gzip that a test needs.
    enum Gzip {
        private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

        static func stored(_ bytes: [UInt8]) -> [UInt8] {
            var file = header + [1]
            file += little(bytes.count, 2) + little(~bytes.count & 0xFFFF, 2)
            return file + bytes + trailer(bytes)
        }

        /// The document, then spaces as matches of 258 bytes at distance 1: about 13 bits each.
        static func repeating(_ bytes: [UInt8], spaces: Int) -> [UInt8] {
            let matches = spaces / 258
            let head = bytes + [0x20]
            var result = header + [0]
            result += little(head.count, 2) + little(~head.count & 0xFFFF, 2)
            result += head
            var bits = BitWriter()
            bits.write(1, 1)
            // Fixed codes; 285 is length 258, distance code 0 is 1.
            bits.write(1, 2)
            for _ in 0..<matches {
                bits.writeCode(0b1100_0101, 8)
                bits.writeCode(0, 5)
            }
            bits.writeCode(0, 7)
            result += bits.finish()
            return result + trailer(head + [UInt8](repeating: 0x20, count: matches * 258))
        }

        private static func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }

        private static func trailer(_ bytes: [UInt8]) -> [UInt8] { little(Int(crc(bytes)), 4) + little(bytes.count, 4) }

        private static func crc(_ bytes: [UInt8]) -> UInt32 {
            var value: UInt32 = 0xFFFF_FFFF
            for byte in bytes {
                value ^= UInt32(byte)
                for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
            }
            return ~value
        }

        private struct BitWriter {
            private var bytes: [UInt8] = []
            private var held = 0
            private var count = 0

            /// Lowest bit first.
            mutating func write(_ value: Int, _ bits: Int) {
                held |= value << count
                count += bits
                while count >= 8 {
                    bytes.append(UInt8(held & 255))
                    held >>= 8
                    count -= 8
                }
            }

            /// Codes stand highest bit first (RFC 1951, 3.1.1).
            mutating func writeCode(_ code: Int, _ bits: Int) {
                for bit in (0..<bits).reversed() { write(code >> bit & 1, 1) }
            }

            mutating func finish() -> [UInt8] { count > 0 ? bytes + [UInt8(held & 255)] : bytes }
        }
    }
#endif

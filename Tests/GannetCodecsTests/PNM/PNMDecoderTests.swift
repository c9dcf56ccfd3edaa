#if PNM
    import GannetCodecs
    import GannetCore
    import GannetTesting
    import Testing

    @Suite struct PNMDecoderTests {
        private func decode(
            _ text: String, _ pixels: [UInt8] = [], _ change: (inout DecodeOptions) -> Void = { _ in }
        ) throws(ImageError) -> (bitmap: Bitmap, header: ImageHeader) {
            var options = DecodeOptions()
            options.alpha = .straight
            change(&options)
            let decoder = try PNMCoder().makeDecoder(
                for: .pnm, options: ResolvedDecodeOptions(options), environment: DecodeEnvironment())
            _ = try decoder.read(from: ByteRope([UInt8](text.utf8) + pixels))
            guard let header = decoder.header, let layout = decoder.outputLayout else { throw ImageError(.misuse, "none") }
            var buffer = try PixelBuffer(layout)
            try decoder.decodeFrame(at: 0, into: &buffer)
            return (buffer.freeze(), header)
        }

        private func code(_ text: String, _ pixels: [UInt8] = []) -> ImageError.Code? {
            do throws(ImageError) {
                _ = try decode(text, pixels)
                return nil
            } catch { return error.code }
        }

        private func grays(_ bitmap: Bitmap) -> [UInt8] {
            let bytes = bitmap.packedBytes()
            return stride(from: 0, to: bytes.count, by: 4).map { bytes[$0] }
        }

        @Test func bitsAreInk() throws {
            #expect(grays(try decode("P1\n# a comment\n3 2\n0 1 0\n101").bitmap) == [255, 0, 255, 0, 255, 0])
            #expect(grays(try decode("P4 3 2\n", [0b0100_0000, 0b1010_0000]).bitmap) == [255, 0, 255, 0, 255, 0])
        }

        @Test func plainNumbersAndRawBytesAreTheSame() throws {
            #expect(grays(try decode("P2 3 1 # max\n255\n0 128 255").bitmap) == [0, 128, 255])
            #expect(grays(try decode("P5 3 1 255\n", [0, 128, 255]).bitmap) == [0, 128, 255])
            #expect(try decode("P3 1 1 255 1 2 3\n").bitmap.packedBytes() == [1, 2, 3, 255])
            #expect(try decode("P6 1 1 255\n", [1, 2, 3]).bitmap.packedBytes() == [1, 2, 3, 255])
        }

        @Test func anyMaximumIsSpreadOverAllValues() throws {
            #expect(grays(try decode("P2 4 1 3 0 1 2 3 ").bitmap) == [0, 85, 170, 255])
            #expect(grays(try decode("P2 2 1 3 7 1 ").bitmap) == [255, 85])
            let (bitmap, header) = try decode("P5 3 1 1023\n", [0, 0, 2, 0, 3, 255])
            #expect(grays(bitmap) == [0, 128, 255])
            #expect(header.bitDepth == 10)
        }

        @Test func sixteenBitsAreKeptWhereAskedFor() throws {
            let (bitmap, header) = try decode("P6 1 1 65535\n", [0x12, 0x34, 0x80, 0x80, 0xFF, 0xFE]) { $0.keeps16Bit = true }
            #expect(bitmap.layout.format == .rgba16)
            #expect(bitmap.packedBytes() == [0x34, 0x12, 0x80, 0x80, 0xFE, 0xFF, 0xFF, 0xFF])
            #expect(header.bitDepth == 16)
            let rounded = try decode("P5 1 1 65535\n", [0x12, 0xF0]).bitmap
            #expect(grays(rounded) == [0x13])
            #expect(grays(try decode("P5 1 1 65535\n", [0x12, 0xF0]) { $0.color = .raw }.bitmap) == [0x12])
        }

        /// Rows are unpacked in pieces of 4096 pixels.
        @Test(arguments: [4095, 4096, 4097, 9001]) func longRowsAreWhole(width: Int) throws {
            let values = (0..<width * 2).map { ($0 * 7 + $0 / 4096) & 255 }
            let bytes = values.map { UInt8($0) }
            #expect(grays(try decode("P5 \(width) 2 255\n", bytes).bitmap) == bytes)
            #expect(grays(try decode("P2 \(width) 2 255\n" + values.map { "\($0)\n" }.joined()).bitmap) == bytes)
            #expect(grays(try decode("P5 \(width) 2 65535\n", bytes.flatMap { [$0, $0] }).bitmap) == bytes)
            let pam = "P7\nWIDTH \(width)\nHEIGHT 2\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
            let pixels = values.flatMap { [UInt8($0), UInt8(255 - $0), UInt8($0 / 2), UInt8($0 | 1)] }
            #expect(try decode(pam, pixels).bitmap.packedBytes() == pixels)
            let bits = values.map { $0 % 3 == 0 }
            let grays = bits.map { $0 ? UInt8(0) : 255 }
            #expect(self.grays(try decode("P1 \(width) 2\n" + bits.map { $0 ? "1" : "0" }.joined()).bitmap) == grays)
            let step = (width + 7) / 8
            var packed = [UInt8](repeating: 0, count: step * 2)
            for index in bits.indices where bits[index] {
                let (x, y) = (index % width, index / width)
                packed[y * step + x / 8] |= 0x80 >> UInt8(x % 8)
            }
            #expect(self.grays(try decode("P4 \(width) 2\n", packed).bitmap) == grays)
        }

        @Test func pamHasAlpha() throws {
            let head = "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n"
            let (bitmap, header) = try decode(head, [10, 20])
            #expect(header.hasAlpha)
            #expect(bitmap.packedBytes() == [10, 10, 10, 20])
            #expect(code("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE CMYK\nENDHDR\n", [1, 2, 3, 4]) == .unsupported)
            #expect(code("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE RGB\nENDHDR\n", [1, 2]) == .corrupt)
        }

        @Test func sixteenBitPicturesComeBack() throws {
            var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 3, 2), format: .rgba16, alpha: .opaque))
            for y in 0..<2 {
                var row = buffer.mutableRow(y)
                for index in row.indices { row[index] = index % 8 >= 6 ? 255 : UInt8(y * 97 + index * 7 & 255) }
            }
            let picture = buffer.freeze()
            let encoder = try #require(try PNMCoder().makeEncoder(for: .pnm, options: EncodeOptions()))
            let file = try encoder.encode(TestImages.still(picture))
            let back = try decode("", file) { $0.keeps16Bit = true }.bitmap
            #expect(back.packedBytes() == picture.packedBytes())
        }

        @Test(arguments: [
            "P2 0 1 255 1 ", "P2 1 1 0 1 ", "P2 1 1 70000 1 ", "P2 1 1 255 x ", "P2 1234567890 1 255 1 ", "P1 1 1 2",
            "P7\nSIZE 1\nENDHDR\n", "P7\nWIDTH 1\nHEIGHT 1\nMAXVAL 255\nENDHDR\n",
        ])
        func brokenHeadersAreCorrupt(text: String) { #expect(code(text) == .corrupt) }

        @Test(arguments: ["P2 2 1 255 1", "P2 2 1 255 1 ", "P5 2 1 255\nx", "P1 3 1 01", "P5 2 1 25"])
        func missingPixelsAreTruncated(text: String) { #expect(code(text) == .truncated) }
    }
#endif

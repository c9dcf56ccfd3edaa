#if BMP
    import GannetCodecs
    import GannetCore
    import Testing

    /// Files written byte by byte, for what our encoder does not write.
    @Suite struct BMPDecoderTests {
        /// A file with a header of 40 bytes.
        private func file(
            width: Int, height: Int, bits: Int, compression: Int = 0, colors: [Int] = [], masks: [Int] = [], pixels: [UInt8]
        ) -> [UInt8] {
            let start = 54 + (colors.count + masks.count) * 4
            var bytes: [UInt8] = [0x42, 0x4D]
            func long(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
            for value in [start + pixels.count, 0, start, 40, width, height] { bytes += long(value) }
            bytes += [1, 0, UInt8(bits), 0]
            for value in [compression, pixels.count, 0, 0, colors.count, 0] { bytes += long(value) }
            for value in masks + colors { bytes += long(value) }
            return bytes + pixels
        }

        private func decode(_ bytes: [UInt8], partial: Bool = false) throws(ImageError) -> (Bitmap, ImageHeader, Bool) {
            var options = DecodeOptions()
            options.allowsPartial = partial
            options.alpha = .straight
            let decoder = try BMPCoder().makeDecoder(
                for: .bmp, options: ResolvedDecodeOptions(options), environment: DecodeEnvironment())
            _ = try decoder.read(from: ByteRope(bytes))
            guard let header = decoder.header, let layout = decoder.outputLayout else { throw ImageError(.corrupt, "none") }
            var buffer = try PixelBuffer(layout)
            try decoder.decodeFrame(at: 0, into: &buffer)
            return (buffer.freeze(), header, decoder.isPartial)
        }

        private func pixels(_ bitmap: Bitmap) -> [[Int]] {
            let bytes = bitmap.packedBytes().map(Int.init)
            return stride(from: 0, to: bytes.count, by: 4).map { Array(bytes[$0..<$0 + 4]) }
        }

        private let palette = [0x000000, 0xFF0000, 0x00FF00, 0x0000FF]

        @Test func indicesOfEveryDepthComeFromThePalette() throws {
            let rows: [(bits: Int, row: [UInt8])] = [(1, [0b0100_0000, 0, 0, 0]), (4, [0x01, 0x10, 0, 0]), (8, [0, 1, 1, 0])]
            for (bits, row) in rows {
                let (bitmap, header, _) = try decode(file(width: 3, height: 1, bits: bits, colors: palette, pixels: row))
                let expected =
                    bits == 1
                    ? [[0, 0, 0, 255], [255, 0, 0, 255], [0, 0, 0, 255]]
                    : [[0, 0, 0, 255], [255, 0, 0, 255], [255, 0, 0, 255]]
                #expect(pixels(bitmap) == expected, "\(bits) bits")
                #expect(header.bitDepth == bits)
                #expect(!header.hasAlpha)
            }
        }

        /// Alpha that is declared but zero everywhere does not count, even if only some rows have arrived.
        @Test("Rows that came are seen", arguments: [false, true]) func cutWithoutAlpha(isTopDown: Bool) throws {
            let masks = [0xFF0000, 0xFF00, 0xFF, Int(bitPattern: 0xFF00_0000)]
            let rows = [0, 0, 1, 1, 2, 2].flatMap { (row: UInt8) -> [UInt8] in [row, 20, 30, 0] }
            let whole = alphaFile(width: 2, height: isTopDown ? -3 : 3, masks: masks, pixels: rows)
            for missing in 0..<24 {
                let (bitmap, _, isPartial) = try decode(Array(whole.dropLast(missing)), partial: true)
                #expect(isPartial == (missing > 0))
                let came = (24 - missing) / 8
                let expected: [[Int]] = (0..<3).map { $0 < came ? [30, 20, $0, 255] : [0, 0, 0, 0] }
                let found = pixels(bitmap)
                let shown: [[Int]] = (0..<3).map { found[(isTopDown ? $0 : 2 - $0) * 2 + 1] }
                #expect(shown == expected, "\(missing) bytes missing")
            }
        }

        /// A file with a header of 108 bytes, which has a mask of alpha.
        private func alphaFile(width: Int, height: Int, masks: [Int], pixels: [UInt8]) -> [UInt8] {
            func long(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
            let start = 14 + 108
            var bytes: [UInt8] = [0x42, 0x4D]
            for value in [start + pixels.count, 0, start, 108, width, height] { bytes += long(value) }
            bytes += [1, 0, 32, 0]
            for value in [3, pixels.count, 0, 0, 0, 0] + masks { bytes += long(value) }
            return bytes + [UInt8](repeating: 0, count: 108 - 56) + pixels
        }

        @Test func indicesBehindThePaletteAreBlack() throws {
            let (bitmap, _, _) = try decode(file(width: 2, height: 1, bits: 8, colors: palette, pixels: [200, 2, 0, 0]))
            #expect(pixels(bitmap) == [[0, 0, 0, 255], [0, 255, 0, 255]])
        }

        @Test func negativeHeightIsTopDown() throws {
            let rows: [UInt8] = [1, 0, 0, 0, 2, 0, 0, 0]
            let (up, _, _) = try decode(file(width: 1, height: 2, bits: 8, colors: palette, pixels: rows))
            #expect(pixels(up) == [[0, 255, 0, 255], [255, 0, 0, 255]])
            let (down, _, _) = try decode(file(width: 1, height: -2, bits: 8, colors: palette, pixels: rows))
            #expect(pixels(down) == [[255, 0, 0, 255], [0, 255, 0, 255]])
        }

        @Test func masksOfAnyWidthSpreadOverAllValues() throws {
            let (five, _, _) = try decode(file(width: 2, height: 1, bits: 16, pixels: [0xFF, 0x7F, 0x10, 0x00]))
            #expect(pixels(five) == [[255, 255, 255, 255], [0, 0, 131, 255]])
            let (six, _, _) = try decode(
                file(width: 2, height: 1, bits: 16, compression: 3, masks: [0xF800, 0x07E0, 0x1F], pixels: [0, 0x04, 0, 0xF8]))
            #expect(pixels(six) == [[0, 129, 0, 255], [255, 0, 0, 255]])
            let (clear, header, _) = try decode(
                file(
                    width: 1, height: 1, bits: 32, compression: 6, masks: [0xFF, 0xFF00, 0xFF0000, 0xFF00_0000],
                    pixels: [1, 2, 3, 128]))
            #expect(pixels(clear) == [[1, 2, 3, 128]])
            #expect(header.hasAlpha)
        }

        @Test func alphaThatIsZeroEverywhereMeansOpaque() throws {
            let masks = [0xFF, 0xFF00, 0xFF0000, 0xFF00_0000]
            let zero = try decode(file(width: 1, height: 1, bits: 32, compression: 6, masks: masks, pixels: [1, 2, 3, 0])).0
            #expect(zero.layout.alpha == .opaque)
            #expect(pixels(zero) == [[1, 2, 3, 255]])
            let (one, _, _) = try decode(
                file(width: 2, height: 1, bits: 32, compression: 6, masks: masks, pixels: [1, 2, 3, 0, 4, 5, 6, 1]))
            #expect(pixels(one) == [[1, 2, 3, 0], [4, 5, 6, 1]])
        }

        @Test func masksWithHolesAreRefused() throws {
            let broken = file(
                width: 1, height: 1, bits: 32, compression: 3, masks: [0xF0F, 0xFF00, 0xFF0000], pixels: [0, 0, 0, 0])
            #expect(code { () throws(ImageError) in _ = try decode(broken) } == .corrupt)
        }

        @Test func runsEndRowsMoveAndEndThePicture() throws {
            // Two red, one green as a literal run of three with padding; end of row; a move by one; blue; end.
            let runs: [UInt8] = [2, 1, 0, 3, 2, 3, 2, 0, 0, 0, 0, 2, 1, 0, 1, 3, 0, 1]
            let (bitmap, _, isPartial) = try decode(
                file(width: 5, height: 2, bits: 8, compression: 1, colors: palette, pixels: runs))
            let (black, red, green, blue) = ([0, 0, 0, 255], [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255])
            #expect(pixels(bitmap) == [black, blue, black, black, black, red, red, green, blue, green])
            #expect(!isPartial)
            let nibbles: [UInt8] = [3, 0x12, 0, 0, 0, 1]
            let (four, _, _) = try decode(
                file(width: 3, height: 1, bits: 4, compression: 2, colors: palette, pixels: nibbles))
            #expect(pixels(four) == [red, green, red])
        }

        @Test func runsThatEndEarlyArePartial() throws {
            let broken = file(width: 5, height: 2, bits: 8, compression: 1, colors: palette, pixels: [2, 1])
            #expect(code { () throws(ImageError) in _ = try decode(broken) } == .truncated)
            let (bitmap, _, isPartial) = try decode(broken, partial: true)
            #expect(isPartial)
            #expect(pixels(bitmap)[5] == [255, 0, 0, 255])
        }

        @Test func whatIsNotSupportedSaysSo() throws {
            for compression in [4, 5, 11] {
                let embedded = file(width: 1, height: 1, bits: 24, compression: compression, pixels: [0, 0, 0, 0])
                #expect(code { () throws(ImageError) in _ = try decode(embedded) } == .unsupported)
            }
            let strange = file(width: 1, height: 1, bits: 7, pixels: [0, 0, 0, 0])
            #expect(code { () throws(ImageError) in _ = try decode(strange) } == .corrupt)
        }

        private func code(_ body: () throws(ImageError) -> Void) -> ImageError.Code? {
            do {
                try body()
                return nil
            } catch { return error.code }
        }
    }
#endif

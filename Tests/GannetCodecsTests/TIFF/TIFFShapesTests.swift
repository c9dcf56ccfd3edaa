#if TIFF
    import GannetCodecs
    import GannetCore
    import Testing

    /// Byte orders, lengths, compressions and colours that other programs write (FM-09).
    @Suite("Shapes of TIFF") struct TIFFShapesTests {
        private func pixels(_ sample: TIFFSample) throws -> [UInt8] {
            var options = DecodeOptions()
            options.alpha = .straight
            let decoder = try TIFFCoder().makeDecoder(
                for: .tiff, options: ResolvedDecodeOptions(options), environment: DecodeEnvironment())
            _ = try decoder.read(from: ByteRope(sample.bytes))
            var buffer = try PixelBuffer(try #require(decoder.outputLayout))
            try decoder.decodeFrame(at: 0, into: &buffer)
            return buffer.freeze().packedBytes()
        }

        private func gray(_ values: [UInt8]) -> [UInt8] { values.flatMap { [$0, $0, $0, 255] } }

        @Test("Both byte orders, places of 32 and 64 bits", arguments: [false, true], [false, true])
        func orders(isBigEndian: Bool, isLong: Bool) throws {
            let words = [0x1200, 0xFFFF, 0x8000, 0x0000].flatMap { word -> [UInt8] in
                let little = TIFFSample.little(word, 2)
                return isBigEndian ? little.reversed() : little
            }
            var sample = TIFFSample([
                .init(width: 2, height: 2, bits: [16], chunks: [Array(words[..<4]), Array(words[4...])], rowsPerStrip: 1)
            ])
            sample.isBigEndian = isBigEndian
            sample.isLong = isLong
            guard case .yes(.tiff) = TIFFCoder().recognizes(sample.bytes.span) else {
                Issue.record("not recognised")
                return
            }
            #expect(try pixels(sample) == gray([0x12, 0xFF, 0x80, 0]))
        }

        @Test("PackBits and the predictor of differences") func packBits() throws {
            // Four bytes as they are, then three times 7, of rows of 7 that are differences.
            var page = TIFFSample.Page(width: 7, height: 1, chunks: [[3, 10, 1, 1, 255, 254, 7]])
            page.extra = [(259, 3, [32773])]
            #expect(try pixels(TIFFSample([page])) == gray([10, 1, 1, 255, 7, 7, 7]))
        }

        /// T.6: a row like the (white) one above is one bit, 1.
        @Test("Group 4 of one black square") func group4() throws {
            // Row 0: V0. Row 1: horizontal (001), white 2 (0111), black 3 (10), then V0. Row 2: V0 V0 V0. Then the end of the block.
            let bits = "1" + "001" + "0111" + "10" + "1" + "111" + "000000000001000000000001"
            let padded = bits + String(repeating: "0", count: (8 - bits.count % 8) % 8)
            let bytes = stride(from: 0, to: padded.count, by: 8).map { start -> UInt8 in
                UInt8(padded.dropFirst(start).prefix(8), radix: 2) ?? 0
            }
            var page = TIFFSample.Page(width: 8, height: 3, bits: [1], photometric: 0, chunks: [bytes])
            page.extra = [(259, 3, [4])]
            let row = gray([255, 255, 0, 0, 0, 255, 255, 255])
            #expect(try pixels(TIFFSample([page])) == gray([UInt8](repeating: 255, count: 8)) + row + row)
        }

        @Test("Brightness and colour differences, with and without fewer colours", arguments: [1, 2])
        func differences(sampling: Int) throws {
            // Grey, then pure red according to BT.601.
            let colours: [[UInt8]] = [[128, 128, 128], [76, 85, 255]]
            for (index, colour) in colours.enumerated() {
                let unit = [UInt8](repeating: colour[0], count: sampling * sampling) + colour[1...]
                var page = TIFFSample.Page(width: 4, height: 2, bits: [8, 8, 8], photometric: 6)
                page.chunks = [(0..<8 / (sampling * sampling)).flatMap { _ in unit }]
                page.extra = [(530, 3, [sampling, sampling])]
                let found = try pixels(TIFFSample([page]))
                let wanted: [UInt8] = index == 0 ? [128, 128, 128, 255] : [254, 0, 0, 255]
                for (byte, value) in found.enumerated() { #expect(abs(Int(value) - Int(wanted[byte % 4])) <= 2) }
            }
        }

        /// libtiff alone refuses coefficients of 0 in the denominator; other readers take the usual ones.
        @Test("Coefficients that cannot be true are not taken") func coefficients() throws {
            var page = TIFFSample.Page(width: 1, height: 1, bits: [8, 8, 8], photometric: 6, chunks: [[76, 85, 255]])
            page.extra = [(530, 3, [1, 1])]
            let usual = try pixels(TIFFSample([page]))
            page.extra.append((529, 5, [1, 0, 1, 0, 1, 0]))
            #expect(try pixels(TIFFSample([page])) == usual)
        }

        @Test("Palettes of more than 256 colours") func widePalette() throws {
            var page = TIFFSample.Page(width: 2, height: 1, bits: [16], photometric: 3, chunks: [[0x34, 0x12, 0xFF, 0xFF]])
            let ramp = Array(0..<65536)
            page.extra = [(320, 3, ramp + ramp.reversed() + ramp.map { _ in 0 })]
            #expect(try pixels(TIFFSample([page])) == [0x12, 0xED, 0, 255, 255, 0, 0, 255])
        }

        /// Old writers put 8 bits where 16 belong; libtiff's own reader knows them by their largest entry, too.
        @Test("Palettes whose entries have 8 bits", arguments: [1, 8]) func shortPalette(bits: Int) throws {
            let count = 1 << bits
            var page = TIFFSample.Page(width: 1, height: 1, bits: [bits], photometric: 3, chunks: [[bits == 1 ? 0x80 : 1]])
            func map(_ color: [Int]) -> [Int] { color.flatMap { value in (0..<count).map { $0 == 1 ? value : 0 } } }
            page.extra = [(320, 3, map([200, 100, 255]))]
            #expect(try pixels(TIFFSample([page])) == [200, 100, 255, 255])
            page.extra = [(320, 3, map([200, 100, 256]))]
            #expect(try pixels(TIFFSample([page])) == [1, 0, 1, 255])
        }

        #if JPEG
            /// Each plane is a separate JPEG file.
            @Test("Planes of brightness and colour differences, compressed as JPEG") func jpegPlanes() throws {
                var page = TIFFSample.Page(width: 8, height: 8, bits: [8, 8, 8], photometric: 6)
                page.chunks = [76, 85, 255].map { JPEGFlatFile(blocks: [[$0]], across: 1).bytes }
                page.extra = [(259, 3, [7]), (284, 3, [2]), (530, 3, [1, 1])]
                for (byte, value) in try pixels(TIFFSample([page])).enumerated() {
                    #expect(abs(Int(value) - [254, 0, 0, 255][byte % 4]) <= 2)
                }
                page.extra[2].values = [2, 2]
                let error = #expect(throws: ImageError.self) { try pixels(TIFFSample([page])) }
                #expect(error?.code == .unsupported)
            }
        #endif

        @Test("Alpha of 16 bits, and of grey") func deepAlpha() throws {
            let words = [0x8000, 0x4000, 0, 0x8000].flatMap { TIFFSample.little($0, 2) }
            var page = TIFFSample.Page(width: 1, height: 1, bits: [16, 16, 16, 16], photometric: 2, chunks: [words])
            page.extra = [(338, 3, [2])]
            #expect(try pixels(TIFFSample([page])) == [128, 64, 0, 128])
            page.extra = [(338, 3, [1])]
            #expect(try pixels(TIFFSample([page])) == [255, 128, 0, 128])
            var gray = TIFFSample.Page(width: 1, height: 1, bits: [8, 8], chunks: [[90, 51]])
            gray.extra = [(338, 3, [2])]
            #expect(try pixels(TIFFSample([gray])) == [90, 90, 90, 51])
        }
    }
#endif

#if QOI
    import GannetCodecs
    import GannetCore
    import Testing

    /// Handwritten chunks, each kind once.
    @Suite struct QOIDecoderTests {
        private func file(_ width: Int, _ chunks: [UInt8], channels: UInt8 = 4, space: UInt8 = 0) -> [UInt8] {
            [0x71, 0x6F, 0x69, 0x66, 0, 0, 0, UInt8(width), 0, 0, 0, 1, channels, space] + chunks + [0, 0, 0, 0, 0, 0, 0, 1]
        }

        private func decode(_ bytes: [UInt8]) throws(ImageError) -> (pixels: [UInt8], header: ImageHeader) {
            var options = DecodeOptions()
            options.alpha = .straight
            let decoder = try QOICoder().makeDecoder(
                for: .qoi, options: ResolvedDecodeOptions(options), environment: DecodeEnvironment())
            _ = try decoder.read(from: ByteRope(bytes))
            guard let header = decoder.header, let layout = decoder.outputLayout else { throw ImageError(.misuse, "none") }
            var buffer = try PixelBuffer(layout)
            try decoder.decodeFrame(at: 0, into: &buffer)
            return (buffer.freeze().packedBytes(), header)
        }

        @Test func everyKindOfChunk() throws {
            let chunks: [UInt8] = [
                // Red, green, blue; then with alpha.
                0xFE, 10, 20, 30,
                0xFF, 1, 2, 3, 4,
                // Differences of −2 … 1, which wrap around.
                0x4E,
                // Green by 5, red by 5 − 8, blue by 5 + 7.
                0xA5, 0x0F,
                // Two more of the same.
                0xC1,
                // The first colour again, by its place: 10 · 3 + 20 · 5 + 30 · 7 + 255 · 11, modulo 64.
                9,
            ]
            let (pixels, header) = try decode(file(7, chunks))
            #expect(
                pixels == [
                    10, 20, 30, 255, 1, 2, 3, 4, 255, 3, 3, 4, 252, 8, 15, 4, 252, 8, 15, 4, 252, 8, 15, 4, 10, 20, 30, 255,
                ])
            #expect(header.hasAlpha)
            #expect(header.colorSpace == .sRGB)
        }

        @Test func threeChannelsAreOpaque() throws {
            let (pixels, header) = try decode(file(1, [0xFF, 1, 2, 3, 4], channels: 3, space: 1))
            #expect(pixels == [1, 2, 3, 255])
            #expect(!header.hasAlpha)
            // The byte for “linear” informs, and changes nothing: Pillow sets it on sRGB.
            #expect(header.colorSpace == .sRGB)
        }

        @Test func picturesBeginBlackAndOpaque() throws {
            #expect(try decode(file(2, [0xC1])).pixels == [0, 0, 0, 255, 0, 0, 0, 255])
        }

        /// The end mark is missing, or cut short: all pixels are there.
        @Test(arguments: 0..<8) func withoutItsEnd(count: Int) throws {
            let whole = file(3, [0xFE, 10, 20, 30, 0xC1])
            #expect(try decode(Array(whole.dropLast(8 - count))).pixels == decode(whole).pixels)
            let error = #expect(throws: ImageError.self) { try decode(Array(whole.dropLast(9))) }
            #expect(error?.code == .truncated)
        }

        /// Pixels are missing, and the end mark stands in their place.
        @Test func anEndThatComesTooEarly() {
            for width in 2..<12 {
                let error = #expect(throws: ImageError.self) { try decode(file(width, [0xFE, 10, 20, 30])) }
                #expect(error?.code == .truncated, "\(width)")
            }
        }

        @Test func brokenHeadersAreCorrupt() {
            for (place, value) in [(7, 0), (11, 0), (12, 5), (13, 2)] {
                var bytes = file(1, [0xC0])
                bytes[place] = UInt8(value)
                do {
                    _ = try decode(bytes)
                    Issue.record("byte \(place) of \(value) is accepted")
                } catch { #expect(error.code == .corrupt) }
            }
        }
    }
#endif

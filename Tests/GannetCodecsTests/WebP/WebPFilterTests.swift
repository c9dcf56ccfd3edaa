#if WebP
    import GannetCore
    import GannetKernels
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// Thumbnails that are smaller by four and more each way are decoded without libwebp's filter of block borders.
    @Suite struct WebPFilterTests {
        /// Waves, a fifth of them half clear, or opaque.
        private static func file(isOpaque: Bool) throws -> [UInt8] {
            var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 256, 192), alpha: isOpaque ? .opaque : .straight))
            for y in 0..<192 {
                var row = buffer.mutablePixels(y)
                for x in row.indices {
                    let wave = UInt32((x * x / 40 + y * y / 56) & 127) + UInt32(x / 4)
                    let alpha: UInt32 = isOpaque || (x / 8 + y / 8) % 5 > 0 ? 255 : 128
                    row[x] = (alpha << 24 | wave << 16 | (wave / 2) << 8 | UInt32(y)).littleEndian
                }
            }
            return try WebPEncoder(options: EncodeOptions(quality: 40)).encode(TestImages.still(buffer.freeze()))
        }

        private func decode(_ file: [UInt8], at target: DecodeTarget) throws -> Bitmap {
            var options = DecodeOptions()
            options.target = target
            let decoder = WebPDecoder(options: ResolvedDecodeOptions(options), environment: DecodeEnvironment())
            _ = try decoder.read(from: ByteRope(file))
            var buffer = try PixelBuffer(try #require(decoder.outputLayout))
            try decoder.decodeFrame(at: 0, into: &buffer)
            return buffer.freeze()
        }

        @Test func `With alpha, where libwebp does not shrink, the filter is left out from a quarter of the size on`() throws {
            let file = try Self.file(isOpaque: false)
            let whole = try decode(file, at: .original)
            let small = try decode(file, at: .size(.fit(64, 48)))
            #expect(small.size == whole.size && small.packedBytes() != whole.packedBytes())
            let size = PixelSize(clamping: 64, 48)
            let (expected, found) = (try resample(whole, to: size), try resample(small, to: size))
            let difference = try #require(ImageDifference(found, expected))
            #expect(difference.peakSignalToNoise >= 40)
            // Blocks would be seen from here on.
            let larger = try decode(file, at: .size(.fit(65, 49)))
            #expect(larger.packedBytes() == whole.packedBytes())
        }

        @Test func `Where libwebp shrinks, it leaves the filter out by itself`() throws {
            let file = try Self.file(isOpaque: true)
            let layout = PixelLayout(size: PixelSize(clamping: 128, 96), alpha: .opaque)
            let images = try [true, false].map { isFiltered in
                var buffer = try PixelBuffer(layout)
                try buffer.withUnsafeRows { (base, _) throws(ImageError) in
                    var handle = try WebPStillHandle(
                        premultiplied: false, scaled: layout.size, isFiltered: isFiltered, threads: 1, target: (base, layout))
                    let isWhole = try file.withUnsafeBufferPointer { (all) throws(ImageError) in try handle.update(all) }
                    #expect(isWhole)
                }
                return buffer.freeze().packedBytes()
            }
            #expect(images[0] == images[1])
        }
    }
#endif

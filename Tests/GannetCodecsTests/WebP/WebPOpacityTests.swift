#if WebP
    import GannetCodecs
    import GannetCore
    import GannetKernels
    import GannetTesting
    import Testing

    /// Lossless files whose header denies alpha although their pixels have some: header and pixels agree that they are opaque.
    struct WebPOpacityTests {
        private let coder = WebPCoder()
        /// The file with the bit `alpha_is_used` cleared.
        private let file: [UInt8]
        /// The stored colours, with every alpha at its maximum.
        private let expected: Bitmap

        init() throws {
            let encoder = try #require(try coder.makeEncoder(for: .webp, options: EncodeOptions(quality: 100)))
            var file = try encoder.encode(TestImages.still(TestImages.discs(width: 96, height: 64)))
            var options = DecodeOptions()
            options.alpha = .straight
            var pixels = try Self.decode(file, options).mutableCopy()
            for y in 0..<pixels.size.height {
                var row = pixels.mutablePixels(y)
                for x in 0..<row.count { row[x] |= 0xFF00_0000 }
            }
            pixels.setAlpha(.opaque)
            expected = pixels.freeze()
            let picture = try #require((12..<file.count).first { file[$0..<$0 + 4].elementsEqual("VP8L".utf8) })
            // Behind the chunk's header: a signature of one byte, 14 bits of width, 14 of height, then the bit.
            try #require(file[picture + 12] & 0x10 != 0)
            file[picture + 12] &= ~0x10
            self.file = file
        }

        private static func decoder(_ bytes: [UInt8], _ options: DecodeOptions) throws -> any ImageDecoder {
            let decoder = try WebPCoder().makeDecoder(
                for: .webp, options: ResolvedDecodeOptions(options), environment: DecodeEnvironment())
            #expect(try decoder.read(from: ByteRope(bytes)) == .finished)
            return decoder
        }

        private static func decode(_ bytes: [UInt8], _ options: DecodeOptions) throws -> Bitmap {
            let decoder = try decoder(bytes, options)
            var buffer = try PixelBuffer(try #require(decoder.outputLayout))
            try decoder.decodeFrame(at: 0, into: &buffer)
            return buffer.freeze()
        }

        /// The same picture behind an extended header, whose flags say that there is alpha.
        private var extended: [UInt8] {
            func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
                let size = UInt32(content.count)
                return Array(type.utf8) + (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } + content
            }
            let picture = (12..<file.count).first { file[$0..<$0 + 4].elementsEqual("VP8L".utf8) } ?? 12
            return chunk(
                "RIFF",
                Array("WEBP".utf8) + chunk("VP8X", [0x10, 0, 0, 0, 95, 0, 0, 63, 0, 0]) + file[picture...])
        }

        @Test(arguments: [AlphaMode.straight, .premultiplied]) func headerAndPixelsAreOpaque(alpha: AlphaMode) throws {
            var options = DecodeOptions()
            options.alpha = alpha
            for bytes in [file, extended] {
                #expect(try Self.decoder(bytes, options).header?.hasAlpha == false)
                let bitmap = try Self.decode(bytes, options)
                #expect(bitmap.layout.alpha == .opaque)
                let looked = try bitmap.withAlphaMode()
                #expect(isOpaque(looked) && ImageDifference(bitmap, expected)?.largest == 0)
            }
        }

        /// The library weighs by alpha where it shrinks, and colours without alpha would be lost.
        @Test func smallSizesHaveTheStoredColours() throws {
            var options = DecodeOptions()
            options.target = .size(.fit(16, 16))
            let bitmap = try Self.decode(file, options)
            let looked = try bitmap.withAlphaMode()
            #expect(bitmap.layout.alpha == .opaque && isOpaque(looked))
            let small = try resample(expected, to: bitmap.size)
            let difference = try #require(ImageDifference(bitmap, small))
            #expect(difference.largest < 12, "\(difference)")
        }

        @Test func previewsAreOpaque() throws {
            let decoder = try WebPCoder().makeDecoder(
                for: .webp, options: ResolvedDecodeOptions(DecodeOptions()), environment: DecodeEnvironment())
            _ = try decoder.read(from: ByteRope(file))
            var buffer = try PixelBuffer(try #require(decoder.outputLayout))
            try #require(try decoder.decodePreview(into: &buffer))
            let looked = try buffer.freeze().withAlphaMode()
            #expect(isOpaque(looked) && ImageDifference(looked, expected)?.largest == 0)
        }

        /// Rows that are missing are clear, and no others.
        @Test func theBeginningOfAFileIsOpaque() throws {
            var options = DecodeOptions()
            options.allowsPartial = true
            let bytes = try Self.decode(Array(file.dropLast(file.count / 4)), options).packedBytes()
            let alphas = stride(from: 3, to: bytes.count, by: 4).map { bytes[$0] }
            #expect(Set(alphas).isSubset(of: [0, 255]))
        }
    }

    extension Bitmap {
        /// The same bytes, marked as having alpha, so that the pixels are examined.
        fileprivate func withAlphaMode() throws -> Bitmap {
            var buffer = try mutableCopy()
            buffer.setAlpha(.premultiplied)
            return buffer.freeze()
        }
    }
#endif

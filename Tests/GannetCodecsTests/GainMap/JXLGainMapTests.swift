#if JXL && ColorManagement
    import GannetCore
    import GannetImages
    import GannetTesting
    import Glibc
    import Testing

    @testable import GannetCodecs

    /// The gain map of a JPEG XL file. CD-44, NW-01
    @Suite("Gain maps of JPEG XL") struct JXLGainMapTests {
        private func codestream(_ bitmap: Bitmap, quality: Int = 100) throws -> [UInt8] {
            let encoder = try JXLCoder().makeEncoder(for: .jxl, options: EncodeOptions(format: .jxl, quality: quality))
            return JXLBoxes.codestream(try #require(encoder).encode(TestImages.still(bitmap)))
        }

        private func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
            let length = body.count + 8
            return stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: length >> $0) } + Array(type.utf8) + body
        }

        private func file(_ image: [UInt8], _ bundle: [UInt8]) -> [UInt8] {
            [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A] + box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
                + box("jhgm", bundle) + box("jxlc", image)
        }

        private func bundle(_ metadata: [UInt8], colors: [UInt8] = [], profile: [UInt8] = [], map: [UInt8]) -> [UInt8] {
            let length: [UInt8] = [0, UInt8(metadata.count)]
            let head = [0] + length + metadata + [UInt8(colors.count)] + colors
            return head + [0, 0, 0, UInt8(profile.count)] + profile + map
        }

        private func sample() throws -> (base: [UInt8], map: [UInt8], metadata: GainMapMetadata) {
            let base = try TestImages.draw(width: 64, height: 32, alpha: .opaque) { _, _ in 0xFF80_8080 }
            let map = try TestImages.draw(width: 32, height: 16, alpha: .opaque) { x, _ in x < 16 ? 0xFF00_0000 : 0xFFFF_FFFF }
            let channel = GainMapMetadata.Channel(maximum: 2)
            let numbers = try #require(GainMapMetadata(channel, channel, channel, baseHeadroom: 0, alternateHeadroom: 2))
            return (try codestream(base), try codestream(map), numbers)
        }

        private func decoded(_ file: [UInt8], _ range: DynamicRange) throws -> DecodedImage {
            var environment = DecodeEnvironment()
            environment.colorManager = LCMSColorManager()
            var options = ResolvedDecodeOptions()
            options.dynamicRange = range
            return try ImageDecoding(coders: CodersManager([JXLCoder()]), environment: environment)
                .decode(ByteRope(file), options: options)
        }

        private func found(_ file: [UInt8]) -> EncodedGainMap? { JXLCoder().gainMap(in: ByteRope(file), limits: .standard) }

        // CD-44
        @Test func itIsFoundAndApplied() throws {
            let (base, map, metadata) = try sample()
            let file = file(base, bundle(ISOGainMap.content(metadata), colors: [1], profile: [7, 7], map: map))
            let encoded = try #require(found(file))
            #expect(encoded.size == PixelSize(width: 32, height: 16) && encoded.metadata == metadata && encoded.format == .iso)
            #expect(try decoded(file, .standard).metadata.hadGainMap)
            let bitmap = try decoded(file, .high).bitmap
            #expect(bitmap.dynamicRange == .high(headroom: 4))
            let gray = HighRangeLight.sRGB(128.0 / 255)
            for (x, gain) in [(8, 1.0), (56, 4.0)] {
                let pixel = HighRangeLight.samples(bitmap)[16 * 64 + x]
                let light = HighRangeLight.light(ofPQ: Double(pixel[0]) / 65_535) / 203
                #expect(abs(light / ((gray + 1.0 / 64) * gain - 1.0 / 64) - 1) < 0.01, "\(x)")
            }
        }

        /// An image in PQ whose map makes standard range of it: no gain on the left, and four on the right.
        // CD-44, NW-01
        @Test func standardRangeIsTheAuthors() throws {
            var layout = PixelLayout(size: PixelSize(clamping: 64, 32), format: .rgba16, alpha: .opaque)
            layout.dynamicRange = .high
            var buffer = try PixelBuffer(layout)
            let signal = Int(HighRangeLight.pq(0.8 * 203) * 65_535 + 0.5)
            buffer.withUnsafeRows { row, stride in
                for byte in stride * 0..<stride * 32 {
                    row[byte] = byte % 8 > 5 ? 255 : UInt8(byte % 2 == 0 ? signal & 255 : signal >> 8)
                }
            }
            let channel = GainMapMetadata.Channel(maximum: 2)
            let numbers = try #require(GainMapMetadata(channel, channel, channel, baseHeadroom: 2, alternateHeadroom: 0))
            let image = try decoded(
                file(try codestream(buffer.freeze()), bundle(ISOGainMap.content(numbers), map: try sample().map)), .standard)
            #expect(image.metadata.isStandardByGainMap && image.bitmap.dynamicRange == .standard)
            // 0.8 of white, and (0.8 + 1/64) / 4 − 1/64 = 0.18828.
            for (x, wanted) in [(8, 0.8), (56, 0.18828)] {
                let light = HighRangeLight.sRGB(Double(image.bitmap.row(16)[4 * x + 1]) / 255)
                #expect(abs(light / wanted - 1) < 0.02, "\(x): \(light)")
            }
        }

        /// With the version that HEIF's item has before the numbers.
        @Test func metadataMayHaveAVersionBefore() throws {
            let (base, map, metadata) = try sample()
            #expect(found(file(base, bundle([0] + ISOGainMap.content(metadata), map: map)))?.metadata == metadata)
        }

        @Test func whatIsWrongIsNoMap() throws {
            let (base, map, metadata) = try sample()
            let right = bundle(ISOGainMap.content(metadata), map: map)
            #expect(found(base) == nil)
            #expect(found(file(base, [1] + right.dropFirst())) == nil)
            #expect(found(file(base, bundle([0, 0, 0], map: map))) == nil)
            #expect(found(file(base, bundle(ISOGainMap.content(metadata), map: [1, 2, 3]))) == nil)
            for count in 0..<71 { #expect(found(file(base, Array(right.prefix(count)))) == nil) }
            // Lengths that lead beyond the box.
            for place in [1, 2, 64, 65, 66] {
                var bytes = right
                bytes[place] = 255
                #expect(found(file(base, bytes)) == nil, "\(place)")
            }
        }

        /// The size without the library, for all forms that it has.
        @Test(arguments: [(64, 32), (8, 8), (256, 256), (100, 75), (300, 10), (1000, 600), (33, 17), (512, 511)])
        func sizesAreReadFromTheFirstBits(_ width: Int, _ height: Int) throws {
            let bytes = try codestream(TestImages.flat(width: width, height: height))
            let header = try #require(JXLSizeHeader(bytes))
            #expect(header.size == PixelSize(width: width, height: height) && !header.isGray)
        }
    }
#endif

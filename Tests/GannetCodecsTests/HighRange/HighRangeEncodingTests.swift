#if PNG && ColorManagement
    import GannetCore
    import GannetImages
    import GannetKernels
    import Testing

    @testable import GannetCodecs

    /// High range written to files, and read again. CX-15
    @Suite struct HighRangeEncodingTests {
        /// Light from 0.05 to 4000 cd/m² to the right, and all mixtures of colours below.
        private func image(hasAlpha: Bool = false, range: DynamicRange = .high(headroom: 4)) throws -> DecodedImage {
            let size = PixelSize(clamping: 48, 40)
            var layout = PixelLayout(size: size, format: .rgba16, alpha: hasAlpha ? .straight : .opaque)
            layout.dynamicRange = range
            var buffer = try PixelBuffer(layout)
            for y in 0..<size.height {
                var row = buffer.mutableRow(y)
                for x in 0..<size.width {
                    let level = 4000 + x * 1100
                    let alpha = hasAlpha ? min(65_535, 20_000 + y * 1200) : 65_535
                    for (index, value) in [level, level - y * 60, max(level - y * 90, 0), alpha].enumerated() {
                        (row[8 * x + 2 * index], row[8 * x + 2 * index + 1]) = (UInt8(value & 255), UInt8(value >> 8))
                    }
                }
            }
            return .still(buffer.freeze(), ImageMetadata(format: nil, originalSize: size))
        }

        private func encoded(_ image: DecodedImage, _ format: ImageFormat, quality: Int = 100) throws -> [UInt8] {
            try ImageEncoding(coders: AvailableCoders.manager)
                .encode(image, options: EncodeOptions(format: format, quality: quality)).bytes.contiguous()
        }

        private func decoding() -> ImageDecoding {
            var environment = DecodeEnvironment()
            environment.colorManager = LCMSColorManager()
            return ImageDecoding(coders: AvailableCoders.manager, environment: environment)
        }

        private func decoded(_ file: [UInt8], _ range: DynamicRange = .high) throws -> Bitmap {
            var options = ResolvedDecodeOptions()
            (options.dynamicRange, options.alpha) = (range, .straight)
            return try decoding().decode(ByteRope(file), options: options).bitmap
        }

        private func header(_ file: [UInt8]) throws -> ImageHeader { try decoding().header(of: ByteRope(file)) }

        // CX-15
        @Test(arguments: [false, true]) func pngIsTheSame(hasAlpha: Bool) throws {
            let image = try image(hasAlpha: hasAlpha)
            let file = try encoded(image, .png)
            let again = try decoded(file)
            #expect(again.packedBytes() == image.bitmap.packedBytes() && again.dynamicRange == .high(headroom: 4))
            let header = try header(file)
            #expect(
                header.bitDepth == 16 && header.colorSpace.cicp == CICP(primaries: 9, transfer: 16, matrix: 0, isFullRange: true))
            #expect(header.colorSpace.brightest == 812 && header.colorSpace.iccProfile.isEmpty)
        }

        /// PNG, third edition, 11.3.2.6, with the checksum of ISO 3309 made bit by bit.
        @Test func theChunkOfPNGIsThatOfTheStandard() throws {
            let file = try encoded(try image(), .png)
            let content = Array("cICP".utf8) + [9, 16, 0, 1]
            var sum: UInt32 = 0xFFFF_FFFF
            for byte in content {
                sum ^= UInt32(byte)
                for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
            }
            let chunk: [UInt8] = [0, 0, 0, 4] + content + PNGWriter.bytes(Int(~sum))
            // Right behind IHDR, before all image data.
            #expect(Array(file[33..<33 + chunk.count]) == chunk)
            let text = String(decoding: file, as: Unicode.ASCII.self)
            #expect(!text.contains("iCCP") && !text.contains("sRGB") && !text.contains("gAMA"))
            let unknown = try encoded(try image(range: .high), .png)
            #expect(!String(decoding: unknown, as: Unicode.ASCII.self).contains("cLLI"))
        }

        /// An APNG has 8 bits, which have no room for PQ.
        @Test func anAnimationInPNGIsInStandardRange() throws {
            let bitmap = try image().bitmap
            let clip = DecodedImage.animated(
                AnimatedImage(
                    metadata: ImageMetadata(format: nil, originalSize: bitmap.size), poster: bitmap, loopCount: 0,
                    delays: [.milliseconds(50), .milliseconds(50)], source: FrameArray([bitmap, bitmap])))
            let file = try encoded(clip, .png)
            #expect(try header(file).colorSpace.cicp == nil)
            let wanted = try narrowed(standardRange(bitmap))
            #expect(try decoded(file).packedBytes() == wanted.packedBytes())
        }

        #if AVIF
            /// Lossless with 12 bits; otherwise with 10, in luma and chroma of BT.2020.
            // NW-02
            @Test(arguments: [(100, 12, 0, 17), (95, 10, 9, 700), (60, 10, 9, 4000)])
            func avifKeepsItsLight(_ quality: Int, _ depth: Int, _ matrix: Int, _ tolerance: Int) throws {
                let image = try image()
                let file = try encoded(image, .avif, quality: quality)
                let header = try header(file)
                #expect(header.bitDepth == depth)
                #expect(
                    header.colorSpace.cicp == CICP(primaries: 9, transfer: 16, matrix: matrix, isFullRange: true))
                let again = try decoded(file)
                #expect(again.dynamicRange.isHigh)
                expectNear(again, image.bitmap, tolerance)
            }
        #endif

        #if JXL
            @Test(arguments: [(100, 0), (90, 6000)]) func jxlKeepsItsLight(_ quality: Int, _ tolerance: Int) throws {
                let image = try image(hasAlpha: quality == 100)
                let file = try encoded(image, .jxl, quality: quality)
                let header = try header(file)
                #expect(header.bitDepth == 16 && header.colorSpace.cicp?.primaries == 9 && header.colorSpace.cicp?.transfer == 16)
                let again = try decoded(file)
                #expect(again.dynamicRange == .high)
                expectNear(again, image.bitmap, tolerance)
            }
        #endif

        private func expectNear(_ found: Bitmap, _ wanted: Bitmap, _ tolerance: Int) {
            let differences = zip(HighRangeLight.samples(found), HighRangeLight.samples(wanted)).map { a, b in
                zip(a, b).map { abs($0 - $1) }.max() ?? 0
            }
            let worst = differences.max() ?? 0
            #expect(worst <= tolerance)
        }

        /// Formats without a place for PQ have the image that standard range has, in as many bits as they had before.
        @Test(arguments: [ImageFormat.tiff, .pnm, .webp, .gif, .heic, .jpeg]) func othersAreInStandardRange(_ format: ImageFormat)
            throws
        {
            let image = try image()
            guard (try? AvailableCoders.manager.encoder(for: format, options: EncodeOptions())) != nil else { return }
            let file = try encoded(image, format)
            let mapped = DecodedImage.still(try standardRange(image.bitmap), image.metadata)
            #expect(mapped.bitmap.layout.format == .rgba16 && mapped.bitmap.dynamicRange == .standard)
            let wanted = try encoded(mapped, format)
            let (found, other) = (try decoded(file), try decoded(wanted))
            #expect(found.dynamicRange == .standard && found.packedBytes() == other.packedBytes())
            // The numbers of PQ would be those of a pale image: white is 58 % there.
            let middle = try narrowed(mapped.bitmap)
            let (x, y) = (31, 0)
            let place = (y * middle.width + x) * 4
            #expect(Int(middle.packedBytes()[place]) > Int(HighRangeLight.samples(image.bitmap)[x][0] >> 8) + 30)
        }

        /// Where no format is named, one that has the light: not the JPEG that it came from.
        @Test(arguments: [(ImageFormat.jpeg, ImageFormat.png), (.heic, .png), (.png, .png)]) func theFormatHasTheLight(
            _ own: ImageFormat, _ chosen: ImageFormat
        ) throws {
            let bitmap = try image().bitmap
            let still = DecodedImage.still(bitmap, ImageMetadata(format: own, originalSize: bitmap.size))
            let file = try ImageEncoding(coders: AvailableCoders.manager).encode(still)
            #expect(file.format == chosen)
            #expect(try header(file.bytes.contiguous()).colorSpace.isHDR)
            #expect(bitmap.encodingBytes >= 2 * bitmap.layout.byteCount)
        }

        /// The mapping is the one that a decode in standard range has.
        @Test func mappedLaterIsMappedAlike() throws {
            let file = try encoded(try image(), .png)
            var options = ResolvedDecodeOptions()
            options.alpha = .straight
            let early = try decoding().decode(ByteRope(file), options: options).bitmap
            let late = try narrowed(standardRange(try decoded(file)))
            #expect(early.packedBytes() == late.packedBytes())
        }
    }
#endif

#if JPEG
    import GannetCore
    import Testing

    @testable import GannetCodecs

    /// The scans of a whole progressive file are decoded side by side, and only those that the size needs.
    @Suite("Progressive JPEG and its thumbnails") struct JPEGThumbnailTests {  // CD-31, U-02
        private static let options = {
            var options = DecodeOptions()
            options.target = .size(.fit(16, 16))
            return options
        }()

        /// The other way: previews are made of all scans, so nothing is left out.
        private func withAllScans(_ file: [UInt8], _ options: DecodeOptions = options) throws -> Bitmap {
            let decoder = JPEGDecoder(options: ResolvedDecodeOptions(options), environment: DecodeEnvironment())
            var rope = ByteRope(Array(file.prefix(file.count / 2)), isComplete: false)
            _ = try decoder.read(from: rope)
            var buffer = try PixelBuffer(try #require(decoder.outputLayout))
            _ = try decoder.decodePreview(into: &buffer)
            rope.append(Array(file.dropFirst(file.count / 2)))
            rope.isComplete = true
            _ = try decoder.read(from: rope)
            return try JPEGSamples.decode(decoder)
        }

        @Test("Scans side by side make the same pixels as scans one after the other", arguments: [60, 95])
        func sideBySide(quality: Int) throws {
            // Large enough for it to be worth it.
            let file = try JPEGSamples.file(733, 517, EncodeOptions(quality: quality, progressive: true))
            let straight = try JPEGSamples.decode(file)
            #expect(straight.packedBytes() == (try withAllScans(file, DecodeOptions())).packedBytes())
        }

        // U-02
        @Test func littleMemoryIsNeeded() throws {
            // Three channels of 96 × 80 blocks: all coefficients are 2.8 MiB, a row of them 37 KB.
            let file = try JPEGSamples.file(768, 640, EncodeOptions(quality: 95, progressive: true))
            var options = DecodeOptions()
            options.target = .size(.fit(32, 32))
            for (wanted, capacity) in [(options, 100_000), (DecodeOptions(), 600_000)] {
                let budget = ResourceBudget(capacity: capacity)
                _ = try JPEGSamples.decode(JPEGSamples.decoder(file, wanted, budget: budget))
                #expect(budget.usedBytes == 0)
            }
            // While bytes arrive they have to be kept.
            let decoder = JPEGDecoder(
                options: ResolvedDecodeOptions(), environment: DecodeEnvironment(budget: ResourceBudget(capacity: 600_000)))
            _ = try decoder.read(from: ByteRope(Array(file.prefix(file.count / 2)), isComplete: false))
            var buffer = try PixelBuffer(try #require(decoder.outputLayout))
            #expect(JPEGSamples.code { _ = try decoder.decodePreview(into: &buffer) } == .limitExceeded)
        }

        @Test func truncationsAreErrors() throws {
            let file = try JPEGSamples.file(320, 240, EncodeOptions(quality: 85, progressive: true))
            for count in stride(from: 2, to: file.count - 2, by: 7) {
                #expect(
                    JPEGSamples.code { _ = try JPEGSamples.decode(Array(file.prefix(count)), Self.options) } == .truncated,
                    "\(count) of \(file.count) bytes")
            }
            // The end marker alone is no loss; the library decodes it then, whose filter is another one.
            let whole = try JPEGSamples.decode(file, Self.options)
            #expect(JPEGSamples.psnr(try JPEGSamples.decode(Array(file.dropLast(2)), Self.options), whole) > 35)
        }

        @Test func scansThatAreLeftOutCountToo() throws {
            let file = try JPEGSamples.file(320, 240, EncodeOptions(quality: 85, progressive: true))
            let scans = file.indices.dropLast().count { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
            func code(_ maximum: Int) -> ImageError.Code? {
                JPEGSamples.code {
                    _ = try JPEGSamples.decode(
                        JPEGSamples.decoder(file, Self.options, limits: DecodeLimits(maximumScans: maximum)))
                }
            }
            #expect(code(scans) == nil)
            #expect(code(scans - 1) == .limitExceeded)
        }

        @Test("Changed bytes are survived, and refused or decoded alike each time")
        func changedBytes() throws {  // U-05
            let file = try JPEGSamples.file(160, 120, EncodeOptions(quality: 60, progressive: true))
            var options = Self.options
            options.target = .size(.fit(8, 8))
            for index in stride(from: 2, to: file.count, by: 5) {
                var bytes = file
                bytes[index] ^= 0x5A
                let first = JPEGSamples.code { _ = try JPEGSamples.decode(bytes, options) }
                let second = JPEGSamples.code { _ = try JPEGSamples.decode(bytes, options) }
                #expect(first == second)
                #expect(first != .misuse)
            }
        }

        @Test func smallFilesOfManyScansDoNotTakeLong() throws {
            // 4000 × 4000 grey pixels in 500 scans that say nothing: 125 million blocks for 33 KB.
            let side = 4000
            let blocks = side / 8 * (side / 8)
            var file: [UInt8] = [0xFF, 0xD8]
            file += JPEGSamples.segment(0xDB, [0] + [UInt8](repeating: 8, count: 64))
            file += JPEGSamples.segment(
                0xC2, [8, UInt8(side >> 8), UInt8(side & 255), UInt8(side >> 8), UInt8(side & 255), 1, 1, 0x11, 0])
            // One code of one bit in each table: no difference; and "the next 16,384 blocks and more are empty".
            file += JPEGSamples.segment(0xC4, [0, 1] + [UInt8](repeating: 0, count: 15) + [0])
            file += JPEGSamples.segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0xE0])
            file += JPEGSamples.segment(0xDA, [1, 1, 0, 0, 0, 0]) + [UInt8](repeating: 0, count: (blocks + 7) / 8)
            // 15 zero bits for each run of 16,384 blocks.
            let runs = (blocks + 16_383) / 16_384
            let empty = [UInt8](repeating: 0, count: (runs * 15 + 7) / 8)
            var scans = 1
            for coefficient in 1...63 {
                for level in stride(from: 13, through: 0, by: -1) where scans < 500 {
                    let position = UInt8(coefficient)
                    file += JPEGSamples.segment(
                        0xDA, [1, 1, 0, position, position, (level == 13 ? 0 : UInt8(level + 1)) << 4 | UInt8(level)])
                    file += empty
                    scans += 1
                }
            }
            file += [0xFF, 0xD9]
            #expect(JPEGSamples.code { _ = try JPEGSamples.decode(file) } == .limitExceeded)
            // At an eighth of the size they are useless and not examined.
            var options = DecodeOptions()
            options.target = .size(.fit(100, 100))
            #expect(JPEGSamples.code { _ = try JPEGSamples.decode(file, options) } == nil)
        }
    }
#endif

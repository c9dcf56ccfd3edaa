#if PNG
    import GannetCore
    import Testing

    @testable import GannetCodecs

    /// Work and memory that small files can demand.
    @Suite("PNG files that ask for much") struct PNGMemoryTests {  // U-02
        private let sample = PNGSample(width: 6, height: 5, color: .rgb, depth: 8)

        private func environment(metadata: Int) -> DecodeEnvironment {
            DecodeEnvironment(limits: DecodeLimits(maximumMetadataBytes: metadata))
        }

        private func code(_ extra: [(StaticString, [UInt8])], metadata: Int) -> ImageError.Code? {
            PNGDecoding.code {
                _ = try PNGDecoding.pixels(sample.file(extra: extra), PNGDecoding.options(), environment(metadata: metadata))
            }
        }

        private func text(_ text: [UInt8], isDamaged: Bool = false) -> (StaticString, [UInt8]) {
            var packed = PNGSample.zlib(text)
            if isDamaged { packed[packed.count - 1] ^= 1 }
            return ("zTXt", Array("Raw profile type exif".utf8) + [0, 0] + packed)
        }

        @Test(arguments: [false, true]) func textThatIsNoProfileIsCounted(isDamaged: Bool) {
            let nothing = text(Array("\nexif\n 9\n".utf8) + [UInt8](repeating: 0x7A, count: 40_000), isDamaged: isDamaged)
            #expect(code([nothing, nothing], metadata: 200_000) == nil)
            #expect(code([nothing, nothing, nothing], metadata: 100_000) == .limitExceeded)
        }

        @Test func profilesOfAnotherModelAreCountedAndOneIsEnough() throws {
            func profile(_ model: String) -> (StaticString, [UInt8]) {
                var bytes = [UInt8](repeating: 0, count: 1000)
                bytes.replaceSubrange(16..<20, with: Array(model.utf8))
                return ("iCCP", Array("name".utf8) + [0, 0] + PNGSample.zlib(bytes))
            }
            let nothing = text([UInt8](repeating: 0x7A, count: 1000))
            #expect(code([profile("GRAY"), nothing], metadata: 2100) == nil)
            #expect(code([profile("GRAY"), nothing], metadata: 1500) == .limitExceeded)
            #expect(code([profile("GRAY"), profile("GRAY"), profile("GRAY")], metadata: 2100) == nil)
            let file = sample.file(extra: [profile("GRAY"), profile("RGB ")])
            #expect(try PNGDecoding.decoder(file).header?.colorSpace.iccProfile == [])
        }

        @Test(arguments: ["tEXt", "zTXt"], [false, true])
        func hexadecimalDigitsMayBeOfEitherCase(type: String, isUpper: Bool) throws {
            let block: [UInt8] = [
                0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0,
                0xAB, 0xCD, 0xEF,
            ]
            let digits = block.map { byte in
                let digits = (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: isUpper)
                return byte % 5 == 0 ? digits + "\n" : digits
            }
            let written = Array("\nexif\n 29\n\(digits.joined())\n".utf8)
            let chunk: (StaticString, [UInt8]) =
                type == "zTXt" ? text(written) : ("tEXt", Array("Raw profile type exif".utf8) + [0] + written)
            let decoder = try PNGDecoding.decoder(sample.file(extra: [chunk]))
            #expect(decoder.header?.orientation == .right)
            #expect(decoder.exif == block)
        }

        // MARK: - Long rows

        /// 16 bits a sample, four samples a pixel, all zero.
        private func wide(_ width: Int, _ height: Int) -> [UInt8] {
            let shape = PNGSample(width: width, height: height, color: .rgba, depth: 16)
            var writer = PNGWriter()
            writer.chunk("IHDR", shape.header)
            writer.chunk("IDAT", PNGSample.zlib([UInt8](repeating: 0, count: (width * 8 + 1) * height)))
            writer.chunk("IEND", [])
            return writer.bytes
        }

        @Test func longRowsAreReserved() throws {
            let file = wide(150_000, 2)
            let options = PNGDecoding.options { $0.target = .size(.fit(100, 100)) }
            let enough = ResourceBudget(capacity: 8 << 20)
            let decoder = try PNGDecoding.decoder(file, options, DecodeEnvironment(budget: enough))
            #expect(try PNGDecoding.frame(decoder).packedBytes().allSatisfy { $0 == 0 })
            // The row being read, the one above it, and its pixels.
            #expect(enough.peakBytes >= 150_000 * (8 + 8 + 4))
            #expect(enough.usedBytes == 0)
            let tight = DecodeEnvironment(budget: ResourceBudget(capacity: 4 << 20))
            #expect(PNGDecoding.code { _ = try PNGDecoding.pixels(file, options, tight) } == .limitExceeded)
        }

        /// 12 million pixels in a row: two rows of them are 200 MB, and five were held.
        @Test func theLongestRowsAreReadOneByOne() {
            let layout = PNGFile.Layout(size: PixelSize(clamping: 12_500_000, 8), depth: 16, color: .rgba, isInterlaced: false)
            #expect(PNGRowReader.rowBytes(layout, width: 12_500_000, .rgba8) < 500_000_000)
        }

        // MARK: - Animations

        /// All pieces were copied for each one that came: a minute for these 1.6 MB, hours for the largest file.
        @Test func framesMayComeInManyPieces() throws {
            var writer = PNGWriter()
            func control(_ sequence: Int) -> [UInt8] {
                [sequence, 4, 3, 0, 0].flatMap { PNGWriter.bytes($0) } + [0, 1, 0, 10, 0, 0]
            }
            func pixels(_ color: [UInt8]) -> [UInt8] {
                PNGAnimationTests.pack(PNGAnimationTests.Frame(area: PNGAnimationTests.whole, color: color))
            }
            writer.chunk("IHDR", PNGWriter.bytes(4) + PNGWriter.bytes(3) + [8, 6, 0, 0, 0])
            writer.chunk("acTL", PNGWriter.bytes(2) + PNGWriter.bytes(0))
            writer.chunk("fcTL", control(0))
            for _ in 0..<100_000 { writer.chunk("IDAT", []) }
            writer.chunk("IDAT", pixels([1, 2, 3, 255]))
            writer.chunk("fcTL", control(1))
            for index in 0..<100_000 { writer.chunk("fdAT", PNGWriter.bytes(2 + index)) }
            writer.chunk("fdAT", PNGWriter.bytes(100_002) + pixels([4, 5, 6, 255]))
            writer.chunk("IEND", [])
            let decoder = try PNGDecoding.decoder(writer.bytes)
            #expect(decoder.header?.frameCount == 2)
            #expect(try PNGDecoding.frame(decoder).packedBytes().prefix(4) == [1, 2, 3, 255])
            #expect(try PNGDecoding.frame(decoder, 1).packedBytes().prefix(4) == [4, 5, 6, 255])
        }

        /// Beside the picture alone, at a smaller size, the first frame had room for more than the buffer holds.
        @Test func onlyOnePictureIsThereWhereTheFirstIsAskedFor() throws {
            typealias Frame = PNGAnimationTests.Frame
            let frames = [
                Frame(area: PNGAnimationTests.part, color: [5, 6, 7, 255]),
                Frame(area: PNGAnimationTests.whole, color: [8, 9, 10, 255]),
            ]
            let file = PNGAnimationTests.file(frames, still: [255, 0, 0, 255])
            let options = PNGDecoding.options {
                $0.color = .raw
                $0.frames = .first
                $0.target = .size(.fit(2, 2))
            }
            let decoder = try PNGDecoding.decoder(file, options)
            #expect(decoder.header?.frameCount == 1)
            #expect(try PNGDecoding.frame(decoder).packedBytes().prefix(4) == [255, 0, 0, 255])
            #expect(PNGDecoding.code { _ = try PNGDecoding.frame(decoder, 1) } == .misuse)
        }
    }
#endif

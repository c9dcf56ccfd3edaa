#if ICO
    import GannetCodecs
    import GannetCore
    import GannetTesting
    import Testing

    /// Icons put together from parts, for what our encoder does not write.
    @Suite struct ICODecoderTests {
        private struct Part {
            var width: Int
            var height: Int
            var body: [UInt8]
        }

        private func little(_ value: Int, _ count: Int = 4) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }

        private func icon(_ parts: [Part], kind: UInt8 = 1) -> [UInt8] {
            var start = 6 + parts.count * 16
            var bytes: [UInt8] = [0, 0, kind, 0, UInt8(parts.count), 0]
            for part in parts {
                bytes += [UInt8(part.width & 255), UInt8(part.height & 255), 0, 0, 0, 0, 0, 0]
                bytes += little(part.body.count) + little(start)
                start += part.body.count
            }
            return bytes + parts.flatMap(\.body)
        }

        /// One colour, 24 bits, with a mask that hides the top left pixel.
        private func bitmap(_ side: Int, _ color: [UInt8]) -> Part {
            let header =
                little(40) + little(side) + little(side * 2) + [1, 0, 24, 0]
                + [UInt8](repeating: 0, count: 24)
            let row = (0..<side).flatMap { _ in color } + [UInt8](repeating: 0, count: (4 - side * 3 % 4) % 4)
            let step = (side + 31) / 32 * 4
            var mask = [UInt8](repeating: 0, count: step * side)
            mask[step * (side - 1)] = 0x80
            return Part(width: side, height: side, body: header + (0..<side).flatMap { _ in row } + mask)
        }

        private func pixel(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> [UInt8] {
            let start = (y * bitmap.width + x) * 4
            return Array(bitmap.packedBytes()[start..<start + 4])
        }

        @Test func bitsOfTheMaskAreClear() throws {
            let (bitmap, header) = try ICOTrial.decode(icon([bitmap(3, [10, 20, 30])]))
            #expect(header.hasAlpha)
            #expect(pixel(bitmap, 0, 0) == [0, 0, 0, 0])
            #expect(pixel(bitmap, 1, 0) == [30, 20, 10, 255])
            #expect(pixel(bitmap, 0, 2) == [30, 20, 10, 255])
        }

        @Test func cursorsAreIconsToo() throws {
            #expect(try ICOTrial.decode(icon([bitmap(4, [1, 2, 3])], kind: 2)).header.size == PixelSize(width: 4, height: 4))
        }

        @Test func theLargestPictureIsShown() throws {
            let file = icon([bitmap(8, [1, 1, 1]), bitmap(16, [2, 2, 2]), bitmap(4, [3, 3, 3])])
            let (bitmap, header) = try ICOTrial.decode(file)
            #expect(header.size == PixelSize(width: 16, height: 16))
            #expect(pixel(bitmap, 1, 1) == [2, 2, 2, 255])
        }

        @Test func aSmallerPictureIsTakenWhereItSuffices() throws {
            let file = icon([bitmap(8, [1, 1, 1]), bitmap(16, [2, 2, 2]), bitmap(4, [3, 3, 3])])
            for (wish, side) in [(3, 4), (4, 4), (5, 8), (8, 8), (9, 16), (40, 16)] {
                let (bitmap, header) = try ICOTrial.decode(file) { $0.target = .size(.fit(wish, wish)) }
                #expect(header.size.width == 16)
                #expect(bitmap.width == side, "for \(wish) pixels")
            }
        }

        @Test func zeroInTheListIs256() throws {
            let (bitmap, _) = try ICOTrial.decode(icon([bitmap(20, [1, 1, 1]), bitmap(256, [9, 9, 9])]))
            #expect(bitmap.width == 256)
        }

        #if PNG
            @Test func picturesCanBePNG() throws {
                let picture = try TestImages.discs(width: 20, height: 20)
                let encoder = try #require(try PNGCoder().makeEncoder(for: .png, options: EncodeOptions()))
                let png = try encoder.encode(TestImages.still(picture))
                let file = icon([bitmap(16, [1, 1, 1]), Part(width: 20, height: 20, body: png)])
                let (bitmap, header) = try ICOTrial.decode(file)
                #expect(header.format == .ico)
                #expect(ImageDifference(bitmap, picture)?.largest == 0)
                let check = CoderConformance(ICOCoder(), format: .ico, sample: file, name: "png", insignificantTail: 12)
                #expect(check.failures() == [])
            }
        #endif

        // CD-06
        @Test func thumbnailsGoIntoTheFile() throws {
            let picture = TestImages.still(try TestImages.gradient(width: 300, height: 150))
            let encoder = try #require(try ICOCoder().makeEncoder(for: .ico, options: EncodeOptions(embedsThumbnail: true)))
            let file = try encoder.encode(picture)
            #expect(file[4] == 4)
            #expect(try ICOTrial.decode(file).header.size == PixelSize(width: 256, height: 128))
            #expect(try ICOTrial.decode(file) { $0.target = .size(.fit(16, 16)) }.bitmap.size == PixelSize(width: 16, height: 8))
        }

        @Test(
            arguments: [
                [0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
                [0, 0, 3, 0, 1, 0, 0, 0, 0, 0],
                [0, 0, 1, 0, 255, 255, 0, 0, 0, 0],
            ] as [[UInt8]])
        func brokenListsAreRefused(bytes: [UInt8]) {
            #expect(throws: ImageError.self) { try ICOTrial.decode(bytes) }
        }
    }
#endif

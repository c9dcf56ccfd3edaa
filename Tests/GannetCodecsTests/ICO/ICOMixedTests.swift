#if ICO
    import GannetCore
    import Testing

    @testable import GannetCodecs

    /// Icons whose pictures are of different kinds, and lists that are much longer than any icon needs.
    @Suite("Icons of several kinds of pictures") struct ICOMixedTests {
        private func little(_ value: Int, _ count: Int = 4) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }

        /// `parts`: side, and the index of the bytes that are meant.
        private func icon(_ parts: [(side: Int, body: Int)], _ bodies: [[UInt8]]) -> [UInt8] {
            var starts: [Int] = []
            var end = 6 + parts.count * 16
            for body in bodies {
                starts.append(end)
                end += body.count
            }
            var bytes: [UInt8] = [0, 0, 1, 0] + little(parts.count, 2)
            for part in parts {
                bytes += [UInt8(part.side & 255), UInt8(part.side & 255), 0, 0, 0, 0, 0, 0]
                bytes += little(bodies[part.body].count) + little(starts[part.body])
            }
            return bytes + bodies.flatMap { $0 }
        }

        /// One colour (blue, green, red, alpha), without a mask at its end.
        private func bitmap(_ side: Int, bits: Int = 32, _ color: [UInt8]) -> [UInt8] {
            let fields: [[UInt8]] = [
                little(40), little(side), little(side * 2), [1, 0], little(bits, 2), [UInt8](repeating: 0, count: 24),
            ]
            let header = Array(fields.joined())
            let row = (0..<side).flatMap { _ in color.prefix(bits / 8) }
            let padded = row + [UInt8](repeating: 0, count: (4 - row.count % 4) % 4)
            let mask = bits == 32 ? 0 : (side + 31) / 32 * 4 * side
            return header + (0..<side).flatMap { _ in padded } + [UInt8](repeating: 0, count: mask)
        }

        private func decode(
            _ bytes: [UInt8], _ change: (inout DecodeOptions) -> Void = { _ in }
        ) throws(ImageError) -> (bitmap: Bitmap, header: ImageHeader) {
            try ICOTrial.decode(bytes) {
                $0.alpha = .straight
                change(&$0)
            }
        }

        #if PNG
            @Test func deepPicturesBecomePixelsOfEightBits() throws {
                let png = PNGSample(width: 32, height: 32, color: .rgba, depth: 16)
                let file = icon([(32, 0), (8, 1)], [png.file(), bitmap(8, [10, 20, 30, 255])])
                let (large, header) = try decode(file) { $0.keeps16Bit = true }
                #expect(header.bitDepth == 8)
                #expect(large.layout.format == .rgba8)
                #expect(large.packedBytes() == png.expected)
                let (small, _) = try decode(file) {
                    $0.keeps16Bit = true
                    $0.target = .size(.fit(8, 8))
                }
                #expect(small.width == 8)
                #expect(small.packedBytes().prefix(4) == [30, 20, 10, 255])
            }

            @Test func aSmallPictureMayBeClearWhereTheLargeOneIsNot() throws {
                let png = PNGSample(width: 32, height: 32, color: .rgb, depth: 8)
                let file = icon([(32, 0), (8, 1)], [png.file(), bitmap(8, [10, 20, 30, 128])])
                let (large, header) = try decode(file)
                #expect(!header.hasAlpha)
                #expect(large.layout.alpha == .opaque)
                for (alpha, pixel) in [
                    (AlphaMode.straight, [30, 20, 10, 128]), (.premultiplied, [15, 10, 5, 128]), (.opaque, [30, 20, 10, 255]),
                ] as [(AlphaMode, [UInt8])] {
                    let (small, header) = try decode(file) {
                        $0.alpha = alpha
                        $0.target = .size(.fit(8, 8))
                    }
                    #expect(header.hasAlpha)
                    #expect(small.layout.alpha == alpha)
                    #expect(small.packedBytes().prefix(4).elementsEqual(pixel))
                }
            }

            /// The colours of a small bitmap are not those that the large PNG's profile describes.
            @Test func eachPictureHasItsOwnColours() throws {
                let large = PNGSample(width: 32, height: 32, color: .rgb, depth: 8).file(extra: [("cICP", [9, 16, 0, 1])])
                let file = icon([(32, 0), (8, 1)], [large, bitmap(8, [10, 20, 30, 255])])
                var options = DecodeOptions()
                for (wish, hasOwn) in [(TargetSize.fit(32, 32), true), (.fit(8, 8), false)] {
                    options.target = .size(wish)
                    let decoder = try ICOCoder().makeDecoder(
                        for: .ico, options: ResolvedDecodeOptions(options), environment: DecodeEnvironment())
                    _ = try decoder.read(from: ByteRope(file))
                    #expect((decoder.outputColorSpace.cicp != nil) == hasOwn)
                }
            }

            /// The file ends within the end chunk of its last picture.
            @Test(arguments: 0..<12) func aPNGWithoutItsEnd(count: Int) throws {
                let large = PNGSample(width: 32, height: 32, color: .rgba, depth: 8)
                let small = PNGSample(width: 8, height: 8, color: .rgba, depth: 8)
                let alone = icon([(32, 0)], [large.file()])
                #expect(try decode(Array(alone.dropLast(12 - count))).bitmap.packedBytes() == large.expected)
                let error = #expect(throws: ImageError.self) { try decode(Array(alone.dropLast(20))) }
                #expect(error?.code == .truncated)
                let both = icon([(32, 0), (8, 1)], [large.file(), small.file()])
                let bitmap = try decode(Array(both.dropLast(12 - count))) { $0.target = .size(.fit(8, 8)) }.bitmap
                #expect(bitmap.packedBytes() == small.expected)
                // The large one is there for a small one that is not.
                let other = try decode(Array(both.dropLast(20))) { $0.target = .size(.fit(8, 8)) }.bitmap
                #expect(other.packedBytes() == large.expected)
            }

            /// One picture that cannot be better is enough: looking at 65,535 copies of it took minutes.
            @Test func theBestPictureEndsTheSearch() throws {  // U-02
                let png = PNGSample(width: 16, height: 16, color: .rgba, depth: 8)
                let broken = Array(png.file().prefix(8)) + [UInt8](repeating: 0xFF, count: 40)
                let file = icon([(16, 0)] + (0..<65_534).map { _ in (16, 1) }, [png.file(), broken])
                #expect(try decode(file).bitmap.packedBytes() == png.expected)
            }

            @Test func noMorePicturesOfOneSizeAreLookedAtThanAnIconNeeds() throws {  // U-02
                let broken = Array(PNGParser.signature) + [UInt8](repeating: 0xFF, count: 40)
                let plain = bitmap(16, bits: 24, [1, 2, 3])
                let file = icon((0..<256).map { _ in (16, 0) } + [(16, 1)], [plain, broken])
                #expect(try decode(file).bitmap.packedBytes().prefix(4) == [3, 2, 1, 255])
                // Among the first ones it counts.
                #expect(throws: ImageError.self) { try decode(icon([(16, 0), (16, 1)], [plain, broken])) }
            }
        #endif
    }
#endif

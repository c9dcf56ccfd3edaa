#if PNG && ColorManagement
    import GannetCore
    import GannetImages
    import GannetKernels
    import Glibc
    import Testing

    @testable import GannetCodecs

    /// `decode.dynamicRange`: files in PQ and HLG keep their light. CX-15, NW-02
    @Suite struct HighRangeTests {
        private static let pq: (StaticString, [UInt8]) = ("cICP", [9, 16, 0, 1])
        private static let sample = PNGSample(width: 24, height: 8, color: .rgb, depth: 16)

        private func decoded(
            _ file: [UInt8], _ range: DynamicRange = .high, change: (inout ResolvedDecodeOptions) -> Void = { _ in }
        ) throws -> Bitmap {
            var environment = DecodeEnvironment()
            environment.colorManager = LCMSColorManager()
            var options = ResolvedDecodeOptions()
            options.dynamicRange = range
            change(&options)
            return try ImageDecoding(coders: CodersManager([PNGCoder()]), environment: environment)
                .decode(ByteRope(file), options: options).bitmap
        }

        /// Numbers that are already those of the result stay as they are.
        // CX-15
        @Test func numbersOfPQStay() throws {
            let bitmap = try decoded(Self.sample.file(extra: [Self.pq]))
            #expect(bitmap.layout.format == .rgba16 && bitmap.dynamicRange == .high)
            let wanted = (0..<8).flatMap { y in (0..<24).map { Self.sample.pixel($0, y) } }
            #expect(HighRangeLight.samples(bitmap) == wanted)
            // The brightest light of the file in cd/m², over that of white.
            let bright = try decoded(
                Self.sample.file(extra: [Self.pq, ("cLLI", PNGWriter.bytes(8_120_000) + PNGWriter.bytes(0))]))
            #expect(bright.dynamicRange == .high(headroom: 4) && HighRangeLight.samples(bright) == wanted)
        }

        @Test func standardRangeIsWhatItWas() throws {
            let file = Self.sample.file(extra: [Self.pq])
            let standard = try decoded(file, .standard)
            #expect(standard.layout.format == .rgba8 && standard.dynamicRange == .standard)
            // Without light brighter than white, nothing changes; nor where the file's own numbers are wanted.
            let plain = Self.sample.file()
            let (high, low) = (try decoded(plain), try decoded(plain, .standard))
            #expect(high.layout == low.layout && high.packedBytes() == low.packedBytes())
            let raw = try decoded(file) { ($0.color, $0.keeps16Bit) = (.raw, true) }
            #expect(raw.dynamicRange == .standard && HighRangeLight.samples(raw).first == Self.sample.pixel(0, 0))
        }

        /// Grey of HLG on a display of 1000 cd/m² (BT.2100-2, table 5): scene light to the power of 1.2.
        @Test func lightOfHLGIsThatOfItsDisplay() throws {
            let bitmap = try decoded(gray(18))
            #expect(bitmap.dynamicRange == .high(headroom: 1000 / 203))
            for (x, pixel) in HighRangeLight.samples(bitmap).enumerated() {
                let signal = Double(level(x)) / 65_535
                let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
                let scene = signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12
                let wanted = HighRangeLight.pq(1000 * pow(scene, 1.2)) * 65_535
                #expect(pixel[0..<3].allSatisfy { abs(Double($0) - wanted) <= 12 }, "\(x): \(pixel), \(wanted)")
            }
        }

        private func level(_ x: Int) -> Int { 4_000 + x * 3_800 }

        /// Sixteen greys in a row.
        private func gray(_ transfer: UInt8, primaries: UInt8 = 9, extra: [(StaticString, [UInt8])] = []) -> [UInt8] {
            file((0..<16).map { [level($0), level($0), level($0)] }, [primaries, transfer, 0, 1], extra)
        }

        /// One row of pixels of 16 bits.
        private func file(
            _ pixels: [[Int]], _ points: [UInt8], _ extra: [(StaticString, [UInt8])] = [], hasAlpha: Bool = false
        ) -> [UInt8] {
            var writer = PNGWriter()
            writer.chunk(
                "IHDR",
                PNGPixelFormat(depth: 16, hasAlpha: hasAlpha, isInterlaced: false)
                    .header(PixelSize(clamping: pixels.count, 1)))
            writer.chunk("cICP", points)
            for (type, body) in extra { writer.chunk(type, body) }
            let row: [UInt8] = pixels.joined().flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
            writer.chunk("IDAT", PNGSample.zlib([0] + row))
            writer.chunk("IEND", [])
            return writer.bytes
        }

        /// The primaries of P3 lie within those of BT.2020.
        @Test(arguments: [(12, HighRangeLight.fromP3), (1, HighRangeLight.fromBT709)] as [(UInt8, [Double])])
        func otherPrimariesAreConverted(_ primaries: UInt8, _ matrix: [Double]) throws {
            let lights: [[Double]] = [[203, 203, 203], [400, 20, 3], [5, 900, 60], [1, 2, 3000], [0.2, 0.1, 0.05]]
            let pixels = lights.map { $0.map { Int((HighRangeLight.pq($0) * 65_535).rounded()) } }
            let bitmap = try decoded(file(pixels, [primaries, 16, 0, 1]))
            #expect(bitmap.dynamicRange == .high)
            for (light, pixel) in zip(lights, HighRangeLight.samples(bitmap)) {
                let wanted = HighRangeLight.turned(light, by: matrix)
                for (found, wanted) in zip(pixel.map { HighRangeLight.light(ofPQ: Double($0) / 65_535) }, wanted) {
                    // The matrices of the standards have four digits.
                    #expect(abs(found - max(wanted, 0)) <= 0.002 * (light.max() ?? 0) + 1e-3, "\(light) is \(pixel)")
                }
            }
        }

        /// BT.2390 §5.4 with a display of four times white: nothing changes up to the knee, and the brightest light becomes the display's.
        // NW-02
        @Test func lightIsMappedToTheHeadroom() throws {
            let level: (StaticString, [UInt8]) = ("cLLI", PNGWriter.bytes(40_000_000) + PNGWriter.bytes(0))
            let bitmap = try decoded(gray(16, extra: [level]), .high(headroom: 4))
            #expect(bitmap.dynamicRange == .high(headroom: 4))
            let (most, source) = (HighRangeLight.pq(812), HighRangeLight.pq(4000))
            let knee = 1.5 * most / source - 0.5
            for (x, pixel) in HighRangeLight.samples(bitmap).enumerated() {
                let before = min(Double(self.level(x)) / 65_535 / source, 1)
                let t = (before - knee) / (1 - knee)
                let (square, cube) = (t * t, t * t * t)
                let low = (2 * cube - 3 * square + 1) * knee
                let slope = (cube - 2 * square + t) * (1 - knee)
                let top = (3 * square - 2 * cube) * most / source
                let curve = low + slope + top
                let wanted = (before > knee ? curve : before) * source * 65_535
                #expect(pixel[0..<3].allSatisfy { abs(Double($0) - wanted) <= 14 }, "\(x): \(pixel), \(wanted)")
            }
            // A display that shows more than the file has, changes nothing.
            let all = try decoded(gray(16, extra: [level]), .high(headroom: 30))
            #expect(HighRangeLight.samples(all).map { $0[0] } == (0..<16).map { self.level($0) })
            #expect(all.dynamicRange == .high(headroom: 4000 / 203))
        }

        @Test func eightBitsBecomeSixteen() throws {
            let sample = PNGSample(width: 9, height: 3, color: .rgba, depth: 8)
            let bitmap = try decoded(sample.file(extra: [Self.pq])) { $0.alpha = .straight }
            #expect(bitmap.layout.format == .rgba16 && bitmap.dynamicRange == .high)
            for (index, pixel) in HighRangeLight.samples(bitmap).enumerated() {
                let wanted = sample.pixel(index % 9, index / 9).map { $0 * 257 }
                #expect(wanted[3] == 0 || pixel == wanted)
            }
        }

        /// Clear parts are converted before they are multiplied.
        @Test func alphaStaysAside() throws {
            let bitmap = try decoded(file([[level(9), level(9), level(9), 32_768]], [9, 18, 0, 1], hasAlpha: true))
            let opaque = try decoded(file([[level(9), level(9), level(9)]], [9, 18, 0, 1]))
            #expect(bitmap.layout.alpha == .premultiplied && bitmap.dynamicRange.isHigh)
            let (half, whole) = (HighRangeLight.samples(bitmap)[0], HighRangeLight.samples(opaque)[0])
            #expect(half[3] == 32_768 && abs(half[0] * 2 - whole[0]) <= 2)
        }

        /// Sizes, parts and turns have the same range, and the numbers that the same steps give without a conversion.
        @Test func partsAndSizesKeepTheirRange() throws {
            let sample = PNGSample(width: 40, height: 30, color: .rgb, depth: 16)
            var block = EXIF.block(orientation: .right)
            block = Array(block)
            let (high, plain) = (sample.file(extra: [Self.pq, ("eXIf", block)]), sample.file(extra: [("eXIf", block)]))
            let steps: [(inout ResolvedDecodeOptions) -> Void] = [
                { $0.target = .size(.fit(12, 12)) }, { $0.target = .size(.fill(10, 10)) },
                { $0.region = PixelRect(x: 3, y: 5, width: 20, height: 17) },
                { ($0.region, $0.target) = (PixelRect(x: 3, y: 5, width: 20, height: 17), .size(.fit(10, 10))) },
                { $0.scaleDownToBytes = 4000 },
            ]
            for step in steps {
                let found = try decoded(high, change: step)
                let wanted = try decoded(plain, .standard) {
                    step(&$0)
                    $0.keeps16Bit = true
                }
                #expect(found.dynamicRange == .high && found.size == wanted.size)
                #expect(found.packedBytes() == wanted.packedBytes())
            }
        }

        @Test func limitsAndMemoryCountSixteenBits() throws {
            let file = PNGSample(width: 40, height: 30, color: .rgb, depth: 8).file(extra: [Self.pq])
            let tight = DecodeLimits(maximumDecodedBytes: 40 * 30 * 4 + 1000)
            #expect(try decoded(file, .standard) { $0.limits = tight }.width == 40)
            #expect(throws: ImageError.self) { try decoded(file) { $0.limits = tight } }
            var options = ResolvedDecodeOptions()
            let decoding = ImageDecoding(coders: CodersManager([PNGCoder()]))
            let standard = try decoding.open(ByteRope(file), options).neededBytes
            options.dynamicRange = .high
            #expect(try decoding.open(ByteRope(file), options).neededBytes >= standard + 40 * 30 * 16)
        }

        /// Changes of size and place keep the range; what paints has 8 bits of sRGB.
        @Test func transformersKnowTheRange() throws {
            let file = Self.sample.file(extra: [Self.pq])
            let bitmap = try decoded(file)
            let image = DecodedImage.still(bitmap, ImageMetadata(format: .png, originalSize: bitmap.size))
            for transformer in [
                StandardTransformer.resize(.fit(9, 9)), .crop(x: 2, y: 2, width: 5, height: 5), .rotate(degrees: 90),
            ] {
                let changed = try image.transformed(by: transformer).bitmap
                #expect(changed.layout.format == .rgba16 && changed.dynamicRange == .high)
            }
            let blurred = try image.transformed(by: .blur(radius: 1)).bitmap
            #expect(blurred.layout.format == .rgba8 && blurred.dynamicRange == .standard)
            let gray = try image.transformed(by: .grayscale).bitmap
            let wanted = try DecodedImage.still(try decoded(file, .standard), image.metadata).transformed(by: .grayscale).bitmap
            #expect(gray.packedBytes() == wanted.packedBytes())
            // Someone else's, who makes pixels of his own.
            let copied = try image.transformed(by: [Copying()], context: TransformContext(metadata: image.metadata)).bitmap
            #expect(copied.dynamicRange == .high && copied.packedBytes() == bitmap.packedBytes())
        }

        @Test func itIsPartOfTheKeyAndOfTheTexts() {
            var options = ResolvedDecodeOptions()
            let texts = [DynamicRange.standard, .high, .high(headroom: 2), .high(headroom: 4)].map { range in
                options.dynamicRange = range
                return options.keyText
            }
            #expect(Set(texts).count == 4 && texts[0] == "")
            #expect(DynamicRange.high(headroom: 0.5).headroom == 1 && DynamicRange.high(headroom: .nan).isHigh)
            #expect("\(DynamicRange.standard), \(DynamicRange.high)" == "standard, high")
            #expect("\(DynamicRange.high(headroom: 4.926))" == "high, up to 4.93 times white")
        }
    }

    private struct Copying: ImageTransformer {
        let identifier: String? = "copying"

        func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
            let layout = PixelLayout(size: bitmap.size, format: bitmap.layout.format, alpha: bitmap.layout.alpha)
            var buffer = try PixelBuffer(layout)
            for y in 0..<bitmap.height {
                let source = bitmap.row(y)
                var row = buffer.mutableRow(y)
                for index in row.indices { row[index] = source[index] }
            }
            return buffer.freeze()
        }
    }
#endif

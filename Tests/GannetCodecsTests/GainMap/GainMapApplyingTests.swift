#if JPEG && ColorManagement
    import GannetCore
    import GannetImages
    import GannetKernels
    import Glibc
    import Testing

    @testable import GannetCodecs

    /// A gain map applied to its image, against the formula of ISO 21496-1 in double precision. CD-44, NW-01
    @Suite("Applying gain maps") struct GainMapApplyingTests {
        private static let coders = CodersManager([JPEGCoder()])

        private func decoded(
            _ file: [UInt8], _ range: DynamicRange = .high, change: (inout ResolvedDecodeOptions) -> Void = { _ in }
        ) throws -> DecodedImage {
            var environment = DecodeEnvironment()
            environment.colorManager = LCMSColorManager()
            var options = ResolvedDecodeOptions()
            options.dynamicRange = range
            change(&options)
            return try ImageDecoding(coders: Self.coders, environment: environment).decode(ByteRope(file), options: options)
        }

        /// The light of each pixel in cd/m², in the primaries of BT.2020.
        private func expected(
            _ base: Bitmap, _ map: Bitmap, _ metadata: GainMapMetadata, stops: Double, matrix: [Double] = HighRangeLight.fromBT709
        ) -> [[Double]] {
            let whole = metadata.alternateHeadroom - metadata.baseHeadroom
            let weight = min(max((stops - metadata.baseHeadroom) / whole, 0), 1)
            return (0..<base.height).flatMap { y in
                (0..<base.width).map { x -> [Double] in
                    let row = base.row(y)
                    let light = (0..<3).map { channel -> Double in
                        let numbers = metadata.channels[channel]
                        let sample = Self.sample(map, channel, x, y, of: base.size) / 255
                        let log = pow(sample, 1 / numbers.gamma) * (numbers.maximum - numbers.minimum) + numbers.minimum
                        let base = HighRangeLight.sRGB(Double(row[4 * x + channel]) / 255)
                        return (base + numbers.baseOffset) * exp2(log * weight) - numbers.alternateOffset
                    }
                    return HighRangeLight.turned(light, by: matrix).map { max($0, 0) * 203 }
                }
            }
        }

        /// Between the four nearest pixels of the map.
        private static func sample(_ map: Bitmap, _ channel: Int, _ x: Int, _ y: Int, of image: PixelSize) -> Double {
            func value(_ x: Int, _ y: Int) -> Double {
                Double(map.row(min(max(y, 0), map.height - 1))[4 * min(max(x, 0), map.width - 1) + channel])
            }
            let u = (Double(x) + 0.5) * Double(map.width) / Double(image.width) - 0.5
            let v = (Double(y) + 0.5) * Double(map.height) / Double(image.height) - 0.5
            let (left, top) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
            let (right, down) = (u - Double(left), v - Double(top))
            let upper = value(left, top) * (1 - right) + value(left + 1, top) * right
            return upper * (1 - down) + (value(left, top + 1) * (1 - right) + value(left + 1, top + 1) * right) * down
        }

        /// The largest relative difference of light, where there is enough of it to be seen.
        private func largestDifference(_ bitmap: Bitmap, _ lights: [[Double]]) -> Double {
            zip(HighRangeLight.samples(bitmap), lights).flatMap { pixel, light in
                zip(pixel, light).map { signal, wanted in
                    abs(HighRangeLight.light(ofPQ: Double(signal) / 65_535) - wanted) / max(wanted, 0.5)
                }
            }.max() ?? 0
        }

        private func parts(_ file: UltraHDRFile) throws -> (base: Bitmap, map: Bitmap, metadata: GainMapMetadata) {
            let encoded = try #require(file.read())
            return (try decoded(file.bytes, .standard).bitmap, try JPEGSamples.decode(encoded.bytes), encoded.metadata)
        }

        // CD-44
        @Test(arguments: [Double.infinity, 2.5, 1.7, 1, 0.3, 0]) func lightIsMultipliedForTheDisplay(_ stops: Double) throws {
            let file = try UltraHDRFile.sample()
            let (base, map, metadata) = try parts(file)
            let image = try decoded(file.bytes, .high(headroom: exp2(stops)))
            #expect(image.bitmap.layout.format == .rgba16 && image.bitmap.layout.alpha == .opaque)
            #expect(image.bitmap.gainMap == nil && image.metadata.hadGainMap)
            #expect(abs(image.bitmap.dynamicRange.headroom - exp2(min(stops, 2.5))) < 1e-9)
            #expect(largestDifference(image.bitmap, expected(base, map, metadata, stops: stops)) < 0.002)
        }

        /// The brightest pixel of the example is eight times as bright as white; a display of 1.7 stops shows less.
        @Test func aHeadroomIsALimit() throws {
            let file = try UltraHDRFile.sample().bytes
            func brightest(_ range: DynamicRange) throws -> Int {
                HighRangeLight.samples(try decoded(file, range).bitmap).map { $0[0..<3].max() ?? 0 }.max() ?? 0
            }
            let (all, less, none) = (try brightest(.high), try brightest(.high(headroom: 2)), try brightest(.high(headroom: 1)))
            #expect(all > less + 1000 && less > none + 1000)
        }

        /// Other numbers for each channel, with offsets and gamma.
        @Test func everyChannelHasItsOwnNumbers() throws {
            func seq(_ numbers: String) -> String {
                "<rdf:Seq>" + numbers.split(separator: " ").map { "<rdf:li>\($0)</rdf:li>" }.joined() + "</rdf:Seq>"
            }
            let elements =
                "<hdrgm:GainMapMin>\(seq("-0.5 0 0.25"))</hdrgm:GainMapMin><hdrgm:GainMapMax>\(seq("2 3 1.5"))</hdrgm:GainMapMax>"
                + "<hdrgm:Gamma>\(seq("1 0.8 1.6"))</hdrgm:Gamma>"
                + "<hdrgm:OffsetSDR>\(seq("0.015625 0.01 0.03"))</hdrgm:OffsetSDR>"
                + "<hdrgm:OffsetHDR>\(seq("0.015625 0.02 0"))</hdrgm:OffsetHDR>"
            let attributes = "hdrgm:Version=\"1.0\" hdrgm:HDRCapacityMin=\"0.5\" hdrgm:HDRCapacityMax=\"3\""
            let file = try UltraHDRFile.sample(segments: [UltraHDRFile.xmp(attributes, elements)], isGray: false)
            let (base, map, metadata) = try parts(file)
            #expect(!metadata.hasEqualChannels && metadata.green.gamma == 0.8)
            for stops in [3, 1.5] {
                let bitmap = try decoded(file.bytes, .high(headroom: exp2(stops))).bitmap
                #expect(largestDifference(bitmap, expected(base, map, metadata, stops: stops)) < 0.004)
            }
        }

        /// The colours of phones: the primaries of P3 under the white of D50, and the curve of sRGB.
        @Test func coloursOfDisplayP3AreNotCut() throws {
            let profile = ICCProfileWriter(
                space: "RGB ",
                tags: [
                    ("rXYZ", ICCProfileWriter.xyz(0.51512, 0.24120, -0.00105)),
                    ("gXYZ", ICCProfileWriter.xyz(0.29198, 0.69225, 0.04189)),
                    ("bXYZ", ICCProfileWriter.xyz(0.15710, 0.06657, 0.78407)), ("rTRC", ICCProfileWriter.sRGBCurve),
                    ("gTRC", ICCProfileWriter.sRGBCurve), ("bTRC", ICCProfileWriter.sRGBCurve),
                ]
            ).bytes
            var file = try UltraHDRFile.sample()
            file.imageSegments = [JPEGSamples.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profile)]
            let (_, map, metadata) = try parts(file)
            let base = try decoded(file.bytes, .standard) { $0.color = .raw }.bitmap
            let bitmap = try decoded(file.bytes).bitmap
            // Four digits of the matrix, and the rounding of the profile's numbers.
            let lights = expected(base, map, metadata, stops: 2.5, matrix: HighRangeLight.fromP3)
            #expect(largestDifference(bitmap, lights) < 0.02)
            let cut = expected(try decoded(file.bytes, .standard).bitmap, map, metadata, stops: 2.5)
            #expect(largestDifference(bitmap, cut) > 0.02)
        }

        /// Where the light is after a part, a size and a turn: the same as that of the whole.
        // NW-01
        @Test(arguments: Orientation.allCases) func theMapLiesOverItsPixels(_ orientation: Orientation) throws {
            var file = try UltraHDRFile.sample(256, 192)
            file.imageSegments = [JPEGSamples.segment(0xE1, EXIF.prefix + EXIF.block(orientation: orientation))]
            let whole = try decoded(file.bytes).bitmap
            let region = PixelRect(x: 40, y: 60, width: 100, height: 80)
            let part = try decoded(file.bytes) { $0.region = region }.bitmap
            #expect(part.dynamicRange.isHigh && part.size == PixelSize(clamping: 100, 80))
            expectSameLight(part, whole, at: region)
            let small = try decoded(file.bytes) { $0.target = .size(.fit(64, 64)) }.bitmap
            expectSameLight(small, whole, at: PixelRect(x: 0, y: 0, width: whole.width, height: whole.height))
            let filled = try decoded(file.bytes) { $0.target = .size(.fill(48, 48)) }.bitmap
            let side = min(whole.width, whole.height)
            expectSameLight(
                filled, whole,
                at: PixelRect(x: (whole.width - side) / 2, y: (whole.height - side) / 2, width: side, height: side))
            let smallPart = try decoded(file.bytes) { ($0.region, $0.target) = (region, .size(.fit(50, 50))) }.bitmap
            expectSameLight(smallPart, whole, at: region)
        }

        /// At the middles of the quarters of `bitmap`, which shows `region` of `whole`. A pixel of the map is four of the image, and the
        /// light doubles every 28.
        private func expectSameLight(_ bitmap: Bitmap, _ whole: Bitmap, at region: PixelRect) {
            func light(_ bitmap: Bitmap, _ x: Double, _ y: Double) -> Double {
                let pixel = HighRangeLight.samples(bitmap)[Int(y) * bitmap.width + Int(x)]
                return HighRangeLight.light(ofPQ: Double(pixel[0]) / 65_535)
            }
            for (x, y) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
                let found = light(bitmap, x * Double(bitmap.width), y * Double(bitmap.height))
                let wanted = light(
                    whole, Double(region.x) + x * Double(region.width), Double(region.y) + y * Double(region.height))
                #expect(abs(found / wanted - 1) < 0.12, "\(bitmap.size) at \(x), \(y): \(found), \(wanted)")
            }
        }

        @Test func aDamagedMapLeavesTheLightAsItIs() throws {
            var file = try UltraHDRFile.sample()
            file.map.removeSubrange((file.map.count / 2)..<(file.map.count - 2))
            let bitmap = try decoded(file.bytes).bitmap
            let base = try decoded(file.bytes, .standard).bitmap
            #expect(bitmap.dynamicRange == .high(headroom: 1))
            let lights = (0..<base.height).flatMap { y in
                (0..<base.width).map { x in
                    let row = base.row(y)
                    let light = (0..<3).map { HighRangeLight.sRGB(Double(row[4 * x + $0]) / 255) * 203 }
                    return HighRangeLight.turned(light, by: HighRangeLight.fromBT709)
                }
            }
            #expect(largestDifference(bitmap, lights) < 0.002)
        }

        @Test func imagesWithoutOneStayInStandardRange() throws {
            let file = try JPEGSamples.file(64, 48)
            let (high, standard) = (try decoded(file).bitmap, try decoded(file, .standard).bitmap)
            #expect(high.layout == standard.layout && high.packedBytes() == standard.packedBytes())
            // A base that is the brighter one is none that could be shown.
            let attributes = UltraHDRFile.attributes + " hdrgm:BaseRenditionIsHDR=\"True\""
            let inverse = try UltraHDRFile.sample(segments: [UltraHDRFile.xmp(attributes)])
            #expect(inverse.read()?.metadata.isBaseHDR == true)
            #expect(try decoded(inverse.bytes).bitmap.dynamicRange == .standard)
        }

        @Test func memoryIsCounted() throws {
            let file = try UltraHDRFile.sample()
            var options = ResolvedDecodeOptions()
            let decoding = ImageDecoding(coders: Self.coders)
            let standard = try decoding.open(ByteRope(file.bytes), options).neededBytes
            options.dynamicRange = .high
            let map = try #require(file.read())
            let high = try decoding.open(ByteRope(file.bytes), options).neededBytes
            #expect(high >= standard + 128 * 96 * 8 + map.size.area * 6)
            options.limits.maximumDecodedBytes = 128 * 96 * 4 + 100
            #expect(throws: ImageError.self) { try decoding.open(ByteRope(file.bytes), options) }
        }

        /// Three values of the formula that were calculated by hand: white and a dark grey at full gain, white at one stop of two.
        @Test func examples() throws {
            var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 2, 1), alpha: .opaque))
            buffer.withUnsafeRows { row, _ in
                for (index, value) in ([255, 255, 255, 255, 55, 55, 55, 255] as [UInt8]).enumerated() { row[index] = value }
            }
            var samples = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 1, 1), alpha: .opaque))
            samples.fill(255)
            let (image, map) = (buffer.freeze(), samples.freeze())
            let channel = GainMapMetadata.Channel(maximum: 2)
            let metadata = try #require(GainMapMetadata(channel, channel, channel, baseHeadroom: 0, alternateHeadroom: 2))
            // (1 + 1/64) · 4 - 1/64 = 4.046875; (0.03820 + 1/64) · 4 - 1/64 = 0.19966; (1 + 1/64) · 2 - 1/64 = 2.015625
            for (headroom, wanted) in [(4.0, [4.046875, 0.199676]), (2, [2.015625, 0.0920])] {
                let bitmap = try brightened(image, .sRGB, by: map, metadata, headroom: headroom)
                let found = HighRangeLight.samples(bitmap).map { HighRangeLight.light(ofPQ: Double($0[1]) / 65_535) / 203 }
                #expect(zip(found, wanted).allSatisfy { abs($0 / $1 - 1) < 0.001 }, "\(found)")
            }
        }
    }
#endif

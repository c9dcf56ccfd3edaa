#if Radiance
    import GannetCore
    import GannetImages
    import Glibc
    import Testing

    @testable import GannetCodecs

    /// Radiance's RGBE and XYZE, against its formula in double precision. NW-02
    @Suite struct RadianceDecoderTests {
        /// The numbers of PQ that the decoder delivers, in 16 bits.
        private func decoded(
            _ file: [UInt8], change: (inout ResolvedDecodeOptions) -> Void = { _ in }
        ) throws -> DecodedImage {
            var options = ResolvedDecodeOptions()
            (options.color, options.keeps16Bit) = (.raw, true)
            change(&options)
            return try ImageDecoding(coders: CodersManager([RadianceCoder()])).decode(ByteRope(file), options: options)
        }

        /// Light from 0.0005 to 300 times white, with other numbers in each channel.
        private static let rows: [[[UInt8]]] = (0..<6).map { y in
            (0..<20).map { x in
                let light = 0.0005 * exp2(Double(x) + Double(y) / 8)
                return LightFiles.rgbe([light, light * 0.7, light * (x % 3 == 0 ? 0 : 0.2)])
            }
        }

        private func expectSignals(_ bitmap: Bitmap, _ light: [[Double]]) {
            let found = HighRangeLight.samples(bitmap)
            #expect(found.count == light.count)
            for (pixel, light) in zip(found, light) {
                for channel in 0..<3 {
                    let wanted = HighRangeLight.pq(min(max(light[channel], 0) * 203, 10_000)) * 65_535
                    #expect(abs(Double(pixel[channel]) - wanted) <= 1, "\(light), \(channel)")
                }
                #expect(pixel[3] == 65_535)
            }
        }

        // FM-18
        @Test func plainPixelsAreLight() throws {
            let image = try decoded(LightFiles.radiance(Self.rows))
            #expect(image.metadata.format == .radiance && image.metadata.bitDepth == 16)
            expectSignals(image.bitmap, Self.rows.joined().map { LightFiles.light($0) })
        }

        @Test func runLengthsOf1991() throws {
            var rows = Self.rows
            for x in 3..<12 { rows[2][x] = rows[2][3] }
            let file = LightFiles.packed(rows)
            #expect(try decoded(file).bitmap.packedBytes() == decoded(LightFiles.radiance(rows)).bitmap.packedBytes())
        }

        /// A pixel of 1, 1, 1 repeats the one before it; a second one has the higher digits.
        @Test func runLengthsOf1985() throws {
            let (first, last): ([UInt8], [UInt8]) = ([128, 64, 32, 129], [200, 10, 10, 127])
            let file = LightFiles.radiance([[first, [1, 1, 1, 4], [1, 1, 1, 1], last]], sides: "-Y 1 +X 262")
            let wanted = [first] + [[UInt8]](repeating: first, count: 260) + [last]
            expectSignals(try decoded(file).bitmap, wanted.map { LightFiles.light($0) })
        }

        @Test(arguments: [
            ("-Y 2 +X 3", Orientation.up), ("-Y 2 -X 3", .upMirrored), ("+Y 2 -X 3", .down), ("+Y 2 +X 3", .downMirrored),
            ("+X 2 -Y 3", .leftMirrored), ("-X 2 -Y 3", .right), ("-X 2 +Y 3", .rightMirrored), ("+X 2 +Y 3", .left),
        ]) func rowsMayBeginInAnyCorner(_ sides: String, _ orientation: Orientation) throws {
            // The pixel at column x, row y of the scene, both from the top left, has the light 2^(x + 4y).
            let (width, height) = orientation.swapsSides ? (2, 3) : (3, 2)
            let words = sides.split(separator: " ")
            let stored: [[[UInt8]]] = (0..<2).map { row in
                (0..<3).map { column in
                    var (x, y) = (0, 0)
                    for (word, count, index) in [(words[0], 2, row), (words[2], 3, column)] {
                        switch word {
                        case "+X": x = index
                        case "-X": x = count - 1 - index
                        case "-Y": y = index
                        default: y = count - 1 - index
                        }
                    }
                    return [128, 128, 128, UInt8(120 + x + 4 * y)]
                }
            }
            let image = try decoded(LightFiles.radiance(stored, sides: sides))
            #expect(image.metadata.orientation == orientation && image.size == PixelSize(width: width, height: height))
            let wanted = (0..<height).flatMap { y in
                (0..<width).map { x in LightFiles.light([128, 128, 128, UInt8(120 + x + 4 * y)]) }
            }
            expectSignals(image.bitmap, wanted)
        }

        /// White of equal energy, 1 in each of X, Y and Z, is white.
        @Test func tristimulusValuesBecomeRGB() throws {
            let file = LightFiles.radiance([[[128, 128, 128, 129]]], format: "32-bit_rle_xyze")
            let pixel = try #require(HighRangeLight.samples(try decoded(file).bitmap).first)
            let wanted = HighRangeLight.pq(203.0 * 128.5 / 128) * 65_535
            #expect(pixel[0..<3].allSatisfy { abs(Double($0) - wanted) < 20 }, "\(pixel), \(wanted)")
        }

        @Test func primariesAreRead() throws {
            func primaries(_ text: String) throws -> Int? {
                let file = LightFiles.radianceHeader("-Y 1 +X 1", extra: "PRIMARIES=\(text)\n") + [128, 128, 128, 129]
                return try ImageDecoding(coders: CodersManager([RadianceCoder()])).header(of: ByteRope(file)).colorSpace.cicp?
                    .primaries
            }
            #expect(try primaries(".708 .292 .17 .797 .131 .046 .3127 .329") == 9)
            #expect(try primaries("0.680 0.320 0.265 0.690 0.150 0.060 0.3127 0.3290") == 12)
            #expect(try primaries("0.640 0.330 0.290 0.600 0.150 0.060 0.333 0.333") == 1)
            #expect(try primaries("nothing") == 1)
        }

        /// The same light in a thumbnail, of which the file's size is no part.
        @Test func thumbnailsAreReducedRowByRow() throws {
            let rows = [[[UInt8]]](repeating: [[UInt8]](repeating: [128, 64, 32, 131], count: 64), count: 48)
            let decoder = try RadianceCoder().makeDecoder(
                for: .radiance,
                options: {
                    var options = ResolvedDecodeOptions()
                    options.target = .size(.fit(16, 16))
                    return options
                }(), environment: DecodeEnvironment())
            _ = try decoder.read(from: ByteRope(LightFiles.packed(rows)))
            #expect(decoder.outputLayout?.size == PixelSize(width: 16, height: 12))
            let image = try decoded(LightFiles.packed(rows)) { $0.target = .size(.fit(16, 16)) }
            expectSignals(image.bitmap, [[Double]](repeating: LightFiles.light([128, 64, 32, 131]), count: 16 * 12))
        }

        @Test func whatBreaksTheRulesIsRefused() {
            let pixel: [UInt8] = [128, 64, 32, 129]
            let header = LightFiles.radianceHeader("-Y 1 +X 10")
            let bad: [(String, [UInt8], ImageError.Code)] = [
                ("a run before any pixel", LightFiles.radiance([[[1, 1, 1, 4], pixel, pixel]], sides: "-Y 1 +X 4"), .corrupt),
                ("a run beyond its row", LightFiles.radiance([[pixel, [1, 1, 1, 9]]], sides: "-Y 1 +X 4"), .corrupt),
                ("another width", header + [2, 2, 0, 9] + [UInt8](repeating: 0, count: 40), .corrupt),
                ("a packed run beyond its row", header + [2, 2, 0, 10, 139, 1] + [UInt8](repeating: 0, count: 40), .corrupt),
                ("an empty run", header + [2, 2, 0, 10, 0, 1] + [UInt8](repeating: 0, count: 40), .corrupt),
                ("no sides", LightFiles.radianceHeader("-Y 1 +Y 1") + pixel, .corrupt),
                ("no pixels", LightFiles.radianceHeader("-Y 0 +X 1") + pixel, .corrupt),
                ("too many", LightFiles.radianceHeader("-Y 2000000000 +X 2000000000") + pixel, .limitExceeded),
                ("another format", LightFiles.radianceHeader("-Y 1 +X 1", format: "16-bit") + pixel, .unsupported),
            ]
            for (name, file, code) in bad {
                let error = #expect(throws: ImageError.self, "\(name)") { try decoded(file) }
                #expect(error?.code == code, "\(name)")
            }
        }

        /// Every byte may be anything: a typed error, or an image of the size that its header says.
        @Test func hostileBytesAreRead() throws {
            let files = [LightFiles.packed(Self.rows), LightFiles.radiance(Self.rows, sides: "+X 6 -Y 20")]
            var decodes = 0
            for file in files {
                for place in file.indices {
                    for value in [0, 1, 2, 0x39, 0x80, 0xFF] as [UInt8] {
                        var bytes = file
                        bytes[place] = value
                        var limits = DecodeLimits.standard
                        limits.maximumPixels = 1 << 16
                        do {
                            let image = try decoded(bytes) { $0.limits = limits }
                            #expect(image.size.area <= 1 << 16)
                            decodes += 1
                        } catch let error as ImageError {
                            #expect(error.code != .misuse, "byte \(place) of \(value)")
                        }
                    }
                }
            }
            #expect(decodes > files[1].count)
        }

        @Test func endsThatAreCutOffAreTruncated() {
            for file in [LightFiles.radiance(Self.rows), LightFiles.packed(Self.rows)] {
                for count in [file.count - 1, file.count / 2, 60, 12] {
                    let error = #expect(throws: ImageError.self) { try decoded(Array(file.prefix(count))) }
                    #expect(error?.code == .truncated, "\(count)")
                }
                let part = try? decoded(Array(file.dropLast(40))) { $0.allowsPartial = true }
                #expect(part?.metadata.isPartial == true)
            }
        }
    }
#endif

#if (AVIF || HEIC || JXL) && JPEG && ColorManagement
    import GannetCore
    import GannetImages
    import GannetKernels
    import GannetTesting
    import Glibc
    import Testing

    @testable import GannetCodecs

    /// Standard range of an image in PQ whose gain map says what it is: the author's, instead of a curve's. CD-44, NW-01
    @Suite("Standard range by gain maps") struct BrightBaseTests {
        private static func decoded(
            _ file: [UInt8], change: (inout ResolvedDecodeOptions) -> Void = { _ in }
        ) throws -> DecodedImage {
            var environment = DecodeEnvironment()
            environment.colorManager = LCMSColorManager()
            var options = ResolvedDecodeOptions()
            change(&options)
            return try ImageDecoding(coders: AvailableCoders.manager, environment: environment)
                .decode(ByteRope(file), options: options)
        }

        private static func numbers(base: Double = 2, alternate: Double = 0) throws -> GainMapMetadata {
            let channel = GainMapMetadata.Channel(maximum: 2)
            return try #require(
                GainMapMetadata(channel, channel, channel, baseHeadroom: base, alternateHeadroom: alternate))
        }

        /// Light of four times white by a gain of four, with offsets of 1/64: (4 + 1/64) / 4 − 1/64 = 0.98828; by a gain of two 1.99219, which
        /// is white; light of a half by four (0.5 + 1/64) / 4 − 1/64 = 0.11328.
        @Test func examples() throws {
            func bitmap(_ light: Double) throws -> Bitmap {
                var layout = PixelLayout(size: PixelSize(clamping: 1, 1), format: .rgba16, alpha: .opaque)
                layout.dynamicRange = .high
                var buffer = try PixelBuffer(layout)
                let signal = Int(PQ.signal(of: light * 203) * 65_535 + 0.5)
                buffer.withUnsafeRows { row, _ in
                    for sample in 0..<4 {
                        let value = sample == 3 ? 65_535 : signal
                        (row[2 * sample], row[2 * sample + 1]) = (UInt8(value & 255), UInt8(value >> 8))
                    }
                }
                return buffer.freeze()
            }
            func map(_ sample: UInt8) throws -> Bitmap {
                var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 1, 1), alpha: .opaque))
                buffer.fill(sample)
                return buffer.freeze()
            }
            for (light, sample, wanted) in [(4.0, 255, 0.98828), (4, 128, 1), (0.5, 255, 0.11328), (0, 255, 0)] {
                let result = try alternate(
                    of: bitmap(light), by: map(UInt8(sample)), Self.numbers(), ratioColors: .wide)
                #expect(result.layout.format == .rgba16 && result.dynamicRange == .standard)
                let found = HighRangeLight.samples(result)[0]
                let linear = HighRangeLight.sRGB(Double(found[1]) / 65_535)
                #expect(abs(linear - wanted) < 0.001 && found[3] == 65_535, "\(light), \(sample): \(linear)")
            }
        }

        #if AVIF || HEIC
            /// Grey of PQ, whose map is dark on the left and bright on the right.
            private func file(
                _ format: ImageFormat, _ metadata: GainMapMetadata? = nil, change: (inout HEIFGainMapFile) -> Void = { _ in }
            ) throws -> [UInt8] {
                let base = try TestImages.draw(width: 192, height: 128, alpha: .opaque) { _, _ in 0xFFA8_A8A8 }
                let map = try TestImages.draw(width: 96, height: 64, alpha: .opaque) { x, _ in
                    x < 48 ? 0xFF20_2020 : 0xFFE0_E0E0
                }
                var file = try HEIFGainMapFile(format, base: base, map: map)
                file.derived = (HEIFGainMapFile.metadata(try metadata ?? Self.numbers()), [])
                file.base.properties.removeAll { $0[4..<8].elementsEqual("colr".utf8) }
                file.base.properties.append(HEIFGainMapFile.box("colr", Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 0x80]))
                change(&file)
                return file.bytes
            }

            private func encodedMap(_ file: [UInt8], _ format: ImageFormat) throws -> EncodedGainMap {
                let coder = BuiltInCoders.coder(for: format) as? any GainMapReading
                return try #require(coder?.gainMap(in: ByteRope(file), limits: .standard))
            }

            // CD-44, NW-01
            @Test(arguments: HEIFGainMapTests.formats) func theAuthorsRangeIsShown(_ format: ImageFormat) throws {
                let file = try file(format)
                let map = try Self.decoded(encodedMap(file, format).bytes) { $0.color = .raw }.bitmap
                let bright = HighRangeLight.samples(try Self.decoded(file) { $0.dynamicRange = .high }.bitmap)
                let image = try Self.decoded(file) { $0.keeps16Bit = true }
                #expect(image.metadata.isStandardByGainMap && image.metadata.hadGainMap && image.bitmap.gainMap == nil)
                let found = HighRangeLight.samples(image.bitmap)
                for (x, mapX) in [(40, 20), (160, 80)] {
                    let base = HighRangeLight.light(ofPQ: Double(bright[64 * 192 + x][1]) / 65_535) / 203
                    let stops = Double(map.row(32)[4 * mapX + 1]) / 255 * 2
                    let wanted = (base + 1.0 / 64) / exp2(stops) - 1.0 / 64
                    let pixel = found[64 * 192 + x]
                    #expect(abs(HighRangeLight.sRGB(Double(pixel[1]) / 65_535) / min(wanted, 1) - 1) < 0.01, "\(x): \(pixel)")
                    #expect(abs(pixel[0] - pixel[1]) < 600 && abs(pixel[2] - pixel[1]) < 600)
                }
                // Eight bits of the same, and nothing else.
                let small = try Self.decoded(file)
                #expect(small.bitmap.layout.format == .rgba8 && small.bitmap.dynamicRange == .standard)
                #expect(abs(Int(small.bitmap.row(64)[4 * 160 + 1]) * 257 - found[64 * 192 + 160][1]) <= 129)
                // The curve of a request is for images without such a map.
                let other = try Self.decoded(file) { $0.toneMapping = .bt2446a }
                #expect(other.bitmap.packedBytes() == small.bitmap.packedBytes())
            }

            @Test(arguments: HEIFGainMapTests.formats) func theMapLiesOverItsPixels(_ format: ImageFormat) throws {
                let file = try file(format)
                let whole = try Self.decoded(file).bitmap
                let right = try Self.decoded(file) {
                    ($0.region, $0.target) = (PixelRect(x: 96, y: 0, width: 96, height: 128), .size(.stretch(24, 32)))
                }.bitmap
                #expect(right.size == PixelSize(clamping: 24, 32))
                #expect(abs(Int(right.row(16)[4 * 12 + 1]) - Int(whole.row(64)[4 * 144 + 1])) <= 1)
                #expect(abs(Int(right.row(16)[4 * 12 + 1]) - Int(whole.row(64)[4 * 40 + 1])) > 40)
            }

            /// A map that is damaged, and one whose other image is brighter than white too: the curve, as without a map.
            @Test(arguments: HEIFGainMapTests.formats) func otherwiseTheCurveIs(_ format: ImageFormat) throws {
                let plain = try Self.decoded(file(format) { $0.derived = nil }).bitmap
                let damaged = try Self.decoded(file(format) { $0.map.data = $0.map.data.map { _ in 0xA5 } })
                #expect(!damaged.metadata.isStandardByGainMap && damaged.metadata.unusedGainMap != nil)
                #expect(abs(Int(damaged.bitmap.row(64)[4 * 96 + 1]) - Int(plain.row(64)[4 * 96 + 1])) <= 1)
                let bright = try Self.decoded(file(format, Self.numbers(base: 3, alternate: 1)))
                #expect(!bright.metadata.isStandardByGainMap && bright.bitmap.packedBytes() == plain.packedBytes())
                let raw = try Self.decoded(file(format)) { $0.color = .raw }
                #expect(!raw.metadata.isStandardByGainMap)
            }

            /// A budget that the map does not fit into, ever, is no reason to show nothing.
            @Test(arguments: HEIFGainMapTests.formats) func theCurveNeedsLess(_ format: ImageFormat) throws {
                let file = try ByteRope(file(format))
                var environment = DecodeEnvironment(colorManager: LCMSColorManager())
                let needed = try ImageDecoding(coders: AvailableCoders.manager, environment: environment)
                    .open(file, ResolvedDecodeOptions()).neededBytes
                func decoded(_ capacity: Int) throws -> DecodedImage {
                    environment.budget = ResourceBudget(capacity: capacity)
                    return try ImageDecoding(coders: AvailableCoders.manager, environment: environment)
                        .decode(file, options: ResolvedDecodeOptions())
                }
                let (authors, curve) = (try decoded(2 * needed), try decoded(needed - 1))
                #expect(authors.metadata.isStandardByGainMap && !curve.metadata.isStandardByGainMap)
                #expect(curve.metadata.unusedGainMap != nil && curve.size == authors.size)
            }

            @Test(arguments: HEIFGainMapTests.formats) func memoryIsCounted(_ format: ImageFormat) throws {
                let decoding = ImageDecoding(
                    coders: AvailableCoders.manager, environment: DecodeEnvironment(colorManager: LCMSColorManager()))
                let with = try decoding.open(ByteRope(file(format)), ResolvedDecodeOptions()).neededBytes
                let without = try decoding.open(
                    ByteRope(file(format) { $0.derived = nil }), ResolvedDecodeOptions()
                ).neededBytes
                #expect(with >= without + 192 * 128 * 8 + 96 * 64 * 24)
            }
        #endif
    }
#endif

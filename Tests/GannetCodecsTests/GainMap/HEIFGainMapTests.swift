#if (AVIF || HEIC) && JPEG && ColorManagement
    import GannetCore
    import GannetImages
    import GannetTesting
    import Glibc
    import Testing

    @testable import GannetCodecs

    /// Gain maps of HEIC and AVIF: found, applied and kept. CD-44, NW-01
    @Suite("Gain maps of HEIC and AVIF") struct HEIFGainMapTests {
        static let formats = [ImageFormat.avif, .heic].filter { AvailableCoders.knows($0.identifier) }
        private static let size = PixelSize(clamping: 192, 128)

        private func decoded(
            _ file: [UInt8], _ range: DynamicRange = .high, change: (inout ResolvedDecodeOptions) -> Void = { _ in }
        ) throws -> DecodedImage {
            var environment = DecodeEnvironment()
            environment.colorManager = LCMSColorManager()
            var options = ResolvedDecodeOptions()
            options.dynamicRange = range
            change(&options)
            return try ImageDecoding(coders: AvailableCoders.manager, environment: environment)
                .decode(ByteRope(file), options: options)
        }

        private static func numbers(headroom: Double = 2) throws -> GainMapMetadata {
            let channel = GainMapMetadata.Channel(maximum: headroom)
            return try #require(
                GainMapMetadata(channel, channel, channel, baseHeadroom: 0, alternateHeadroom: headroom))
        }

        /// A grey image, whose map is dark on the left and bright on the right.
        private func file(_ format: ImageFormat, change: (inout HEIFGainMapFile) -> Void = { _ in }) throws -> HEIFGainMapFile {
            let base = try TestImages.draw(width: 192, height: 128, alpha: .opaque) { _, _ in 0xFF80_8080 }
            let map = try TestImages.draw(width: 96, height: 64, alpha: .opaque) { x, _ in x < 48 ? 0xFF20_2020 : 0xFFE0_E0E0 }
            var file = try HEIFGainMapFile(format, base: base, map: map)
            file.derived = (HEIFGainMapFile.metadata(try Self.numbers()), [])
            change(&file)
            return file
        }

        private func encoded(_ file: HEIFGainMapFile, _ limits: DecodeLimits = .standard) -> EncodedGainMap? {
            let coder = BuiltInCoders.coder(for: file.format) as? any GainMapReading
            return coder?.gainMap(in: ByteRope(file.bytes), limits: limits)
        }

        /// Of the green channel, over white.
        private func light(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> Double {
            let pixel = HighRangeLight.samples(bitmap)[y * bitmap.width + x]
            return HighRangeLight.light(ofPQ: Double(pixel[1]) / 65_535) / 203
        }

        /// By the formula of the standard, with the samples that the codec left.
        private func expected(_ sample: Double, _ base: Double, stops: Double = 2) -> Double {
            (HighRangeLight.sRGB(base / 255) + 1.0 / 64) * exp2(sample / 255 * stops) - 1.0 / 64
        }

        @Test(arguments: formats) func theDerivedImageNamesTheMap(_ format: ImageFormat) throws {
            let found = try #require(encoded(file(format)))
            #expect(found.format == .iso && found.size == PixelSize(width: 96, height: 64))
            #expect(try found.metadata == Self.numbers())
            let image = try decoded(file(format).bytes, .standard)
            #expect(image.metadata.hadGainMap && image.bitmap.gainMap != nil && image.size == Self.size)
        }

        // CD-44
        @Test(arguments: formats, [false, true]) func lightIsMultiplied(_ format: ImageFormat, isGrid: Bool) throws {
            let file = try file(format) { $0.isGrid = isGrid }
            let map = try decoded(try #require(encoded(file)).bytes, .standard).bitmap
            let base = try decoded(file.bytes, .standard).bitmap
            let bitmap = try decoded(file.bytes).bitmap
            #expect(bitmap.dynamicRange == .high(headroom: 4) && bitmap.layout.format == .rgba16)
            for (x, mapX) in [(40, 20), (160, 80)] {
                let wanted = expected(Double(map.row(32)[4 * mapX + 1]), Double(base.row(64)[4 * x + 1]))
                #expect(abs(light(bitmap, x, 64) / wanted - 1) < 0.01, "\(x)")
            }
            #expect(light(bitmap, 160, 64) > 2 * light(bitmap, 40, 64))
        }

        @Test(arguments: formats) func applesAuxiliaryImage(_ format: ImageFormat) throws {
            let file = try file(format) {
                $0.derived = nil
                $0.auxiliaryType = "urn:com:apple:photo:2020:aux:hdrgainmap"
                $0.xmp =
                    "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
                    + "<rdf:Description rdf:about=\"\" xmlns:HDRGainMap=\"http://ns.apple.com/HDRGainMap/1.0/\" "
                    + "HDRGainMap:HDRGainMapVersion=\"131072\" HDRGainMap:HDRGainMapHeadroom=\"5\"/></rdf:RDF></x:xmpmeta>"
            }
            let found = try #require(encoded(file))
            #expect(found.format == .apple && abs(found.metadata.headroom - 5) < 1e-9 && found.recoding != nil)
            let map = try decoded(found.bytes, .standard).bitmap
            let base = try decoded(file.bytes, .standard).bitmap
            let bitmap = try decoded(file.bytes).bitmap
            let sample = HighRangeLight.sRGB(Double(map.row(32)[4 * 80 + 1]) / 255)
            let wanted = HighRangeLight.sRGB(Double(base.row(64)[4 * 160 + 1]) / 255) * (1 + 4 * sample)
            #expect(abs(light(bitmap, 160, 64) / wanted - 1) < 0.02)
        }

        /// Where the map itself says nothing, as in the files of phones.
        @Test(arguments: formats) func applesHeadroomIsInTheNotesOfTheCamera(_ format: ImageFormat) throws {
            let file = try file(format) {
                ($0.derived, $0.auxiliaryType) = (nil, "urn:com:apple:photo:2020:aux:hdrgainmap")
                $0.exif = UltraHDRReadingTests.appleEXIF(first: 50, second: 0)
            }
            let found = try #require(encoded(file))
            #expect(found.format == .apple && abs(found.metadata.alternateHeadroom - 1.8) < 1e-9)
            #expect(try decoded(file.bytes).bitmap.dynamicRange.isHigh)
        }

        /// A quarter turn of the image turns its map, whether the map says so or not.
        @Test(arguments: formats, [false, true]) func turnsAreThoseOfTheImage(_ format: ImageFormat, mapSaysSo: Bool) throws {
            let file = try file(format) {
                let turn = HEIFGainMapFile.box("irot", [1])
                $0.base.properties.append(turn)
                if mapSaysSo { $0.map.properties.append(turn) }
            }
            let bitmap = try decoded(file.bytes).bitmap
            #expect(bitmap.size == PixelSize(width: 128, height: 192))
            // Counter-clockwise: what was on the right is above.
            #expect(light(bitmap, 64, 30) > 2 * light(bitmap, 64, 160))
            let standard = try decoded(file.bytes, .standard).bitmap
            #expect(standard.gainMap?.storedSize(for: standard.size).area == 96 * 64)
        }

        /// HEIC and AVIF become JPEG with a map of its own.
        // NW-01
        @Test(arguments: formats) func conversionToJPEGKeepsIt(_ format: ImageFormat) throws {
            let file = try file(format)
            let image = try decoded(file.bytes, .standard) { $0.target = .size(.fit(96, 96)) }
            let encoder = try #require(
                try JPEGCoder().makeEncoder(for: .jpeg, options: EncodeOptions(format: .jpeg, quality: 95)))
            let jpeg = try encoder.encode(image)
            let map = try #require(UltraHDR.gainMap(in: ByteRope(jpeg), limits: .standard))
            #expect(map.size == PixelSize(width: 48, height: 32))
            #expect(try map.metadata == Self.numbers())
            let (before, after) = (try decoded(file.bytes).bitmap, try decoded(jpeg).bitmap)
            for (x, y) in [(20, 32), (80, 32)] {
                #expect(abs(light(after, x, y) / light(before, 2 * x, 2 * y) - 1) < 0.03, "\(x)")
            }
        }

        #if AVIF
            /// A JPEG's map stands beside an AVIF that is made of it, at the size of that.
            // NW-01
            @Test(arguments: [true, false]) func conversionToAVIFKeepsIt(isGray: Bool) throws {
                let source = try UltraHDRFile.sample(256, 192, isGray: isGray).bytes
                let image = try decoded(source, .standard) { $0.target = .size(.fit(128, 128)) }
                func encoded(_ options: EncodeOptions) throws -> [UInt8] {
                    try #require(try AVIFCoder().makeEncoder(for: .avif, options: options)).encode(image)
                }
                let file = try encoded(EncodeOptions(format: .avif, quality: 95))
                let found = try #require(AVIFCoder().gainMap(in: ByteRope(file), limits: .standard))
                let original = try #require(UltraHDR.gainMap(in: ByteRope(source), limits: .standard))
                #expect(found.metadata == original.metadata && found.isGray == isGray)
                #expect(found.size == PixelSize(width: original.size.width / 2, height: original.size.height / 2))
                let before = try decoded(source) { $0.target = .size(.fit(128, 128)) }.bitmap
                let after = try decoded(file).bitmap
                #expect(after.size == PixelSize(width: 128, height: 96) && after.dynamicRange == before.dynamicRange)
                for (x, y) in [(20, 20), (64, 48), (100, 80)] {
                    #expect(abs(light(after, x, y) / light(before, x, y) - 1) < 0.06, "\(x), \(y)")
                }
                // Who does not know of maps sees the image.
                let plain = try encoded(EncodeOptions(format: .avif, quality: 95, keepsGainMap: false))
                #expect(AVIFCoder().gainMap(in: ByteRope(plain), limits: .standard) == nil && plain.count < file.count)
                #expect(try decoded(plain, .standard).bitmap.packedBytes() == decoded(file, .standard).bitmap.packedBytes())
                let small = try encoded(EncodeOptions(format: .avif, maximumFileSize: 900))
                #expect(small.count <= 900 && AVIFCoder().gainMap(in: ByteRope(small), limits: .standard) == nil)
            }
        #endif

        @Test(arguments: formats) func whatIsWrongIsNoMap(_ format: ImageFormat) throws {
            let numbers = try Self.numbers()
            let changes: [(String, (inout HEIFGainMapFile) -> Void)] = [
                ("no metadata", { $0.derived = ([0, 0, 0], []) }),
                ("a later version", { $0.derived = ([1] + ISOGainMap.content(numbers), []) }),
                ("another codec", { $0.map.type = "jpeg" }),
                ("no size", { file in file.map.properties.removeAll { $0[4..<8].elementsEqual("ispe".utf8) } }),
                (
                    "an auxiliary image of another kind",
                    { ($0.derived, $0.auxiliaryType) = (nil, "urn:com:apple:photo:2020:aux:depth") }
                ),
                (
                    "no headroom",
                    { ($0.derived, $0.auxiliaryType) = (nil, "urn:com:apple:photo:2020:aux:hdrgainmap") }
                ),
            ]
            for (name, change) in changes { #expect(encoded(try file(format, change: change)) == nil, "\(name)") }
            var limits = DecodeLimits.standard
            limits.maximumPixels = 96 * 64 - 1
            #expect(encoded(try file(format), limits) == nil)
        }

        /// Every byte of the lists may be anything.
        @Test(arguments: formats) func hostileListsAreRead(_ format: ImageFormat) throws {
            let whole = try file(format) { $0.isGrid = true }.bytes
            let meta = try #require(ISOBoxes(bytes: whole).first("meta")).content
            let coder = try #require(BuiltInCoders.coder(for: format) as? any GainMapReading)
            var found = 0
            for place in meta {
                for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
                    var bytes = whole
                    bytes[place] = value
                    if let map = coder.gainMap(in: ByteRope(bytes), limits: .standard) {
                        found += 1
                        #expect(map.bytes.count < 2 * whole.count)
                    }
                }
            }
            #expect(found > 0)
            for count in stride(from: 0, to: whole.count, by: 7) {
                _ = coder.gainMap(in: ByteRope(Array(whole[..<count])), limits: .standard)
            }
        }
    }
#endif

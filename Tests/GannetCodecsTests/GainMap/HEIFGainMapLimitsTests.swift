#if (AVIF || HEIC) && JPEG && ColorManagement
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// Lists of hostile files: read once, in bounded time and memory. CD-44
    @Suite("Limits of gain maps of HEIC and AVIF") struct HEIFGainMapLimitsTests {
        private static let appleType = "urn:com:apple:photo:2020:aux:hdrgainmap"
        private static var formats: [ImageFormat] { HEIFGainMapTests.formats }

        private func file(_ format: ImageFormat) throws -> HEIFGainMapFile {
            let base = try TestImages.draw(width: 64, height: 64, alpha: .opaque) { _, _ in 0xFF80_8080 }
            let map = try TestImages.draw(width: 64, height: 64, alpha: .opaque) { _, _ in 0xFFA0_A0A0 }
            var file = try HEIFGainMapFile(format, base: base, map: map)
            file.derived = (try data(), [])
            return file
        }

        private func data() throws -> [UInt8] {
            let channel = GainMapMetadata.Channel(maximum: 2)
            let metadata = GainMapMetadata(channel, channel, channel, baseHeadroom: 0, alternateHeadroom: 2)
            return HEIFGainMapFile.metadata(try #require(metadata))
        }

        private func map(_ file: HEIFGainMapFile, _ limits: DecodeLimits = .standard) -> EncodedGainMap? {
            let coder = BuiltInCoders.coder(for: file.format) as? any GainMapReading
            return coder?.gainMap(in: ByteRope(file.bytes), limits: limits)
        }

        private func properties(_ boxes: [UInt8]) -> [UInt8] { HEIFGainMapFile.box("iprp", HEIFGainMapFile.box("ipco", boxes)) }

        /// A later list replaced the one that the items' places had been checked against.
        @Test(arguments: formats) func onlyTheFirstListOfPropertiesCounts(_ format: ImageFormat) throws {
            var file = try file(format)
            let found = try #require(map(file))
            for later in [[], HEIFGainMapFile.box("irot", [1])] as [[UInt8]] {
                file.end = properties(later)
                #expect(map(file)?.bytes == found.bytes, "\(later)")
            }
            file.end = HEIFGainMapFile.box("iprp", [])
            #expect(map(file)?.bytes == found.bytes)
            (file.front, file.end) = (properties([]), [])
            #expect(map(file) == nil)
        }

        @Test(arguments: formats) func propertiesMayStandBeforeTheItems(_ format: ImageFormat) throws {
            var file = try file(format)
            let found = try #require(map(file))
            file.hasPropertiesFirst = true
            #expect(map(file)?.bytes == found.bytes)
            file.end = properties([])
            #expect(map(file)?.bytes == found.bytes)
        }

        /// Every item costs up to 64 KiB of reading, so that no more than eight are looked at.
        @Test(arguments: formats, [7, 8]) func derivedItemsAreFew(_ format: ImageFormat, wrong: Int) throws {
            var file = try file(format)
            file.earlier = (0..<wrong).map { _ in ("dimg", "tmap", [9], [], [1, 2]) }
            #expect((map(file) != nil) == (wrong < 8))
        }

        @Test(arguments: formats, [7, 8]) func auxiliaryImagesAreFew(_ format: ImageFormat, wrong: Int) throws {
            var file = try file(format)
            (file.derived, file.auxiliaryType, file.xmp) = (nil, Self.appleType, Self.xmp)
            let type = HEIFGainMapFile.full("auxC", Array(Self.appleType.utf8) + [0])
            file.earlier = (0..<wrong).map { _ in ("auxl", "hvc1", [9], [type], [1]) }
            #expect((map(file) != nil) == (wrong < 8))
            // Those of other kinds are not counted: a portrait has many.
            let other = HEIFGainMapFile.full("auxC", Array("urn:com:apple:photo:2018:aux:portraiteffectsmatte".utf8) + [0])
            file.earlier = (0..<wrong).map { _ in ("auxl", "hvc1", [9], [other], [1]) }
            #expect(map(file) != nil)
        }

        @Test(arguments: formats, [7, 8]) func descriptionsAreFew(_ format: ImageFormat, wrong: Int) throws {
            var file = try file(format)
            (file.derived, file.auxiliaryType, file.xmp) = (nil, Self.appleType, Self.xmp)
            file.earlier = (0..<wrong).map { _ in ("cdsc", "mime", [9], [], [2]) }
            #expect((map(file) != nil) == (wrong < 8))
            // Nor are those of other images.
            file.earlier = (0..<wrong).map { _ in ("cdsc", "mime", [9], [], [7]) }
            #expect(map(file) != nil)
        }

        /// Each was copied as often as it was named, and more than 255 made the map none.
        @Test(arguments: formats) func propertiesNamedAgainAreCopiedOnce(_ format: ImageFormat) throws {
            var file = try file(format)
            let found = try #require(map(file))
            file.repeats = 200
            #expect(map(file)?.bytes == found.bytes)
        }

        @Test(arguments: formats) func propertiesAreCountedBeforeTheyAreCopied(_ format: ImageFormat) throws {
            var file = try file(format)
            // 64 of 48 KiB are three megabytes.
            file.map.properties += (0..<64).map {
                HEIFGainMapFile.box("colr", Array("prof".utf8) + [$0] + [UInt8](repeating: 0, count: 48 << 10))
            }
            #expect(map(file) == nil)
            file.map.properties.removeLast(40)
            #expect(map(file)?.size == PixelSize(width: 64, height: 64))
            // Seven bits count them.
            var writer = HEIFWriter(brands: ["heic"])
            let places = (0..<128).map { writer.place(of: HEIFGainMapFile.box("pasp", [$0])) }
            #expect(places == Array(0..<127) + [nil])
            #expect(writer.place(of: HEIFGainMapFile.box("pasp", [126])) == 126)
        }

        /// And it counts as memory that the pixels hold.
        @Test(arguments: formats, [1 << 20, 1 << 20 + 1]) func profilesHaveALimit(_ format: ImageFormat, count: Int) throws {
            var file = try file(format)
            let profile = HEIFGainMapFile.box("colr", Array("prof".utf8) + [UInt8](repeating: 7, count: count))
            file.derived = (try data(), [profile])
            let found = try #require(map(file))
            #expect(found.iccProfile.count == (count > 1 << 20 ? 0 : count))
            let gainMap = GainMap(
                GainMap.Source(found, imageSize: found.size) { _ throws(ImageError) in throw ImageError.cancelled() })
            #expect(gainMap.byteCount == found.bytes.count + found.iccProfile.count)
        }

        #if HEIC
            /// The decoder takes memory for what is coded, whatever the list says of it.
            @Test func codedImagesAreNotMuchLargerThanTheyClaim() throws {
                let base = try TestImages.draw(width: 64, height: 64, alpha: .opaque) { _, _ in 0xFF80_8080 }
                let large = try TestImages.draw(width: 1280, height: 1024, alpha: .opaque) { _, _ in 0xFFA0_A0A0 }
                var file = try HEIFGainMapFile(.heic, base: base, map: large)
                file.derived = (try data(), [])
                let found = try #require(map(file))
                #expect(found.size.area == 1280 * 1024)
                // The planes of the decoder, its frames and the rows of the library.
                let gainMap = GainMap(
                    GainMap.Source(found, imageSize: found.size) { _ throws(ImageError) in throw ImageError.cancelled() })
                #expect(gainMap.workBytes(for: base.size) >= 24 * found.size.area)
                let place = try #require(file.map.properties.firstIndex { $0[4..<8].elementsEqual("ispe".utf8) })
                file.map.properties[place] = HEIFGainMapFile.full("ispe", HEIFGainMapFile.long(16) + HEIFGainMapFile.long(16))
                #expect(map(file) == nil)
            }
        #endif

        /// Ratios of single channels are for the primaries that the brighter image has, by a number or by a profile.
        @Test(arguments: formats) func primariesAreNamedByNumbersToo(_ format: ImageFormat) throws {
            let base = try TestImages.draw(width: 64, height: 64, alpha: .opaque) { _, _ in 0xFFA0_6040 }
            let ratios = try TestImages.draw(width: 64, height: 64, alpha: .opaque) { _, _ in 0xFFE0_4020 }
            var file = try HEIFGainMapFile(format, base: base, map: ratios)
            let channel = GainMapMetadata.Channel(maximum: 2)
            var metadata = try #require(
                GainMapMetadata(channel, channel, channel, baseHeadroom: 0, alternateHeadroom: 2))
            func pixel(_ colors: [UInt8], usesBase: Bool = false) throws -> [Double] {
                metadata.usesBaseColors = usesBase
                file.derived = (HEIFGainMapFile.metadata(metadata), [HEIFGainMapFile.box("colr", colors)])
                var options = ResolvedDecodeOptions()
                options.dynamicRange = .high
                let environment = DecodeEnvironment(colorManager: LCMSColorManager())
                let image = try ImageDecoding(coders: AvailableCoders.manager, environment: environment)
                    .decode(ByteRope(file.bytes), options: options)
                #expect(image.bitmap.dynamicRange.isHigh)
                return HighRangeLight.samples(image.bitmap)[32 * 64 + 32][0..<3].map { Double($0) }
            }
            func isNear(_ first: [Double], _ second: [Double]) -> Bool { zip(first, second).allSatisfy { abs($0 - $1) < 60 } }
            let curve = ICCProfileWriter.sRGBCurve
            let wide = ICCProfileWriter(
                space: "RGB ",
                tags: [
                    ("rXYZ", ICCProfileWriter.xyz(0.6735, 0.2790, 0)), ("gXYZ", ICCProfileWriter.xyz(0.1657, 0.6753, 0.0300)),
                    ("bXYZ", ICCProfileWriter.xyz(0.1251, 0.0456, 0.7969)), ("wtpt", ICCProfileWriter.xyz(0.9642, 1, 0.8249)),
                    ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
                ]
            ).bytes
            let numbers = { (primaries: Int) in Array("nclx".utf8) + [0, UInt8(primaries), 0, 16, 0, 0, 0x80] }
            let byProfile = try pixel(Array("prof".utf8) + wide)
            let ofBase = try pixel(numbers(9), usesBase: true)
            #expect(isNear(try pixel(numbers(9)), byProfile))
            #expect(!isNear(ofBase, byProfile))
            #expect(isNear(try pixel(numbers(1)), ofBase))
            // Others are not known.
            file.derived?.properties = [HEIFGainMapFile.box("colr", numbers(7))]
            metadata.usesBaseColors = false
            file.derived?.data = HEIFGainMapFile.metadata(metadata)
            #expect(map(file) == nil)
        }

        private static let xmp =
            "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
            + "<rdf:Description rdf:about=\"\" xmlns:HDRGainMap=\"http://ns.apple.com/HDRGainMap/1.0/\" "
            + "HDRGainMap:HDRGainMapVersion=\"131072\" HDRGainMap:HDRGainMapHeadroom=\"5\"/></rdf:RDF></x:xmpmeta>"
    }
#endif

#if (AVIF || HEIC) && JPEG && ColorManagement
    import GannetCore
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// Lists of hostile files: read once, in bounded time and memory. CD-44
    @Suite("Limits of gain maps of HEIC and AVIF") struct HEIFGainMapLimitsTests {
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
    }
#endif

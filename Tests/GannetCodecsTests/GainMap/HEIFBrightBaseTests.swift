#if (AVIF || HEIC) && JPEG && ColorManagement
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// Gain maps whose stored image is the brighter one: they are named, and no pixels have them. In standard range those of PQ are applied.
    @Suite("Gain maps of bright images") struct HEIFBrightBaseTests {
        /// `isSignalled`: the image says that it is PQ of BT.2020.
        private func file(_ format: ImageFormat, isSignalled: Bool) throws -> [UInt8] {
            let base = try TestImages.gradient(width: 192, height: 128)
            var file = try HEIFGainMapFile(format, base: base, map: try TestImages.gradient(width: 96, height: 64))
            let channel = GainMapMetadata.Channel(maximum: 2)
            let numbers = try #require(
                GainMapMetadata(channel, channel, channel, baseHeadroom: 2, alternateHeadroom: 0))
            file.derived = (HEIFGainMapFile.metadata(numbers), [])
            if isSignalled {
                file.base.properties.removeAll { $0[4..<8].elementsEqual("colr".utf8) }
                file.base.properties.append(HEIFGainMapFile.box("colr", Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 0x80]))
            }
            return file.bytes
        }

        // NW-01
        @Test(arguments: HEIFGainMapTests.formats, [false, true])
        func theMapIsNamedAndNoPixelsHaveIt(_ format: ImageFormat, isSignalled: Bool) throws {
            let file = try file(format, isSignalled: isSignalled)
            var environment = DecodeEnvironment()
            environment.colorManager = LCMSColorManager()
            let decoding = ImageDecoding(coders: AvailableCoders.manager, environment: environment)
            for range in [DynamicRange.standard, .high] {
                var options = ResolvedDecodeOptions()
                options.dynamicRange = range
                let image = try decoding.decode(ByteRope(file), options: options)
                #expect(image.bitmap.gainMap == nil && image.metadata.hadGainMap)
                #expect(image.bitmap.dynamicRange.isHigh == (isSignalled && range == .high))
                let map = try #require(image.metadata.unusedGainMap)
                #expect("\(map)" == "96×64 in colour, down from 4 times white (ISO 21496-1)" && map.bytes.isEmpty)
                #expect(image.metadata.isStandardByGainMap == (isSignalled && range == .standard))
                let described = try decoding.open(ByteRope(file), options).describedGainMap
                #expect(described?.metadata == map.metadata)
            }
        }
    }
#endif

#if JPEG
    import GannetCore
    import Testing

    @testable import GannetCodecs

    // NW-01, CD-44
    /// Gain maps of other programs, and of hostile ones.
    @Suite("Reading gain maps") struct UltraHDRReadingTests {
        // CD-44
        @Test(arguments: [false, true]) func theIndexLeadsToTheMap(isBigEndian: Bool) throws {
            var file = try UltraHDRFile.sample()
            file.isBigEndian = isBigEndian
            let map = try #require(file.read())
            #expect(map.bytes == JPEGSamples.inserting(file.mapSegments, into: file.map))
            #expect(map.size == PixelSize(clamping: 32, 24) && map.isGray && map.format == .adobe)
            let metadata = map.metadata
            #expect(metadata.hasEqualChannels && metadata.usesBaseColors && !metadata.isBaseHDR)
            #expect(metadata.red == .init(minimum: 0, maximum: 3, gamma: 1, baseOffset: 0, alternateOffset: 0))
            #expect(metadata.baseHeadroom == 0 && metadata.alternateHeadroom == 2.5)
            // The rope may be in pieces.
            var rope = ByteRope()
            for byte in file.bytes { rope.appendMerging([byte]) }
            rope.isComplete = true
            #expect(UltraHDR.gainMap(in: rope, limits: .standard)?.bytes == map.bytes)
            #expect(UltraHDR.gainMap(in: ByteRope(file.image), limits: .standard) == nil)
        }

        @Test func propertiesMayBeElementsAndLists() throws {
            let list =
                "<hdrgm:GainMapMax><rdf:Seq><rdf:li>1.5</rdf:li> <rdf:li>2</rdf:li><rdf:li>2.5</rdf:li></rdf:Seq></hdrgm:GainMapMax>"
            let elements = list + "<hdrgm:HDRCapacityMax> 2 </hdrgm:HDRCapacityMax><hdrgm:Gamma>0.5</hdrgm:Gamma>"
            let file = try UltraHDRFile.sample(segments: [UltraHDRFile.xmp("hdrgm:Version=\"1.0\"", elements)], isGray: false)
            let map = try #require(file.read())
            #expect(!map.isGray && !map.isNeutral && map.metadata.alternateHeadroom == 2)
            #expect(map.metadata.channels.map(\.maximum) == [1.5, 2, 2.5])
            #expect(map.metadata.channels.allSatisfy { $0.gamma == 0.5 && $0.minimum == 0 && $0.baseOffset == 1.0 / 64 })
        }

        @Test func theBrighterRenditionMayBeTheStoredOne() throws {
            let attributes = UltraHDRFile.attributes.replacing("OffsetSDR=\"0.0\"", with: "OffsetSDR=\"0.25\"")
            let file = try UltraHDRFile.sample(segments: [UltraHDRFile.xmp(attributes + " hdrgm:BaseRenditionIsHDR=\"True\"")])
            let metadata = try #require(file.read()).metadata
            #expect(metadata.isBaseHDR && metadata.baseHeadroom == 2.5 && metadata.alternateHeadroom == 0)
            #expect(metadata.red.baseOffset == 0 && metadata.red.alternateOffset == 0.25)
            #expect(metadata.weight(headroom: 1) == -1 && metadata.weight(headroom: 8) == 0)
        }

        @Test func theStandardsMetadataGoesFirst() throws {
            // Base and alternate headroom; minimum, maximum, gamma, both offsets.
            let one = [0, 1, 3, 2, -1, 4, 5, 2, 1, 1, 1, 64, -1, 64]
            let file = try UltraHDRFile.sample(segments: [
                UltraHDRFile.xmp(UltraHDRFile.attributes), UltraHDRFile.iso(flags: 0x40, one),
            ])
            let map = try #require(file.read())
            #expect(map.format == .iso && map.metadata.alternateHeadroom == 1.5 && map.metadata.usesBaseColors)
            #expect(
                map.metadata.blue
                    == .init(minimum: -0.25, maximum: 2.5, gamma: 1, baseOffset: 1.0 / 64, alternateOffset: -1.0 / 64))
            // Three channels with one denominator, as drafts had it.
            let three = [4, 0, 8] + [0, 8, 4, 0, 0] + [0, 9, 4, 0, 0] + [0, 10, 4, 0, 0]
            let colour = try UltraHDRFile.sample(segments: [UltraHDRFile.iso(flags: 0x88, three)], isGray: false)
            let metadata = try #require(colour.read()).metadata
            #expect(metadata.channels.map(\.maximum) == [2, 2.25, 2.5] && !metadata.usesBaseColors)
        }

        /// Nothing of the map is used that its numbers do not make sense of.
        @Test(arguments: [
            [0, 0, 3, 2, -1, 4, 5, 2, 1, 1, 1, 64, 1, 64], [0, 1, 3, 2, -1, 4, 5, 2, 0, 1, 1, 64, 1, 64],
            [0, 1, 3, 2, 9, 4, 1, 2, 1, 1, 1, 64, 1, 64], [0, 1, 0, 2, -1, 4, 5, 2, 1, 1, 1, 64, 1, 64],
            [0, 1, 3, 2, -1, 4, 5, 2, 1, 1, 1, 64], [0, 1, 1 << 31, 1, -1, 4, 5, 2, 1, 1, 1, 64, 1, 64],
        ]) func numbersThatMakeNoMap(numbers: [Int]) throws {
            #expect(try UltraHDRFile.sample(segments: [UltraHDRFile.iso(flags: 0x40, numbers)]).read() == nil)
        }

        @Test(arguments: [
            "", "hdrgm:Version=\"1.0\"", "hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"2\"",
            "hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"much\" hdrgm:HDRCapacityMax=\"2\"",
            "hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"inf\" hdrgm:HDRCapacityMax=\"2\"",
            "hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"2\" hdrgm:HDRCapacityMax=\"nan\"",
            "hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"2\" hdrgm:HDRCapacityMax=\"2\" hdrgm:Gamma=\"0\"",
            "hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"2\" hdrgm:HDRCapacityMax=\"2", "other:GainMapMax=\"2\"",
        ]) func wordsThatMakeNoMap(attributes: String) throws {
            #expect(try UltraHDRFile.sample(segments: [UltraHDRFile.xmp(attributes)]).read() == nil)
            #expect(try UltraHDRFile.sample(segments: []).read() == nil)
            let later = UltraHDRFile.iso(version: 1, flags: 0x40, [0, 1, 3, 2, -1, 4, 5, 2, 1, 1, 1, 64, 1, 64])
            #expect(try UltraHDRFile.sample(segments: [later]).read() == nil)
        }

        @Test func lyingDirectories() throws {
            let truth = try UltraHDRFile.sample()
            let whole = truth.bytes.count
            for offset in [0, 1, 100, whole, Int(UInt32.max), Int(Int32.max)] {
                var file = truth
                file.offset = offset
                #expect(file.read() == nil, "offset \(offset)")
            }
            for size in [0, 3, 20, whole, Int(UInt32.max)] {
                var file = truth
                file.size = size
                #expect(file.read() == nil, "size \(size)")
            }
            // The map is one of the first images of the index, or is not looked for.
            var file = truth
            file.entries = 16
            #expect(file.read() != nil)
            file.entries = 1000
            #expect(file.read() == nil)
        }

        @Test func whateverIsCutOffOrChangedNothingTraps() throws {
            let file = try UltraHDRFile.sample(16, 16)
            let bytes = file.bytes
            for count in stride(from: 0, to: bytes.count, by: 5) {
                #expect(UltraHDR.gainMap(in: ByteRope(Array(bytes[..<count])), limits: .standard) == nil)
            }
            // The index is the image's first segment, and XMP the map's.
            let map = bytes.count - file.map.count - file.mapSegments[0].count
            for index in Array(2..<90) + Array(map..<map + 2 + file.mapSegments[0].count) {
                for value: UInt8 in [0, 0x3C, 0xFF] {
                    var changed = bytes
                    changed[index] = value
                    _ = UltraHDR.gainMap(in: ByteRope(changed), limits: .standard)
                    if index < 90 { _ = MetadataStripper.strip(changed) }
                }
            }
        }

        @Test func limitsHoldForTheMapToo() throws {
            let file = try UltraHDRFile.sample()
            #expect(file.read(limits: DecodeLimits(maximumPixels: 32 * 24)) != nil)
            #expect(file.read(limits: DecodeLimits(maximumPixels: 32 * 24 - 1)) == nil)
            #expect(file.read(limits: DecodeLimits(maximumDecodedBytes: 32 * 24 * 4 - 1)) == nil)
        }

        @Test func applesMapsHaveTheirHeadroomInTheNotesOfTheCamera() throws {
            let xmp = UltraHDRFile.packet(
                "<rdf:Description xmlns:apdi=\"http://ns.apple.com/pixeldatainfo/1.0/\">"
                    + "<apdi:AuxiliaryImageType>urn:com:apple:photo:2020:aux:hdrgainmap</apdi:AuxiliaryImageType></rdf:Description>"
            )
            var file = try UltraHDRFile.sample(segments: [xmp])
            #expect(file.read() == nil)
            file.imageSegments = [JPEGSamples.segment(0xE1, EXIF.prefix + Self.appleEXIF(first: 50, second: 0))]
            let map = try #require(file.read())
            #expect(map.format == .apple && abs(map.metadata.alternateHeadroom - 1.8) < 1e-9)
            let recoding = try #require(map.recoding)
            #expect(recoding[0] == 0 && recoding[255] == 255 && zip(recoding, recoding.dropFirst()).allSatisfy { $0 <= $1 })
            // Half of the way to the headroom of 3.48, in light, is 1.16 of 1.8 stops.
            #expect(recoding[188] == 166)
            file.imageSegments = [JPEGSamples.segment(0xE1, EXIF.prefix + Self.appleEXIF(first: 100, second: 0))]
            #expect(file.read().map { abs($0.metadata.alternateHeadroom - 3) < 1e-9 } == true)
        }

        /// A block with notes of a camera, which have two numbers, in hundredths.
        static func appleEXIF(first: Int, second: Int) -> [UInt8] {
            func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
            func long(_ value: Int) -> [UInt8] { word(value >> 16) + word(value & 0xFFFF) }
            // Offsets from the beginning of the notes: 14 bytes of name, a directory of two entries, then two fractions.
            let notes: [[UInt8]] = [
                Array("Apple iOS\0".utf8), [0, 1, 0x4D, 0x4D], word(2),
                word(33), word(10), long(1), long(44), word(48), word(10), long(1), long(52), long(0),
                long(first), long(100), long(second), long(100),
            ]
            let block: [[UInt8]] = [
                [0x4D, 0x4D, 0, 42], long(8),
                word(1), word(0x8769), word(4), long(1), long(26), long(0),
                word(1), word(0x927C), word(7), long(notes.joined().count), long(44), long(0),
            ]
            return Array((block + notes).joined())
        }
    }
#endif

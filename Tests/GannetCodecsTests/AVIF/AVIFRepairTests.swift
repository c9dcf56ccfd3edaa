#if AVIF
    import GannetCore
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// Impossible boxes in files that are repaired for the library, and sizes that differ from the image's.
    @Suite("AVIF files that lie") struct AVIFRepairTests {
        private typealias Writer = PictureFileWriter

        private static func full(_ type: String, _ content: [UInt8], version: UInt8 = 0) -> [UInt8] {
            Writer.box(type, [version, 0, 0, 0] + content)
        }

        private static func words(_ values: Int...) -> [UInt8] { values.flatMap { Writer.number($0, 2) } }

        /// A file that needs the repair: a grid of one tile (item 2) whose alpha is item 3. `maps`: numbers of properties for
        /// item 1 and 3.
        private static func file(
            maps: [(item: Int, properties: Int)] = [(1, 1)], lists: Int = 1, references: Int = 1, properties: Int = 1,
            containers: Int = 1, associations: Int = 1, locations: Int = 1, stray: [UInt8] = []
        ) -> [UInt8] {
            func entry(_ item: Int, _ type: String) -> [UInt8] {
                full("infe", words(item, 0) + Array(type.utf8) + [0], version: 2)
            }
            let items = full("iinf", words(3) + entry(1, "grid") + entry(2, "av01") + entry(3, "av01"))
            let links = full(
                "iref", Writer.box("dimg", words(1, 1, 2)) + Writer.box("auxl", words(3, 1, 2)))
            let size = Writer.box("ipco", full("ispe", Writer.number(64, 4) + Writer.number(64, 4)))
            let map = full(
                "ipma",
                Writer.number(maps.count, 4)
                    + maps.flatMap {
                        words($0.item) + [UInt8($0.properties)] + [UInt8](repeating: 1, count: $0.properties)
                    })
            // The first of each kind is whole; those behind it are empty.
            func times(_ count: Int, _ type: String, _ box: [UInt8]) -> [UInt8] {
                (0..<count).flatMap { $0 == 0 ? box : Writer.box(type, []) }
            }
            let property = Writer.box("iprp", times(containers, "ipco", size) + times(associations, "ipma", map))
            let place = full("iloc", [0x44, 0] + words(1) + words(1, 0, 1) + Writer.number(4000, 4) + Writer.number(8, 4))
            let meta = full(
                "meta",
                full("hdlr", Writer.number(0, 4) + Array("pict".utf8) + Writer.number(0, 13)) + full("pitm", words(1))
                    + times(lists, "iinf", items) + times(references, "iref", links) + times(properties, "iprp", property)
                    + times(locations, "iloc", place) + stray)
            let start = Writer.box("ftyp", Array("avif\0\0\0\0avifmif1".utf8)) + meta
            return start + Writer.box("mdat", [UInt8](repeating: 0, count: 4100 - start.count))
        }

        private func decode(_ bytes: [UInt8]) throws(ImageError) -> Bitmap {
            let decoder = try AVIFCoder().makeDecoder(
                for: .avif, options: ResolvedDecodeOptions(DecodeOptions()), environment: DecodeEnvironment())
            _ = try decoder.read(from: ByteRope(bytes))
            guard let layout = decoder.outputLayout else { throw ImageError(.misuse, "none") }
            var buffer = try PixelBuffer(layout)
            try decoder.decodeFrame(at: 0, into: &buffer)
            return buffer.freeze()
        }

        @Test func whatIsPlainIsRepaired() {
            #expect(AVIFRepair.repaired(Self.file()) != nil)
            #expect(AVIFRepair.repaired(Self.file(maps: [(1, 255)])) != nil)
        }

        @Test func whatIsThereTwiceIsLeftAlone() {  // U-05
            let files = [
                Self.file(lists: 2), Self.file(references: 2), Self.file(properties: 2), Self.file(containers: 2),
                Self.file(associations: 2), Self.file(locations: 2),
            ]
            for (index, file) in files.enumerated() {
                #expect(AVIFRepair.repaired(file) == nil, "file \(index)")
                #expect(throws: ImageError.self, "file \(index)") { try decode(file) }
            }
        }

        @Test func whatIsNotThereIsLeftAlone() {
            let files = [
                Self.file(lists: 0), Self.file(references: 0), Self.file(properties: 0), Self.file(containers: 0),
                Self.file(associations: 0), Self.file(locations: 0),
            ]
            for (index, file) in files.enumerated() { #expect(AVIFRepair.repaired(file) == nil, "file \(index)") }
        }

        /// The new item's properties are counted in one byte.
        @Test func morePropertiesThanCanBeWrittenAreLeftAlone() {  // U-05
            let file = Self.file(maps: [(1, 255), (1, 255)])
            #expect(AVIFRepair.repaired(file) == nil)
            #expect(throws: ImageError.self) { try decode(file) }
        }

        /// Types are put back as text; bytes that are none would grow.
        @Test func boxesWithoutANameAreLeftAlone() {
            #expect(AVIFRepair.repaired(Self.file(stray: [0, 0, 0, 8, 0xFF, 0xFE, 0xFD, 0xFC])) == nil)
        }

        // MARK: - Sizes

        private func flat(_ side: Int, saying claim: Int) throws -> [UInt8] {
            let picture = try TestImages.flat(width: side, height: side)
            let encoder = try #require(try AVIFCoder().makeEncoder(for: .avif, options: EncodeOptions(effort: 0)))
            var file = try encoder.encode(TestImages.still(picture))
            let type = Array("ispe".utf8)
            let place = try #require((0..<file.count - 4).first { file[$0..<$0 + 4].elementsEqual(type) })
            file.replaceSubrange(place + 8..<place + 16, with: Writer.number(claim, 4) + Writer.number(claim, 4))
            return file
        }

        /// The library would decode it at its own size, and shrink it to the size in the boxes.
        @Test("A picture that is much larger than the file says is refused") func larger() throws {  // U-02
            let file = try flat(1100, saying: 64)
            let error = #expect(throws: ImageError.self) { try decode(file) }
            #expect(error?.code == .corrupt)
            #expect(try decode(try flat(1100, saying: 1100)).width == 1100)
        }
    }
#endif

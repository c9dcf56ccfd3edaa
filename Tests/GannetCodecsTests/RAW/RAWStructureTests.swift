#if RAW
    import GannetCore
    import GannetTestSupport
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// The parts of a raw file that are read without LibRaw. // FM-11
    @Suite struct RAWStructureTests {
        /// The segments of a JPEG up to its only scan, which has no content: nothing here decodes it. `frame`: the marker of its kind.
        private static func jpeg(frame: UInt8 = 0xC0, exif: [UInt8]? = nil, length: Int = 40) -> [UInt8] {
            let segment = exif.map { JPEGSegments.segment(0xE1, EXIF.prefix + $0) } ?? []
            let parts: [[UInt8]] = [
                [0xFF, 0xD8], segment, JPEGSegments.segment(frame, [8, 0, 12, 0, 16, 1, 1, 0x11, 0]),
                JPEGSegments.segment(0xDA, [1, 1, 0, 0, 63, 0]), [UInt8](repeating: 0, count: length), [0xFF, 0xD9],
            ]
            return Array(parts.joined())
        }

        private static func exif(_ change: (inout DNGWriter) -> Void = { _ in }) throws -> [UInt8] {
            var writer = DNGWriter(scene: DNGWriter.quarters)
            writer.orientation = 8
            change(&writer)
            return try #require(RAWStructure(writer.file).exif(.left, limit: 1 << 20))
        }

        private static func long(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }

        private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
            long(content.count + 8) + Array(type.utf8) + content
        }

        /// Fuji's file: a header with the places of three parts.
        private static func fuji(_ jpeg: [UInt8]) -> [UInt8] {
            var bytes = Array("FUJIFILMCCD-RAW 0201".utf8)
            bytes += [UInt8](repeating: 0, count: 84 - bytes.count)
            for (start, count) in [(108, jpeg.count), (108 + jpeg.count, 10), (118 + jpeg.count, 20)] {
                bytes += long(start) + long(count)
            }
            return bytes + jpeg + [UInt8](repeating: 1, count: 30)
        }

        /// Canon's file: a directory in a box, and a JPEG in another one.
        private static func canon(_ exif: [UInt8], _ jpeg: [UInt8]) -> [UInt8] {
            let name = [UInt8](repeating: 0x85, count: 16)
            let preview = box("PRVW", [UInt8](repeating: 0, count: 14) + long(jpeg.count) + jpeg)
            return box("ftyp", Array("crx \0\0\0\u{1}crx isom".utf8)) + box("moov", box("uuid", name + box("CMT1", exif)))
                + box("uuid", name + [UInt8](repeating: 0, count: 8) + preview) + box("mdat", [1, 2, 3])
        }

        // MARK: EXIF

        @Test func `Makers' own files have EXIF too`() throws {
            let exif = try Self.exif()
            for file in [Self.fuji(Self.jpeg(exif: exif)), Self.canon(exif, Self.jpeg())] {
                let found = try #require(RAWStructure(file).exif(.left, limit: 1 << 20))
                #expect(CameraFacts(exif: found).camera == "Gannet One" && EXIF.orientation(in: found) == .left)
            }
            // Olympus and Panasonic have another number behind the byte order.
            for version in [[0x52, 0x4F], [0x52, 0x53], [0x55, 0]] as [[UInt8]] {
                var file = DNGWriter(scene: DNGWriter.quarters).file
                file.replaceSubrange(2..<4, with: version)
                let found = try #require(RAWStructure(file).exif(.up, limit: 1 << 20))
                #expect(CameraFacts(exif: found).sensitivity == 400)
            }
        }

        @Test func `No limit is passed, and what does not fit is left out`() throws {
            var writer = DNGWriter(scene: DNGWriter.quarters)
            writer.make = String(repeating: "G", count: 3000)
            let structure = RAWStructure(writer.file)
            #expect(try #require(structure.exif(.up, limit: 1 << 20)).count > 3000)
            for limit in stride(from: 0, to: 1000, by: 50) {
                #expect((structure.exif(.up, limit: limit)?.count ?? 0) <= max(limit, 60), "\(limit)")
            }
        }

        // MARK: Ends

        @Test func `A file knows where it ends`() throws {
            let files = [
                DNGWriter(scene: DNGWriter.quarters).file, Self.fuji(Self.jpeg()), Self.canon(try Self.exif(), Self.jpeg()),
            ]
            for file in files {
                #expect(!RAWStructure(file).isCutOff && !RAWStructure(file).missesPixels)
                #expect(RAWStructure(Array(file.dropLast())).missesPixels)
                for count in stride(from: 12, to: file.count, by: 7) {
                    #expect(RAWStructure(Array(file[..<count])).isCutOff, "\(count) of \(file.count)")
                }
            }
        }

        @Test func `Panasonic's files are as long as their sensor is large`() {
            // Width, height, and where the samples are.
            func long(_ value: Int) -> [UInt8] { Self.long(value).reversed() }
            var file: [UInt8] = Array("IIU\0".utf8) + long(8) + [3, 0]
            for (tag, value) in [(0x02, 70), (0x03, 40), (0x18, 100)] {
                file += [UInt8(tag), tag == 0x18 ? 1 : 0, 4, 0] + long(1) + long(value)
            }
            file += [UInt8](repeating: 0, count: 100 + 3200 - file.count)
            #expect(!RAWStructure(file).missesPixels && RAWStructure(Array(file.dropLast())).missesPixels)
        }

        @Test func `Damage is read without a trap`() throws {
            let exif = try Self.exif()
            var writer = DNGWriter(scene: DNGWriter.quarters)
            writer.preview = Self.jpeg()
            let files = [Array(writer.file.prefix(1200)), Self.fuji(Self.jpeg(exif: exif)), Self.canon(exif, Self.jpeg())]
            var random = SeededGenerator(seed: 48)
            for file in files {
                for _ in 0..<1500 {
                    var damaged = file
                    for _ in 0...Int.random(in: 0..<4, using: &random) {
                        let value: UInt8 = Bool.random(using: &random) ? 0xFF : UInt8.random(in: 0...255, using: &random)
                        damaged[Int.random(in: damaged.indices, using: &random)] = value
                    }
                    let structure = RAWStructure(damaged)
                    _ = structure.isCutOff || structure.missesPixels
                    #expect((structure.exif(.up, limit: 5000)?.count ?? 0) <= 5000)
                    _ = EmbeddedThumbnail.promoted(in: damaged)
                }
            }
        }

        // MARK: JPEGs inside

        // FM-11
        @Test func `The largest JPEG inside has the orientation of the file`() throws {
            var writer = DNGWriter(scene: DNGWriter.quarters)
            writer.orientation = 8
            #expect(EmbeddedThumbnail.promoted(in: writer.file) == nil)
            let jpeg = Self.jpeg()
            writer.preview = jpeg
            for file in [writer.file, Self.canon(try Self.exif(), jpeg)] {
                let found = try #require(EmbeddedThumbnail.promoted(in: file))
                let exif = try #require(RAWStructure.exif(ofJPEG: found))
                #expect(EXIF.orientation(in: exif) == .left && found.suffix(jpeg.count - 2) == jpeg.dropFirst(2))
            }
            // One that says so itself is as it was.
            let own = Self.jpeg(exif: EXIF.block(orientation: .down))
            #expect(EmbeddedThumbnail.promoted(in: Self.fuji(own)) == own)
        }

        @Test func `What is no image for people is none`() throws {
            var writer = DNGWriter(scene: DNGWriter.quarters)
            // Lossless: a sensor.
            for bytes in [Self.jpeg(frame: 0xC3), [0xFF, 0xD8, 0xFF, 0xD9], [1, 2, 3, 4]] {
                writer.preview = bytes
                #expect(EmbeddedThumbnail.promoted(in: writer.file) == nil)
            }
            // A TIFF file whose image is a JPEG.
            writer.preview = Self.jpeg()
            writer.hasVersion = false
            #expect(EmbeddedThumbnail.promoted(in: writer.file) == nil)
        }
    }
#endif

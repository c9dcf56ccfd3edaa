#if AVIF
    import GannetCore
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// Lists of parts that are as long as the file allows. // U-05
    @Suite("Parts that an AVIF file lists") struct AVIFListsTests {
        private typealias Writer = PictureFileWriter

        private static func full(_ type: String, _ version: UInt8, _ content: [UInt8]) -> [UInt8] {
            Writer.box(type, [version, 0, 0, 0] + content)
        }

        /// A list of one kind with `count` entries.
        private static func list(_ kind: String, _ count: Int) -> [UInt8] {
            switch kind {
            case "iloc": full("iloc", 2, [0x44, 0] + Writer.number(count, 4))
            case "iinf": full("iinf", 1, Writer.number(count, 4))
            case "ipma": Writer.box("iprp", full("ipma", 0, Writer.number(count, 4)))
            default:
                full(
                    "iref", 0,
                    Writer.box("dimg", Writer.number(1, 2) + Writer.number(count / 2, 2))
                        + Writer.box("dimg", Writer.number(2, 2) + Writer.number(count - count / 2, 2)))
            }
        }

        private func code(_ bytes: [UInt8]) -> ImageError.Code? {
            let decoder = try? AVIFCoder().makeDecoder(
                for: .avif, options: ResolvedDecodeOptions(), environment: DecodeEnvironment())
            do throws(ImageError) {
                _ = try decoder?.read(from: ByteRope(bytes))
                return nil
            } catch { return error.code }
        }

        @Test("Each has a bound, just enough and one more", arguments: ["iloc", "iinf", "ipma", "iref"], [false, true])
        func bounds(kind: String, isInTrack: Bool) throws {
            func file(_ count: Int) -> [UInt8] {
                var meta = Self.full("meta", 0, Self.list(kind, count))
                if isInTrack { meta = Writer.box("moov", Writer.box("trak", meta)) }
                return Writer.box("ftyp", Array("avif\0\0\0\0avifmif1".utf8)) + meta
            }
            try HEIFLists.avif.check(file(HEIFLists.avif.most))
            let error = #expect(throws: ImageError.self) { try HEIFLists.avif.check(file(HEIFLists.avif.most + 1)) }
            #expect(error?.code == .limitExceeded)
            #expect(code(file(HEIFLists.avif.most + 1)) == .limitExceeded)
            #expect(code(file(1)) != .limitExceeded)
        }

        @Test("So have boxes") func boxes() {
            let boxes = (0..<10_000).flatMap { _ in Writer.box("free", []) }
            #expect(throws: ImageError.self) { try HEIFLists.avif.check(Self.full("meta", 0, boxes)) }
            #expect(throws: ImageError.self) { try HEIFLists.avif.check(boxes) }
        }

        @Test("What is written here is let through") func honest() throws {
            let sample = AVIFSample(width: 256, height: 128) { x, y in [UInt8(x & 255), UInt8(y), 9, 200] }
            try HEIFLists.avif.check(try sample.grid(columns: 4, rows: 2))
            try HEIFLists.avif.check(try sample.sequence(durations: [1, 2]))
        }
    }
#endif

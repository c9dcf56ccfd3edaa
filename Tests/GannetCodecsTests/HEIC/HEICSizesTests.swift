#if HEIC
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// Parts that are larger than the picture that a file claims to be (U-05).
    @Suite("Sizes behind a HEIC file's claim") struct HEICSizesTests {
        private let files = WritingCoder(coder: HEICCoder(), effort: 0)
        private let number = PictureFileWriter.number

        private func coded(_ width: Int, _ height: Int) throws -> PictureFileWriter.Item {
            let bitmap = try TestImages.gradient(width: width, height: height)
            let file = try files.file(TestImages.still(bitmap), EncodeOptions(quality: 100, effort: 0))
            return try #require(PictureFileWriter.item("hvc1", of: file))
        }

        private func code(_ bytes: [UInt8], maximumPixels: Int? = nil) -> ImageError.Code? {
            var options = DecodeOptions()
            if let maximumPixels { options.limits = DecodeLimits(maximumPixels: maximumPixels) }
            do throws(ImageError) {
                _ = try ImageDecoding(coders: CodersManager([HEICCoder()])).decode(
                    ByteRope(bytes), options: ResolvedDecodeOptions(options))
                return nil
            } catch { return error.code }
        }

        /// A canvas of one tile of 64 × 64 that claims to be as small.
        private func file(_ kind: String, _ width: Int, _ height: Int, bytes: Int) throws -> [UInt8] {
            let size = number(width, bytes) + number(height, bytes)
            let flags: UInt8 = bytes == 4 ? 1 : 0
            let data = kind == "grid" ? [0, flags, 0, 0] + size : [0, flags] + number(0, 8) + size + number(0, 2 * bytes)
            let canvas = PictureFileWriter.Item(
                type: kind, data: data, properties: [PictureFileWriter.size(64, 64)], references: [("dimg", [1])])
            return PictureFileWriter(brand: "heic", items: [try coded(64, 64), canvas], primary: 2).bytes
        }

        @Test("What our encoder and its library write is as large as it says", arguments: [(64, 64), (70, 50), (1, 1), (300, 8)])
        func honest(width: Int, height: Int) throws {
            let bitmap = try TestImages.gradient(width: width, height: height)
            let bytes = try files.file(TestImages.still(bitmap), EncodeOptions(quality: 100, effort: 0))
            let largest = try HEICSizes.largestArea(bytes)
            #expect(largest > 0 && largest <= width * height)
            #expect(code(bytes, maximumPixels: width * height) == nil)
        }

        @Test("Canvases", arguments: ["grid", "iovl"], [2, 4])
        func canvases(kind: String, bytes: Int) throws {
            #expect(try HEICSizes.largestArea(try file(kind, 64, 64, bytes: bytes)) == 64 * 64)
            let large = try file(kind, 60_000, 50_000, bytes: bytes)
            #expect(try HEICSizes.largestArea(large) == 3_000_000_000)
            #expect(code(large) == .limitExceeded)
            // Exactly as much as is allowed, and a pixel more.
            let edge = try file(kind, 100, 100, bytes: bytes)
            #expect(code(edge, maximumPixels: 10_000) != .limitExceeded)
            #expect(code(edge, maximumPixels: 9_999) == .limitExceeded)
        }

        @Test("Coded pictures: in the configuration and among the data", arguments: [false, true], [0, 1, 6])
        func coded(isAmongData: Bool, layers: Int) throws {
            let set = parameterSet(width: 16_384, height: 12_000, layers: layers)
            var item = try coded(64, 64)
            if isAmongData {
                item.data = number(set.count, 4) + set + item.data
            } else {
                let index = try #require(item.properties.firstIndex { Array($0[4..<8]) == Array("hvcC".utf8) })
                var configuration = Array(item.properties[index][8...])
                configuration[22] += 1
                configuration += [33] + number(1, 2) + number(set.count, 2) + set
                item.properties[index] = PictureFileWriter.box("hvcC", configuration)
            }
            let bytes = PictureFileWriter(brand: "heic", items: [item]).bytes
            #expect(try HEICSizes.largestArea(bytes) == (16_384 - 63) * (12_000 - 63))
            #expect(code(bytes) == .limitExceeded)
        }

        @Test("A set that is cut says nothing") func cutSets() {
            let set = parameterSet(width: 1000, height: 1000, layers: 2)
            var seen = 0
            for count in 0..<set.count where HEVCParameterSet.size(set[..<count]) == nil { seen += 1 }
            // All but those that miss only the bits behind the size.
            #expect(seen >= set.count - 2)
            #expect(HEVCParameterSet.size(set[...]).map { [$0.width, $0.height] } == [1000, 1000])
        }

        @Test("The same bytes in thousands of items are not looked at in each") func patience() throws {
            let unit: [UInt8] = [0, 0, 0, 1, 0]
            let data = [UInt8]((0..<20_000).flatMap { _ in unit })
            let items = (0..<1000).map { _ in PictureFileWriter.Item(type: "hvc1", data: data) }
            // Each item has separate bytes here, so that the length of the file permits the search.
            let honest = PictureFileWriter(brand: "heic", items: Array(items.prefix(3))).bytes
            #expect(try HEICSizes.largestArea(honest) == 0)
            let entries = (1...1000).flatMap { item in number(item, 2) + number(0, 2) + number(1, 2) + number(0, 4) + number(0, 4)
            }
            let list = (1...1000).flatMap { item in
                PictureFileWriter.box("infe", number(2 << 24, 4) + number(item, 2) + number(0, 2) + Array("hvc1".utf8) + [0])
            }
            let meta = PictureFileWriter.box(
                "meta",
                number(0, 4) + PictureFileWriter.box("iinf", number(0, 4) + number(1000, 2) + list)
                    + PictureFileWriter.box("iloc", number(0, 4) + [0x44, 0x00] + number(1000, 2) + entries))
            let error = #expect(throws: ImageError.self) { try HEICSizes.largestArea(meta + PictureFileWriter.box("mdat", data)) }
            #expect(error?.code == .corrupt)
        }

        /// libheif copies what describes a picture for each item that names it: a megabyte took 5.7 GB.
        @Test("Neither are those of metadata") func sharedMetadata() throws {
            let kinds = ["hvc1"] + Array(repeating: "Exif", count: 40)
            let list = kinds.enumerated().flatMap { item, kind in
                PictureFileWriter.box("infe", number(2 << 24, 4) + number(item + 1, 2) + number(0, 2) + Array(kind.utf8) + [0])
            }
            let entries = kinds.indices.flatMap { item in
                number(item + 1, 2) + number(0, 2) + number(1, 2) + number(0, 4) + number(200_000, 4)
            }
            let meta = PictureFileWriter.box(
                "meta",
                number(0, 4) + PictureFileWriter.box("iinf", number(0, 4) + number(kinds.count, 2) + list)
                    + PictureFileWriter.box("iloc", number(0, 4) + [0x44, 0x00] + number(kinds.count, 2) + entries))
            let file = meta + PictureFileWriter.box("mdat", [UInt8](repeating: 0, count: 200_000))
            let error = #expect(throws: ImageError.self) { try HEICSizes.largestArea(file) }
            #expect(error?.code == .corrupt)
        }

        /// Every item used to be searched for in every box.
        @Test("Only the first box for data inside counts", .timeLimit(.minutes(10))) func manyDataBoxes() throws {
            let count = 30_000
            let entries = (1...count).flatMap { item in number(item, 2) + number(1, 2) + number(0, 2) + number(0, 2) }
            let list = (1...count).flatMap { item in
                PictureFileWriter.box("infe", number(2 << 24, 4) + number(item, 2) + number(0, 2) + Array("grid".utf8) + [0])
            }
            let boxes = (0..<30_000).flatMap { _ in PictureFileWriter.box("idat", []) }
            let meta = PictureFileWriter.box(
                "meta",
                number(0, 4) + PictureFileWriter.box("iinf", number(0, 4) + number(count, 2) + list) + boxes
                    + PictureFileWriter.box("iloc", number(1 << 24, 4) + [0x44, 0x00] + number(count, 2) + entries))
            #expect(try HEICSizes.largestArea(meta) == 0)
        }

        /// ITU-T H.265 §7.3.2.2 up to the size, with profiles for `layers` sublayers and the bytes that §7.4.2 wants between zeros.
        private func parameterSet(width: Int, height: Int, layers: Int) -> [UInt8] {
            var bits: [Int] = []
            func put(_ value: Int, _ count: Int) { for bit in (0..<count).reversed() { bits.append(value >> bit & 1) } }
            func putExponential(_ value: Int) {
                let length = (value + 1).bitWidth - (value + 1).leadingZeroBitCount
                put(0, length - 1)
                put(value + 1, length)
            }
            put(0, 4)
            put(layers, 3)
            put(1, 1)
            put(1, 8)
            put(0, 80)
            put(30, 8)
            if layers > 0 {
                // Every other layer has a profile, all have a level.
                for layer in 0..<8 { put(layer >= layers ? 0 : layer % 2 == 0 ? 0b11 : 0b01, 2) }
                for layer in 0..<layers {
                    if layer % 2 == 0 { put(0, 88) }
                    put(30, 8)
                }
            }
            putExponential(0)
            putExponential(3)
            put(0, 1)
            putExponential(width)
            putExponential(height)
            put(1, 1)
            while bits.count % 8 != 0 { bits.append(0) }
            var unit: [UInt8] = [33 << 1, 1]
            var zeros = 0
            for start in stride(from: 0, to: bits.count, by: 8) {
                let byte = UInt8(bits[start..<start + 8].reduce(0) { $0 << 1 | $1 })
                if zeros >= 2, byte <= 3 {
                    unit.append(3)
                    zeros = 0
                }
                unit.append(byte)
                zeros = byte == 0 ? zeros + 1 : 0
            }
            return unit
        }
    }
#endif

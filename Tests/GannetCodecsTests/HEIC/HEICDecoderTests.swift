#if HEIC
    import CHEIF
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// Features of files from other programs that our encoder does not write (FM-06).
    @Suite("Decoding HEIC") struct HEICDecoderTests {
        private let files = WritingCoder(coder: HEICCoder(), effort: 0)

        /// Rows of straight pixels of four bytes.
        private typealias Rows = [[[UInt8]]]

        private func coded(_ bitmap: Bitmap) throws -> PictureFileWriter.Item {
            let options = EncodeOptions(quality: 100, effort: 0)
            return try #require(PictureFileWriter.item("hvc1", of: files.file(TestImages.still(bitmap), options)))
        }

        private func rows(_ bitmap: Bitmap) -> Rows {
            let bytes = bitmap.packedBytes()
            return (0..<bitmap.size.height).map { y in
                (0..<bitmap.size.width).map { x in
                    let start = (y * bitmap.size.width + x) * 4
                    return Array(bytes[start..<start + 4])
                }
            }
        }

        /// libheif 1.15 loses one step of a channel where it loses nothing.
        private func expect(_ bitmap: Bitmap, _ expected: Rows) {
            #expect(bitmap.size == PixelSize(width: expected[0].count, height: expected.count))
            let wanted = expected.flatMap { $0.flatMap { $0 } }
            let largest = zip(bitmap.packedBytes(), wanted).map { abs(Int($0) - Int($1)) }.max()
            #expect(largest ?? 255 <= 1)
        }

        private func shown(_ bytes: [UInt8]) throws -> Bitmap {
            try ImageDecoding(coders: CodersManager([HEICCoder()])).decode(ByteRope(bytes)).bitmap
        }

        @Test("Where libheif lacks the decoder, the error says which package has it") func missingDecoder() {
            let error = #expect(throws: ImageError.self) {
                try HEICHandle.check(
                    heif_error(code: heif_error_Plugin_loading_error, subcode: heif_suberror_Unspecified, message: nil))
            }
            #expect(error?.code == .unsupported)
            #expect(error?.message.contains("libheif-plugin-libde265") == true)
        }

        // MARK: - Colours

        @Test("Colours are libheif's own, to one step", arguments: [60, 100])
        func coloursAreTheLibrarys(quality: Int) throws {
            let pictures = [
                TestImages.still(try TestImages.gradient(width: 41, height: 31)),
                TestImages.still(try TestImages.discs()),
            ]
            for picture in pictures {
                let handle = try HEICHandle(
                    try files.file(picture, EncodeOptions(quality: quality, effort: 0)), limits: .standard, threads: 1)
                let watch = DecodeWatch(.standard)
                guard let planes = try handle.planes(watch) else {
                    Issue.record("libheif's samples are not taken")
                    continue
                }
                let (width, height) = (planes.width, planes.height)
                var ours = [UInt8](repeating: 0, count: width * height * 4)
                ours.withUnsafeMutableBufferPointer { ours in
                    if let base = ours.baseAddress { planes.write(to: base, stride: width * 4, width: width, height: height) }
                }
                var theirs: [UInt8] = []
                try handle.withPixels(isDeep: false, watch) { (rows, stride, _, _) throws(ImageError) in
                    for y in 0..<height { theirs += UnsafeBufferPointer(start: rows + y * stride, count: width * 4) }
                }
                let largest = zip(ours, theirs).map { abs(Int($0) - Int($1)) }.max()
                #expect(ours.count == theirs.count && largest ?? 255 <= 1)
            }
        }

        // MARK: - Turning

        /// Turned first, against the clock, then mirrored.
        private func turned(_ rows: Rows, rotation: Int?, mirror: Int?) -> Rows {
            var rows = rows
            for _ in 0..<(rotation ?? 0) {
                let width = rows[0].count
                rows = (0..<width).map { column in rows.map { $0[width - 1 - column] } }
            }
            switch mirror {
            case 0: rows.reverse()
            case 1: rows = rows.map { $0.reversed() }
            default: break
            }
            return rows
        }

        @Test("Turned and mirrored pictures are shown upright", arguments: [nil, 0, 1, 2, 3], [nil, 0, 1])
        func orientation(rotation: Int?, mirror: Int?) throws {  // CD-34
            let picture = try TestImages.gradient(width: 96, height: 64)
            var item = try coded(picture)
            if let rotation { item.properties.append(PictureFileWriter.rotation(rotation)) }
            if let mirror { item.properties.append(PictureFileWriter.mirror(mirror)) }
            let bytes = PictureFileWriter(brand: "heic", items: [item]).bytes
            expect(try shown(bytes), turned(rows(picture), rotation: rotation, mirror: mirror))
        }

        /// "irot" counts; the orientation of EXIF would turn a second time.
        @Test("EXIF does not turn", arguments: [nil, 1]) func exifOrientation(rotation: Int?) throws {
            let picture = try TestImages.gradient(width: 96, height: 64)
            var item = try coded(picture)
            if let rotation { item.properties.append(PictureFileWriter.rotation(rotation)) }
            let block: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]
            let exif = PictureFileWriter.Item(type: "Exif", data: [0, 0, 0, 0] + block, references: [("cdsc", [1])])
            let bytes = PictureFileWriter(brand: "heic", items: [item, exif]).bytes
            let decoder = try HEICCoder().makeDecoder(
                for: .heic, options: ResolvedDecodeOptions(DecodeOptions()), environment: DecodeEnvironment())
            _ = try decoder.read(from: ByteRope(bytes))
            #expect(decoder.exif == block)
            #expect(decoder.header?.orientation == .up)
            expect(try shown(bytes), turned(rows(picture), rotation: rotation, mirror: nil))
        }

        // MARK: - Tiles

        @Test("Tiles have no seams, and what is beyond the picture is left out", arguments: [(128, 128), (120, 100)])
        func tiles(size: (Int, Int)) throws {
            var tiles: [PictureFileWriter.Item] = []
            var expected = Rows(repeating: [], count: 128)
            for index in 0..<4 {
                let tile = try TestImages.gradient(width: 64, height: 64)
                tiles.append(try coded(index % 2 == 0 ? tile : TestImages.flat(width: 64, height: 64)))
                let drawn = rows(index % 2 == 0 ? tile : try TestImages.flat(width: 64, height: 64))
                for y in 0..<64 { expected[index / 2 * 64 + y] += drawn[y] }
            }
            let number = PictureFileWriter.number
            let grid = PictureFileWriter.Item(
                type: "grid", data: [0, 0, 1, 1] + number(size.0, 2) + number(size.1, 2),
                properties: [PictureFileWriter.size(size.0, size.1)], references: [("dimg", [1, 2, 3, 4])])
            let bytes = PictureFileWriter(brand: "heic", items: tiles + [grid], primary: 5).bytes
            #expect(try files.header(bytes).size == PixelSize(width: size.0, height: size.1))
            expect(try shown(bytes), expected[..<size.1].map { Array($0[..<size.0]) })
        }

        // MARK: - Pieces

        /// If libheif cannot read a part of a file, it may still be able to read the whole file.
        @Test("Boxes that reach to the end of the file", arguments: [7, 64, 200]) func openBoxes(step: Int) throws {
            let picture = try TestImages.gradient(width: 96, height: 64)
            let bytes = PictureFileWriter(brand: "heic", items: [try coded(picture)], endsWithDescription: true).bytes
            let decoder = try HEICCoder().makeDecoder(
                for: .heic, options: ResolvedDecodeOptions(DecodeOptions()), environment: DecodeEnvironment())
            for count in stride(from: step, to: bytes.count, by: step) {
                #expect(try decoder.read(from: ByteRope(Array(bytes[..<count]), isComplete: false)) == .needsMoreData)
            }
            #expect(try decoder.read(from: ByteRope(bytes)) == .finished)
            var buffer = try PixelBuffer(try #require(decoder.outputLayout))
            try decoder.decodeFrame(at: 0, into: &buffer)
            expect(buffer.freeze(), rows(picture))
        }
    }
#endif

#if JPEG
    import GannetCore
    import GannetKernels
    import GannetTesting
    import Glibc
    import Testing

    @testable import GannetCodecs

    /// Thumbnails of sizes that are no multiple of eight show each place where it is. // CD-31
    @Suite("Places in JPEG thumbnails") struct JPEGGeometryTests {
        /// Waves with a period of `period` pixels, which change visibly if they are shifted by a fraction of a thumbnail's pixel.
        private static func waves(_ width: Int, _ height: Int, _ period: Double) throws -> Bitmap {
            var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: width, height), alpha: .opaque))
            for y in 0..<height {
                var row = buffer.mutableRow(y)
                for x in 0..<width {
                    let (across, down) = (cos(2 * .pi * Double(x) / period), cos(2 * .pi * Double(y) / period))
                    row[x * 4] = UInt8(128 + 100 * across)
                    row[x * 4 + 1] = UInt8(128 + 100 * down)
                    row[x * 4 + 2] = UInt8(128 + 50 * across + 50 * down)
                    row[x * 4 + 3] = 255
                }
            }
            return buffer.freeze()
        }

        /// Of one channel and pixel.
        private static func meanDifference(_ first: Bitmap, _ second: Bitmap) -> Double {
            let (one, two) = (first.packedBytes(), second.packedBytes())
            let sum = zip(one, two).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            return Double(sum) / Double(one.count) * 4 / 3
        }

        @Test(
            "What is decoded small lies where the whole picture has it",
            arguments: [(1001, 751, 62, 47), (1001, 751, 125, 94), (97, 73, 6, 5), (401, 301, 100, 75), (417, 313, 238, 179)],
            [false, true])
        func places(_ sides: (Int, Int, Int, Int), isProgressive: Bool) throws {
            let (width, height, across, down) = sides
            let picture = try Self.waves(width, height, 6 * Double(width) / Double(across))
            let options = EncodeOptions(quality: 95, progressive: isProgressive)
            let file = try JPEGEncoder(options).encode(JPEGSamples.still(picture))
            var wanted = DecodeOptions()
            wanted.target = .size(.stretch(across, down))
            let small = try JPEGSamples.decode(file, wanted)
            try #require(small.size == PixelSize(clamping: across, down))
            let expected = try resample(JPEGSamples.decode(file), to: small.size, filter: .lanczos3)
            #expect(Self.meanDifference(small, expected) < 1)
            // The other way: by the library, as where bytes arrive.
            let library = try JPEGShrinkerTests.byLibrary(file, wanted)
            #expect(Self.meanDifference(library, expected) < 1.5)
        }

        /// The blocks reach beyond the image, with arbitrary content: a lossless crop keeps the old pixels there.
        @Test func `What lies behind the last column is hardly seen`() throws {
            let wide = try TestImages.draw(width: 104, height: 104, alpha: .opaque) { x, y in
                x < 97 && y < 97 ? 0xFFFF_FFFF : 0xFF00_0000
            }
            var file = try JPEGEncoder(EncodeOptions(quality: 95)).encode(JPEGSamples.still(wide))
            // The frame says 97 × 97; there are as many blocks of that.
            let frame = try #require(file.indices.dropLast(8).first { file[$0] == 0xFF && file[$0 + 1] == 0xC0 })
            try #require(file[frame + 6] == 104 && file[frame + 8] == 104)
            (file[frame + 6], file[frame + 8]) = (97, 97)
            for side in [6, 12, 24] {
                var wanted = DecodeOptions()
                wanted.target = .size(.stretch(side, side))
                let small = try JPEGSamples.decode(file, wanted).packedBytes()
                let corner = small[(side * side - 1) * 4]
                #expect(corner > 200, "\(side): \(corner)")
            }
        }
    }
#endif

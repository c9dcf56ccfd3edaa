#if AVIF
    import CAVIF
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// Features of files from other programs that our encoder does not write (FM-07).
    @Suite("Decoding AVIF") struct AVIFDecoderTests {
        private let files = WritingCoder(coder: AVIFCoder())

        /// Every pixel another colour.
        private func colours(_ x: Int, _ y: Int) -> [UInt8] {
            [UInt8(x * 20 & 255), UInt8(y * 20 & 255), UInt8(x * 7 + y * 3 & 255), 255]
        }

        private func straight(_ bytes: [UInt8]) throws -> [UInt8] {
            try files.decode(bytes) { $0.alpha = .straight }.packedBytes()
        }

        private func stored(_ sample: AVIFSample) -> [UInt8] {
            (0..<sample.height).flatMap { y in (0..<sample.width).flatMap { sample.pixel($0, y) } }
        }

        // MARK: - Turning

        /// As the standard says it: turned first, against the clock, then mirrored (ISO/IEC 23000-22, 7.3.6.7).
        private func turned(_ rows: [[[UInt8]]], rotation: Int?, mirror: Int?) -> [[[UInt8]]] {
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
        func orientation(rotation: Int?, mirror: Int?) throws {
            var sample = AVIFSample(width: 5, height: 3, pixel: colours)
            sample.rotation = rotation
            sample.mirror = mirror
            let bytes = try sample.bytes()
            #expect(try straight(bytes) == stored(sample))
            let rows = (0..<3).map { y in (0..<5).map { colours($0, y) } }
            let expected = turned(rows, rotation: rotation, mirror: mirror)
            let shown = try ImageDecoding(coders: CodersManager([AVIFCoder()])).decode(ByteRope(bytes))
            #expect(shown.size == PixelSize(width: expected[0].count, height: expected.count))
            #expect(shown.bitmap.packedBytes() == expected.flatMap { $0.flatMap { $0 } })
        }

        /// "irot" and "imir" count; the orientation of EXIF would turn a second time.
        @Test("EXIF does not turn") func exifOrientation() throws {
            var sample = AVIFSample(width: 5, height: 3, pixel: colours)
            sample.exif = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]
            #expect(try files.header(sample.bytes()).orientation == .up)
        }

        // MARK: - Samples

        @Test("Grey without colour planes, 8 to 12 bits", arguments: [8, 10, 12]) func monochrome(depth: Int) throws {
            var sample = AVIFSample(width: 16, height: 2) { x, _ in [UInt8(x * 17), UInt8(x * 17), UInt8(x * 17), 255] }
            sample.format = AVIF_PIXEL_FORMAT_YUV400
            sample.depth = depth
            let found = try straight(try sample.bytes())
            let largest = zip(found, stored(sample)).map { abs(Int($0) - Int($1)) }.max()
            #expect(try #require(largest) <= 2)
            #expect(try files.header(sample.bytes()).bitDepth == depth)
        }

        @Test(
            "Fewer colour samples, limited range", arguments: [8, 10, 12], [AVIF_PIXEL_FORMAT_YUV420, AVIF_PIXEL_FORMAT_YUV422])
        func subsampled(depth: Int, format: avifPixelFormat) throws {
            var sample = AVIFSample(width: 9, height: 7) { _, _ in [200, 90, 30, 255] }
            sample.format = format
            sample.depth = depth
            let found = try straight(try sample.bytes())
            let largest = zip(found, stored(sample)).map { abs(Int($0) - Int($1)) }.max()
            // libyuv counts in few bits.
            #expect(try #require(largest) <= (depth == 8 ? 8 : 3))
        }

        @Test("10 and 12 bits become 8 by rounding", arguments: [10, 12]) func rounding(depth: Int) throws {
            var sample = AVIFSample(width: 12, height: 5, pixel: colours)
            sample.depth = depth
            #expect(try straight(try sample.bytes()) == stored(sample))
        }

        @Test("Alpha, straight and premultiplied in the file", arguments: [false, true]) func alpha(isPremultiplied: Bool) throws
        {
            var sample = AVIFSample(width: 8, height: 4) { x, y in [UInt8(x * 30), UInt8(y * 60), 9, UInt8(255 - x * 32)] }
            sample.isPremultiplied = isPremultiplied
            let found = try straight(try sample.bytes())
            let wanted = stored(sample)
            for index in wanted.indices {
                let alpha = Int(wanted[index | 3])
                // Nearly transparent pixels keep few levels after premultiplication.
                let tolerance = isPremultiplied && index & 3 != 3 ? 255 / alpha + 1 : 0
                #expect(abs(Int(found[index]) - Int(wanted[index])) <= tolerance, "byte \(index)")
            }
            #expect(try files.header(sample.bytes()).hasAlpha)
        }

        @Test("A profile is handed on") func profile() throws {
            var sample = AVIFSample(width: 2, height: 2, pixel: colours)
            sample.profile = ICCProfileWriter(space: "RGB ", tags: [("wtpt", ICCProfileWriter.xyz(0.9642, 1, 0.8249))]).bytes
            #expect(try files.header(sample.bytes()).colorSpace.iccProfile == sample.profile)
        }

        // MARK: - Tiles and sequences

        @Test("Tiles have no seams", arguments: [false, true]) func tiles(isClear: Bool) throws {
            let sample = AVIFSample(width: 192, height: 128) { x, y in
                [UInt8(x), UInt8(y), UInt8(x ^ y), isClear ? UInt8(64 + (x + y) / 3) : 255]
            }
            #expect(try straight(sample.grid(columns: 3, rows: 2)) == stored(sample))
        }

        @Test("Each frame has its own time") func times() throws {
            let sample = AVIFSample(width: 8, height: 8, pixel: colours)
            let bytes = try sample.sequence(durations: [3, 10, 250, 7])
            let header = try files.header(bytes)
            #expect(header.frameCount == 4)
            let delays: [Duration] = [30, 100, 2500, 70].map { .milliseconds($0) }
            #expect(header.animation?.delays == delays)
        }

        /// In the order of the file and in any other: from a frame on that stands alone, through all frames up to the one asked for.
        @Test("Each frame is itself", arguments: [[0, 1, 2, 3, 4], [4, 0, 3, 3, 1, 2]]) func frames(order: [Int]) throws {
            // Each frame is shifted by one pixel from the previous one, so its first column identifies it.
            var sample = AVIFSample(width: 32, height: 16) { x, _ in [UInt8(x * 8 & 255), UInt8(255 - x * 8 & 255), 128, 255] }
            sample.format = AVIF_PIXEL_FORMAT_YUV420
            sample.isLossless = false
            let bytes = try sample.sequence(durations: [1, 1, 1, 1, 1])
            let decoder = try AVIFCoder().makeDecoder(
                for: .avif, options: ResolvedDecodeOptions(DecodeOptions()), environment: DecodeEnvironment())
            _ = try decoder.read(from: ByteRope(bytes))
            for frame in order {
                var buffer = try PixelBuffer(try #require(decoder.outputLayout))
                try decoder.decodeFrame(at: frame, into: &buffer)
                let pixels = buffer.freeze().packedBytes()
                // Means over ten columns; a frame's lies 8 above the one before.
                let mean = (0..<160).reduce(0) { $0 + Int(pixels[($1 / 10 * 32 + 4 + $1 % 10) * 4]) } / 160
                #expect(abs(mean - (68 + 8 * frame)) <= 3, "frame \(frame)")
            }
        }

        /// The library went there in one call, however long that took.
        @Test("On the way to a late frame cancellation is looked for") func looks() throws {  // U-02
            let frames = try (0..<12).map { try TestImages.noise(width: 32, height: 16, seed: UInt64($0 + 1)) }
            let animation = AnimatedImage(
                metadata: ImageMetadata(format: .avif, originalSize: frames[0].size), poster: frames[0], loopCount: 0,
                delays: [Duration](repeating: .milliseconds(10), count: frames.count), source: FrameArray(frames))
            let options = EncodeOptions(quality: 60, effort: 1)
            let bytes = try #require(try AVIFCoder().makeEncoder(for: .avif, options: options)).encode(.animated(animation))
            func looks(_ frame: Int, cancelsAt: Int? = nil) throws -> (count: Int, code: ImageError.Code?) {
                let decoder = try AVIFCoder().makeDecoder(
                    for: .avif, options: ResolvedDecodeOptions(DecodeOptions()), environment: DecodeEnvironment())
                _ = try decoder.read(from: ByteRope(bytes))
                let layout = try #require(decoder.outputLayout)
                let looks = CountedLooks(cancelsAt: cancelsAt)
                let error = looks.failure { () throws(ImageError) in
                    var buffer = try PixelBuffer(layout)
                    try decoder.decodeFrame(at: frame, into: &buffer)
                }
                return (looks.count, error?.code)
            }
            let (near, far) = (try looks(0), try looks(11))
            #expect(near.code == nil && far.code == nil && far.count >= near.count + 11)
            #expect(try looks(11, cancelsAt: 6).code == .cancelled)
        }

        /// A fuzzer found that a part of such a file was taken for a broken one.
        @Test("Boxes that reach to the end of the file", arguments: [1, 7, 64]) func openBoxes(step: Int) throws {
            let sample = AVIFSample(width: 8, height: 6, pixel: colours)
            let item = try #require(PictureFileWriter.item("av01", of: sample.bytes()))
            let bytes = PictureFileWriter(brand: "avif", items: [item], endsWithDescription: true).bytes
            let decoder = try AVIFCoder().makeDecoder(
                for: .avif, options: ResolvedDecodeOptions(DecodeOptions()), environment: DecodeEnvironment())
            for count in stride(from: step, to: bytes.count, by: step) {
                #expect(try decoder.read(from: ByteRope(Array(bytes[..<count]), isComplete: false)) == .needsMoreData)
            }
            #expect(try decoder.read(from: ByteRope(bytes)) == .finished)
            var buffer = try PixelBuffer(try #require(decoder.outputLayout))
            try decoder.decodeFrame(at: 0, into: &buffer)
            #expect(buffer.freeze().packedBytes() == stored(sample))
        }

        /// libavif 0.11 takes any second track for alpha.
        @Test("Depth beside a sequence is not alpha") func depth() throws {
            let animation = try TestImages.animation(frames: 3, clears: true)
            let options = EncodeOptions(quality: 100, effort: 1)
            let clear = try files.file(.animated(animation), options)
            #expect(try files.header(clear).hasAlpha)
            let text = String(decoding: clear, as: UTF8.self)
            try #require(text.contains("auxiliary:alpha"))
            var deep = clear
            let (alpha, depth) = (Array("auxiliary:alpha".utf8), Array("auxiliary:depth".utf8))
            for start in 0..<deep.count - alpha.count where deep[start..<start + alpha.count].elementsEqual(alpha) {
                deep.replaceSubrange(start..<start + alpha.count, with: depth)
            }
            #expect(try !files.header(deep).hasAlpha)
            #expect(try files.header(deep).frameCount == 3)
            #expect(try files.decode(deep).layout.alpha == .opaque)
        }
    }
#endif

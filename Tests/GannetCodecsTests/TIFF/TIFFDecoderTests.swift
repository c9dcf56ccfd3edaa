#if TIFF
    import GannetCore
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    @Suite("Decoding TIFF") struct TIFFDecoderTests {
        private func open(
            _ sample: TIFFSample, _ change: (inout DecodeOptions) -> Void = { _ in },
            environment: DecodeEnvironment = DecodeEnvironment()
        ) throws(ImageError) -> any ImageDecoder {
            var options = DecodeOptions()
            options.alpha = .straight
            change(&options)
            let decoder = try TIFFCoder().makeDecoder(
                for: .tiff, options: ResolvedDecodeOptions(options), environment: environment)
            _ = try decoder.read(from: ByteRope(sample.bytes))
            return decoder
        }

        private func pixels(
            _ sample: TIFFSample, page: Int = 0, _ change: (inout DecodeOptions) -> Void = { _ in }
        ) throws(ImageError) -> [UInt8] {
            let decoder = try open(sample, change)
            guard let layout = decoder.outputLayout else { throw ImageError(.misuse, "no layout") }
            var buffer = try PixelBuffer(layout)
            try decoder.decodeFrame(at: page, into: &buffer)
            return buffer.freeze().packedBytes()
        }

        private func code(_ sample: TIFFSample) -> ImageError.Code? {
            do {
                _ = try pixels(sample)
                return nil
            } catch { return error.code }
        }

        private func gray(_ values: [UInt8]) -> [UInt8] { values.flatMap { [$0, $0, $0, 255] } }

        @Test("Grey of few bits spans black to white", arguments: [1, 2, 4])
        func packedGray(bits: Int) throws {
            let largest = 1 << bits - 1
            let packed = UInt8(largest << (8 - bits))
            let page = TIFFSample.Page(width: 2, height: 1, bits: [bits], chunks: [[packed]])
            #expect(try pixels(TIFFSample([page])) == gray([255, 0]))
            var inverse = page
            inverse.photometric = 0
            #expect(try pixels(TIFFSample([inverse])) == gray([0, 255]))
        }

        @Test("16 bits are rounded, cut where raw numbers are wanted, or kept")
        func sixteenBits() throws {
            let sample = TIFFSample([.init(width: 2, height: 1, bits: [16], chunks: [[0xFF, 0x12, 0x00, 0x80]])])
            #expect(try pixels(sample) == gray([0x13, 0x80]))
            #expect(try pixels(sample) { $0.color = .raw } == gray([0x12, 0x80]))
            let deep = try pixels(sample) { $0.keeps16Bit = true }
            #expect(deep.prefix(8) == [0xFF, 0x12, 0xFF, 0x12, 0xFF, 0x12, 0xFF, 0xFF])
        }

        @Test("Signed and floating-point samples become brightness")
        func otherNumbers() throws {
            var signed = TIFFSample.Page(width: 3, height: 1, bits: [8], chunks: [[0x80, 0, 0x7F]])
            signed.extra = [(339, 3, [2])]
            #expect(try pixels(TIFFSample([signed])) == gray([0, 128, 255]))
            var float = TIFFSample.Page(width: 4, height: 1, bits: [32])
            float.chunks = [[Float(-1), 0.5, 2, .nan].flatMap { TIFFSample.little(Int($0.bitPattern), 4) }]
            float.extra = [(339, 3, [3])]
            #expect(try pixels(TIFFSample([float])) == gray([0, 128, 255, 0]))
            var half = TIFFSample.Page(width: 2, height: 1, bits: [16], chunks: [[0x00, 0x3C, 0x00, 0x38]])
            half.extra = [(339, 3, [3])]
            #expect(try pixels(TIFFSample([half])) == gray([255, 128]))
        }

        @Test("Palettes, alpha of both kinds, and samples that mean nothing")
        func palettesAndAlpha() throws {
            var palette = TIFFSample.Page(width: 2, height: 1, bits: [8], photometric: 3, chunks: [[1, 255]])
            let ramp = (0..<256).map { $0 * 257 }
            palette.extra = [(320, 3, ramp + ramp.reversed() + ramp.map { _ in 0 })]
            #expect(try pixels(TIFFSample([palette])) == [1, 254, 0, 255, 255, 0, 0, 255])
            var rgba = TIFFSample.Page(width: 1, height: 1, bits: [8, 8, 8, 8], photometric: 2, chunks: [[100, 50, 0, 128]])
            rgba.extra = [(338, 3, [2])]
            #expect(try pixels(TIFFSample([rgba])) == [100, 50, 0, 128])
            rgba.extra = [(338, 3, [1])]
            #expect(try pixels(TIFFSample([rgba])) == [199, 100, 0, 128])
            #expect(try open(TIFFSample([rgba])).header?.hasAlpha == true)
            rgba.extra = [(338, 3, [0])]
            #expect(try pixels(TIFFSample([rgba])) == [100, 50, 0, 255])
            // As OpenCV writes it.
            rgba.extra = []
            #expect(try pixels(TIFFSample([rgba])) == [100, 50, 0, 128])
            #expect(try open(TIFFSample([rgba])).header?.hasAlpha == true)
        }

        @Test("Inks without a profile, also 16 bits of them") func inks() throws {  // CD-39
            let page = TIFFSample.Page(
                width: 2, height: 1, bits: [8, 8, 8, 8], photometric: 5, chunks: [[255, 0, 0, 0, 0, 0, 0, 255]])
            #expect(try pixels(TIFFSample([page])) == [0, 255, 255, 255, 0, 0, 0, 255])
            let deep = TIFFSample.Page(
                width: 1, height: 1, bits: [16, 16, 16, 16], photometric: 5, chunks: [[0, 0, 255, 255, 0, 0, 0, 0]])
            #expect(try pixels(TIFFSample([deep])) == [255, 0, 255, 255])
            #expect(try pixels(TIFFSample([deep])) { $0.keeps16Bit = true } == [255, 255, 0, 0, 255, 255, 255, 255])
            #expect(try open(TIFFSample([page])).outputColorSpace == .sRGB)
        }

        @Test("L*a*b* becomes sRGB") func lab() throws {
            let page = TIFFSample.Page(
                width: 3, height: 1, bits: [8, 8, 8], photometric: 8, chunks: [[255, 0, 0, 0, 0, 0, 136, 81, 70]])
            let result = try pixels(TIFFSample([page]))
            #expect(result.prefix(8) == [255, 255, 255, 255, 0, 0, 0, 255])
            // L* 53.3, a* 81, b* 70 is a strong red.
            #expect(result[8] > 240 && result[9] < 40 && result[10] < 20)
        }

        // FM-09
        @Test("Strips, tiles and planes give the same picture", arguments: [8, 16])
        func waysOfStoring(bits: Int) throws {
            let size = bits / 8
            func sample(_ x: Int, _ y: Int, _ channel: Int) -> [UInt8] {
                TIFFSample.little((x * 40 + y * 13 + channel * 60) * (size == 2 ? 257 : 1), size)
            }
            func rows(_ xs: Range<Int>, _ ys: Range<Int>, _ channels: [Int]) -> [UInt8] {
                ys.flatMap { y in xs.flatMap { x in channels.flatMap { x < 5 && y < 7 ? sample(x, y, $0) : sample(0, 0, 0) } } }
            }
            var strips = TIFFSample.Page(width: 5, height: 7, bits: [bits, bits, bits], photometric: 2)
            strips.rowsPerStrip = 3
            strips.chunks = [rows(0..<5, 0..<3, [0, 1, 2]), rows(0..<5, 3..<6, [0, 1, 2]), rows(0..<5, 6..<7, [0, 1, 2])]
            let expected = try pixels(TIFFSample([strips]))
            #expect(Array(expected.prefix(8)) == [0, 60, 120, 255, 40, 100, 160, 255])
            var planes = strips
            planes.rowsPerStrip = 7
            planes.chunks = [0, 1, 2].map { rows(0..<5, 0..<7, [$0]) }
            planes.extra = [(284, 3, [2])]
            #expect(try pixels(TIFFSample([planes])) == expected)
            var tiles = strips
            tiles.tile = (16, 16)
            tiles.chunks = [rows(0..<16, 0..<16, [0, 1, 2])]
            #expect(try pixels(TIFFSample([tiles])) == expected)
            tiles.chunks = [0, 1, 2].map { rows(0..<16, 0..<16, [$0]) }
            tiles.extra = [(284, 3, [2])]
            #expect(try pixels(TIFFSample([tiles])) == expected)
        }

        @Test("All orientations are reported and left alone", arguments: Orientation.allCases)
        func orientations(orientation: Orientation) throws {  // CD-34
            var page = TIFFSample.Page(width: 2, height: 1, chunks: [[10, 20]])
            page.extra = [(274, 3, [orientation.rawValue])]
            #expect(try open(TIFFSample([page])).header?.orientation == orientation)
            #expect(try pixels(TIFFSample([page])) == gray([10, 20]))
        }

        @Test("Pages are reached by their number, whatever their size") func pages() throws {
            let sample = TIFFSample([
                .init(width: 1, height: 1, chunks: [[1]]), .init(width: 2, height: 1, chunks: [[2, 3]]),
                .init(width: 1, height: 1, chunks: [[4]]),
            ])
            let header = try open(sample).header
            #expect(header?.pageCount == 3)
            #expect(header?.frameCount == 1)
            #expect(try pixels(sample) == gray([1]))
            #expect(try pixels(sample, page: 1) { $0.frames = .index(1) } == gray([2, 3]))
            #expect(try pixels(sample, page: 2) { $0.frames = .index(2) } == gray([4]))
            #expect(throws: ImageError.self) { try pixels(sample, page: 1) }
            #expect(throws: ImageError.self) { try pixels(sample, page: 3) }
        }

        @Test("A chain of directories that leads back ends there", arguments: [0, 1])
        func loops(target: Int) throws {
            let page = TIFFSample.Page(width: 1, height: 1, chunks: [[9]])
            let header = try open(TIFFSample([page, page], loopsTo: target)).header
            #expect(header?.pageCount == 2)
        }

        @Test("What cannot be shown is refused clearly") func refusals() {
            let inks = TIFFSample.Page(
                width: 1, height: 1, bits: [8, 8, 8, 8], photometric: 5, chunks: [[0, 0, 0, 0]], extra: [(332, 3, [2])])
            #expect(code(TIFFSample([inks])) == .unsupported)
            #expect(code(TIFFSample([.init(width: 1, height: 1, photometric: 32803, chunks: [[0]])])) == .unsupported)
            // 34661 is JBIG, whose decoder ends the process where the data say more than there is memory for.
            for kind in [60000, 34661] {
                let compression = TIFFSample.Page(width: 1, height: 1, chunks: [[0]], extra: [(259, 3, [kind])])
                #expect(code(TIFFSample([compression])) == .unsupported)
            }
            let complex = TIFFSample.Page(
                width: 1, height: 1, bits: [64], chunks: [[UInt8](repeating: 0, count: 8)], extra: [(339, 3, [6])])
            #expect(code(TIFFSample([complex])) == .unsupported)
            // A strip that is not there.
            let lost = TIFFSample.Page(width: 4, height: 4, chunks: [[1]], extra: [(273, 4, [100_000])])
            #expect(code(TIFFSample([lost])) == .corrupt)
        }

        @Test("Tiles larger than the limit of memory are refused before they are allocated") func hugeTiles() throws {
            let page = TIFFSample.Page(width: 1, height: 1, chunks: [[0]], tile: (1 << 16, 1 << 16))
            #expect(code(TIFFSample([page])) == .limitExceeded)
        }

        @Test("Rows before the damage are shown if that is allowed") func partial() throws {
            var page = TIFFSample.Page(width: 1, height: 3, chunks: [[7], [8], [9]])
            page.rowsPerStrip = 1
            var sample = TIFFSample([page])
            sample.pages[0].extra = [(273, 4, [8, 10, 100_000])]
            let decoder = try open(sample) { $0.allowsPartial = true }
            var buffer = try PixelBuffer(try #require(decoder.outputLayout))
            try decoder.decodeFrame(at: 0, into: &buffer)
            #expect(decoder.isPartial)
            #expect(buffer.freeze().packedBytes() == gray([7, 8]) + [0, 0, 0, 0])
            #expect(code(sample) != nil)
        }

        /// Entries that all name the same bytes: libtiff keeps a copy for each, and a megabyte took three gigabytes.
        @Test("Values that overlap again and again are damage", arguments: [false, true], [false, true])
        func sharedValues(isLong: Bool, isBigEndian: Bool) throws {  // U-05
            func file(_ entries: Int, page: Int = 0) -> TIFFSample {
                let plain = TIFFSample.Page(width: 1, height: 1, chunks: [[7]])
                var crowded = plain
                // As many bytes from place 0 on as there are anywhere in the file.
                crowded.extra = (0..<entries).map { (40_000 + $0, 7, [Int](repeating: 65, count: 400)) }
                var sample = TIFFSample(page == 0 ? [crowded, plain] : [plain, crowded])
                sample.isLong = isLong
                sample.isBigEndian = isBigEndian
                return sample
            }
            func shared(_ sample: TIFFSample) throws -> [UInt8] {
                var bytes = sample.bytes
                let (step, width) = isLong ? (20, 8) : (12, 4)
                func value(_ number: Int, _ count: Int) -> [UInt8] {
                    let low = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
                    return isBigEndian ? low.reversed() : low
                }
                for tag in 40_000..<40_020 {
                    let name = value(tag, 2) + value(7, 2)
                    let entry = try #require(bytes.firstRange(of: name)).lowerBound
                    bytes.replaceSubrange(entry + 4..<entry + 4 + width, with: value(bytes.count - 16, width))
                    bytes.replaceSubrange(entry + 4 + width..<entry + step, with: value(8, width))
                }
                return bytes
            }
            let limits = DecodeLimits.standard
            for page in 0..<2 {
                let honest = file(20, page: page)
                #expect(try pixels(honest) == gray([7]))
                let bytes = try shared(honest)
                let pages = try #require(try TIFFPages(bytes, limits))
                try pages.check(pages.offsets[1 - page])
                let error = #expect(throws: ImageError.self) { try pages.check(pages.offsets[page]) }
                #expect(error?.code == .corrupt)
                let seen = #expect(throws: ImageError.self) {
                    var options = DecodeOptions()
                    options.frames = .index(page)
                    _ = try TIFFCoder().makeDecoder(
                        for: .tiff, options: ResolvedDecodeOptions(options), environment: DecodeEnvironment()
                    ).read(from: ByteRope(bytes))
                }
                #expect(seen?.code == .corrupt)
            }
        }
    }
#endif

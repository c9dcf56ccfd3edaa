#if PNG && ColorManagement
    import GannetCore
    import GannetImages
    import GannetKernels
    import Testing

    @testable import GannetCodecs

    /// PNG whose `cICP` says that samples have the narrow range of video. CD-40
    @Suite struct PNGNarrowRangeTests {
        /// A row of greys in RGB, or of pixels with `alpha`.
        private func file(_ levels: [Int], depth: Int, _ points: [UInt8], alpha: Int? = nil) -> [UInt8] {
            func samples(_ level: Int) -> [UInt8] { depth == 16 ? [UInt8(level >> 8), UInt8(level & 255)] : [UInt8(level)] }
            var writer = PNGWriter()
            let size = PNGWriter.bytes(levels.count) + PNGWriter.bytes(1)
            writer.chunk("IHDR", size + [UInt8(depth), alpha == nil ? 2 : 6, 0, 0, 0])
            writer.chunk("cICP", points)
            let row = levels.flatMap { level -> [UInt8] in
                let color = samples(level)
                return color + color + color + (alpha.map { samples($0) } ?? [])
            }
            writer.chunk("IDAT", PNGSample.zlib([0] + row))
            writer.chunk("IEND", [])
            return writer.bytes
        }

        private func decoded(
            _ file: [UInt8], isManaged: Bool = true, change: (inout ResolvedDecodeOptions) -> Void = { _ in }
        ) throws -> Bitmap {
            var environment = DecodeEnvironment()
            if isManaged { environment.colorManager = LCMSColorManager() }
            var options = ResolvedDecodeOptions()
            change(&options)
            return try ImageDecoding(coders: CodersManager([PNGCoder()]), environment: environment)
                .decode(ByteRope(file), options: options).bitmap
        }

        private func greens(_ bitmap: Bitmap) -> [Int] {
            if bitmap.layout.format == .rgba16 { return HighRangeLight.samples(bitmap).map { $0[1] } }
            let row = bitmap.row(0)
            return (0..<bitmap.width).map { Int(row[4 * $0 + 1]) }
        }

        private static let sRGB: [UInt8] = [1, 13, 0, 0]

        /// (126 − 16) · 255 / 219 = 128.08; 17 is 1.16.
        // CD-40
        @Test func eightBits() throws {
            let levels = [16, 235, 126, 17, 0, 255]
            #expect(greens(try decoded(file(levels, depth: 8, Self.sRGB))) == [0, 255, 128, 1, 0, 255])
            #expect(greens(try decoded(file(levels, depth: 8, [1, 13, 0, 1]))) == levels)
            // The file's own numbers, on request and without colour management.
            #expect(greens(try decoded(file(levels, depth: 8, Self.sRGB)) { $0.color = .raw }) == levels)
            #expect(greens(try decoded(file(levels, depth: 8, Self.sRGB), isManaged: false)) == levels)
        }

        /// The matrix of RGB is 0: a writer that says something else has copied what is true of a video. Grey of 4 bits has no narrow range.
        @Test func otherwiseTheFlagMeansNothing() throws {
            let levels = [16, 235, 126, 17, 0, 255]
            #expect(greens(try decoded(file(levels, depth: 8, [1, 13, 9, 0]))) == levels)
            var writer = PNGWriter()
            writer.chunk("IHDR", PNGWriter.bytes(4) + PNGWriter.bytes(1) + [4, 0, 0, 0, 0])
            writer.chunk("cICP", Self.sRGB)
            writer.chunk("IDAT", PNGSample.zlib([0, 0x01, 0xEF]))
            writer.chunk("IEND", [])
            #expect(greens(try decoded(writer.bytes)) == [0, 17, 238, 255])
        }

        /// Black is 16 · 256, white 235 · 256, and 32,128 half of it. Eight bits are made of the stretched ones.
        @Test func sixteenBits() throws {
            let file = file([4096, 60_160, 32_128, 4097, 0, 65_535], depth: 16, Self.sRGB)
            #expect(greens(try decoded(file) { $0.keeps16Bit = true }) == [0, 65_535, 32_768, 1, 0, 65_535])
            #expect(greens(try decoded(file)) == [0, 255, 128, 0, 0, 255])
        }

        @Test func alphaStays() throws {
            let file = file([16, 235, 126], depth: 8, Self.sRGB, alpha: 128)
            let straight = try decoded(file) { $0.alpha = .straight }
            #expect(greens(straight) == [0, 255, 128] && straight.row(0)[3] == 128)
            #expect(greens(try decoded(file)) == [0, 128, 64])
        }

        /// As the file of full range with the same light, in both ranges and smaller.
        @Test(arguments: [8, 16], [16, 18] as [UInt8]) func lightIsStretchedToo(_ depth: Int, _ transfer: UInt8) throws {
            let (black, white, most) = depth == 8 ? (16, 235, 255) : (4096, 60_160, 65_535)
            let full = (0..<8).map { $0 * most / 7 }
            let narrow = full.map { black + ($0 * (white - black) + most / 2) / most }
            for range in [DynamicRange.standard, .high] {
                for target in [DecodeTarget.original, .size(.stretch(4, 1))] {
                    func light(_ levels: [Int], isFull: UInt8) throws -> [Int] {
                        let bytes = file(levels, depth: depth, [9, transfer, 0, isFull])
                        return greens(
                            try decoded(bytes) { ($0.dynamicRange, $0.target, $0.keeps16Bit) = (range, target, depth == 16) })
                    }
                    let (one, other) = (try light(narrow, isFull: 0), try light(full, isFull: 1))
                    // Of 8 bits, 219 steps are left, and PQ makes much of each.
                    let room = depth == 16 ? 40 : range.isHigh ? 400 : 2
                    #expect(zip(one, other).allSatisfy { abs($0 - $1) <= room } && one.count == other.count, "\(one) \(other)")
                }
            }
        }
    }
#endif

#if PFM
    import GannetCore
    import GannetImages
    import Testing

    @testable import GannetCodecs

    /// PFM of both byte orders, grey and colour. NW-02
    @Suite struct PFMDecoderTests {
        private func decoded(
            _ file: [UInt8], change: (inout ResolvedDecodeOptions) -> Void = { _ in }
        ) throws -> DecodedImage {
            var options = ResolvedDecodeOptions()
            (options.color, options.keeps16Bit) = (.raw, true)
            change(&options)
            return try ImageDecoding(coders: CodersManager([PFMCoder()])).decode(ByteRope(file), options: options)
        }

        private static let rows: [[Float]] = [
            [0, 0.001, 0.18, 0.5, 1, 2], [4, 8, 16, 40, 49, 49.26], [-1, -0.0, .nan, .infinity, 1e30, 1e-30],
        ]

        private func signal(_ light: Float) -> Double {
            guard light > 0 else { return 0 }
            return light.isFinite ? HighRangeLight.pq(min(Double(light) * 203, 10_000)) * 65_535 : 65_535
        }

        // FM-18
        @Test(arguments: [false, true]) func colour(isBigEndian: Bool) throws {
            let image = try decoded(LightFiles.pfm(Self.rows, isBigEndian: isBigEndian))
            #expect(image.metadata.format == .pfm && image.metadata.bitDepth == 32)
            #expect(image.size == PixelSize(width: 2, height: 3))
            let found = HighRangeLight.samples(image.bitmap).flatMap { $0[0..<3] }
            for (found, light) in zip(found, Self.rows.joined()) {
                #expect(abs(Double(found) - signal(light)) <= 1, "\(light)")
            }
        }

        @Test(arguments: [false, true]) func gray(isBigEndian: Bool) throws {
            let image = try decoded(LightFiles.pfm(Self.rows, isGray: true, isBigEndian: isBigEndian))
            #expect(image.size == PixelSize(width: 6, height: 3))
            for (found, light) in zip(HighRangeLight.samples(image.bitmap), Self.rows.joined()) {
                #expect(found[0..<3].allSatisfy { abs(Double($0) - signal(light)) <= 1 }, "\(light)")
            }
        }

        /// The upper rows are the last in the file.
        @Test(arguments: [0, 1, 2]) func aPartShowsItsRows(missing: Int) throws {
            let rows: [[Float]] = (1...4).map { row in Array(repeating: Float(row), count: 12) }
            let file = LightFiles.pfm(rows)
            let image = try decoded(Array(file.dropLast(missing * 48 + 5))) { $0.allowsPartial = true }
            #expect(image.metadata.isPartial)
            let samples = HighRangeLight.samples(image.bitmap)
            for (index, pixel) in samples.enumerated() {
                let row = index / 4
                if row <= missing {
                    #expect(pixel.allSatisfy { $0 == 0 }, "\(row)")
                } else {
                    #expect(pixel[0..<3].allSatisfy { abs(Double($0) - signal(Float(row + 1))) <= 1 }, "\(row)")
                    #expect(pixel[3] == 65_535)
                }
            }
            let small = try decoded(Array(file.dropLast(missing * 48 + 5))) {
                ($0.allowsPartial, $0.target) = (true, .size(.fit(2, 2)))
            }
            let last = HighRangeLight.samples(small.bitmap)[3]
            #expect(small.size == PixelSize(width: 2, height: 2) && last[0] > 0)
        }

        @Test func whatBreaksTheRulesIsRefused() throws {
            let rows: [[Float]] = [[1, 1, 1]]
            for (scale, code) in [("0", ImageError.Code.corrupt), ("nan", .corrupt), ("one", .corrupt)] {
                let error = #expect(throws: ImageError.self) { try decoded(LightFiles.pfm(rows, scale: scale)) }
                #expect(error?.code == code, "\(scale)")
            }
            for (text, code) in [
                ("PF\n0 1\n-1\n", ImageError.Code.corrupt), ("PF\n99999999999 1\n-1\n", .limitExceeded),
                ("PF\n-1 1\n1\n", .corrupt),
                ("PF\n2 2\n-1\n", .truncated), ("PF\n2 2\n", .truncated), ("PF\n" + String(repeating: " ", count: 300), .corrupt),
            ] {
                let error = #expect(throws: ImageError.self) { try decoded(Array(text.utf8)) }
                #expect(error?.code == code, "\(text)")
            }
            let error = #expect(throws: ImageError.self) { try decoded(LightFiles.pfm(rows).dropLast()) }
            #expect(error?.code == .truncated)
        }
    }
#endif

#if PFM && ColorManagement
    import GannetCore
    import GannetImages
    import GannetKernels
    import Glibc
    import Testing

    @testable import GannetCodecs

    /// Light of files in standard and in high range. NW-02
    @Suite struct SceneLightTests {
        private func decoded(
            _ file: [UInt8], _ range: DynamicRange = .standard, isManaged: Bool = true,
            change: (inout ResolvedDecodeOptions) -> Void = { _ in }
        ) throws -> Bitmap {
            var environment = DecodeEnvironment()
            if isManaged { environment.colorManager = LCMSColorManager() }
            var options = ResolvedDecodeOptions()
            options.dynamicRange = range
            change(&options)
            return try ImageDecoding(coders: CodersManager([PFMCoder()]), environment: environment)
                .decode(ByteRope(file), options: options).bitmap
        }

        private func row(_ light: [Float]) -> [UInt8] { LightFiles.pfm([light.flatMap { [$0, $0, $0] }]) }

        private func reds(_ bitmap: Bitmap) -> [Int] { (0..<bitmap.width).map { Int(bitmap.row(0)[4 * $0]) } }

        /// Nothing is brighter than white: the numbers are those of sRGB.
        @Test func lightUpToWhiteIsShownAsItIs() throws {
            let light: [Float] = [0, 0.01, 0.05, 0.18, 0.5, 0.9, 1]
            let bitmap = try decoded(row(light))
            #expect(bitmap.layout.format == .rgba8 && bitmap.dynamicRange == .standard)
            let wanted = light.map { ((HighRangeTestCurve.sRGB(Double($0)) * 255).rounded()) }
            for (found, wanted) in zip(reds(bitmap), wanted) { #expect(abs(Double(found) - wanted) <= 1, "\(wanted)") }
        }

        /// The brightest light of the file becomes white, by the curve of BT.2390, and what is dark stays.
        // NW-02
        @Test func highlightsAreRolledOff() throws {
            let light: [Float] = [0.02, 0.1, 1, 2, 4, 8]
            let found = reds(try decoded(row(light)))
            #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 } && found[5] == 255, "\(found)")
            for (found, light) in zip(found, light) {
                let shown = Double(light) * HighRangeTestCurve.factor(Double(light), peak: 8)
                #expect(abs(Double(found) - HighRangeTestCurve.sRGB(shown) * 255) <= 1.2, "\(light)")
            }
        }

        // CX-15
        @Test func highRangeKeepsItsLight() throws {
            let light: [Float] = [0.02, 0.5, 1, 4, 10]
            let bitmap = try decoded(row(light), .high)
            #expect(bitmap.layout.format == .rgba16)
            #expect(abs(bitmap.dynamicRange.headroom - 10) < 0.01)
            for (pixel, light) in zip(HighRangeLight.samples(bitmap), light) {
                let found = pixel[0..<3].map { HighRangeLight.light(ofPQ: Double($0) / 65_535) / 203 }
                #expect(found.allSatisfy { abs($0 / Double(light) - 1) < 0.002 }, "\(light): \(found)")
            }
            let less = try decoded(row(light), .high(headroom: 2))
            #expect(abs(less.dynamicRange.headroom - 2) < 0.01)
            let brightest = HighRangeLight.samples(less).map { HighRangeLight.light(ofPQ: Double($0[0]) / 65_535) / 203 }.max()
            #expect(abs((brightest ?? 0) - 2) < 0.02)
        }

        /// Red of BT.709 is none of BT.2020.
        @Test func highRangeHasThePrimariesOfBT2020() throws {
            let bitmap = try decoded(LightFiles.pfm([[2, 0.5, 0.25]]), .high)
            let wanted = HighRangeLight.turned([2, 0.5, 0.25], by: HighRangeLight.fromBT709)
            let pixel = try #require(HighRangeLight.samples(bitmap).first)
            for (found, wanted) in zip(pixel, wanted) {
                #expect(abs(HighRangeLight.light(ofPQ: Double(found) / 65_535) / 203 / wanted - 1) < 0.003)
            }
        }

        /// A thumbnail is as bright as its original: the brightest light is that of the file.
        @Test func thumbnailsAreAsBright() throws {
            let rows = (0..<32).map { y in
                (0..<32).flatMap { x -> [Float] in
                    x < 16 ? [0.8, 0.8, 0.8] : x == 31 && y == 0 ? [20, 20, 20] : [0.2, 0.2, 0.2]
                }
            }
            let (whole, small) = (
                try decoded(LightFiles.pfm(rows)), try decoded(LightFiles.pfm(rows)) { $0.target = .size(.fit(8, 8)) }
            )
            #expect(small.size == PixelSize(width: 8, height: 8))
            #expect(abs(Int(whole.row(16)[4 * 4]) - Int(small.row(4)[4])) <= 1)
            #expect(abs(Int(whole.row(16)[4 * 26]) - Int(small.row(4)[4 * 6])) <= 1)
            let part = try decoded(LightFiles.pfm(rows)) { $0.region = PixelRect(x: 0, y: 8, width: 8, height: 8) }
            #expect(part.size == PixelSize(width: 8, height: 8) && part.row(0)[0] == whole.row(8)[0])
        }

        /// Without colour management the decoder makes sRGB itself.
        @Test func withoutColourManagementTheSameIsShown() throws {
            let file = row([0.02, 0.1, 1, 2, 4, 8])
            #expect(try decoded(file, isManaged: false).packedBytes() == decoded(file).packedBytes())
        }
    }
#endif

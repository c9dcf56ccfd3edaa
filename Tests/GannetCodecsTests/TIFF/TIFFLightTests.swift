#if TIFF && ColorManagement
    import GannetCore
    import GannetImages
    import Testing

    @testable import GannetCodecs

    /// Floating-point RGB is light. NW-02
    @Suite("Light in TIFF") struct TIFFLightTests {
        private func decoded(
            _ file: TIFFSample, change: (inout ResolvedDecodeOptions) -> Void = { _ in }
        ) throws -> Bitmap {
            var environment = DecodeEnvironment()
            environment.colorManager = LCMSColorManager()
            var options = ResolvedDecodeOptions()
            change(&options)
            return try ImageDecoding(coders: CodersManager([TIFFCoder()]), environment: environment)
                .decode(ByteRope(file.bytes), options: options).bitmap
        }

        private func signals(_ file: TIFFSample) throws -> [[Int]] {
            HighRangeLight.samples(try decoded(file) { ($0.color, $0.keeps16Bit) = (.raw, true) })
        }

        private static let light: [Float] = [0, 0.25, 1, 4, 20, 49, -1, .nan, .infinity]

        private func wanted(_ light: Float) -> Double {
            guard light > 0 else { return 0 }
            return light.isFinite ? HighRangeLight.pq(Double(light) * 203) * 65_535 : 65_535
        }

        private func page(_ samples: [Float], bits: Int = 32, channels: Int = 3) -> TIFFSample.Page {
            var page = TIFFSample.Page(
                width: samples.count / channels, height: 1, bits: [Int](repeating: bits, count: channels), photometric: 2)
            page.chunks = [
                samples.flatMap {
                    switch bits {
                    case 16: TIFFSample.little(Int(Self.half($0)), 2)
                    case 64: TIFFSample.little(Int(bitPattern: UInt(Double($0).bitPattern)), 8)
                    default: TIFFSample.little(Int($0.bitPattern), 4)
                    }
                }
            ]
            page.extra = [(339, 3, [Int](repeating: 3, count: channels))]
            return page
        }

        /// Of numbers that 16 bits have.
        private static func half(_ value: Float) -> UInt16 {
            let bits = value.bitPattern
            let sign = UInt16(bits >> 16 & 0x8000)
            if value == 0 { return sign }
            if value.isNaN { return 0x7E00 }
            if value.isInfinite { return sign | 0x7C00 }
            return sign | UInt16(Int(bits >> 23 & 255) - 112) << 10 | UInt16(bits >> 13 & 1023)
        }

        // NW-02
        @Test(arguments: [16, 32, 64]) func numbersBecomeSignals(bits: Int) throws {
            let found = try signals(TIFFSample([page(Self.light, bits: bits)])).flatMap { $0[0..<3] }
            for (found, light) in zip(found, Self.light) { #expect(abs(Double(found) - wanted(light)) <= 1, "\(light)") }
        }

        @Test func planesAreTheSame() throws {
            var apart = page(Self.light)
            apart.chunks = (0..<3).map { channel in
                (0..<3).flatMap { TIFFSample.little(Int(Self.light[3 * $0 + channel].bitPattern), 4) }
            }
            apart.extra.append((284, 3, [2]))
            #expect(try signals(TIFFSample([apart])) == signals(TIFFSample([page(Self.light)])))
        }

        /// Alpha is a part, and no light.
        @Test func alphaStaysAsItIs() throws {
            var clear = page([1, 1, 1, 0.5], channels: 4)
            clear.extra.append((338, 3, [2]))
            let bitmap = try decoded(TIFFSample([clear])) { ($0.color, $0.keeps16Bit, $0.alpha) = (.raw, true, .straight) }
            let pixel = try #require(HighRangeLight.samples(bitmap).first)
            #expect(abs(Double(pixel[0]) - wanted(1)) <= 1 && pixel[3] == 32_768)
        }

        @Test func planesWithAlphaAreTheSame() throws {
            let samples: [Float] = [0, 0.25, 1, 0.5, 4, 20, 49, 1, 2, 0.125, 0.5, 0.25]
            var together = page(samples, channels: 4)
            together.extra.append((338, 3, [2]))
            var apart = together
            apart.chunks = (0..<4).map { channel in
                (0..<3).flatMap { TIFFSample.little(Int(samples[4 * $0 + channel].bitPattern), 4) }
            }
            apart.extra.append((284, 3, [2]))
            let found = try [together, apart].map { page in
                HighRangeLight.samples(
                    try decoded(TIFFSample([page])) { ($0.color, $0.keeps16Bit, $0.alpha) = (.raw, true, .straight) })
            }
            #expect(found[0] == found[1] && found[1].map { $0[3] } == [32_768, 65_535, 16_384])
            for (index, pixel) in found[1].enumerated() {
                for channel in 0..<3 {
                    #expect(abs(Double(pixel[channel]) - wanted(samples[4 * index + channel])) <= 1, "\(index), \(channel)")
                }
            }
        }

        @Test func highlightsAreRolledOff() throws {
            let samples: [Float] = [0.1, 0.1, 0.1, 1, 1, 1, 8, 8, 8]
            let bitmap = try decoded(TIFFSample([page(samples)]))
            #expect(bitmap.layout.format == .rgba8)
            for (x, light) in [0.1, 1, 8].enumerated() {
                let shown = HighRangeTestCurve.sRGB(light * HighRangeTestCurve.factor(light, peak: 8)) * 255
                #expect(abs(Double(bitmap.row(0)[4 * x]) - shown) <= 1.2, "\(light)")
            }
            let high = try decoded(TIFFSample([page(samples)])) { $0.dynamicRange = .high }
            #expect(abs(high.dynamicRange.headroom - 8) < 0.01)
            let brightest = try #require(HighRangeLight.samples(high).last)
            #expect(abs(HighRangeLight.light(ofPQ: Double(brightest[0]) / 65_535) / 203 / 8 - 1) < 0.002)
        }

        /// Measurements, whose range the file states, and grey are shown as they were.
        @Test func otherFloatsAreNoLight() throws {
            var measured = page([0, 0.5, 1, 2, 2, 2])
            measured.extra += [(340, 11, [0, 0, 0]), (341, 11, [2, 2, 2].map { Int(Float($0).bitPattern) })]
            #expect(try decoded(TIFFSample([measured])).packedBytes() == [0, 64, 128, 255, 255, 255, 255, 255])
            var gray = TIFFSample.Page(width: 2, height: 1, bits: [32])
            gray.chunks = [[Float(0.5), 2].flatMap { TIFFSample.little(Int($0.bitPattern), 4) }]
            gray.extra = [(339, 3, [3])]
            #expect(try decoded(TIFFSample([gray])).packedBytes() == [128, 128, 128, 255, 255, 255, 255, 255])
        }
    }
#endif

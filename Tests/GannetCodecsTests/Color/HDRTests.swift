#if PNG && ColorManagement
    import GannetCore
    import GannetImages
    import GannetKernels
    import Testing

    @testable import GannetCodecs

    /// Light brighter than white in files: mapped with 16 bits, delivered with 8. NW-02, CX-15, CD-44
    @Suite struct HDRTests {
        private static let sample = PNGSample(width: 24, height: 8, color: .rgb, depth: 16)
        private static let pq: (StaticString, [UInt8]) = ("cICP", [9, 16, 0, 1])

        private func decoded(
            _ extra: [(StaticString, [UInt8])], managed: Bool = true, change: (inout ResolvedDecodeOptions) -> Void = { _ in }
        ) throws -> Bitmap {
            var environment = DecodeEnvironment()
            if managed { environment.colorManager = LCMSColorManager() }
            var options = PNGDecoding.options()
            change(&options)
            let decoding = ImageDecoding(coders: CodersManager([PNGCoder()]), environment: environment)
            return try decoding.decode(ByteRope(Self.sample.file(extra: extra)), options: options).bitmap
        }

        /// Red, green and blue of all pixels through a map, in 16 bits.
        private func expected(brightest: Int?, by curve: ToneMapping = .bt2390) throws -> [Int] {
            let map = try #require(ToneMap(primaries: 9, transfer: 16, brightest: brightest, by: curve))
            let sample = Self.sample
            var result: [Int] = []
            for y in 0..<sample.height {
                var row = (0..<sample.width).flatMap { x in sample.pixel(x, y) }.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
                var span = row.mutableSpan
                map.apply(&span, count: sample.width, isDeep: true)
                for x in 0..<sample.width {
                    for channel in 0..<3 { result.append(Int(row[8 * x + 2 * channel]) | Int(row[8 * x + 2 * channel + 1]) << 8) }
                }
            }
            return result
        }

        private func colors(_ bitmap: Bitmap) -> [Int] {
            (0..<bitmap.height).flatMap { y -> [Int] in
                let row = bitmap.row(y)
                return (0..<bitmap.width).flatMap { x in (0..<3).map { Int(row[4 * x + $0]) } }
            }
        }

        // NW-02, U-30, CX-15, CD-44
        @Test func mappedWithSixteenBits() throws {
            let bitmap = try decoded([Self.pq])
            #expect(bitmap.layout.format == .rgba8)
            let expected = try expected(brightest: nil)
            #expect(colors(bitmap) == expected.map { ($0 * 255 + 32_767) / 65_535 })
            let deep = try decoded([Self.pq]) { $0.keeps16Bit = true }
            #expect(deep.layout.format == .rgba16)
        }

        /// A request's curve, which keys keep apart.
        // NW-02, CX-15
        @Test func theCurveIsAChoice() throws {
            let bitmap = try decoded([Self.pq]) { $0.toneMapping = .bt2446a }
            let expected = try expected(brightest: nil, by: .bt2446a)
            #expect(colors(bitmap) == expected.map { ($0 * 255 + 32_767) / 65_535 })
            #expect(colors(bitmap) != colors(try decoded([Self.pq])))
            var own = DecodeOptions()
            let usual = ResolvedDecodeOptions(own)
            own.toneMapping = .bt2446a
            let other = ResolvedDecodeOptions(own)
            #expect(other.keyText == "tm=bt2446a" && usual.keyText.isEmpty)
            #expect(ResolvedDecodeOptions(DecodeOptions(), own).toneMapping == .bt2446a && usual.toneMapping == .bt2390)
        }

        /// In ten-thousandths of cd/m²: 4000, with any mean; the display's 2000, behind eight coordinates; and 0, which says nothing.
        @Test func theFileSaysHowBrightItIs() throws {
            let level: (StaticString, [UInt8]) = ("cLLI", PNGWriter.bytes(40_000_000) + PNGWriter.bytes(0))
            let display: (StaticString, [UInt8]) = (
                "mDCV", [UInt8](repeating: 9, count: 16) + PNGWriter.bytes(20_000_000) + PNGWriter.bytes(1)
            )
            let unknown: (StaticString, [UInt8]) = ("cLLI", PNGWriter.bytes(0) + PNGWriter.bytes(0))
            for (extra, brightest) in [
                ([level, display], 4000), ([display], 2000), ([unknown, display], 2000), ([unknown], nil),
            ]
                as [([(StaticString, [UInt8])], Int?)]
            {
                let bitmap = try decoded([Self.pq] + extra)
                #expect(colors(bitmap) == (try expected(brightest: brightest)).map { ($0 * 255 + 32_767) / 65_535 })
            }
        }

        @Test func withoutConversionNothingIsMapped() throws {
            let plain = try decoded([("sRGB", [0])]) { $0.color = .raw }
            #expect(colors(try decoded([Self.pq]) { $0.color = .raw }) == colors(plain))
            let rounded = Self.sample.expected.enumerated().filter { $0.offset % 4 != 3 }.map { Int($0.element) }
            #expect(colors(try decoded([Self.pq], managed: false)) == rounded)
        }

        #if AVIF || HEIC
            /// The boxes of one image's properties.
            private func file(_ boxes: [(String, [UInt8])]) -> [UInt8] {
                func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
                    PNGWriter.bytes(content.count + 8) + Array(type.utf8) + content
                }
                let list = boxes.flatMap { box($0.0, $0.1) }
                return box("ftyp", Array("avifavif".utf8)) + box("meta", [0, 0, 0, 0] + box("iprp", box("ipco", list)))
            }

            @Test func boxesSayItToo() {
                let level: (String, [UInt8]) = ("clli", [4, 0, 1, 0])
                let display: (String, [UInt8]) = (
                    "mdcv", [UInt8](repeating: 9, count: 16) + PNGWriter.bytes(20_000_000) + [0, 0, 0, 1]
                )
                #expect(LightLevel.ofHEIF(file([level, display])) == 1024)
                #expect(LightLevel.ofHEIF(file([display])) == 2000)
                #expect(LightLevel.ofHEIF(file([("clli", [0, 0, 0, 0]), display])) == 2000)
                #expect(LightLevel.ofHEIF(file([("clli", [4])])) == nil && LightLevel.ofHEIF(file([])) == nil)
                let whole = file([level, display])
                for count in whole.indices { _ = LightLevel.ofHEIF(Array(whole.prefix(count))) }
            }
        #endif
    }
#endif

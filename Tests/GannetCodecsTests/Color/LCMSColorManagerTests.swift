#if ColorManagement
    import GannetCore
    import GannetImages
    import Testing

    @testable import GannetCodecs

    @Suite("Colour management") struct LCMSColorManagerTests {  // CD-40
        private let manager = LCMSColorManager()

        private func convert(_ pixel: [UInt8], _ converter: any ColorConverter) -> [UInt8] {
            var bytes = pixel + pixel
            var span = bytes.mutableSpan
            converter.convertRow(&span, count: 2)
            #expect(bytes.prefix(4) == bytes.suffix(4))
            return Array(bytes.prefix(4))
        }

        private func rgb(_ colorSpace: ColorSpace, _ pixel: [UInt8]) throws -> [UInt8]? {
            try manager.converter(from: colorSpace, format: .rgba8).map { convert(pixel, $0) }
        }

        /// A matrix profile (ICC.1:2010, version 2) whose curves are one gamma and whose colorants are exchanged: red is shown as green.
        static func swappedProfile(gamma: Double = 2.2) -> [UInt8] {
            ICCProfileWriter(space: "RGB ", tags: swappedTags(gamma: gamma)).bytes
        }

        private static func swappedTags(gamma: Double = 2.2) -> [(name: String, data: [UInt8])] {
            [
                ("rXYZ", ICCProfileWriter.xyz(0.3851, 0.7169, 0.0971)),
                ("gXYZ", ICCProfileWriter.xyz(0.4361, 0.2225, 0.0139)),
                ("bXYZ", ICCProfileWriter.xyz(0.1431, 0.0606, 0.7141)), ("wtpt", ICCProfileWriter.xyz(0.9642, 1, 0.8249)),
                ("rTRC", ICCProfileWriter.curve(gamma)), ("gTRC", ICCProfileWriter.curve(gamma)),
                ("bTRC", ICCProfileWriter.curve(gamma)),
            ]
        }

        static func sRGBLikeProfile() -> [UInt8] {
            let curve = ICCProfileWriter.sRGBCurve
            return ICCProfileWriter(
                space: "RGB ",
                tags: [
                    ("rXYZ", ICCProfileWriter.xyz(0.43607, 0.22249, 0.01392)),
                    ("gXYZ", ICCProfileWriter.xyz(0.38515, 0.71687, 0.09708)),
                    ("bXYZ", ICCProfileWriter.xyz(0.14307, 0.06061, 0.71410)), ("wtpt", ICCProfileWriter.xyz(0.9642, 1, 0.8249)),
                    ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
                ]
            ).bytes
        }

        @Test func noProfileIsSRGB() throws {
            #expect(try manager.converter(from: .sRGB, format: .rgba8) == nil)
            #expect(try manager.converter(from: ColorSpace(model: .gray), format: .rgba16) == nil)
        }

        @Test func aProfileThatIsSRGBCostsNothing() throws {
            #expect(try rgb(ColorSpace(model: .rgb, iccProfile: Self.sRGBLikeProfile()), [1, 2, 3, 4]) == nil)
        }

        // CD-40, S3-25
        @Test func profilesAreFollowedAndAlphaIsLeftAlone() throws {
            let space = ColorSpace(model: .rgb, iccProfile: Self.swappedProfile())
            let red = try #require(try rgb(space, [255, 0, 0, 77]))
            #expect(red[0] < 30 && red[1] > 250 && red[2] < 30 && red[3] == 77)
            // Made once, then taken from the cache.
            #expect(try rgb(space, [255, 0, 0, 77]) == red)
        }

        /// Every colour would pass through all steps of the chain: a few kilobytes took hours. The profile's other tags are used
        /// instead.
        @Test func chainsOfStepsAreLeftOut() throws {  // U-05
            func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
            let one: [UInt8] = [0x3F, 0x80, 0, 0]
            let zero: [UInt8] = [0, 0, 0, 0]
            let rows = (0..<3).flatMap { row in (0..<3).flatMap { $0 == row ? one : zero } }
            let parts: [[UInt8]] = [Array("matf".utf8), zero, [0, 3, 0, 3], rows, zero, zero, zero]
            let step = Array(parts.joined())
            let count = 40
            let places = (0..<count).flatMap { _ in number(16 + 8 * count) + number(step.count) }
            let all: [[UInt8]] = [Array("mpet".utf8), zero, [0, 3, 0, 3], number(count), places, step]
            let chain = Array(all.joined())
            for names in [["D2B0"], ["D2B1"], ["D2B3"], ["D2B0", "D2B1", "B2D0"]] {
                var profile = ICCProfileWriter(space: "RGB ", tags: Self.swappedTags())
                let plain = try rgb(ColorSpace(model: .rgb, iccProfile: profile.bytes), [200, 10, 30, 77])
                profile.tags += names.map { ($0, chain) }
                #expect(try rgb(ColorSpace(model: .rgb, iccProfile: profile.bytes), [200, 10, 30, 77]) == plain)
            }
        }

        @Test func sixteenBitsAreConvertedToo() throws {
            let space = ColorSpace(model: .rgb, iccProfile: Self.swappedProfile())
            let converter = try #require(try manager.converter(from: space, format: .rgba16))
            var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 1, 1), format: .rgba16, alpha: .straight))
            var row = buffer.mutableRow(0)
            for (index, byte) in [255, 255, 0, 0, 0, 0, 1, 2].enumerated() { row[index] = UInt8(byte) }
            try converter.convert(&buffer)
            let bytes = buffer.freeze().packedBytes()
            #expect(bytes[3] > 250 && bytes[1] < 30 && bytes[6...7] == [1, 2])
        }

        @Test func greyProfilesWorkOnPixelsOfThreeChannels() throws {
            let profile = ICCProfileWriter(
                space: "GRAY", tags: [("wtpt", ICCProfileWriter.xyz(0.9642, 1, 0.8249)), ("kTRC", ICCProfileWriter.curve(1))]
            ).bytes
            let light = try #require(try rgb(ColorSpace(model: .gray, iccProfile: profile), [55, 55, 55, 255]))
            // A linear 55 of 255 is sRGB's 128.
            #expect(abs(Int(light[0]) - 128) <= 1 && light[0] == light[1] && light[1] == light[2] && light[3] == 255)
        }

        @Test func brokenProfilesSaySo() throws {
            let whole = Self.swappedProfile()
            for profile in [Array(whole.prefix(200)), [UInt8](repeating: 7, count: 500)] {
                #expect(throws: ImageError.self) {
                    try manager.converter(from: ColorSpace(model: .rgb, iccProfile: profile), format: .rgba8)
                }
            }
            // A profile of another model is broken for this picture.
            #expect(throws: ImageError.self) {
                try manager.converter(from: ColorSpace(model: .gray, iccProfile: whole), format: .rgba8)
            }
            #expect(throws: ImageError.self) { try manager.cmykConverter(iccProfile: whole) }
        }

        @Test("Damaged profiles are survived")
        func damage() throws {  // U-05
            let whole = Self.swappedProfile()
            for index in stride(from: 0, to: whole.count, by: 3) {
                var profile = whole
                profile[index] ^= 0xFF
                _ = try? manager.converter(from: ColorSpace(model: .rgb, iccProfile: profile), format: .rgba8)
                _ = try? manager.converter(from: ColorSpace(model: .rgb, iccProfile: Array(whole.prefix(index))), format: .rgba8)
            }
        }

        @Test func codePointsOfDisplayP3AreWider() throws {
            let p3 = ColorSpace(model: .rgb, cicp: CICP(primaries: 12, transfer: 13, matrix: 0, isFullRange: true))
            // Published: Display P3 (0.8, 0.4, 0.4) is about sRGB (0.863, 0.381, 0.394).
            let pixel = try #require(try rgb(p3, [204, 102, 102, 9]))
            #expect(
                abs(Int(pixel[0]) - 220) <= 2 && abs(Int(pixel[1]) - 96) <= 3 && abs(Int(pixel[2]) - 100) <= 2 && pixel[3] == 9)
            #expect(try rgb(p3, [100, 100, 100, 1]) == [100, 100, 100, 1])
        }

        @Test func codePointsOfSRGBCostNothing() throws {
            for (primaries, transfer) in [(1, 13), (2, 2), (1, 1)] {
                let cicp = CICP(primaries: primaries, transfer: transfer, matrix: 0, isFullRange: true)
                #expect(try rgb(ColorSpace(model: .rgb, cicp: cicp), [1, 2, 3, 4]) == nil)
            }
        }

        @Test("White stays white", arguments: [4, 5, 6, 7, 9, 12, 22], [1, 4, 8, 13])
        func whites(primaries: Int, transfer: Int) throws {
            let cicp = CICP(primaries: primaries, transfer: transfer, matrix: 0, isFullRange: true)
            guard let white = try rgb(ColorSpace(model: .rgb, cicp: cicp), [255, 255, 255, 255]) else { return }
            #expect(white.allSatisfy { $0 >= 253 })
        }

        // CX-15, CD-44
        @Test func highDynamicRangeIsMappedToThatOfScreens() throws {
            func rgb(_ space: ColorSpace, _ pixel: [UInt8]) throws -> [UInt8] {
                var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 1, 1), alpha: .straight))
                buffer.withUnsafeRows { row, _ in
                    for (index, value) in pixel.enumerated() { row[index] = value }
                }
                try convertToSRGB(&buffer, from: space, with: manager)
                return (0..<4).map { buffer.row(0)[$0] }
            }
            for transfer in [16, 18] {
                let cicp = CICP(primaries: 9, transfer: transfer, matrix: 0, isFullRange: true)
                let space = ColorSpace(model: .rgb, cicp: cicp)
                #expect(try rgb(space, [255, 255, 255, 255]) == [255, 255, 255, 255])
                // 203 cd/m² are 58 % of the PQ signal, 75 % of the HLG signal.
                let level: UInt8 = transfer == 16 ? 148 : 191
                #expect((227...231).contains(try rgb(space, [level, level, level, 255])[0]))
                #expect(try rgb(space, [60, 60, 60, 255])[0] < 120)
            }
            // Primaries with another white are cut there.
            let film = ColorSpace(model: .rgb, cicp: CICP(primaries: 8, transfer: 16, matrix: 0, isFullRange: true))
            #expect(try rgb(film, [148, 148, 148, 255]).allSatisfy { $0 >= 250 })
        }

        @Test func unknownCodePointsAreUnsupported() {
            let space = ColorSpace(model: .rgb, cicp: CICP(primaries: 99, transfer: 13, matrix: 0, isFullRange: true))
            #expect(throws: ImageError.self) { try manager.converter(from: space, format: .rgba8) }
        }

        @Test func inksWithoutAProfile() throws {
            let converter = try #require(try manager.cmykConverter(iccProfile: []))
            #expect(convert([127, 0, 255, 51], converter) == [102, 204, 0, 255])
            #expect(convert([0, 0, 0, 0], converter) == [255, 255, 255, 255])
        }

        @Test func theCacheForgetsTheLeastUsed() throws {
            let small = LCMSTransformCache(capacity: 2)
            func key(_ gamma: Double) -> LCMSTransformKey {
                LCMSTransformKey(source: .profile(Self.swappedProfile(gamma: gamma), .rgb), isDeep: false)
            }
            let first = try small.transform(for: key(1.8))
            #expect(try small.transform(for: key(1.8)) === first)
            _ = try small.transform(for: key(2.0))
            #expect(try small.transform(for: key(1.8)) === first)
            _ = try small.transform(for: key(2.4))
            #expect(try small.transform(for: key(1.8)) === first)
            _ = try small.transform(for: key(2.0))
            _ = try small.transform(for: key(2.4))
            #expect(try small.transform(for: key(1.8)) !== first)
        }

        /// A profile may be padded to any length, and is kept as part of its key.
        @Test func longProfilesAreNotKept() throws {
            let small = LCMSTransformCache(capacity: 2)
            let profile = Self.swappedProfile() + [UInt8](repeating: 0, count: 5 << 20)
            let key = LCMSTransformKey(source: .profile(profile, .rgb), isDeep: false)
            let first = try small.transform(for: key)
            #expect(try small.transform(for: key) !== first)
        }

        @Test func premultipliedPixelsAreRefused() throws {
            let space = ColorSpace(model: .rgb, iccProfile: Self.swappedProfile())
            let converter = try #require(try manager.converter(from: space, format: .rgba8))
            var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 1, 1), alpha: .premultiplied))
            #expect(throws: ImageError.self) { try converter.convert(&buffer) }
        }
    }
#endif

#if JP2
    import GannetCore
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// FM-17
    @Suite struct JP2DecoderTests {
        private static func decoder(
            _ bytes: [UInt8], limits: DecodeLimits = .standard, _ change: (inout DecodeOptions) -> Void = { _ in }
        ) throws(ImageError) -> any ImageDecoder {
            var options = DecodeOptions()
            options.limits = limits
            change(&options)
            let decoder = try JP2Coder().makeDecoder(
                for: .jp2, options: ResolvedDecodeOptions(options), environment: DecodeEnvironment(limits: limits))
            var rope = ByteRope(bytes)
            rope.isComplete = true
            _ = try decoder.read(from: rope)
            return decoder
        }

        private static func decode(
            _ bytes: [UInt8], limits: DecodeLimits = .standard, _ change: (inout DecodeOptions) -> Void = { _ in }
        ) throws -> Bitmap {
            let decoder = try decoder(bytes, limits: limits, change)
            var buffer = try PixelBuffer(try #require(decoder.outputLayout))
            try decoder.decodeFrame(at: 0, into: &buffer)
            return buffer.freeze()
        }

        private static func pixel(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> [Int] {
            let bytes = bitmap.packedBytes()
            let start = 4 * (y * bitmap.width + x)
            guard bitmap.layout.format == .rgba16 else { return bytes[start..<start + 4].map(Int.init) }
            return (start..<start + 4).map { Int(bytes[2 * $0]) | Int(bytes[2 * $0 + 1]) << 8 }
        }

        private static let places = [(0, 0), (23, 0), (0, 15), (23, 15), (7, 5), (12, 11)]

        // FM-17
        @Test func `A file and a bare codestream keep every promise of a coder`() async throws {
            let file = try JP2Sample.rgb.file(JP2Sample.colors(16))
            // The mark at the end holds nothing.
            let check = CoderConformance(JP2Coder(), format: .jp2, sample: file, name: "file", insignificantTail: 0)
            #expect(check.failures() == [])
            #expect(await check.cancellation() == [])
            var tiled = JP2Sample.rgb
            (tiled.tile, tiled.levels) = ((16, 16), 2)
            let bare = CoderConformance(
                JP2Coder(), format: .jp2, sample: try tiled.codestream(), name: "codestream", insignificantTail: 2)
            #expect(bare.failures() == [])
        }

        @Test func `Markers without a segment are passed over`() throws {
            var file = try JP2Sample.gray(JP2Sample.green).codestream()
            let plain = try Self.decode(file)
            let start = try #require(file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0x90 })
            file.insert(contentsOf: [0xFF, 0x30, 0xFF, 0x3F], at: start)
            #expect(try Self.decode(file).packedBytes() == plain.packedBytes())
            for end in start..<start + 6 { #expect(throws: ImageError.self) { try Self.decode(Array(file.prefix(end))) } }
        }

        @Test func `Samples without loss are the pixels`() throws {
            let rgb = try Self.decode(try JP2Sample.rgb.file(JP2Sample.colors(16)))
            let gray = try Self.decode(try JP2Sample.gray(JP2Sample.green).file(JP2Sample.colors(17)))
            for (x, y) in Self.places {
                let colors = [JP2Sample.red(x, y), JP2Sample.green(x, y), JP2Sample.blue(x, y)]
                #expect(Self.pixel(rgb, x, y) == colors + [255])
                #expect(Self.pixel(gray, x, y) == [colors[1], colors[1], colors[1], 255])
            }
        }

        @Test func `Alpha is where the channel definitions say, straight or not`() throws {
            var sample = JP2Sample.rgb
            // Blue, green, red and alpha, in this order.
            sample.components.swapAt(0, 2)
            sample.components.append(JP2Sample.Component { x, y in 128 + x + y })
            let boxes = { (type: Int) in JP2Sample.colors(16) + JP2Sample.definitions([(0, 3), (0, 2), (0, 1), (type, 0)]) }
            let straight = try Self.decode(try sample.file(boxes(1))) { $0.alpha = .straight }
            let premultiplied = try Self.decode(try sample.file(boxes(2))) { $0.alpha = .premultiplied }
            #expect(straight.layout.alpha == .straight && premultiplied.layout.alpha == .premultiplied)
            for (x, y) in Self.places {
                let wanted = [JP2Sample.red(x, y), JP2Sample.green(x, y), JP2Sample.blue(x, y), 128 + x + y]
                #expect(Self.pixel(straight, x, y) == wanted)
                #expect(Self.pixel(premultiplied, x, y) == wanted)
            }
        }

        @Test func `A palette gives the colours`() throws {
            let sample = JP2Sample.gray { x, y in (x + y) % 3 }
            let colors: [[UInt8]] = [[255, 0, 0], [0, 128, 0], [1, 2, 3]]
            let boxes =
                JP2Sample.colors(16) + JP2Sample.box("pclr", [0, 3, 3, 7, 7, 7] + colors.flatMap { $0 })
                + JP2Sample.box("cmap", [0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 2])
            let image = try Self.decode(try sample.file(boxes))
            for (x, y) in Self.places { #expect(Self.pixel(image, x, y) == colors[(x + y) % 3].map(Int.init) + [255]) }
            // The sample 2 has no entry in a palette of two: the last one.
            let short =
                JP2Sample.colors(16) + JP2Sample.box("pclr", [0, 2, 3, 7, 7, 7] + colors.prefix(2).flatMap { $0 })
                + JP2Sample.box("cmap", [0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 2])
            #expect(Self.pixel(try Self.decode(try sample.file(short)), 2, 0) == [0, 128, 0, 255])
        }

        @Test func `Luma with subsampled chroma becomes RGB`() throws {
            var sample = JP2Sample(components: [
                JP2Sample.Component { _, _ in 100 }, JP2Sample.Component(dx: 2, dy: 2) { x, _ in x < 6 ? 128 : 178 },
                JP2Sample.Component(dx: 2, dy: 2) { _, y in y < 4 ? 128 : 98 },
            ])
            sample.levels = 2
            // With the box that says so, and bare, where the subsampling does.
            for bytes in [try sample.file(JP2Sample.colors(18)), try sample.codestream()] {
                let image = try Self.decode(bytes)
                #expect(Self.pixel(image, 0, 0) == [100, 100, 100, 255])
                #expect(Self.pixel(image, 11, 7) == [100, 100, 100, 255])
                #expect(Self.pixel(image, 12, 7) == [100, 83, 189, 255])
                #expect(Self.pixel(image, 23, 15) == [58, 104, 189, 255])
            }
        }

        /// Cyan, magenta, yellow and black.
        private static var inks: JP2Sample {
            var sample = JP2Sample.rgb
            sample.components.append(JP2Sample.Component { x, y in (x * 5 + y * 3) & 127 })
            return sample
        }

        // CD-39, FM-17
        @Test func `Inks become RGB, plainly or by their profile`() throws {
            let bytes = try Self.inks.file(JP2Sample.colors(12))
            let decoder = try Self.decoder(bytes)
            #expect(decoder.header?.colorSpace.model == .cmyk && decoder.outputColorSpace == .sRGB)
            let plain = try Self.decode(bytes)
            for (x, y) in Self.places {
                let light = 255 - ((x * 5 + y * 3) & 127)
                let wanted = [JP2Sample.red(x, y), JP2Sample.green(x, y), JP2Sample.blue(x, y)]
                    .map { Int((Double((255 - $0) * light) / 255).rounded()) }
                #expect(Self.pixel(plain, x, y) == wanted + [255])
            }
            // A profile that is broken is none.
            let profile = ICCProfileWriter(space: "CMYK", tags: []).bytes
            let other = try Self.inks.file(JP2Sample.colors(profile: profile))
            #expect(try Self.decoder(other).header?.colorSpace.iccProfile == profile)
            #expect(try Self.decode(other).packedBytes() == plain.packedBytes())
            var deep = Self.inks
            for index in deep.components.indices {
                let value = deep.components[index].value
                deep.components[index].bits = 16
                deep.components[index].value = { x, y in value(x, y) * 257 }
            }
            let wide = try Self.decode(try deep.file(JP2Sample.colors(12))) { $0.keeps16Bit = true }
            for (x, y) in Self.places { #expect(Self.pixel(wide, x, y) == Self.pixel(plain, x, y).map { $0 * 257 }) }
        }

        #if ColorManagement
            @Test func `The profile of the inks converts them`() throws {
                struct Turned: ColorManager {
                    func converter(
                        from colorSpace: ColorSpace, format: PixelFormat
                    ) throws(ImageError) -> (any ColorConverter)? { nil }
                    func cmykConverter(iccProfile: [UInt8]) throws(ImageError) -> (any ColorConverter)? {
                        iccProfile.isEmpty ? nil : Marked()
                    }
                }
                final class Marked: ColorConverter {
                    func convert(_ buffer: inout PixelBuffer) throws(ImageError) {}
                    func convertRow(_ row: inout MutableSpan<UInt8>, count: Int) {
                        for index in 0..<count * 4 { row[index] = 7 }
                    }
                }
                let profile = ICCProfileWriter(space: "CMYK", tags: []).bytes
                let bytes = try Self.inks.file(JP2Sample.colors(profile: profile))
                var environment = DecodeEnvironment()
                environment.colorManager = Turned()
                for (color, wanted) in [(ColorConversion.sRGB, true), (.raw, false)] {
                    var options = ResolvedDecodeOptions()
                    options.color = color
                    let decoder = try JP2Coder().makeDecoder(for: .jp2, options: options, environment: environment)
                    var rope = ByteRope(bytes)
                    rope.isComplete = true
                    _ = try decoder.read(from: rope)
                    var buffer = try PixelBuffer(try #require(decoder.outputLayout))
                    try decoder.decodeFrame(at: 0, into: &buffer)
                    #expect((Self.pixel(buffer.freeze(), 3, 3)[0] == 7) == wanted)
                }
            }
        #endif

        @Test func `Inks with alpha and too few inks are named`() throws {
            var sample = Self.inks
            sample.components.append(JP2Sample.Component { _, _ in 255 })
            let boxes = JP2Sample.colors(12) + JP2Sample.definitions([(0, 1), (0, 2), (0, 3), (0, 4), (1, 0)])
            let alpha = #expect(throws: ImageError.self) { try Self.decode(try sample.file(boxes)) }
            #expect(alpha?.code == .unsupported && alpha?.message.contains("alpha") == true)
            let few = #expect(throws: ImageError.self) { try Self.decode(try JP2Sample.rgb.file(JP2Sample.colors(12))) }
            #expect(few?.code == .corrupt)
        }

        /// The expected sRGB is computed here from the colours that the samples stand for.
        @Test(arguments: [(8, false), (12, false), (16, false), (8, true)])
        func `Samples of Lab become sRGB`(_ bits: Int, _ hasRanges: Bool) throws {
            let last = Double(1 << bits - 1)
            // The ranges that a file has where it says none, and others.
            let ranges = hasRanges ? [100.0, 255, 255] : [100, 170, 200]
            let zeros = hasRanges ? [0, 128, 128] : [0, Double(1 << bits) / 2, Double(1 << bits) * 3 / 8]
            let colors: [(lab: [Double], rgb: [Double])] = [
                ([100, 0, 0], [255, 255, 255]), ([0, 0, 0], [0, 0, 0]), ([53.39, 0, 0], [127.5, 127.5, 127.5]),
                ([54.29, 80.81, 69.89], [255, 0, 0]), ([87.82, -79.27, 80.99], [0, 255, 0]),
                ([29.57, 68.29, -112.03], [0, 0, 255]),
            ]
            // Blue lies outside of what eight bits with the usual ranges reach.
            let used = hasRanges ? colors : Array(colors.dropLast())
            var sample = JP2Sample(
                components: (0..<3).map { channel in
                    .init(bits: bits) { x, _ in
                        let part = used[x % used.count].lab[channel] / ranges[channel]
                        return Int(min(max(part * last + zeros[channel], 0), last).rounded())
                    }
                })
            (sample.width, sample.height, sample.levels) = (used.count, 2, 0)
            var box: [UInt8] = [1, 0, 0] + JP2Sample.long(14)
            if hasRanges {
                for (range, zero) in zip(ranges, zeros) { box += JP2Sample.long(Int(range)) + JP2Sample.long(Int(zero)) }
            }
            if hasRanges { box += JP2Sample.long(0x0044_3530) }
            let bytes = try sample.file(JP2Sample.box("colr", box))
            #expect(try Self.decoder(bytes).header?.colorSpace.model == .lab)
            for isDeep in [false, true] where !isDeep || bits > 8 {
                let image = try Self.decode(bytes) { $0.keeps16Bit = isDeep }
                for (x, color) in used.enumerated() {
                    for (value, wanted) in zip(Self.pixel(image, x, 1), color.rgb) {
                        let found = isDeep ? Double(value) / 257 : Double(value)
                        #expect(abs(found - wanted) <= (bits == 8 ? 12 : 1.6), "\(color.lab): \(found), \(wanted)")
                    }
                }
            }
        }

        // MARK: Depth

        @Test(arguments: [(1, false), (4, false), (8, true), (12, false), (16, false), (16, true)])
        func `Depths of 1 to 16 bits, signed or not, use the whole range`(_ bits: Int, _ isSigned: Bool) throws {
            let last = 1 << bits - 1
            let offset = isSigned ? 1 << (bits - 1) : 0
            let value = { (x: Int, y: Int) in (x * 16 + y) * last / 383 }
            var sample = JP2Sample.gray { x, y in value(x, y) - offset }
            sample.components[0].bits = bits
            sample.components[0].isSigned = isSigned
            let bytes = try sample.file(JP2Sample.colors(17))
            #expect(try Self.decoder(bytes).header?.bitDepth == bits)
            let plain = try Self.decode(bytes)
            let deep = try Self.decode(bytes) { $0.keeps16Bit = true }
            #expect(deep.layout.format == (bits > 8 ? .rgba16 : .rgba8))
            let most = bits > 8 ? 65_535 : 255
            for (x, y) in Self.places {
                let sample = value(x, y)
                #expect(Self.pixel(plain, x, y)[0] == (sample * 255 + last / 2) / last)
                #expect(Self.pixel(deep, x, y)[0] == (sample * most + last / 2) / last)
            }
        }

        // MARK: Header

        @Test func `The header has size, profile and orientation, and reads no pixels`() throws {
            let profile = ICCProfileWriter(space: "RGB ", tags: []).bytes
            let exif = EXIF.block(orientation: .right)
            let file = try JP2Sample.rgb.file(
                JP2Sample.colors(profile: profile), before: JP2Sample.box("uuid", Array("JpgTiffExif->JP2".utf8) + exif))
            // Up to the first tile.
            let start = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0x90]) })
            let decoder = try JP2Coder().makeDecoder(
                for: .jp2, options: ResolvedDecodeOptions(), environment: DecodeEnvironment())
            var rope = ByteRope()
            rope.append(Array(file[..<(start + 4)]))
            #expect(try decoder.read(from: rope) == .needsMoreData)
            let header = try #require(decoder.header)
            #expect(header.size == PixelSize(width: 24, height: 16) && header.orientation == .right)
            #expect(header.colorSpace.iccProfile == profile && decoder.exif == exif)
            #expect(header.hasAlpha == false && header.frameCount == 1)
        }

        @Test func `Colours that are not read are named`() throws {
            for number in [13, 15, 24] {
                let error = #expect(throws: ImageError.self) {
                    try Self.decode(try JP2Sample.rgb.file(JP2Sample.colors(number)))
                }
                #expect(error?.code == .unsupported && error?.message.contains("(\(number))") == true)
            }
        }

        // MARK: Smaller

        // FM-17
        @Test func `A thumbnail is decoded from fewer resolutions`() throws {
            var sample = JP2Sample.gray { x, y in x + y }
            (sample.width, sample.height) = (101, 67)
            let bytes = try sample.file(JP2Sample.colors(17))
            for (side, times) in [(101, 0), (60, 0), (51, 1), (26, 2), (13, 3), (4, 3)] {
                let image = try Self.decode(bytes) { $0.target = .size(.fit(side, side)) }
                let scale = 1 << times
                #expect(image.size == PixelSize(width: (101 + scale - 1) / scale, height: (67 + scale - 1) / scale))
                // A ramp stays one.
                let middle = Self.pixel(image, image.width / 2, image.height / 2)[0]
                #expect(abs(middle - (image.width / 2 + image.height / 2) * scale) <= scale, "\(side)")
            }
        }

        // MARK: Limits

        @Test func `Memory is counted before it is asked for`() throws {
            var file = try JP2Sample.gray(JP2Sample.red).codestream()
            func put(_ value: Int, at offset: Int) { file.replaceSubrange(offset..<offset + 4, with: JP2Sample.long(value)) }
            // Sizes of image and tile follow SOC, SIZ, its length and its capabilities.
            for side in [8, 12] { put(2000, at: side) }
            for side in [24, 28] { put(8, at: side) }
            var limits = DecodeLimits.standard
            limits.maximumDecodedBytes = 64 << 20
            let many = #expect(throws: ImageError.self) { try Self.decode(file, limits: limits) { $0.allowsPartial = true } }
            #expect(many?.code == .limitExceeded)
            for side in [8, 12, 24, 28] { put(3000, at: side) }
            let large = #expect(throws: ImageError.self) { try Self.decode(file, limits: limits) { $0.allowsPartial = true } }
            #expect(large?.code == .limitExceeded)
            for side in [8, 12] { put(0, at: side) }
            #expect(throws: ImageError.self) { try Self.decode(file) }
        }

        @Test func `Damage is an error and never a crash`() throws {
            let file = try JP2Sample.rgb.file(JP2Sample.colors(16))
            for index in file.indices where index % 3 == 0 || index < 220 {
                var damaged = file
                damaged[index] ^= 0x55
                for isTolerant in [false, true] {
                    do {
                        let decoder = try Self.decoder(damaged) { $0.allowsPartial = isTolerant }
                        guard let layout = decoder.outputLayout, layout.size.area < 1 << 20 else { continue }
                        var buffer = try PixelBuffer(layout)
                        try decoder.decodeFrame(at: 0, into: &buffer)
                    } catch { #expect(error.code != .misuse, "\(index)") }
                }
            }
        }
    }
#endif

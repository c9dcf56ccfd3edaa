#if RAW
    import GannetCore
    import GannetImages
    import GannetTestSupport
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// FM-11
    @Suite struct RAWDecoderTests {
        private static func decoder(
            _ bytes: [UInt8], limits: DecodeLimits = .standard, _ change: (inout DecodeOptions) -> Void = { _ in }
        ) throws(ImageError) -> any ImageDecoder {
            var options = DecodeOptions()
            options.limits = limits
            change(&options)
            let decoder = try RAWCoder().makeDecoder(
                for: .raw, options: ResolvedDecodeOptions(options), environment: DecodeEnvironment(limits: limits))
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

        /// IEC 61966-2-1.
        private static func curve(_ linear: Double, most: Double = 255) -> Int {
            let linear = min(linear, 1)
            let value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * power(linear, 1 / 2.4) - 0.055
            return Int((value * most).rounded())
        }

        /// Inside of a quarter, where no other colour is mixed in.
        private static let places = [(12, 10), (50, 10), (12, 38), (50, 38)]

        private static func expectScene(_ bitmap: Bitmap, scale: Int = 1, factor: Double = 1, tolerance: Int = 2) {
            for (x, y) in places {
                let (red, green, blue) = DNGWriter.quarters(x, y)
                let seen = pixel(bitmap, x / scale, y / scale)
                for (value, wanted) in zip(seen, [red, green, blue].map { curve($0 * factor) }) {
                    #expect(abs(value - wanted) <= tolerance, "\(x), \(y): \(seen)")
                }
                #expect(seen[3] == 255)
            }
        }

        // FM-11
        @Test func `A file keeps every promise of a coder`() async {
            let check = CoderConformance(RAWCoder(), format: .raw, sample: DNGWriter(scene: DNGWriter.quarters).file, name: "DNG")
            #expect(check.failures() == [])
            #expect(await check.cancellation() == [])
        }

        // MARK: Colours

        // FM-11
        @Test func `The sensor's colours become sRGB`() throws {
            var writer = DNGWriter(scene: DNGWriter.quarters)
            Self.expectScene(try Self.decode(writer.file))
            writer.isBigEndian = true
            (writer.black, writer.white) = (512, 16_383)
            Self.expectScene(try Self.decode(writer.file))
        }

        @Test func `White is what the camera took for white`() throws {
            var writer = DNGWriter(scene: DNGWriter.quarters)
            writer.neutral = (red: 0.5, green: 1, blue: 0.75)
            Self.expectScene(try Self.decode(writer.file))
        }

        @Test func `The exposure that the file states counts, and nothing is brightened else`() throws {
            var writer = DNGWriter { x, y in
                let (red, green, blue) = DNGWriter.quarters(x, y)
                return (red / 8, green / 8, blue / 8)
            }
            Self.expectScene(try Self.decode(writer.file), factor: 0.125)
            writer.baselineExposure = 2
            Self.expectScene(try Self.decode(writer.file), factor: 0.5)
        }

        @Test func `All colours of each pixel are taken as they are`() throws {
            var writer = DNGWriter(scene: DNGWriter.quarters)
            writer.isLinear = true
            let image = try Self.decode(writer.file)
            Self.expectScene(image)
            // There is nothing to halve.
            #expect(try Self.decode(writer.file) { $0.target = .size(.fit(16, 16)) }.size == image.size)
        }

        @Test func `The sensor may be in a directory below that of a smaller image`() throws {
            var writer = DNGWriter(scene: DNGWriter.quarters)
            writer.preview = [0xFF, 0xD8, 0xFF, 0xD9]
            writer.neutral = (red: 0.8, green: 1, blue: 0.6)
            writer.baselineExposure = -1
            let decoder = try Self.decoder(writer.file)
            #expect(decoder.header?.size == PixelSize(width: 64, height: 48) && decoder.exif != nil)
            Self.expectScene(try Self.decode(writer.file), factor: 0.5)
        }

        @Test func `16 bits on request`() throws {
            let writer = DNGWriter { _, _ in (0.01, 0.01, 0.01) }
            let image = try Self.decode(writer.file) { $0.keeps16Bit = true }
            #expect(image.layout.format == .rgba16)
            let wanted = Self.curve(0.01, most: 65_535)
            #expect(abs(Self.pixel(image, 20, 20)[1] - wanted) <= 40, "\(wanted)")
        }

        // MARK: Sizes

        // FM-11
        @Test func `A thumbnail is decoded at half of the size`() throws {
            let file = DNGWriter(scene: DNGWriter.quarters).file
            for (side, width) in [(64, 64), (33, 64), (32, 32), (8, 32)] {
                let image = try Self.decode(file) { $0.target = .size(.fit(side, side)) }
                #expect(image.size == PixelSize(width: width, height: width * 3 / 4), "\(side)")
                Self.expectScene(image, scale: 64 / width)
            }
            // Through the whole of a decode: exactly.
            var options = DecodeOptions()
            options.target = .size(.fit(20, 20))
            let small = try Self.decoding.decode(ByteRope(file), options: ResolvedDecodeOptions(options))
            #expect(small.size == PixelSize(width: 20, height: 15))
            #expect(try Self.decoding.decode(ByteRope(file)).size == PixelSize(width: 64, height: 48))
        }

        /// In this process, which only tests may.
        private static var decoding: ImageDecoding { ImageDecoding(coders: CodersManager([InProcess()])) }

        private struct InProcess: ImageCoder {
            private let base = RAWCoder()
            var identifier: String { "raw in process" }
            var formats: [ImageFormat] { base.formats }
            func recognizes(_ head: Span<UInt8>) -> Recognition { base.recognizes(head) }
            func makeDecoder(
                for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
            ) throws(ImageError) -> any ImageDecoder {
                try base.makeDecoder(for: format, options: options, environment: environment)
            }
            func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? { nil }
        }

        @Test(arguments: 1...8) func `Orientation is told, and turned once`(_ number: Int) throws {
            var writer = DNGWriter(scene: DNGWriter.quarters)
            writer.orientation = number
            let decoder = try Self.decoder(writer.file)
            let orientation = try #require(Orientation(rawValue: number))
            #expect(decoder.header?.orientation == orientation && decoder.header?.size == PixelSize(width: 64, height: 48))
            // The stored pixels are as they were.
            Self.expectScene(try Self.decode(writer.file))
            let upright = try Self.decoding.decode(ByteRope(writer.file))
            #expect(upright.size == orientation.displayed(PixelSize(clamping: 64, 48)))
            // The stored top left, red, is where the number says.
            let (width, height) = (upright.size.width, upright.size.height)
            let isRight = [2, 3, 6, 7].contains(number)
            let isBelow = [3, 4, 7, 8].contains(number)
            let corner = Self.pixel(upright.bitmap, isRight ? width - 5 : 4, isBelow ? height - 5 : 4)
            #expect(corner[0] > 150 && corner[1] < 120, "\(corner)")
        }

        // MARK: Metadata

        @Test func `EXIF is of the photograph, without what belongs to the file`() throws {
            var writer = DNGWriter(scene: DNGWriter.quarters)
            writer.orientation = 6
            for isBigEndian in [false, true] {
                writer.isBigEndian = isBigEndian
                let exif = try #require(try Self.decoder(writer.file).exif)
                let facts = CameraFacts(exif: exif)
                #expect(facts.camera == "Gannet One" && facts.lens == "50 mm" && facts.taken == "2026-11-27 14:30:05")
                #expect(facts.exposureTime == 0.004 && facts.aperture == 2.8 && facts.sensitivity == 400)
                #expect(EXIF.orientation(in: exif) == .right && exif.count < 400)
            }
            var limits = DecodeLimits.standard
            limits.maximumMetadataBytes = 300
            #expect((try Self.decoder(writer.file, limits: limits).exif?.count ?? 0) <= 300)
        }

        // MARK: Limits and damage

        // FM-11
        @Test func `Memory is counted before it is asked for`() throws {
            var writer = DNGWriter(scene: DNGWriter.quarters)
            (writer.width, writer.height) = (1200, 1000)
            let file = writer.file
            var limits = DecodeLimits.standard
            limits.maximumDecodedBytes = 5 << 20
            // 2.4 MB for the sensor and 9.6 MB for the pixels, beside 4.8 MB for the image: less than there is.
            #expect(try Self.decode(file, limits: limits).size.width == 1200)
            limits.maximumDecodedBytes = 4 << 20
            (writer.width, writer.height) = (2000, 1000)
            let large = writer.file
            let error = #expect(throws: ImageError.self) { try Self.decode(large, limits: limits) }
            #expect(error?.code == .limitExceeded && error?.message.contains("half the size") == true)
            #expect(try Self.decode(large, limits: limits) { $0.target = .size(.fit(100, 100)) }.size.width == 1000)
            limits.maximumPixels = 1_000_000
            var options = DecodeOptions()
            options.limits = limits
            let many = #expect(throws: ImageError.self) {
                try Self.decoding.decode(ByteRope(large), options: ResolvedDecodeOptions(options))
            }
            #expect(many?.code == .limitExceeded && many?.message.contains("maximumPixels") == true)
        }

        // FM-11
        @Test func `A file that ends early is truncated wherever it ends`() throws {
            let file = DNGWriter(scene: DNGWriter.quarters).file
            let cuts = stride(from: 12, to: file.count, by: 97).map { $0 } + [file.count - 1]
            for count in cuts {
                // One byte less is an image all the same, for those who want any.
                for isTolerant in count == file.count - 1 ? [false] : [false, true] {
                    let error = #expect(throws: ImageError.self, "\(count)") {
                        try Self.decode(Array(file[..<count])) { $0.allowsPartial = isTolerant }
                    }
                    #expect(error?.code == .truncated, "\(count): \(String(describing: error))")
                }
            }
        }

        @Test func `What LibRaw does not read is said to be so`() throws {
            // A camera that nobody made.
            let file = Array("FUJIFILMCCD-RAW 0201FF999999Nobody".utf8) + [UInt8](repeating: 0, count: 400)
            let error = #expect(throws: ImageError.self) { try Self.decode(file) }
            #expect(error?.code == .unsupported && error?.message.contains("DNG") == true, "\(String(describing: error))")
        }
    }

    /// For `base` from 0 to 1: by halving, without a library.
    private func power(_ base: Double, _ exponent: Double) -> Double {
        var (result, root, rest) = (1.0, base, exponent)
        for _ in 0..<60 {
            root = root.squareRoot()
            rest *= 2
            if rest >= 1 {
                result *= root
                rest -= 1
            }
        }
        return result
    }
#endif

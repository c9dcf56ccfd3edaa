#if JXL
    import CJXL
    import GannetCore
    import GannetImages
    import GannetKernels
    import GannetTesting
    import Glibc
    import Testing

    @testable import GannetCodecs

    /// Thumbnails of the image of an eighth of the size, beside those of the whole image (NW-18).
    @Suite("Small images of lossy JPEG XL") struct JXLSmallImageTests {
        /// Soft waves with hard edges and some grain: what photographs have.
        static func drawn(_ width: Int, _ height: Int, isGray: Bool = false) throws -> Bitmap {
            var state: UInt32 = 1
            return try TestImages.draw(width: width, height: height, alpha: .opaque) { x, y in
                state = state &* 1_664_525 &+ 1_013_904_223
                let grain = Int(state >> 28)
                let wave = Int(40 * sin(Double(x) / 37) + 40 * cos(Double(y) / 23))
                let edge = (x / 90 + y / 70) % 3 * 30
                let red = UInt32(max(0, min(255, 90 + wave + edge + grain)))
                if isGray { return 0xFF00_0000 | red << 16 | red << 8 | red }
                let green = UInt32(max(0, min(255, x * 200 / width + grain + edge / 2)))
                let blue = UInt32(max(0, min(255, 200 - y * 150 / height + grain - wave)))
                return 0xFF00_0000 | blue << 16 | green << 8 | red
            }
        }

        static func decoder(_ file: [UInt8], _ change: (inout DecodeOptions) -> Void) throws -> JXLDecoder {
            var options = DecodeOptions()
            change(&options)
            var environment = DecodeEnvironment()
            environment.limits = options.limits ?? environment.limits
            let decoder = JXLDecoder(options: ResolvedDecodeOptions(options), environment: environment)
            _ = try decoder.read(from: ByteRope(file))
            return decoder
        }

        static func decode(_ file: [UInt8], _ change: (inout DecodeOptions) -> Void = { _ in }) throws -> Bitmap {
            let decoder = try decoder(file, change)
            var buffer = try PixelBuffer(try #require(decoder.outputLayout))
            try decoder.decodeFrame(at: 0, into: &buffer)
            return buffer.freeze()
        }

        static func file(_ bitmap: Bitmap, quality: Int = 85, effort: Int = 3, progressive: Bool = false) throws -> [UInt8] {
            let encoder = JXLEncoder(options: EncodeOptions(quality: quality, effort: effort, progressive: progressive))
            return try encoder.encode(TestImages.still(bitmap))
        }

        /// Decibels between the small image and the whole one scaled to its size. Nil: the whole image was decoded.
        static func likeness(_ file: [UInt8], _ side: Int) throws -> Double? {
            let small = try decode(file) { $0.target = .size(.fit(side, side)) }
            guard max(small.width, small.height) <= side else { return nil }
            let whole = try resample(decode(file), to: small.size)
            let (one, two) = (small.packedBytes(), whole.packedBytes())
            var sum = 0.0
            for index in one.indices where index & 3 != 3 {
                let difference = Double(one[index]) - Double(two[index])
                sum += difference * difference
            }
            // The same pixels: the whole image was decoded after all.
            return sum == 0 ? nil : 10 * log10(255 * 255 * Double(one.count) * 0.75 / sum)
        }

        // NW-18
        @Test("They are those of the whole image", arguments: [(97, 1), (90, 3), (75, 5), (60, 7)])
        func likeTheWhole(quality: Int, effort: Int) throws {
            for (width, height) in [(640, 480), (531, 397), (800, 301)] {
                let file = try Self.file(try Self.drawn(width, height), quality: quality, effort: effort)
                let likeness = try #require(try Self.likeness(file, 36))
                #expect(likeness >= 40, "\(width)×\(height), quality \(quality): \(likeness) dB")
            }
        }

        @Test("Images of several parts") func parts() throws {
            let file = try Self.file(try Self.drawn(2_300, 300), effort: 1)
            let likeness = try #require(try Self.likeness(file, 150))
            #expect(likeness >= 40, "\(likeness) dB")
        }

        @Test("Grey") func gray() throws {
            let file = try Self.file(try Self.drawn(600, 500, isGray: true))
            let likeness = try #require(try Self.likeness(file, 40))
            #expect(likeness >= 40, "\(likeness) dB")
        }

        @Test("Files by others", .enabled(if: Corpora.isAvailable, "GANNET_CORPORA is not set"))
        func foreign() throws {
            var count = 0
            for row in Corpora.rows() where row.file.hasSuffix(".jxl") {
                guard let bytes = Corpora.bytes(of: row.file), let width = row.width, let height = row.height,
                    let likeness = try? Self.likeness(bytes, max(width, height) / 15)
                else { continue }
                #expect(likeness >= 40, "\(row.file): \(likeness) dB")
                count += 1
            }
            #expect(count > 0)
        }

        #if JPEG
            // NW-18
            /// Chroma is halved below quality 90.
            @Test("Recompressed JPEG", arguments: [80, 95]) func recompressed(quality: Int) throws {
                let options = EncodeOptions(quality: quality)
                let jpeg = try JPEGEncoder(options).encode(TestImages.still(Self.drawn(613, 427)))
                let likeness = try #require(try Self.likeness(JXLSample.recompressed(jpeg), 20))
                #expect(likeness >= 40, "\(likeness) dB")
            }
        #endif

        // NW-18
        @Test("What is not read here is decoded as a whole") func others() throws {
            let bitmap = try Self.drawn(600, 400)
            let lossless = try Self.file(bitmap, quality: 100)
            let transparent = try Self.file(TestImages.discs(width: 600, height: 400))
            let animated = try JXLEncoder(options: EncodeOptions(quality: 80, effort: 1)).encode(
                .animated(TestImages.animation(width: 600, height: 400, frames: 2)))
            for file in [lossless, transparent, animated] { #expect(try Self.likeness(file, 40) == nil) }
            let file = try Self.file(bitmap)
            let size = PixelSize(width: 600, height: 400)
            #expect(try Self.decoder(file) { $0.target = .size(.fit(43, 43)) }.outputLayout?.size == size)
            #expect(try Self.decoder(file) { $0.target = .size(.fit(42, 42)) }.outputLayout?.size.width == 42)
            let ways: [(inout DecodeOptions) -> Void] = [
                { $0.usesLinearLight = true }, { $0.dynamicRange = .high },
                { $0.region = PixelRect(x: 0, y: 0, width: 500, height: 300) },
            ]
            for way in ways {
                let decoder = try Self.decoder(file) {
                    $0.target = .size(.fit(20, 20))
                    way(&$0)
                }
                #expect(decoder.outputLayout?.size == size)
            }
        }

        /// Their numbers of 8 bits are converted before they are scaled, as in every other format.
        @Test("Light itself is decoded as a whole") func linear() throws {
            let samples = (0..<600 * 400 * 3).map { $0 / 3 % 600 / 60 + $0 % 3 }
            var sample = JXLSample(width: 600, height: 400, layers: [.init(width: 600, height: 400, samples: samples)])
            sample.isLossless = false
            let plain = try sample.bytes()
            #expect(try Self.decoder(plain) { $0.target = .size(.fit(40, 40)) }.outputLayout?.size.width == 40)
            sample.transfer = JXL_TRANSFER_FUNCTION_LINEAR
            let bytes = try sample.bytes()
            #expect(try Self.decoder(bytes) { $0.target = .size(.fit(40, 40)) }.outputLayout?.size.width == 600)
            let file = ByteRope(bytes)
            let environment = DecodeEnvironment(colorManager: BuiltInCoders.colorManager)
            let decoding = ImageDecoding(coders: CodersManager([JXLCoder()]), environment: environment)
            let whole = try decoding.decode(file, options: ResolvedDecodeOptions()).bitmap
            var options = ResolvedDecodeOptions()
            options.target = .size(.fit(40, 40))
            let small = try decoding.decode(file, options: options).bitmap
            #expect(try small.packedBytes() == resample(whole, to: small.size).packedBytes())
        }

        @Test("Files that end early are read as before") func truncated() throws {
            let file = try Self.file(try Self.drawn(600, 400))
            for (count, isPartial) in [(file.count / 2, false), (file.count / 2, true), (file.count - 3, false), (200, true)] {
                let cut = Array(file[..<count])
                func outcome(_ target: DecodeTarget) -> ImageError.Code? {
                    do {
                        _ = try Self.decode(cut) { ($0.target, $0.allowsPartial) = (target, isPartial) }
                        return nil
                    } catch { return (error as? ImageError)?.code }
                }
                let whole = outcome(.original)
                #expect(outcome(.size(.fit(40, 40))) == whole)
                if !isPartial { #expect(whole == .truncated) }
            }
        }

        /// Whatever is in the bytes, there are pixels or an error.
        @Test("Damaged files") func damaged() throws {
            let file = try Self.file(try Self.drawn(400, 320), effort: 5)
            var state: UInt64 = 7
            func random(_ range: Int) -> Int {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int(state >> 33) % range
            }
            var (read, refused) = (0, 0)
            for _ in 0..<40 {
                var other = file
                // The section for all, and the planes, are at the beginning.
                let end = read % 2 == 0 ? other.count : 3000
                for _ in 0...random(3) { other[2 + random(min(other.count, end) - 2)] = UInt8(random(256)) }
                do {
                    let small = try Self.decode(other) { $0.target = .size(.fit(28, 28)) }
                    #expect(small.width > 0)
                    read += 1
                } catch let error as ImageError {
                    #expect(error.code != .misuse)
                    refused += 1
                }
            }
            #expect(read > 0 && refused > 0)
        }

        @Test("What is decoded as a whole after all keeps the limit of memory") func limit() throws {
            let whole = try Self.file(try Self.drawn(600, 400))
            // Header, and table of sections, are in front.
            let file = whole[..<64] + [UInt8](repeating: 255, count: whole.count - 64)
            func outcome(_ bytes: Int) -> ImageError.Code? {
                let error = #expect(throws: ImageError.self) {
                    try Self.decode(Array(file)) {
                        $0.target = .size(.fit(40, 40))
                        $0.limits = DecodeLimits(maximumDecodedBytes: bytes)
                    }
                }
                return error?.code
            }
            #expect(outcome(600 * 400 * 4) == .corrupt)
            #expect(outcome(600 * 400 * 4 - 1) == .limitExceeded)
        }

        @Test("A stopped task ends between the parts") func cancelled() async throws {
            let file = try Self.file(try Self.drawn(600, 400))
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try Self.decode(file) { $0.target = .size(.fit(40, 40)) }.width
            }
            let result = await task.result
            #expect(throws: ImageError.self) { try result.get() }
        }

        @Test("Files in containers") func container() throws {
            let stream = try Self.file(try Self.drawn(600, 400))
            func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
                let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: (content.count + 8) >> $0) }
                return length + Array(type.utf8) + content
            }
            let signature = box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
            let halves = (stream[..<500], stream[500...])
            let parts = box("jxlp", [0, 0, 0, 0] + halves.0) + box("jxlp", [0x80, 0, 0, 1] + halves.1)
            let bare = try Self.decode(stream) { $0.target = .size(.fit(40, 40)) }
            #expect(bare.width == 40)
            for file in [signature + box("jxlc", stream), signature + parts] {
                let small = try Self.decode(file) { $0.target = .size(.fit(40, 40)) }
                #expect(small.packedBytes() == bare.packedBytes())
            }
        }

        @Test("Files that come in passes") func progressive() throws {
            let file = try Self.file(try Self.drawn(600, 500), progressive: true)
            let likeness = try #require(try Self.likeness(file, 40))
            #expect(likeness >= 40, "\(likeness) dB")
        }
    }
#endif

#if GIF
    import GannetCodecs
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    /// Files without a trailer, loops, and frames that are smaller than their screen.
    @Suite("The end, the loops and the edges of GIF files") struct GIFEndTests {
        private func decoder(_ bytes: [UInt8], partial: Bool = false) throws -> any ImageDecoder {
            var options = DecodeOptions()
            options.alpha = .straight
            options.allowsPartial = partial
            let decoder = try GIFCoder().makeDecoder(
                for: .gif, options: ResolvedDecodeOptions(options), environment: DecodeEnvironment())
            _ = try decoder.read(from: ByteRope(bytes))
            return decoder
        }

        private func pixels(_ decoder: any ImageDecoder, _ index: Int = 0) throws -> [UInt8] {
            var buffer = try PixelBuffer(try #require(decoder.outputLayout))
            try decoder.decodeFrame(at: index, into: &buffer)
            return buffer.freeze().packedBytes()
        }

        private static func animation(loopCount: Int, frames: Int = 3) throws -> [UInt8] {
            let animation = try TestImages.animation(frames: frames, loopCount: loopCount)
            return try CoderBehaviourTests.encode(.animated(animation), EncodeOptions(format: .gif)).contiguous()
        }

        @Test(arguments: [1, 3], [[], [0], [0, 0, 0]] as [[UInt8]])
        func withoutATrailer(frames: Int, end: [UInt8]) throws {
            let whole = try Self.animation(loopCount: 0, frames: frames)
            let (decoder, expected) = (try self.decoder(Array(whole.dropLast()) + end), try self.decoder(whole))
            #expect(decoder.header?.animation == expected.header?.animation && decoder.header?.size == expected.header?.size)
            #expect(decoder.header?.frameCount == frames && !decoder.isPartial)
            for index in 0..<frames { #expect(try pixels(decoder, index) == pixels(expected, index)) }
            guard case .clean = MetadataStripper.strip(whole), case .unknown = MetadataStripper.strip([]) else {
                Issue.record("the writer adds nothing that could be removed")
                return
            }
            #expect(MetadataStripper.strip(Array(whole.dropLast()) + end) != .unknown)
        }

        /// The trailer is missing, and before it the end of the last image; in longer images behind several pieces of data.
        @Test(arguments: [1, 3], [false, true]) func withoutTheEndOfTheLastImage(frames: Int, isProgressive: Bool) throws {
            let animation = try TestImages.animation(frames: frames)
            let noise = TestImages.still(try TestImages.noise(width: 64, height: 64))
            let options = EncodeOptions(format: .gif, progressive: isProgressive)
            for image in [DecodedImage.animated(animation), noise] {
                let whole = try CoderBehaviourTests.encode(image, options).contiguous()
                let (decoder, expected) = (try self.decoder(Array(whole.dropLast(2))), try self.decoder(whole))
                #expect(
                    decoder.header?.animation == expected.header?.animation && decoder.header?.size == expected.header?.size)
                #expect(decoder.header?.frameCount == expected.header?.frameCount)
                for index in 0..<(expected.header?.frameCount ?? 0) {
                    #expect(try pixels(decoder, index) == pixels(expected, index))
                }
                #expect(!decoder.isPartial)
                // A frame that was only announced.
                let cut = Array(whole.dropLast()) + [0x2C, 0, 0, 0, 0, 4, 0, 4, 0, 0, 2]
                let error = #expect(throws: ImageError.self) { try self.decoder(cut) }
                #expect(error?.code == .truncated)
                #expect(try self.decoder(cut, partial: true).isPartial)
            }
        }

        /// An image is announced, or its data go on.
        @Test func whatIsCutOffIsMissing() throws {
            let whole = try Self.animation(loopCount: 0)
            let control: [UInt8] = [0x21, 0xF9, 4, 0, 5, 0, 0, 0]
            let images = Array(whole.dropLast())
            let ends: [[UInt8]] = [control, [0x21], control + [0x2C]]
            let files = ends.map { images + $0 } + [Array(whole.dropLast(3))]
            for file in files {
                let error = #expect(throws: ImageError.self) { try decoder(file) }
                #expect(error?.code == .truncated)
                #expect(try decoder(file, partial: true).isPartial)
            }
        }

        /// The number in the file is that of repetitions.
        @Test(arguments: [(0, 0), (1, nil), (2, 1), (3, 2), (65_536, 65_535), (100_000, 65_535)] as [(Int, Int?)])
        func loops(plays: Int, stored: Int?) throws {
            let file = try Self.animation(loopCount: plays)
            let name = Array("NETSCAPE2.0".utf8) + [3, 1]
            let place = file.firstRange(of: name)?.upperBound
            #expect(place.map { Int(file[$0]) | Int(file[$0 + 1]) << 8 } == stored)
            #expect(try decoder(file).header?.animation?.loopCount == stored.map { $0 == 0 ? 0 : $0 + 1 })
        }

        #if WebP && PNG
            /// Both count how often it is shown.
            @Test(arguments: [ImageFormat.webp, .png]) func loopsInOtherFormats(format: ImageFormat) throws {
                let coders = CodersManager(BuiltInCoders.all)
                let decoding = ImageDecoding(coders: coders)
                let image = try decoding.decode(ByteRope(try Self.animation(loopCount: 2)))
                let other = try ImageEncoding(coders: coders).encode(image, options: EncodeOptions(format: format)).bytes
                #expect(try decoding.header(of: other).animation?.loopCount == 2)
                let back = try ImageEncoding(coders: coders).encode(
                    try decoding.decode(other), options: EncodeOptions(format: .gif)
                ).bytes
                #expect(try decoding.header(of: back).animation?.loopCount == 2)
            }
        #endif

        /// 3 × 2 pixels, whose only frame is one green pixel in the middle of the first row. Colour 0 is red.
        @Test(arguments: [false, true]) func aroundASmallerFrameIsNothing(isMoving: Bool) throws {
            var file = Array("GIF89a".utf8) + [3, 0, 2, 0, 0x80, 0, 0, 255, 0, 0, 0, 255, 0]
            // Codes of 3 bits: clear, colour 1, end.
            let frame: [UInt8] = [0x2C, 1, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 0x01, 0]
            file += frame + (isMoving ? frame : []) + [0x3B]
            let decoder = try self.decoder(file)
            #expect(decoder.header?.hasAlpha == true)
            var expected = [UInt8](repeating: 0, count: 24)
            (expected[5], expected[7]) = (255, 255)
            for index in 0..<(isMoving ? 2 : 1) { #expect(try pixels(decoder, index) == expected) }
        }
    }
#endif

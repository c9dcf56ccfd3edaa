#if AVIF
    import GannetCodecs
    import GannetCore
    import GannetTesting
    import Testing

    @Suite struct AVIFConformanceTests {
        private let coder = AVIFCoder()

        private func file(_ image: DecodedImage, _ options: EncodeOptions) throws -> [UInt8] {
            try #require(try coder.makeEncoder(for: .avif, options: options)).encode(image)
        }

        private func conformance(_ image: DecodedImage, _ name: String, _ options: EncodeOptions) throws -> CoderConformance {
            CoderConformance(coder, format: .avif, sample: try file(image, options), name: name)
        }

        @Test(arguments: [60, 100]) func opaquePictureKeepsEveryPromise(quality: Int) async throws {
            let picture = TestPictures.still(try TestPictures.gradient(width: 40, height: 30))
            let check = try conformance(picture, "gradient \(quality)", EncodeOptions(quality: quality, effort: 1))
            #expect(check.failures() == [])
            #expect(await check.cancellation() == [])
        }

        @Test func clearPictureKeepsEveryPromise() throws {
            let picture = TestPictures.still(try TestPictures.discs())
            let check = try conformance(picture, "discs", EncodeOptions(quality: 100, effort: 1))
            #expect(check.failures() == [])
        }

        @Test(arguments: [false, true]) func animationKeepsEveryPromise(clears: Bool) async throws {
            let animation = DecodedImage.animated(try TestPictures.animation(frames: 5, clears: clears))
            let check = try conformance(animation, "animation", EncodeOptions(quality: 100, effort: 1))
            #expect(check.failures() == [])
            #expect(await check.cancellation() == [])
        }

        // CD-06
        @Test func animationsComeBack() throws {
            let check = CoderConformance(coder, format: .avif, sample: [], name: "animation")
            for loopCount in [0, 1, 7] {
                let animation = try TestPictures.animation(frames: 5, loopCount: loopCount)
                let options = EncodeOptions(quality: 100, effort: 1)
                #expect(check.roundTrip(.animated(animation), options: options, tolerance: 0) == [])
            }
        }

        // CD-06
        @Test func qualityHundredIsLossless() throws {
            let check = CoderConformance(coder, format: .avif, sample: [], name: "lossless")
            let options = EncodeOptions(quality: 100, effort: 1)
            #expect(check.roundTrip(TestPictures.still(try TestPictures.noise()), options: options, tolerance: 0) == [])
            // Premultiplied pixels come back within one step.
            #expect(check.roundTrip(TestPictures.still(try TestPictures.discs()), options: options, tolerance: 1) == [])
        }

        // CD-06
        @Test func sizesAreKeptToWhenWriting() throws {
            let picture = TestPictures.still(try TestPictures.noise(width: 96, height: 64))
            let fitted = try file(picture, EncodeOptions(maximumPixelSize: PixelSize(width: 32, height: 32), effort: 1))
            let decoder = try coder.makeDecoder(
                for: .avif, options: ResolvedDecodeOptions(DecodeOptions()), environment: DecodeEnvironment())
            _ = try decoder.read(from: ByteRope(fitted))
            #expect(decoder.header?.size == PixelSize(width: 32, height: 21))
            let whole = try file(picture, EncodeOptions(effort: 1))
            let limited = try file(picture, EncodeOptions(maximumFileSize: whole.count / 2, effort: 1))
            #expect(limited.count <= whole.count / 2)
            let tiny = try #require(try coder.makeEncoder(for: .avif, options: EncodeOptions(maximumFileSize: 10, effort: 1)))
            let error = #expect(throws: ImageError.self) {
                try tiny.encode(TestPictures.still(TestPictures.noise(width: 4, height: 4)))
            }
            #expect(error?.code == .encodeFailed)
        }

        @Test func lossyPicturesComeBackNear() throws {
            let check = CoderConformance(coder, format: .avif, sample: [], name: "lossy")
            let picture = TestPictures.still(try TestPictures.gradient(width: 64, height: 48))
            #expect(check.roundTrip(picture, options: EncodeOptions(quality: 80), tolerance: 24) == [])
        }

        @Test func sixteenBitsComeAndGo() throws {
            let deep = try DeepPictures.ramp(width: 64, height: 8)
            let bytes = try file(TestPictures.still(deep), EncodeOptions(quality: 100, effort: 1))
            for keeps in [true, false] {
                var wishes = DecodeOptions()
                wishes.keeps16Bit = keeps
                let decoder = try coder.makeDecoder(
                    for: .avif, options: ResolvedDecodeOptions(wishes), environment: DecodeEnvironment())
                _ = try decoder.read(from: ByteRope(bytes))
                let layout = try #require(decoder.outputLayout)
                #expect(layout.format == (keeps ? .rgba16 : .rgba8))
                var buffer = try PixelBuffer(layout)
                try decoder.decodeFrame(at: 0, into: &buffer)
                #expect(DeepPictures.largestError(buffer.freeze()) <= (keeps ? 0.126 : 0.63))
            }
        }
    }
#endif

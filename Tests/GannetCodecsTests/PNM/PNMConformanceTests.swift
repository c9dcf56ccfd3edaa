#if PNM
    import GannetCodecs
    import GannetCore
    import GannetTesting
    import Testing

    @Suite struct PNMConformanceTests {
        private func conformance(_ bitmap: Bitmap, _ name: String) throws -> CoderConformance {
            let encoder = try #require(try PNMCoder().makeEncoder(for: .pnm, options: EncodeOptions()))
            return CoderConformance(
                PNMCoder(), format: .pnm, sample: try encoder.encode(TestPictures.still(bitmap)), name: name)
        }

        @Test func opaquePictureKeepsEveryPromise() async throws {
            let check = try conformance(try TestPictures.gradient(width: 21, height: 13), "gradient")
            #expect(check.failures() == [])
            #expect(await check.cancellation() == [])
        }

        @Test func clearPictureKeepsEveryPromise() async throws {
            let check = try conformance(try TestPictures.discs(), "discs")
            #expect(check.failures() == [])
            #expect(await check.cancellation() == [])
        }

        // CD-06
        @Test func picturesComeBackAsTheyWere() throws {
            let check = try conformance(try TestPictures.gradient(), "gradient")
            for width in 1...9 {
                let noise = TestPictures.still(try TestPictures.noise(width: width, height: 5))
                #expect(check.roundTrip(noise, tolerance: 0) == [])
            }
            for picture in [
                try TestPictures.discs(), try TestPictures.flat(), try TestPictures.flat(isOpaque: false),
                try TestPictures.gradient(width: 70, height: 3),
            ] { #expect(check.roundTrip(TestPictures.still(picture), tolerance: 0) == []) }
            let animation = DecodedImage.animated(try TestPictures.animation())
            #expect(check.roundTrip(animation, options: EncodeOptions(firstFrameOnly: true), tolerance: 0) == [])
        }

        // CD-06
        @Test func sizesAreKeptToWhenWriting() throws {
            let picture = TestPictures.still(try TestPictures.noise(width: 64, height: 32))
            let limited = try #require(
                try PNMCoder().makeEncoder(for: .pnm, options: EncodeOptions(maximumFileSize: 2000)))
            #expect(try limited.encode(picture).count <= 2000)
            let fitted = try #require(
                try PNMCoder().makeEncoder(
                    for: .pnm, options: EncodeOptions(maximumPixelSize: PixelSize(width: 16, height: 16))))
            let decoder = try PNMCoder().makeDecoder(
                for: .pnm, options: ResolvedDecodeOptions(), environment: DecodeEnvironment())
            _ = try decoder.read(from: ByteRope(try fitted.encode(picture)))
            #expect(decoder.header?.size == PixelSize(width: 16, height: 8))
        }
    }
#endif

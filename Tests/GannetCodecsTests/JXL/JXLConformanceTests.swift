#if JXL
    import GannetCodecs
    import GannetCore
    import GannetTesting
    import Testing

    @Suite struct JXLConformanceTests {
        private let files = WritingCoder(coder: JXLCoder(), effort: 1)

        private func options(_ quality: Int) -> EncodeOptions { files.options { $0.quality = quality } }

        @Test(arguments: [60, 100]) func opaquePictureKeepsEveryPromise(quality: Int) async throws {
            let picture = TestImages.still(try TestImages.gradient(width: 40, height: 30))
            try await files.expectPromises(picture, "gradient \(quality)", options(quality))
        }

        @Test func clearPictureKeepsEveryPromise() async throws {
            try await files.expectPromises(TestImages.still(try TestImages.discs()), "discs", options(100))
        }

        // FM-08, PL-04, U-22
        @Test(arguments: [false, true]) func animationKeepsEveryPromise(clears: Bool) async throws {
            let animation = DecodedImage.animated(try TestImages.animation(frames: 5, clears: clears))
            try await files.expectPromises(animation, "animation", options(100))
        }

        // CD-06
        @Test(arguments: [0, 1, 7]) func animationsComeBack(loopCount: Int) throws {
            let animation = try TestImages.animation(frames: 5, loopCount: loopCount)
            files.expectReturn(of: .animated(animation), options(100), within: 0)
        }

        // FM-08, S3-16
        @Test func coarsePictureIsSeenEarly() throws {
            // Even parts and fine ones: the first are known early.
            let picture = TestImages.still(
                try TestImages.draw(width: 300, height: 280, alpha: .opaque) { x, y in
                    let fine = UInt32((x &* 7919 ^ y &* 104_729) >> 3 & 63)
                    return 0xFF00_0000 | (UInt32(x / 2) + fine) << 16 | (UInt32(y / 2) + fine) << 8 | (90 + fine)
                })
            var check = try files.conformance(
                picture, "progressive", EncodeOptions(quality: 90, effort: 3, progressive: true))
            check.previewGain = 6
            #expect(check.previews() == [])
        }

        // CD-06
        @Test func qualityHundredIsLossless() throws {
            files.expectReturn(of: TestImages.still(try TestImages.noise()), options(100), within: 0)
            // Premultiplied pixels come back within one step.
            files.expectReturn(of: TestImages.still(try TestImages.discs()), options(100), within: 1)
        }

        // CD-06
        @Test func sizesAreKeptToWhenWriting() throws { try files.expectSizesKept() }

        @Test func lossyPicturesComeBackNear() throws {
            let picture = TestImages.still(try TestImages.gradient(width: 64, height: 48))
            files.expectReturn(of: picture, EncodeOptions(quality: 80), within: 32)
        }

        @Test func sixteenBitsComeAndGo() throws { try files.expectDeepReturn(within: 0.01, JXLDecoderTests.mostRounding) }
    }
#endif

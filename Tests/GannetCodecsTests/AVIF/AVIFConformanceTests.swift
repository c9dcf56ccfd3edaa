#if AVIF
    import GannetCodecs
    import GannetCore
    import GannetTesting
    import Testing

    @Suite struct AVIFConformanceTests {
        private let files = WritingCoder(coder: AVIFCoder(), effort: 1)

        private func options(_ quality: Int) -> EncodeOptions { files.options { $0.quality = quality } }

        @Test(arguments: [60, 100]) func opaquePictureKeepsEveryPromise(quality: Int) async throws {
            let picture = TestImages.still(try TestImages.gradient(width: 40, height: 30))
            try await files.expectPromises(picture, "gradient \(quality)", options(quality))
        }

        @Test func clearPictureKeepsEveryPromise() async throws {
            try await files.expectPromises(TestImages.still(try TestImages.discs()), "discs", options(100))
        }

        // FM-07, U-22
        @Test(arguments: [false, true]) func animationKeepsEveryPromise(clears: Bool) async throws {
            let animation = DecodedImage.animated(try TestImages.animation(frames: 5, clears: clears))
            try await files.expectPromises(animation, "animation", options(100))
        }

        // CD-06
        @Test(arguments: [0, 1, 7]) func animationsComeBack(loopCount: Int) throws {
            let animation = try TestImages.animation(frames: 5, loopCount: loopCount)
            files.expectReturn(of: .animated(animation), options(100), within: 0)
        }

        /// libaom ended the process at little effort: small frames at low quality, what loses nothing, of colours or of alpha alone.
        @Test("Long animations are written with little effort, too", arguments: [0, 98, 100], [0, 2, 3])
        func longAnimations(quality: Int, effort: Int) throws {
            let frames = try (0..<30).map { try TestImages.flat(width: 64, height: 48, isOpaque: $0 % 3 == 0) }
            let animation = AnimatedImage(
                metadata: ImageMetadata(format: .avif, originalSize: frames[0].size), poster: frames[0], loopCount: 0,
                delays: [Duration](repeating: .milliseconds(10), count: frames.count), source: FrameArray(frames))
            let check = CoderConformance(AVIFCoder(), format: .avif, sample: [], name: "long")
            let options = EncodeOptions(quality: quality, effort: effort)
            #expect(check.roundTrip(.animated(animation), options: options, tolerance: quality == 100 ? 0 : 255) == [])
        }

        // CD-06, FM-07
        @Test func qualityHundredIsLossless() throws {
            files.expectReturn(of: TestImages.still(try TestImages.noise()), options(100), within: 0)
            // Premultiplied pixels come back within one step.
            files.expectReturn(of: TestImages.still(try TestImages.discs()), options(100), within: 1)
        }

        // CD-06
        @Test func sizesAreKeptToWhenWriting() throws { try files.expectSizesKept() }

        @Test func lossyPicturesComeBackNear() throws {
            let picture = TestImages.still(try TestImages.gradient(width: 64, height: 48))
            files.expectReturn(of: picture, EncodeOptions(quality: 80), within: 24)
        }

        @Test func sixteenBitsComeAndGo() throws { try files.expectDeepReturn(within: 0.126, 0.63) }
    }
#endif

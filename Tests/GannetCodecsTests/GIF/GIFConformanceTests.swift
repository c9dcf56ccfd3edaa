#if GIF
    import GannetCodecs
    import GannetCore
    import GannetTesting
    import Testing

    @Suite struct GIFConformanceTests {
        private func conformance(
            _ image: DecodedImage, _ name: String, previewGain: Double? = nil, options: EncodeOptions = EncodeOptions()
        ) throws -> CoderConformance {
            let encoder = try #require(try GIFCoder().makeEncoder(for: .gif, options: options))
            // Its end and that of its last image are a byte each, which many files lack.
            var check = CoderConformance(
                GIFCoder(), format: .gif, sample: try encoder.encode(image), name: name, insignificantTail: 2,
                previewGain: previewGain)
            check.mayEndBetweenFrames = true
            return check
        }

        @Test func stillPictureKeepsEveryPromise() async throws {
            // Half of the rows are half of the error, which is 3 dB in an even picture, less in one that is brighter below.
            let picture = try TestImages.gradient(width: 64, height: 64)
            let check = try conformance(TestImages.still(picture), "gradient", previewGain: 1.5)
            #expect(check.failures() == [])
            #expect(await check.cancellation() == [])
        }

        // CD-43
        @Test func interlacedPictureIsSeenEarly() throws {
            let picture = try TestImages.gradient(width: 64, height: 64)
            let check = try conformance(
                TestImages.still(picture), "interlaced", previewGain: 6, options: EncodeOptions(progressive: true))
            #expect(check.failures() == [])
        }

        @Test func pictureWithAlphaKeepsEveryPromise() throws {
            let picture = try TestImages.flat(isOpaque: false)
            #expect(try conformance(TestImages.still(picture), "flat").failures() == [])
        }

        // CD-03, CD-04, FM-04, AN-03
        @Test(arguments: [false, true]) func animationKeepsEveryPromise(clears: Bool) async throws {
            let animation = try TestImages.animation(frames: 6, clears: clears)
            let check = try conformance(.animated(animation), "animation")
            #expect(check.failures() == [])
            #expect(await check.cancellation() == [])
        }

        // FM-04
        @Test func whatIsWrittenComesBack() throws {
            let check = CoderConformance(GIFCoder(), format: .gif, sample: [], name: "round trip")
            let still = try TestImages.still(TestImages.flat())
            let clear = try TestImages.still(TestImages.flat(isOpaque: false))
            #expect(check.roundTrip(still, tolerance: 0) == [])
            #expect(check.roundTrip(clear, tolerance: 0) == [])
            for clears in [false, true] {
                for loopCount in [0, 1, 3, 65535] {
                    let animation = try TestImages.animation(frames: 5, loopCount: loopCount, clears: clears)
                    #expect(check.roundTrip(.animated(animation), tolerance: 0) == [])
                }
            }
            // More than 256 colours: near, not equal.
            #expect(check.roundTrip(try TestImages.still(TestImages.gradient(width: 40, height: 40)), tolerance: 40) == [])
        }

        /// The margin came back in the first colour of the palette.
        @Test func aClearMarginStaysClear() throws {  // FM-04
            func box(_ left: Int) throws -> Bitmap {
                try TestImages.draw(width: 10, height: 10, alpha: .premultiplied) { x, y in
                    (left..<left + 4).contains(x) && (3..<7).contains(y) ? 0xFF00_00FF : 0
                }
            }
            let check = CoderConformance(GIFCoder(), format: .gif, sample: [], name: "margin")
            #expect(check.roundTrip(TestImages.still(try box(3)), tolerance: 0) == [])
            for left in [2, 3] {
                let frames = [try box(3), try box(left)]
                let animation = AnimatedImage(
                    metadata: ImageMetadata(format: .gif, originalSize: frames[0].size), poster: frames[0], loopCount: 0,
                    delays: [.milliseconds(100), .milliseconds(100)], source: FrameArray(frames))
                #expect(check.roundTrip(.animated(animation), tolerance: 0) == [])
            }
        }

        @Test func onlyTheFirstFrameIsWrittenOnRequest() throws {  // CD-06
            let animation = try TestImages.animation()
            let check = CoderConformance(GIFCoder(), format: .gif, sample: [], name: "first frame")
            #expect(check.roundTrip(.animated(animation), options: EncodeOptions(firstFrameOnly: true), tolerance: 0) == [])
        }
    }
#endif

#if HEIC
    import GannetCodecs
    import GannetCore
    import GannetTesting
    import Testing

    @Suite struct HEICConformanceTests {
        private let files = WritingCoder(coder: HEICCoder(), effort: 1)

        private func options(_ quality: Int) -> EncodeOptions { files.options { $0.quality = quality } }

        // FM-06, PL-04, U-22
        @Test(arguments: [60, 100]) func opaquePictureKeepsEveryPromise(quality: Int) async throws {
            let picture = TestImages.still(try TestImages.gradient(width: 40, height: 30))
            try await files.expectPromises(picture, "gradient \(quality)", options(quality))
        }

        @Test func clearPictureKeepsEveryPromise() async throws {
            try await files.expectPromises(TestImages.still(try TestImages.discs()), "discs", options(100))
        }

        // CD-06
        @Test func animationsAreWrittenAsTheirFirstFrame() throws {
            let firstFrame = files.options {
                $0.quality = 100
                $0.firstFrameOnly = true
            }
            files.expectReturn(of: .animated(try TestImages.animation()), firstFrame, within: 1)
        }

        @Test func thumbnailIsEmbeddedWhereAskedFor() throws {
            let picture = TestImages.still(try TestImages.gradient(width: 480, height: 320))
            let plain = try files.file(picture, EncodeOptions(effort: 0))
            let bytes = try files.file(picture, EncodeOptions(embedsThumbnail: true, effort: 0))
            func holdsReference(_ bytes: [UInt8]) -> Bool { String(decoding: bytes, as: UTF8.self).contains("thmb") }
            #expect(holdsReference(bytes) && !holdsReference(plain))
        }

        // CD-06
        // libheif 1.15 loses one step of one channel even in lossless mode.
        @Test func qualityHundredLosesOneStep() throws {
            files.expectReturn(of: TestImages.still(try TestImages.noise()), options(100), within: 1)
            // And premultiplying may lose another one.
            files.expectReturn(of: TestImages.still(try TestImages.discs()), options(100), within: 2)
        }

        // CD-06
        @Test func sizesAreKeptToWhenWriting() throws { try files.expectSizesKept() }

        @Test func lossyPicturesComeBackNear() throws {
            let picture = TestImages.still(try TestImages.gradient(width: 64, height: 48))
            files.expectReturn(of: picture, EncodeOptions(quality: 80), within: 24)
        }

        // FM-06
        @Test func sixteenBitsComeAndGo() throws { try files.expectDeepReturn(within: 0.126, 0.63) }
    }
#endif

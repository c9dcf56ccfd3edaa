#if BMP
    import GannetCodecs
    import GannetCore
    import GannetTesting
    import Testing

    @Suite struct BMPConformanceTests {
        private func conformance(_ bitmap: Bitmap, _ name: String) throws -> CoderConformance {
            let encoder = try #require(try BMPCoder().makeEncoder(for: .bmp, options: EncodeOptions()))
            return CoderConformance(
                BMPCoder(), format: .bmp, sample: try encoder.encode(TestPictures.still(bitmap)), name: name,
                // The padding of the last row.
                insignificantTail: 3)
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
            #expect(check.roundTrip(TestPictures.still(try TestPictures.discs()), tolerance: 0) == [])
            let animation = DecodedImage.animated(try TestPictures.animation())
            #expect(check.roundTrip(animation, options: EncodeOptions(firstFrameOnly: true), tolerance: 0) == [])
        }

        // CD-06
        @Test func sizesAreKeptToWhenWriting() throws {
            let picture = TestPictures.still(try TestPictures.gradient(width: 64, height: 32))
            let fitted = EncodeOptions(maximumPixelSize: PixelSize(width: 16, height: 16))
            let small = try #require(try BMPCoder().makeEncoder(for: .bmp, options: fitted)).encode(picture)
            #expect(small.count == 54 + 16 * 8 * 3)
            let limited = try #require(try BMPCoder().makeEncoder(for: .bmp, options: EncodeOptions(maximumFileSize: 2000)))
            #expect(try limited.encode(picture).count <= 2000)
            let tiny = try #require(try BMPCoder().makeEncoder(for: .bmp, options: EncodeOptions(maximumFileSize: 20)))
            do {
                _ = try tiny.encode(picture)
                Issue.record("20 bytes cannot hold a picture")
            } catch { #expect(error.code == .encodeFailed) }
        }
    }
#endif

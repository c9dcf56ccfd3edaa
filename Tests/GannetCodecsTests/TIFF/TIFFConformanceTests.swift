#if TIFF
    import GannetCodecs
    import GannetCore
    import GannetTesting
    import Testing

    @Suite struct TIFFConformanceTests {
        private func conformance(_ image: DecodedImage, _ name: String) throws -> CoderConformance {
            let encoder = try #require(try TIFFCoder().makeEncoder(for: .tiff, options: EncodeOptions()))
            // The last four bytes say that no page follows; a file that ends before them has one page as well.
            return CoderConformance(
                TIFFCoder(), format: .tiff, sample: try encoder.encode(image), name: name, insignificantTail: 4)
        }

        @Test func stillPictureKeepsEveryPromise() async throws {  // FM-09
            let check = try conformance(TestImages.still(TestImages.gradient()), "gradient")
            #expect(check.failures() == [])
            #expect(await check.cancellation() == [])
        }

        @Test func pictureWithAlphaKeepsEveryPromise() throws {
            #expect(try conformance(TestImages.still(TestImages.discs()), "discs").failures() == [])
        }

        @Test func whatIsWrittenComesBack() throws {
            let check = CoderConformance(TIFFCoder(), format: .tiff, sample: [], name: "round trip")
            #expect(check.roundTrip(try TestImages.still(TestImages.gradient()), tolerance: 0) == [])
            #expect(check.roundTrip(try TestImages.still(TestImages.discs()), tolerance: 0) == [])
            #expect(check.roundTrip(try TestImages.still(TestImages.noise(width: 300, height: 120)), tolerance: 0) == [])
            for effort in [0, 9] {
                let options = EncodeOptions(effort: effort)
                #expect(check.roundTrip(try TestImages.still(TestImages.flat()), options: options, tolerance: 0) == [])
            }
        }
    }
#endif

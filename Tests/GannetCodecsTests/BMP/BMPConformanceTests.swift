#if BMP
    import GannetCodecs
    import GannetCore
    import GannetTesting
    import Testing

    @Suite struct BMPConformanceTests {
        // The padding of the last row is of no matter.
        private let files = WritingCoder(coder: BMPCoder(), insignificantTail: 3)

        // FM-10
        @Test func opaquePictureKeepsEveryPromise() async throws {
            try await files.expectPromises(TestImages.still(try TestImages.gradient(width: 21, height: 13)), "gradient")
        }

        @Test func clearPictureKeepsEveryPromise() async throws {
            try await files.expectPromises(TestImages.still(try TestImages.discs()), "discs")
        }

        // CD-06
        @Test func picturesComeBackAsTheyWere() throws { try files.expectExactReturns() }

        // CD-06
        @Test func sizesAreKeptToWhenWriting() throws { try files.expectSizesKept() }

        @Test func opaquePixelsTakeThreeBytes() throws {
            let picture = TestImages.still(try TestImages.gradient(width: 16, height: 8))
            #expect(try files.file(picture).count == 54 + 16 * 8 * 3)
        }
    }
#endif

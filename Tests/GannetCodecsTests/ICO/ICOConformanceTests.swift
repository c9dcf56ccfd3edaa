#if ICO
    import GannetCodecs
    import GannetCore
    import GannetTesting
    import Testing

    @Suite struct ICOConformanceTests {
        private let files = WritingCoder(coder: ICOCoder())

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
    }
#endif

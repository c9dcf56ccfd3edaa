#if QOI
    import GannetCodecs
    import GannetCore
    import GannetTesting
    import Testing

    @Suite struct QOIConformanceTests {
        /// The end mark has eight bytes.
        private let files = WritingCoder(coder: QOICoder(), insignificantTail: 8)

        // FM-18
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

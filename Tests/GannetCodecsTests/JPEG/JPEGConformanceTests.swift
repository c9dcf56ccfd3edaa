#if JPEG
    import GannetCodecs
    import GannetCore
    import GannetTesting
    import Testing

    @Suite struct JPEGConformanceTests {
        private func conformance(
            _ image: DecodedImage, _ name: String, previewGain: Double?, options: EncodeOptions
        ) throws -> CoderConformance {
            let encoder = try #require(try JPEGCoder().makeEncoder(for: .jpeg, options: options))
            return CoderConformance(
                JPEGCoder(), format: .jpeg, sample: try encoder.encode(image), name: name, insignificantTail: 2,
                previewGain: previewGain)
        }

        // CD-01, CD-41, FM-02
        @Test("Every promise is kept", arguments: [false, true], [80, 95])
        func promises(progressive: Bool, quality: Int) async throws {
            let picture = try TestImages.gradient(width: 192, height: 192)
            let check = try conformance(
                TestImages.still(picture), progressive ? "progressive" : "baseline", previewGain: 6,
                options: EncodeOptions(quality: quality, progressive: progressive))
            #expect(check.failures() == [])
            #expect(await check.cancellation() == [])
        }
    }
#endif

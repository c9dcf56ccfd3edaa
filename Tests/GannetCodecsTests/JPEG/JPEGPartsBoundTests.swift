#if JPEG
    import GannetCore
    import Testing

    @testable import GannetCodecs

    /// Up to which size one JPEG is decoded by several threads.
    @Suite struct JPEGPartsBoundTests {  // CD-31
        @Test(
            "Several threads decode what needs no more than 100 MiB for it, and one what is larger",
            arguments: [
                // Coefficients and rows: 97 MiB, and 103.
                (7296, 5472, 4, 2), (7680, 5504, 4, 1),
                // A quarter, and an eighth of the size: 95 MiB, and 174.
                (15_360, 9600, 2, 2), (30_000, 30_000, 1, 1),
            ])
        func bound(width: Int, height: Int, eighths: Int, threads: Int) throws {
            // The header of a larger image, before enough codes for two threads.
            var file = try JPEGPartsTests.photograph(1043, 1029, EncodeOptions(quality: 85))
            let frame = try #require(file.indices.dropLast(9).first { file[$0] == 0xFF && file[$0 + 1] == 0xC0 })
            for (place, value) in [(5, height >> 8), (6, height), (7, width >> 8), (8, width)] {
                file[frame + place] = UInt8(truncatingIfNeeded: value)
            }
            let limits = DecodeLimits(maximumPixels: .max)
            let header = try #require(try JPEGSamples.decoder(file, limits: limits).header)
            #expect(header.size == PixelSize(clamping: width, height))
            var scaling = JPEGScaling(for: header, options: ResolvedDecodeOptions())
            scaling.eighths = eighths
            scaling.decoded = PixelSize(clamping: (width * eighths + 7) / 8, (height * eighths + 7) / 8)
            let handle = try JPEGHandle(limits, isStrict: true)
            var input = JPEGInput(whole: ByteRope(file))
            var started = 0
            _ = try handle.reading(&input) { () throws(ImageError) in
                guard try handle.readHeader(), let shrinker = try JPEGShrinker(handle, [scaling], DecodeWatch(limits)) else {
                    return
                }
                let division = shrinker.divide(among: 2, of: limits, .unlimited)
                defer { withExtendedLifetime(division?.room) {} }
                started = division?.threads ?? 1
            }
            #expect(started == threads)
        }
    }
#endif

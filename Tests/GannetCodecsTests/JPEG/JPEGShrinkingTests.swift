#if JPEG
    import GannetCore
    import GannetKernels
    import Testing

    @testable import GannetCodecs

    /// The loss of quality that is allowed for the library's own shrinking.
    @Suite struct JPEGShrinkingTests {
        /// Noise between black and white: its values are cut to 0…255 in a whole decode, and not in a shrunk one.
        private func noise(_ width: Int, _ height: Int) throws -> [UInt8] {
            var state: UInt64 = 7
            var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: width, height), alpha: .opaque))
            for y in 0..<height {
                var row = buffer.mutableRow(y)
                for x in 0..<width {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    let isWhite = Int(state >> 40 & 255) < x * 256 / width
                    for channel in 0..<3 { row[x * 4 + channel] = isWhite ? 255 : 0 }
                    row[x * 4 + 3] = 255
                }
            }
            return try JPEGEncoder(EncodeOptions(quality: 90)).encode(JPEGSamples.still(buffer.freeze()))
        }

        @Test(
            "A thumbnail of a noisy picture is the whole picture through the same filter",
            arguments: [20, 31, 36, 50, 65, 73, 90, 125])
        func noisyPictures(side: Int) throws {  // CD-31
            let file = try noise(256, 64)
            var options = DecodeOptions()
            options.target = .size(.fit(side, side))
            let small = try JPEGSamples.decode(file, options)
            let good = try resample(JPEGSamples.decode(file), to: small.size, filter: .automatic)
            // There is no worse picture than this one; photographs come to 42 dB and more.
            #expect(JPEGSamples.psnr(small, good) >= 33.5)
        }

        @Test(
            "Twice the size asked for is left to the filter at an eighth, a little less at a quarter and half",
            arguments: 1...130, [false, true])
        func share(side: Int, isProgressive: Bool) throws {
            let file = try JPEGSamples.file(259, 131, EncodeOptions(quality: 80, progressive: isProgressive))
            let header = try #require(try JPEGSamples.decoder(file).header)
            var options = DecodeOptions()
            options.target = .size(.fit(side, side))
            let scaling = JPEGScaling(for: header, options: ResolvedDecodeOptions(options))
            let least = [1: 2.0, 2: 1.75, 4: 1.75]
            func isEnough(_ size: PixelSize, _ times: Double) -> Bool {
                Double(size.width) >= times * Double(scaling.output.width)
                    && Double(size.height) >= times * Double(scaling.output.height)
            }
            if let times = least[scaling.eighths] { #expect(isEnough(scaling.decoded, times)) }
            // No more than that: half as much would be too little.
            if let times = least[scaling.eighths / 2] {
                let half = PixelSize(clamping: (scaling.decoded.width + 1) / 2, (scaling.decoded.height + 1) / 2)
                #expect(!isEnough(half, times))
            }
        }
    }
#endif

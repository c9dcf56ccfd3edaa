#if JPEG
    import GannetCore
    import Testing

    @testable import GannetCodecs

    /// The kernel that reads the scans of progressive files side by side.
    @Suite("Scans of progressive JPEG") struct JPEGProgressionTests {  // CD-31, U-02
        /// The same coefficients in one scan and in ten: means, bands, and later bits of both.
        private static func pair(_ size: (Int, Int), _ quality: Int) throws -> (baseline: [UInt8], progressive: [UInt8]) {
            (
                try JPEGSamples.file(size.0, size.1, EncodeOptions(quality: quality)),
                try JPEGSamples.file(size.0, size.1, EncodeOptions(quality: quality, progressive: true))
            )
        }

        private static func options(_ side: Int?) -> DecodeOptions {
            var options = DecodeOptions()
            if let side { options.target = .size(.fit(side, side)) }
            return options
        }

        @Test(
            "A progressive file is the picture of a baseline file with its coefficients", arguments: [60, 95],
            [(320, 240), (333, 417), (700, 91), (33, 20), (16, 1)])
        func pixels(quality: Int, size: (Int, Int)) throws {
            let (baseline, progressive) = try Self.pair(size, quality)
            for eighths in [1, 2, 4] {
                let small = try #require(try JPEGShrinkerTests.shrunk(progressive, eighths: eighths))
                #expect(try JPEGShrinkerTests.shrunk(baseline, eighths: eighths)?.packedBytes() == small.packedBytes())
            }
            #expect(try JPEGSamples.decode(progressive).packedBytes() == JPEGSamples.decode(baseline).packedBytes())
        }

        @Test("Damage is the library's to judge", arguments: [nil, 32])
        func damage(side: Int?) throws {
            let file = try Self.pair((259, 187), 80).progressive
            let options = Self.options(side)
            let scan = try #require(file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xDA })
            var errors = 0
            for index in stride(from: scan, to: file.count, by: 61) {
                for value in [UInt8(0), 0xFF, 0xD9, file[index] ^ 0x10] {
                    var changed = file
                    changed[index] = value
                    let own = JPEGSamples.code { _ = try JPEGSamples.decode(changed, options) }
                    let library = JPEGSamples.code { _ = try JPEGShrinkerTests.byLibrary(changed, options) }
                    // Damage may go unnoticed in data that the target size does not need.
                    #expect(own == library || (side != nil && own == nil), "byte \(index) is \(value)")
                    if own != nil { errors += 1 }
                }
            }
            #expect(errors > 100)
        }

        @Test("What damage leaves is shown where that was asked for")
        func parts() throws {
            let file = try Self.pair((259, 187), 80).progressive
            var options = Self.options(32)
            options.allowsPartial = true
            for share in [0.3, 0.6, 0.9] {
                let part = Array(file.prefix(Int(Double(file.count) * share)))
                let decoder = try JPEGSamples.decoder(part, options)
                #expect(try JPEGSamples.decode(decoder).size == PixelSize(width: 32, height: 23))
                #expect(decoder.isPartial)
            }
        }
    }
#endif
